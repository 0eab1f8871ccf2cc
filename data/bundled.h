// The real inputs that come with the project (data/silicon).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gpp {

/// The default input of a study.
inline constexpr std::string_view default_bundled_input = "gpp_si8_medium";

/// The short name of that input, also used for its studies in results/.
inline constexpr std::string_view default_bundled_nickname = "silicon8";

/// Returns the file of a bundled input, named with or without ".dat". It searches $GPP_DATA_DIR,
/// the installed ../share/gpp/data/silicon beside the program, the source tree, and ../data/silicon
/// beside the program. Throws InputError with the known names.
std::filesystem::path bundled_input(std::string_view name = default_bundled_input);

/// Returns the sorted names of all bundled inputs found.
std::vector<std::string> bundled_inputs();

}  // namespace gpp
