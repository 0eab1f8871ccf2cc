#include "roofline/charts/write.h"

#include <fmt/format.h>

#include <algorithm>

#include "roofline/base/process.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

enum class Outcome { drawn, no_gnuplot, failed };

Outcome run_gnuplot(const fs::path& folder, const Drawing& drawing, std::string& message) {
  // env changes the folder: gnuplot's own cd does not take every name.
  const Finished done =
      run_program({"/usr/bin/env", "-C", folder.string(), "gnuplot", "-d", drawing.name + ".gp"});
  if (done.status == 127) return Outcome::no_gnuplot;
  if (done.status == 0) return Outcome::drawn;
  message = done.errors.substr(0, done.errors.find_last_not_of(" \n") + 1);
  std::replace(message.begin(), message.end(), '\n', ' ');
  message = visible(message);
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

WrittenCharts write_drawings(const fs::path& folder, const std::vector<Drawing>& drawings) {
  try {
    for (const Drawing& drawing : drawings) {
      write_whole(folder / (drawing.name + ".gp"), drawing.script);
      write_whole(folder / (drawing.name + ".csv"), drawing.table);
    }
    return draw_all(folder, drawings);
  } catch (const std::exception& error) {
    return {{}, fmt::format("Charts: not written: {}", error.what())};
  }
}

}  // namespace roofline
