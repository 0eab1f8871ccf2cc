// Writing report.html.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/report/trajectory_data.h"
#include "harness/show/side_by_side.h"
#include "roofline/page/assemble.h"

namespace gpp {

/// The parts of report.html, which are parts of this program.
roofline::PageParts embedded_parts();

/// Writes <folder>/report.html, complete or not at all, and returns its path. The static charts
/// that lie in the folder stand in where the program was built without Plotly. Throws InputError
/// where the folder cannot be written.
std::filesystem::path write_report(const std::filesystem::path& folder,
                                   const std::vector<NamedStudy>& studies,
                                   const std::vector<NamedTrajectory>& trajectories = {});

}  // namespace gpp
