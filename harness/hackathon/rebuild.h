// Bringing the program up to date when a variant's source has been edited.
//
// `gpp run my_idea` after an edit must run what was edited. The program lies in the folder that
// CMake built it in; there it can have itself built anew and start again in its own place.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "gpp/variant.h"
#include "harness/sources/build_tree.h"
#include "harness/study/selection.h"

namespace gpp {

/// Sources of the wanted variants, and the files of the tree that they include, where they are
/// newer than the program; and files of variants that the program does not know. In the tree's own
/// paths: "variants/omp/my_idea.cpp".
std::vector<std::filesystem::path> changed_sources(const std::vector<Variant>& catalog,
                                                   const Wanted& wanted, const BuildTree& tree);

/// Builds what changed of the wanted variants and starts the program again in its own place, with
/// the same arguments and --no-build, so that it happens once. Returns where there is nothing to
/// build, or nowhere; and with `no_build`, after a warning where something changed. Tells on
/// standard error what it does. Throws std::runtime_error, after showing the compiler's messages,
/// where the sources do not build.
void rebuild_if_changed(const std::vector<Variant>& catalog, const Wanted& wanted, bool no_build);

/// --no-build.
void add_no_build_option(CLI::App& command, bool& no_build);

/// The compiler's messages in what a build printed: without Ninja's progress and command lines.
std::string compiler_messages(const std::string& output);

}  // namespace gpp
