// Rebuilds the program when a variant's source was edited, or when the user asks for parts that the
// first build left out.
//
// `gpp run my_idea` must run the edited source. The program lies in its build folder, so it can
// rebuild itself and start again in its own place.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/program/build_tree.h"
#include "harness/program/selection.h"

namespace gpp {

/// Files newer than the program: sources of the wanted variants, files that they include, and
/// variants that the program does not know. Paths are relative to the source tree:
/// "variants/omp/my_idea.cpp".
std::vector<std::filesystem::path> changed_sources(const Wanted& wanted, const BuildTree& tree);

/// Tells whether the command line allows a build.
struct BuildChoice {
  bool no_build = false;  ///< --no-build
};

/// Adds the option --no-build.
void add_build_options(CLI::App& command, BuildChoice& choice);

/// What --no-build does if a source is newer than the program. Showing results of the old program
/// is harmless (warn), but a record would name the wrong source (refuse).
enum class Outdated { warn, refuse };

/// Builds the wanted variants if they changed or were left out, and starts the program again with
/// the same arguments, once. Returns if nothing needs a build or no build is possible. Reports on
/// standard error. Throws std::runtime_error if the sources do not compile, after showing the
/// compiler's messages, or if --no-build forbids a build that `outdated` requires.
void rebuild_if_changed(const Wanted& wanted, const BuildChoice& choice, Outdated outdated);

/// Rebuilds likewise if the given files include changed files of the source tree.
void rebuild_if_headers_changed(const std::vector<std::filesystem::path>& files,
                                const BuildChoice& choice);

/// Builds the parts that GPP_EXTRAS left out and starts the program again. Throws `asked` if this
/// machine cannot, std::runtime_error if the sources do not compile.
[[noreturn]] void build_left_out(const AskedForLeftOut& asked);

/// The compiler's messages in a build's output, without Ninja's progress and command lines.
std::string compiler_messages(const std::string& output);

}  // namespace gpp
