// Plug-ins on the command line: a file or a folder in the place of a variant's id.
#pragma once

#include <string>
#include <vector>

#include "cli/rebuild.h"

namespace gpp {

/// Compiles, loads and adopts each of the names that is a plug-in's file or folder, and puts its id
/// in its place. A folder may be named without a slash where no variant is called so. Where headers
/// of the tree were edited, the program is built first, and starts again. After
/// rebuild_if_changed(); before choices are made. Throws InputError, std::runtime_error.
void adopt_plugins(std::vector<std::string>& names, const Wanted& wanted,
                   const BuildChoice& choice);
/// Whether it is meant to be a plug-in's file or folder.
bool names_plugin(const std::string& name, const Kernel& kernel);
/// Does the same for a single name.
void adopt_plugin(std::string& name, const Wanted& wanted, const BuildChoice& choice);

/// Adopts the kernels whose folders GPP_KERNELS names, parted by colons: so that records of theirs
/// can be read.
void adopt_kernels_of_environment();

}  // namespace gpp
