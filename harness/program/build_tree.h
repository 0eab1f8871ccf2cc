// The folder that the program was built in, and the sources it was built from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gpp {

/// A program in the folder that it was built in.
struct BuildTree {
  std::filesystem::path program;  ///< what runs now
  std::filesystem::path folder;   ///< CMake's
  std::filesystem::path sources;  ///< what CMake builds there
  std::string cmake;              ///< the CMake that configured it
};

/// The place where this program was built. Empty where it does not lie there any more (installed,
/// copied to another machine), or where the sources are gone.
std::optional<BuildTree> own_build_tree();

/// The sources this program was built from, as they lie now; they may be gone.
std::filesystem::path source_tree();

}  // namespace gpp
