// The static charts of studies: written into a results folder for people to open and restyle.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/show/side_by_side.h"
#include "roofline/charts/write.h"

namespace gpp {

/// roofline, time, plane and ladder of a study. A study that ran on two kinds of device has two of
/// the first three: roofline-gpu, roofline-host, ... Those of several studies carry the studies'
/// names, and share one ladder. published-NAME is of each study of the
/// published ladder NAME.
std::vector<roofline::Drawing> study_drawings(const std::vector<NamedStudy>& studies);

/// Writes and draws them all into the folder: roofline/charts/write.h.
roofline::WrittenCharts write_charts(const std::filesystem::path& folder,
                                     const std::vector<NamedStudy>& studies);

}  // namespace gpp
