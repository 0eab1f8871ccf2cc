// Charts as files: scripts, their numbers, and what gnuplot makes of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "roofline/charts/gnuplot.h"

namespace roofline {

/// What became of the charts.
struct WrittenCharts {
  std::vector<Drawing> drawn;  ///< those whose NAME.svg and NAME.png are there
  std::string note;            ///< one line for people
};

/// Writes NAME.gp and NAME.csv of every drawing into the folder, and draws NAME.svg and NAME.png by
/// gnuplot where that is installed. Never throws: what went wrong is in the note.
WrittenCharts write_drawings(const std::filesystem::path& folder,
                             const std::vector<Drawing>& drawings);

}  // namespace roofline
