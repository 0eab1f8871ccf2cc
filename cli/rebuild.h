// Bringing the program up to date when a variant's source has been edited, or when somebody asks
// for what was left out of the first build.
//
// `gpp run my_idea` after an edit must run the edited source. The program lies in the folder that
// CMake built it in; there it can have itself built anew and start again in its own place.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/measure/selection.h"
#include "harness/program/build_tree.h"

namespace gpp {

/// Sources of the wanted variants, and the files of the tree that they include, where they are
/// newer than the program; and files of variants that the program does not know. In the tree's own
/// paths: "variants/omp/my_idea.cpp".
std::vector<std::filesystem::path> changed_sources(const Wanted& wanted, const BuildTree& tree);

/// Whether to build, from the command line.
struct BuildChoice {
  bool no_build = false;  ///< --no-build
};

/// --no-build.
void add_build_options(CLI::App& command, BuildChoice& choice);

/// The meaning of --no-build where a source is newer than the program: a look at the old program's
/// results is harmless, a record of them would name the wrong source.
enum class Outdated { warn, refuse };

/// Builds what changed of the wanted variants, or is left out, and starts the program again in its
/// own place, with the same arguments, once. Returns where there is nothing to build, or nowhere.
/// Tells on standard error what it does. Throws std::runtime_error, after showing the compiler's
/// messages, where the sources do not build; and where --no-build forbids a build that `outdated`
/// demands.
void rebuild_if_changed(const Wanted& wanted, const BuildChoice& choice, Outdated outdated);

/// Does the same for files that include the changed files of the tree.
void rebuild_if_headers_changed(const std::vector<std::filesystem::path>& files,
                                const BuildChoice& choice);

/// Builds what is left out (GPP_EXTRAS) and starts the program again. Throws `asked` where that
/// cannot be done here, std::runtime_error where the sources do not build.
[[noreturn]] void build_left_out(const AskedForLeftOut& asked);

/// The compiler's messages in what a build printed: without Ninja's progress and command lines.
std::string compiler_messages(const std::string& output);

}  // namespace gpp
