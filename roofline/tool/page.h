// report.html for profiles, in one self-contained file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "roofline/tool/kept.h"

namespace roofline {

/// The page of the given profiles, shown one at a time.
std::string profile_page(const std::vector<KeptProfile>& kept);

/// Writes the page atomically. Throws InputError if the file cannot be written.
void write_profile_page(const std::filesystem::path& file, const std::vector<KeptProfile>& kept);

}  // namespace roofline
