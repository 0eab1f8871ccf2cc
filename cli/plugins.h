// Plug-ins on the command line: variants that the program does not contain, and steps that were
// edited since it was built.
#pragma once

#include <string>
#include <vector>

#include "harness/program/selection.h"

namespace gpp {

/// Tells whether the name means a plug-in's file or folder. A folder needs no slash unless a
/// variant has the same name.
bool names_plugin(const std::string& name, const Kernel& kernel);

/// Compiles, loads and registers each name that is a plug-in's file or folder, and replaces it by
/// the plug-in's id; then the wanted variants of the source tree that the program does not contain,
/// and the wanted steps whose file, or a header beside it, is newer than the program. Call before
/// variants are chosen. Throws InputError; std::runtime_error also if --no-build forbids it, or if
/// a header is newer that more than variants include.
void adopt_plugins_and_edits(std::vector<std::string>& names, const Wanted& wanted, bool no_build);
void adopt_plugin_and_edits(std::string& name, const Wanted& wanted, bool no_build);

}  // namespace gpp
