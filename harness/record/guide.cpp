#include "harness/record/guide.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/models/advice_table.h"
#include "roofline/models/table_text.h"

namespace gpp {
namespace {

using roofline::refuse_table;
using roofline::TableBlock;
using roofline::TableField;

[[noreturn]] void refuse_field(const std::string& file, const TableBlock& block,
                               const TableField& field) {
  refuse_table(
      file, field.at,
      fmt::format("a {} has no field '{}' here", block.kind, roofline::visible(field.key)));
}

std::vector<std::string> causes_in(const TableField& field, const std::string& file) {
  std::vector<std::string> causes;
  std::istringstream list(field.value);
  for (std::string cause; std::getline(list, cause, ',');) {
    causes.emplace_back(roofline::trimmed(cause));
    if (roofline::find_advice(causes.back()) == nullptr)
      refuse_table(file, field.at, fmt::format("no cause '{}'", roofline::visible(causes.back())));
  }
  return causes;
}

StepAim aim_in(const TableBlock& block, const std::string& file) {
  StepAim aim{block.name, {}, {}};
  for (const TableField& field : block.fields) {
    if (field.key == "against" && aim.against.empty())
      aim.against = causes_in(field, file);
    else if (field.key == "by" && aim.by.empty())
      aim.by = field.value;
    else
      refuse_field(file, block, field);
  }
  if (aim.against.empty() || aim.by.empty())
    refuse_table(file, block.at, "a step needs 'against' and 'by'");
  return aim;
}

LineMark mark_in(const TableField& field, const std::string& file) {
  const std::size_t end = field.value.find(' ');
  if (end == std::string::npos)
    refuse_table(file, field.at, "a line needs a path and a text that it contains");
  return {field.value.substr(0, end), field.value.substr(end + 1)};
}

LineRole role_in(const TableBlock& block, const std::string& file) {
  LineRole role{block.name, {}, {}};
  for (const TableField& field : block.fields) {
    if (field.key == "title" && role.title.empty())
      role.title = field.value;
    else if (field.key == "line")
      role.marks.push_back(mark_in(field, file));
    else
      refuse_field(file, block, field);
  }
  if (role.title.empty() || role.marks.empty())
    refuse_table(file, block.at, "a role needs a 'title' and a 'line'");
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
  for (const TableBlock& block : roofline::read_blocks(text, file)) {
    if (block.kind == "step")
      guide.aims.push_back(aim_in(block, file));
    else if (block.kind == "role")
      guide.roles.push_back(role_in(block, file));
    else
      refuse_table(file, block.at,
                   fmt::format("no kind of block: '{}'", roofline::visible(block.kind)));
  }
  return guide;
}

const Guide& guide_of(const Kernel& kernel) {
  static const std::map<std::string, Guide> guides = [] {
    std::map<std::string, Guide> all;
    for (const Kernel* one : kernels()) {
      if (one->guide == nullptr) continue;
      const embedded::File file = one->guide();
      all[one->name] = read_guide(file.text, std::string(file.path));
    }
    return all;
  }();
  static const Guide none;
  const auto found = guides.find(kernel.name);
  return found == guides.end() ? none : found->second;
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
