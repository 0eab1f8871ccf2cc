// Plug-ins on the command line: a file or a folder may stand in place of a variant's id.
#pragma once

#include <string>
#include <vector>

#include "cli/rebuild.h"

namespace gpp {

/// Compiles, loads and registers each name that is a plug-in's file or folder, and replaces it by
/// the plug-in's id. A folder needs no slash unless a variant has the same name. If headers of the
/// source tree changed, the program is first built and started again. Call after
/// rebuild_if_changed() and before variants are chosen. Throws InputError, std::runtime_error.
void adopt_plugins(std::vector<std::string>& names, const Wanted& wanted,
                   const BuildChoice& choice);
/// Tells whether the name means a plug-in's file or folder.
bool names_plugin(const std::string& name, const Kernel& kernel);
/// Does for a single name what adopt_plugins() does for several.
void adopt_plugin(std::string& name, const Wanted& wanted, const BuildChoice& choice);

}  // namespace gpp
