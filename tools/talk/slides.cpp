#include "tools/talk/slides.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "harness/program/build_info.h"
#include "harness/teach/markdown_text.h"
#include "roofline/base/pattern.h"
#include "roofline/base/text.h"
#include "roofline/page/assemble.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

std::string whole_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error(fmt::format("{} cannot be read", file.string()));
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The heading of a slide.
std::string first_line(std::string_view text) {
  text = roofline::trimmed(text);
  text = text.substr(0, text.find('\n'));
  return without_signs(text.substr(std::min(text.find_first_not_of("# "), text.size())));
}

Slide slide_of(const std::string& text) {
  static const roofline::Pattern mark(R"((^|\n)Notes \((\d{1,2}) min\):\s)");
  const auto found = mark.first(text);
  if (!found)
    throw std::runtime_error(
        fmt::format("the slide '{}' has no 'Notes (2 min): ...'", first_line(text)));
  return {std::string(roofline::trimmed(found->before)),
          std::string(roofline::trimmed(found->after)), std::stoi((*found)[2])};
}

std::string slide_html(const Slide& slide, int minutes_before, const PictureSource& source) {
  return fmt::format(
      "<section class=\"slide\"><div class=\"body\">{}</div>\n<aside class=\"notes\">"
      "<p class=\"when\">{}:{:02} to {}:{:02}</p>{}</aside></section>\n",
      markdown_html(slide.text, source), minutes_before / 60, minutes_before % 60,
      (minutes_before + slide.minutes) / 60, (minutes_before + slide.minutes) % 60,
      markdown_html(slide.notes));
}

}  // namespace

std::vector<Slide> slides_of(std::string_view markdown) {
  std::vector<Slide> slides;
  std::istringstream stream(without_comments(markdown));
  std::string text;
  for (std::string line; std::getline(stream, line);) {
    if (line != "---") {
      text += line + "\n";
      continue;
    }
    slides.push_back(slide_of(text));
    text.clear();
  }
  slides.push_back(slide_of(text));
  return slides;
}

std::string talk_page(const std::vector<Slide>& slides, const fs::path& folder) {
  const PictureSource source = [&folder](const std::string& path) {
    return roofline::svg_data_uri(whole_text(folder / path));
  };
  std::string html;
  int minutes = 0;
  for (const Slide& slide : slides) {
    html += slide_html(slide, minutes, source);
    minutes += slide.minutes;
  }
  const fs::path parts_folder = fs::path(build_info::source_dir) / "tools/talk";
  const std::string page = whole_text(parts_folder / "talk.html");
  roofline::PageParts parts;
  parts.page = page;
  parts.style = roofline::colour_styles() + whole_text(parts_folder / "talk.css");
  parts.script = whole_text(parts_folder / "talk.js");
  parts.without_script = html;
  return roofline::assemble_page(parts, first_line(slides.front().text), {});
}

}  // namespace gpp
