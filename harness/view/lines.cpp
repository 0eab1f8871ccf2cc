#include "harness/view/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "harness/record/guide.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/view/table.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::Events;
using roofline::LineGroup;
using roofline::SourcePlace;
using roofline::TableCell;
using roofline::ViewTable;
using roofline::with_commas;

constexpr double hot = 0.1, warm = 0.02;  // shares
constexpr double least_part = 0.01;       // share of an inlined line that is shown
constexpr std::size_t reasons_shown = 3;
constexpr double least_reason = 0.005;  // share of a line's samples: less reads 0%
constexpr std::size_t source_width = 60, brief_source_width = 56;

std::string sampled_how(const LinesRecord& record) {
  const std::uint64_t samples = roofline::sum_of(roofline::total_stalls(record.lines));
  std::string text = fmt::format("{} samples, one of a multiprocessor every {} cycles",
                                 with_commas(samples), record.period);
  if (record.dropped > 0) text += fmt::format("; {} more dropped", with_commas(record.dropped));
  if (record.elsewhere > 0)
    text +=
        fmt::format("; {} in kernels that are not the program's", with_commas(record.elsewhere));
  if (record.sampled_seconds > 0 && record.plain_seconds > 0)
    text += fmt::format("; a run took {:+.1f}% while it was sampled",
                        100 * (record.sampled_seconds / record.plain_seconds - 1));
  return text + ".";
}

std::string counted_how(const LinesRecord& record) {
  std::string text = record.part.empty()
                         ? "Instructions were counted on the whole input"
                         : fmt::format("Instructions were counted on {} and multiplied by {:.6g}",
                                       record.part, record.scale);
  if (!record.totals.empty() && record.sums_agree())
    text += fmt::format(
        "; the lines' sums are what the hardware's counters told ({} warp "
        "instructions)",
        with_commas(roofline::events_of(record.totals, "warp_instructions")));
  return text + ".";
}

/// A line's text as it may be shown, shortened to `most` characters.
std::string shown_source(const std::string& line, std::size_t most = std::string::npos) {
  return roofline::visible(roofline::shortened(line, most));
}

std::string trimmed_source(const std::string& line, std::size_t most = std::string::npos) {
  return shown_source(std::string(roofline::trimmed(line)), most);
}

std::string recorded_source(const LinesRecord& record, const SourcePlace& place) {
  const std::string* line = record.source(place);
  return line == nullptr ? "" : *line;
}

/// "12.3%".
TableCell share_cell(double share) {
  return {share < 0.0005 ? "<0.1%" : roofline::percent_text(100 * share), 100 * share};
}

/// "v9.cu:42"; "(memset)" where there is no line.
std::string place_text(const SourcePlace& place, const std::string& function) {
  if (place.file.empty())
    return fmt::format("({})", function.empty() ? "no line" : roofline::visible(function));
  return fmt::format("{}:{}", roofline::visible(place.file.substr(place.file.rfind('/') + 1)),
                     place.line);
}

std::uint64_t all_samples(const LinesRecord& lines) {
  return roofline::sum_of(roofline::total_stalls(lines.lines));
}

double share_of(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
}

// ---- The hottest lines, whole files -------------------------------------------------------------

bool was_counted(const LinesRecord& record, const char* name) {
  return std::find(record.counted.begin(), record.counted.end(), name) != record.counted.end();
}

constexpr std::pair<const char*, const char*> counts_shown[] = {
    {"warp_instructions", "warp instr."},
    {"thread_instructions", "thread instr."},
    {"sectors", "sectors"},
    {"ideal_sectors", "ideal"},
    {"shared_wavefronts", "shared"},
    {"ideal_shared_wavefronts", "ideal"}};

/// A table of lines with their events. What was not measured has no column.
class LinesTable {
 public:
  LinesTable(const LinesRecord& record) : record_(record), heat_(record) {
    const bool sampled = record.has_samples();
    table_.columns = {{"line", "line"},
                      {"share", sampled ? "samples" : "share", "", "%", Align::right}};
    if (sampled) table_.columns.push_back({"stalls", "stalls"});
    for (const auto& [name, title] : counts_shown)
      if (was_counted(record, name)) table_.columns.push_back({name, title, "", "", Align::right});
    table_.columns.push_back({"source", "source"});
  }

  double share(const Events& stalls, const Events& counts) const {
    return heat_.share(stalls, counts);
  }

  void add(std::string line, const Events& stalls, const Events& counts, std::string source) {
    const double share = heat_.share(stalls, counts);
    roofline::TableRow row{{{std::move(line)}, share == 0 ? TableCell{} : share_cell(share)}};
    if (record_.has_samples()) row.cells.push_back({top_reasons(stalls, roofline::sum_of(stalls))});
    for (const auto& [name, title] : counts_shown) {
      if (!was_counted(record_, name)) continue;
      const std::uint64_t count = roofline::events_of(counts, name);
      row.cells.push_back(count == 0 ? TableCell{}
                                     : TableCell{with_commas(count), static_cast<double>(count)});
    }
    row.cells.push_back({std::move(source)});
    row.tone = share < warm ? "" : share < hot ? "warning" : "bad";
    table_.rows.push_back(std::move(row));
  }

  const ViewTable& table() const { return table_; }

 private:
  const LinesRecord& record_;
  LineHeat heat_;
  ViewTable table_{"lines", "Lines", {}, {}, {}};
};

/// A sentence a line.
std::string how(const LinesRecord& record) {
  std::string text;
  for (const std::string& sentence : measured_how(record)) text += sentence + "\n";
  return text;
}

std::string losses(const LinesRecord& record) {
  std::string text;
  for (const std::string& lost : record.lost)
    text += fmt::format("  {}\n", roofline::wrapped(lost, roofline::text_width(), 4, 2));
  return text.empty() ? "" : "\nMissing or doubtful:\n" + text;
}

/// Adds the lines that were inlined at a group's; returns how many are too cool to be shown.
std::size_t add_parts(const LineGroup& group, const LinesRecord& record, LinesTable& table) {
  std::size_t hidden = 0;
  for (const roofline::LineEvidence& part : group.parts) {
    if (!part.called_from) continue;
    if (table.share(part.stalls, part.counts) < least_part)
      ++hidden;
    else
      table.add("  " + place_text(part.place, part.function), part.stalls, part.counts,
                "  " + trimmed_source(recorded_source(record, part.place), source_width));
  }
  return hidden;
}

std::string whole_file(const LinesRecord& record, const std::string& file,
                       const std::vector<LineGroup>& groups, bool colours) {
  LinesTable table(record);
  const Events nothing;
  const std::vector<std::string>& lines = record.sources.at(file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const SourcePlace place{file, static_cast<int>(i + 1)};
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&place](const LineGroup& one) { return one.place == place; });
    const bool known = group != groups.end();
    table.add(fmt::format("{:4}", place.line), known ? group->stalls : nothing,
              known ? group->counts : nothing, shown_source(lines[i], source_width));
  }
  return fmt::format("\n{}\n\n{}", roofline::visible(file), terminal_text(table.table(), colours));
}

// ---- Lines in brief, and beside published ones --------------------------------------------------

std::vector<LineGroup> hottest(const LinesRecord& lines, std::size_t top) {
  std::vector<LineGroup> groups = roofline::by_variant_line(lines.lines);
  std::erase_if(groups, [](const LineGroup& group) { return group.samples() == 0; });
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
void add_line(ViewTable& table, std::string whose, TableCell share, std::uint64_t samples,
              std::string stalls, const std::string& source) {
  table.rows.push_back(
      {{{std::move(whose)}, std::move(share), {with_commas(samples)}, {std::move(stalls)}}});
  table.rows.push_back({{{""}, {""}, {""}, {trimmed_source(source, brief_source_width)}}});
}

void add_published(const Kernel& kernel, const PublishedLine& line, ViewTable& table) {
  add_line(table,
           fmt::format("{} {}, line {}", kernel.published().lines_label, line.version, line.line),
           {"-"}, line.samples, published_stalls(line), line.source);
}

/// Adds what was sampled of the step's own line.
void add_ours(const LineRole& role, const StepLines& step, ViewTable& table) {
  const std::optional<RoleEvidence> found = evidence_of(role, *step.lines);
  if (!found) {
    table.rows.push_back({{{"ours " + step.id}, {"-"}, {"-"}, {"no sample on such a line"}}});
    return;
  }
  add_line(table, fmt::format("ours {}, {}", step.id, place_text(found->place, "")),
           share_cell(share_of(found->samples(), all_samples(*step.lines))), found->samples(),
           top_reasons(found->stalls, found->samples()), found->source);
}

Json events_json(const Events& events) {
  Json json = Json::object();
  for (const auto& [name, number] : events) json[name] = number;
  return json;
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

Json place_json(const SourcePlace& place, const std::string& source) {
  return {{"file", roofline::visible(place.file)},
          {"line", place.line},
          {"source", trimmed_source(source)}};
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

LineHeat::LineHeat(const LinesRecord& record)
    : samples_(roofline::sum_of(roofline::total_stalls(record.lines))),
      instructions_(
          roofline::events_of(roofline::total_counts(record.lines), "warp_instructions")) {}

double LineHeat::share(const Events& stalls, const Events& counts) const {
  const std::uint64_t all = is_of_samples() ? samples_ : instructions_;
  if (all == 0) return 0;
  const std::uint64_t own =
      is_of_samples() ? roofline::sum_of(stalls) : roofline::events_of(counts, "warp_instructions");
  return static_cast<double>(own) / static_cast<double>(all);
}

std::set<std::string> calling_files(const LinesRecord& record) {
  std::set<std::string> callers;
  for (const roofline::LineEvidence& line : record.lines)
    if (line.called_from) callers.insert(line.called_from->file);
  return callers;
}

std::vector<std::string> files_of(const LinesRecord& record) {
  std::map<std::string, std::uint64_t> samples;
  for (const roofline::LineEvidence& line : record.lines) {
    samples[line.place.file] += line.samples();
    if (line.called_from) samples[line.called_from->file] += line.samples();
  }
  std::vector<std::string> files;
  for (const auto& [file, number] : samples) files.push_back(file);
  const std::set<std::string> callers = calling_files(record);
  std::stable_sort(files.begin(), files.end(), [&](const std::string& a, const std::string& b) {
    return std::pair(callers.contains(a), samples[a]) > std::pair(callers.contains(b), samples[b]);
  });
  return files;
}

std::vector<std::string> measured_how(const LinesRecord& record) {
  std::vector<std::string> sentences;
  if (record.has_samples()) sentences.push_back(sampled_how(record));
  if (record.has_counts()) sentences.push_back(counted_how(record));
  return sentences;
}

std::string top_reasons(const Events& stalls, std::uint64_t all) {
  std::vector<std::pair<std::uint64_t, std::string>> sorted;
  for (const auto& [name, number] : stalls)
    if (static_cast<double>(number) >= least_reason * static_cast<double>(all))
      sorted.emplace_back(number, name);
  std::sort(sorted.rbegin(), sorted.rend());
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < reasons_shown && all > 0; ++i)
    text += fmt::format("{}{} {:.0f}%", i == 0 ? "" : ", ", sorted[i].second,
                        100 * static_cast<double>(sorted[i].first) / static_cast<double>(all));
  return text;
}

std::string hottest_lines(const LinesRecord& record, const std::string& title, std::size_t top,
                          bool colours) {
  LinesTable table(record);
  const std::vector<LineGroup> groups = roofline::by_variant_line(record.lines);
  std::size_t hidden = groups.size() > top ? groups.size() - top : 0;
  for (std::size_t i = 0; i < groups.size() && i < top; ++i) {
    table.add(place_text(groups[i].place, groups[i].function), groups[i].stalls, groups[i].counts,
              trimmed_source(recorded_source(record, groups[i].place), source_width));
    hidden += add_parts(groups[i], record, table);
  }
  std::string text = title + "\n" + how(record) + "\n";
  text +=
      groups.empty() ? "Nothing is known of any line.\n" : terminal_text(table.table(), colours);
  if (hidden > 0)
    text += fmt::format("\n{} cooler lines are not shown: --all, --top {}, --json.\n", hidden,
                        groups.size());
  return text + losses(record);
}

std::string whole_files(const LinesRecord& record, const std::string& title, bool colours) {
  const std::vector<LineGroup> of_variant = roofline::by_variant_line(record.lines);
  const std::vector<LineGroup> of_innermost = roofline::by_innermost_line(record.lines);
  const std::set<std::string> callers = calling_files(record);
  std::string text = title + "\n" + how(record);
  for (const std::string& file : files_of(record))
    if (record.sources.contains(file))
      text += whole_file(record, file, callers.contains(file) ? of_variant : of_innermost, colours);
  LinesTable elsewhere(record);
  for (const LineGroup& group : of_innermost)
    if (!record.sources.contains(group.place.file))
      elsewhere.add(place_text(group.place, group.function), group.stalls, group.counts, "");
  if (!elsewhere.table().rows.empty()) text += "\nelsewhere\n\n" + terminal_text(elsewhere.table());
  return text + losses(record);
}

std::string hottest_in_brief(const LinesRecord& lines, std::size_t top) {
  if (!lines.has_samples()) return "Its lines were counted, but not sampled.\n";
  ViewTable table{"lines",
                  "Lines",
                  {{"line", "line"},
                   {"share", "samples", "", "%", Align::right},
                   {"stalls", "stalls"},
                   {"source", "source"}},
                  {},
                  {}};
  const std::uint64_t all = all_samples(lines);
  for (const LineGroup& group : hottest(lines, top))
    table.rows.push_back(
        {{{place_text(group.place, group.function)},
          share_cell(share_of(group.samples(), all)),
          {top_reasons(group.stalls, group.samples())},
          {trimmed_source(recorded_source(lines, group.place), brief_source_width)}}});
  return table.rows.empty() ? "Nothing is known of any line.\n" : terminal_text(table);
}

Json hottest_in_brief_json(const LinesRecord& lines, std::size_t top) {
  Json list = Json::array();
  const std::uint64_t all = all_samples(lines);
  for (const LineGroup& group : hottest(lines, top)) {
    Json one = place_json(group.place, recorded_source(lines, group.place));
    one["share"] = share_of(group.samples(), all);
    one["samples"] = group.samples();
    one["stalls"] = events_json(group.stalls);
    list.push_back(one);
  }
  return list;
}

std::string lines_beside(const Kernel& kernel, const std::vector<StepLines>& steps) {
  std::string text;
  for (const LineRole& role : guide_of(kernel).roles) {
    const std::vector<PublishedLine> published = published_of(kernel, role, steps);
    if (published.empty()) continue;
    ViewTable table{"lines_beside",
                    role.title,
                    {{"line", role.title},
                     {"share", "share", "", "%", Align::right},
                     {"samples", "samples", "", "", Align::right},
                     {"stalls", "stalls, source"}},
                    {},
                    {}};
    for (const StepLines& step : steps) {
      for (const PublishedLine& line : published)
        if (line.version == step.id) add_published(kernel, line, table);
      if (step.lines != nullptr && step.lines->has_samples()) add_ours(role, step, table);
    }
    if (!text.empty()) text += '\n';
    text += terminal_text(table);
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
