// report.html for profiles, in one self-contained file.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "roofline/tool/kept.h"

namespace roofline {

/// The page's model for the given profiles, shown one at a time (roofline/page/model.h).
nlohmann::ordered_json profile_page_model(const std::vector<KeptProfile>& kept);

/// Writes the page atomically. Throws InputError if the file cannot be written.
void write_profile_page(const std::filesystem::path& file, const std::vector<KeptProfile>& kept);

}  // namespace roofline
