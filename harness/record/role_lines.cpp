#include "harness/record/role_lines.h"

#include <algorithm>
#include <set>

namespace gpp {
namespace {

using roofline::LineEvidence;
using roofline::SourcePlace;

bool lies_in(std::string_view path, const std::string& file_or_folder) {
  return file_or_folder.ends_with('/') ? path.starts_with(file_or_folder) : path == file_or_folder;
}

/// The place of the two that plays the part: where it was written, or where that was called.
const SourcePlace* playing(const LineEvidence& line, const std::set<SourcePlace>& places) {
  if (places.contains(line.place)) return &line.place;
  return line.called_from && places.contains(*line.called_from) ? &*line.called_from : nullptr;
}

}  // namespace

bool plays(const LineRole& role, std::string_view path, std::string_view line) {
  return std::any_of(role.marks.begin(), role.marks.end(), [&](const LineMark& mark) {
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
  evidence.place = std::max_element(heat.begin(), heat.end(), [](const auto& a, const auto& b) {
                     return a.second < b.second;
                   })->first;
  evidence.source = lines.sources.at(evidence.place.file)[evidence.place.line - 1];
  return evidence;
}

}  // namespace gpp
