// The real inputs that come with the project (data/silicon).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gpp {

/// The input of a study when none is named.
inline constexpr std::string_view default_bundled_input = "gpp_si8_medium";

/// The short name of that input, which its studies in results/ have too.
inline constexpr std::string_view default_bundled_nickname = "silicon8";

/// The file of a bundled input, named with or without ".dat". Looked for in $GPP_DATA_DIR, in
/// ../share/gpp/data/silicon beside the program, where it was installed, in the source tree this
/// program was built from, and in ../data/silicon beside the program. Throws InputError with the
/// names there are.
std::filesystem::path bundled_input(std::string_view name = default_bundled_input);

/// The names of all bundled inputs found, sorted.
std::vector<std::string> bundled_inputs();

}  // namespace gpp
