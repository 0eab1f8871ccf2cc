#include "harness/record/guide.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "roofline/advice.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/models/table_text.h"

namespace gpp {
namespace {

using roofline::TableBlock;
using roofline::TableField;

StepAim aim_in(const TableBlock& block) {
  StepAim aim{block.name, {}, block.text("by")};
  std::istringstream list(block.text("against"));
  for (std::string cause; std::getline(list, cause, ',');) {
    aim.against.emplace_back(roofline::trimmed(cause));
    if (roofline::find_advice(aim.against.back()) == nullptr)
      block.refuse(block.line, fmt::format("no cause '{}'", roofline::visible(aim.against.back())));
  }
  return aim;
}

LineRole role_in(const TableBlock& block) {
  LineRole role{block.name, block.text("title"), {}};
  for (const TableField& field : block.fields) {
    if (field.key != "line") continue;
    const std::size_t end = field.value.find(' ');
    if (end == std::string::npos)
      block.refuse(field.line, "a line needs a path and a text that it contains");
    role.marks.push_back({field.value.substr(0, end), field.value.substr(end + 1)});
  }
  if (role.marks.empty()) block.refuse(block.line, "a role needs a 'line'");
  return role;
}

using roofline::LineEvidence;
using roofline::SourcePlace;

bool lies_in(std::string_view path, const std::string& file_or_folder) {
  return file_or_folder.ends_with('/') ? path.starts_with(file_or_folder) : path == file_or_folder;
}

/// Chooses the place with the role: the line itself, or the line that called it.
const SourcePlace* playing(const LineEvidence& line, const std::set<SourcePlace>& places) {
  if (places.contains(line.place)) return &line.place;
  return line.called_from && places.contains(*line.called_from) ? &*line.called_from : nullptr;
}

}  // namespace

Guide read_guide(std::string_view text, const std::string& file) {
  Guide guide;
  for (const TableBlock& block : roofline::read_blocks(
           text, file, {{"step", {"against", "by"}}, {"role", {"title", "line"}, "line"}}))
    if (block.kind == "step")
      guide.aims.push_back(aim_in(block));
    else
      guide.roles.push_back(role_in(block));
  return guide;
}

const Guide& guide_of(const Kernel& kernel) {
  static std::map<const Kernel*, Guide> guides;
  const auto [place, is_new] = guides.try_emplace(&kernel);
  if (is_new && kernel.guide != nullptr)
    place->second = read_guide(kernel.guide().text, std::string(kernel.guide().path));
  return place->second;
}

bool plays(const LineRole& role, std::string_view path, std::string_view line) {
  return std::ranges::any_of(role.marks, [&](const LineMark& mark) {
    return lies_in(path, mark.path) && line.find(mark.text) != std::string_view::npos;
  });
}

std::vector<SourcePlace> places_of(const LineRole& role, const SourceLines& sources) {
  std::vector<SourcePlace> places;
  for (const auto& [path, lines] : sources)
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (plays(role, path, lines[i])) places.push_back({path, static_cast<int>(i + 1)});
  return places;
}

std::uint64_t RoleEvidence::samples() const { return roofline::sum_of(stalls); }

std::optional<RoleEvidence> evidence_of(const LineRole& role, const LinesRecord& lines) {
  const std::vector<SourcePlace> list = places_of(role, lines.sources);
  const std::set<SourcePlace> places(list.begin(), list.end());
  RoleEvidence evidence;
  std::map<SourcePlace, std::uint64_t> heat;
  for (const LineEvidence& line : lines.lines) {
    const SourcePlace* place = playing(line, places);
    if (place == nullptr) continue;
    heat[*place] += line.samples();
    roofline::add_events(evidence.stalls, line.stalls);
    roofline::add_events(evidence.counts, line.counts);
  }
  if (heat.empty()) return std::nullopt;
  evidence.place = std::ranges::max_element(heat, [](const auto& a, const auto& b) {
                     return a.second < b.second;
                   })->first;
  evidence.source = lines.sources.at(evidence.place.file)[evidence.place.line - 1];
  return evidence;
}

}  // namespace gpp
