// The build folder of this program, and the sources that it was built from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gpp {

/// A program in its build folder.
struct BuildTree {
  std::filesystem::path program;  ///< the running program
  std::filesystem::path folder;   ///< CMake's build folder
  std::filesystem::path sources;  ///< the source tree of that build
};

/// The build folder of this program. Empty if the program was moved (installed, copied to another
/// machine) or the sources are gone.
std::optional<BuildTree> own_build_tree();

}  // namespace gpp
