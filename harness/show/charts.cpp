#include "harness/show/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/program/process.h"
#include "harness/show/ladder_chart.h"
#include "harness/show/roofline_chart.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"
#include "roofline/charts/roofline_drawing.h"
#include "roofline/charts/time_drawing.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using roofline::Drawing;

/// A name no other drawing has.
std::string unused(const std::string& name, const std::vector<Drawing>& drawings) {
  std::string candidate = name;
  for (int i = 2;
       std::any_of(drawings.begin(), drawings.end(),
                   [&candidate](const Drawing& other) { return other.name == candidate; });
       ++i)
    candidate = fmt::format("{}-{}", name, i);
  return candidate;
}

/// How many kinds of devices have charts.
std::size_t kinds_of(const std::vector<StudyRoofline>& rooflines) {
  std::set<std::string> kinds;
  for (const StudyRoofline& one : rooflines) kinds.insert(one.kind);
  return kinds.size();
}

void add_rooflines(const NamedStudy& named, bool several, std::vector<Drawing>& drawings) {
  const std::vector<StudyRoofline> rooflines = study_rooflines(named.study);
  for (const StudyRoofline& one : rooflines) {
    const std::string suffix =
        (several ? fmt::format("-{}", roofline::file_stem(named.name)) : std::string()) +
        (kinds_of(rooflines) > 1 ? "-" + one.kind : "") +
        (one.precision == "fp64" ? "" : "-" + one.precision);
    drawings.push_back(
        draw_roofline(one.chart, unused("roofline" + suffix, drawings), one.subtitle));
    drawings.push_back(draw_times(one.chart, unused("time" + suffix, drawings), one.subtitle));
  }
}

enum class Outcome { drawn, no_gnuplot, failed };

Outcome run_gnuplot(const fs::path& folder, const Drawing& drawing, std::string& message) {
  // env changes the folder: gnuplot's own cd does not take every name.
  const Finished done =
      run_program({"/usr/bin/env", "-C", folder.string(), "gnuplot", "-d", drawing.name + ".gp"});
  if (done.status == 127) return Outcome::no_gnuplot;
  if (done.status == 0) return Outcome::drawn;
  message = done.errors.substr(0, done.errors.find_last_not_of(" \n") + 1);
  std::replace(message.begin(), message.end(), '\n', ' ');
  message = roofline::visible(message);
  return Outcome::failed;
}

std::string names_of(const std::vector<Drawing>& drawings, const char* extension) {
  std::string text;
  for (const Drawing& drawing : drawings)
    text += (text.empty() ? "" : " ") + drawing.name + extension;
  return text;
}

WrittenCharts draw_all(const fs::path& folder, const std::vector<Drawing>& drawings) {
  WrittenCharts written;
  for (const Drawing& drawing : drawings)  // no picture is better than one of older numbers
    for (const char* extension : {".svg", ".png"}) fs::remove(folder / (drawing.name + extension));
  for (const Drawing& drawing : drawings) {
    std::string message;
    switch (run_gnuplot(folder, drawing, message)) {
      case Outcome::drawn:
        written.drawn.push_back(drawing);
        break;
      case Outcome::failed:
        written.note += fmt::format("gnuplot could not draw {}.gp: {}. ", drawing.name, message);
        break;
      case Outcome::no_gnuplot:
        written.note = fmt::format(
            "Charts: gnuplot is not here (package gnuplot-nox); where it is, draw them in that "
            "folder with: gnuplot {}",
            names_of(drawings, ".gp"));
        return written;
    }
  }
  if (!written.drawn.empty())
    written.note += fmt::format("Charts: {}", names_of(written.drawn, ".svg"));
  return written;
}

}  // namespace

std::vector<Drawing> study_drawings(const std::vector<NamedStudy>& studies) {
  std::vector<Drawing> drawings;
  for (const NamedStudy& named : studies) add_rooflines(named, studies.size() > 1, drawings);
  if (auto ladder = draw_ladder(studies, "ladder")) drawings.push_back(std::move(*ladder));
  return drawings;
}

WrittenCharts write_charts(const fs::path& folder, const std::vector<NamedStudy>& studies) {
  try {
    const std::vector<Drawing> drawings = study_drawings(studies);
    for (const Drawing& drawing : drawings) {
      roofline::write_whole(folder / (drawing.name + ".gp"), drawing.script);
      roofline::write_whole(folder / (drawing.name + ".csv"), drawing.table);
    }
    return draw_all(folder, drawings);
  } catch (const std::exception& error) {
    return {{}, fmt::format("Charts: not written: {}", error.what())};
  }
}

}  // namespace gpp
