#include "harness/show/lines_beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/record/role_lines.h"
#include "harness/show/lines_text.h"
#include "harness/show/lines_view.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::Events;
using roofline::Table;

/// As it may be shown, shortened where `most` says how long it may be.
std::string shown_source(const std::string& line, std::size_t most = std::string::npos) {
  std::string text(roofline::trimmed(line));
  if (text.size() > most) text = text.substr(0, most - 3) + "...";
  return roofline::visible(text);
}

constexpr std::size_t width_of_sources = 56;

std::string share_text(double share) {
  return share < 0.0005 ? "<0.1%" : fmt::format("{:.1f}%", 100 * share);
}

std::uint64_t all_samples(const LinesRecord& lines) {
  return roofline::sum_of(roofline::total_stalls(lines.lines));
}

double share_of(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
}

std::string place_text(const roofline::SourcePlace& place, const std::string& function) {
  if (place.file.empty())
    return fmt::format("({})", function.empty() ? "no line" : roofline::visible(function));
  return fmt::format("{}:{}", roofline::visible(place.file.substr(place.file.rfind('/') + 1)),
                     place.line);
}

std::string recorded_source(const LinesRecord& lines, const roofline::SourcePlace& place) {
  const std::string* line = lines.source(place);
  return line == nullptr ? "" : *line;
}

std::vector<roofline::LineGroup> hottest(const LinesRecord& lines, std::size_t top) {
  std::vector<roofline::LineGroup> groups = roofline::by_variant_line(lines.lines);
  std::erase_if(groups, [](const roofline::LineGroup& group) { return group.samples() == 0; });
  if (groups.size() > top) groups.resize(top);
  return groups;
}

/// What was published of these steps' lines of that part.
std::vector<PublishedLine> published_of(const Kernel& kernel, const LineRole& role,
                                        const std::vector<StepLines>& steps) {
  std::vector<PublishedLine> found;
  if (kernel.published == nullptr) return found;
  for (const PublishedLine& line : kernel.published().lines)
    if (line.role == role.name &&
        std::any_of(steps.begin(), steps.end(),
                    [&line](const StepLines& step) { return step.id == line.version; }))
      found.push_back(line);
  return found;
}

/// "wait 47%, math_pipe_throttle 20%", and of which samples where that is not all.
std::string published_stalls(const PublishedLine& line) {
  if (line.stalls_of.empty()) return "";
  const bool of_all = line.stalls_of == "samples";
  const Events stalls(line.stalls.begin(), line.stalls.end());
  return top_reasons(stalls, of_all ? line.samples : line.not_issued) +
         (of_all ? "" : " of those not issued");
}

/// A row of figures, and the line's source in a row of its own: both together would be too wide.
void add_line(Table& table, std::string whose, std::string share, std::uint64_t samples,
              std::string stalls, const std::string& source) {
  table.add({std::move(whose), std::move(share), with_commas(samples), std::move(stalls)});
  table.add({"", "", "", shown_source(source, width_of_sources)});
}

void add_published(const Kernel& kernel, const PublishedLine& line, Table& table) {
  add_line(table,
           fmt::format("{} {}, line {}", kernel.published().lines_label, line.version, line.line),
           "-", line.samples, published_stalls(line), line.source);
}

/// Of a step whose lines were sampled.
void add_ours(const LineRole& role, const StepLines& step, Table& table) {
  const std::optional<RoleEvidence> found = evidence_of(role, *step.lines);
  if (!found) {
    table.add({"ours " + step.id, "-", "-", "no sample on such a line"});
    return;
  }
  add_line(table, fmt::format("ours {}, {}", step.id, place_text(found->place, "")),
           share_text(share_of(found->samples(), all_samples(*step.lines))), found->samples(),
           top_reasons(found->stalls, found->samples()), found->source);
}

Json published_json(const PublishedLine& line) {
  return {{"version", line.version},
          {"line", line.line},
          {"source", line.source},
          {"samples", line.samples},
          {"not_issued", line.not_issued},
          {"warp_instructions", line.warp_instructions},
          {"stalls_of", line.stalls_of.empty() ? Json(nullptr) : Json(line.stalls_of)},
          {"stalls", events_json(Events(line.stalls.begin(), line.stalls.end()))}};
}

Json place_json(const roofline::SourcePlace& place, const std::string& source) {
  return {{"file", roofline::visible(place.file)},
          {"line", place.line},
          {"source", shown_source(source)}};
}

Json ours_json(const StepLines& step, const RoleEvidence& found) {
  Json json = {{"variant", step.id}};
  json.update(place_json(found.place, found.source));
  json["share"] = share_of(found.samples(), all_samples(*step.lines));
  json["samples"] = found.samples();
  json["stalls"] = events_json(found.stalls);
  return json;
}

}  // namespace

std::string hottest_in_brief(const LinesRecord& lines, std::size_t top) {
  if (!lines.has_samples()) return "Its lines were counted, but not sampled.\n";
  using enum Table::Align;
  Table table({{"line", left}, {"samples", right}, {"stalls", left}, {"source", left}});
  const std::uint64_t all = all_samples(lines);
  for (const roofline::LineGroup& group : hottest(lines, top))
    table.add({place_text(group.place, group.function), share_text(share_of(group.samples(), all)),
               top_reasons(group.stalls, group.samples()),
               shown_source(recorded_source(lines, group.place), width_of_sources)});
  return table.empty() ? "Nothing is known of any line.\n" : table.text();
}

Json hottest_in_brief_json(const LinesRecord& lines, std::size_t top) {
  Json list = Json::array();
  const std::uint64_t all = all_samples(lines);
  for (const roofline::LineGroup& group : hottest(lines, top)) {
    Json one = place_json(group.place, recorded_source(lines, group.place));
    one["share"] = share_of(group.samples(), all);
    one["samples"] = group.samples();
    one["stalls"] = events_json(group.stalls);
    list.push_back(one);
  }
  return list;
}

std::string lines_beside(const Kernel& kernel, const std::vector<StepLines>& steps) {
  using enum Table::Align;
  std::string text;
  for (const LineRole& role : guide_of(kernel).roles) {
    const std::vector<PublishedLine> published = published_of(kernel, role, steps);
    if (published.empty()) continue;
    Table table(
        {{role.title, left}, {"share", right}, {"samples", right}, {"stalls, source", left}});
    for (const StepLines& step : steps) {
      for (const PublishedLine& line : published)
        if (line.version == step.id) add_published(kernel, line, table);
      if (step.lines != nullptr && step.lines->has_samples()) add_ours(role, step, table);
    }
    if (!text.empty()) text += '\n';
    text += table.text();
  }
  return text;
}

Json lines_beside_json(const Kernel& kernel, const std::vector<StepLines>& steps) {
  Json list = Json::array();
  for (const LineRole& role : guide_of(kernel).roles) {
    const std::vector<PublishedLine> published = published_of(kernel, role, steps);
    if (published.empty()) continue;
    Json one = {{"role", role.name},
                {"title", role.title},
                {"published", Json::array()},
                {"ours", Json::array()}};
    for (const PublishedLine& line : published) one["published"].push_back(published_json(line));
    for (const StepLines& step : steps) {
      if (step.lines == nullptr) continue;
      if (const auto found = evidence_of(role, *step.lines))
        one["ours"].push_back(ours_json(step, *found));
    }
    list.push_back(one);
  }
  return list;
}

}  // namespace gpp
