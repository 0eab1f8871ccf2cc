// The static charts of studies: written into a results folder for people to open and restyle.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/show/side_by_side.h"
#include "roofline/charts/gnuplot.h"

namespace gpp {

/// roofline, time and ladder of a study. A study that ran on two kinds of device has two of the
/// first two: roofline-gpu, roofline-host, ... Those of several studies carry the studies' names,
/// and share one ladder.
std::vector<roofline::Drawing> study_drawings(const std::vector<NamedStudy>& studies);

/// The outcome of writing charts.
struct WrittenCharts {
  std::vector<roofline::Drawing> drawn;  ///< those whose NAME.svg and NAME.png are there
  std::string note;                      ///< one line for people
};

/// Writes NAME.gp and NAME.csv of every drawing into the folder, and draws NAME.svg and NAME.png by
/// gnuplot where that is installed. Never throws: what went wrong is in the note.
WrittenCharts write_charts(const std::filesystem::path& folder,
                           const std::vector<NamedStudy>& studies);

}  // namespace gpp
