// report.html of profiles: one page for people, complete in one file.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "roofline/base/embedded.h"
#include "roofline/page/assemble.h"
#include "roofline/page/static_charts.h"
#include "roofline/tool/kept.h"

namespace roofline {

std::span<const EmbeddedText> embedded_profile_page();  ///< of roofline/tool/page/

/// The parts of the page, which are parts of this program.
PageParts profile_page_parts();

/// {"name", "program", "device", "kind", "source", "created", "seconds", "notes", "ceilings",
/// "models" and "instruction_models": those of its kind, "levels", "charts": name and data URI,
/// "kernels": [{"number", "short", "name", "launches", "seconds", "work": {model: amount}, "bytes":
/// {level: amount}, "rooflines", "instruction_rooflines", "instructions": numbers of their table,
/// "no_instructions", "drawn": models whose chart shows it, "busiest", "missing", "notes"}]}.
nlohmann::ordered_json profile_page_data(const KeptProfile& kept, const StaticCharts& charts);

/// Writes the page, complete or not at all. The static charts beside the profiles stand in where
/// the program was built without Plotly. Throws InputError where the file cannot be written.
void write_profile_page(const std::filesystem::path& file, const std::vector<KeptProfile>& kept);

}  // namespace roofline
