#include "harness/view/steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "harness/record/advice.h"
#include "harness/view/lines.h"
#include "harness/view/roofline.h"
#include "roofline/base/units.h"
#include "roofline/points.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::TableCell;
namespace cell = roofline::cell;

std::string join(const std::vector<std::string>& parts, const char* between) {
  return fmt::format("{}", fmt::join(parts, between));
}

/// The different values of large launches, such as "128, 118"; sorted by the largest launch's.
TableCell launch_cell(const Result& result, const std::function<double(const Launch&)>& value,
                      const std::function<std::string(double)>& text) {
  std::vector<std::string> values;
  double first = NAN;
  for (const Launch& launch : large_launches(result)) {
    if (std::isnan(first)) first = value(launch);
    const std::string one = text(value(launch));
    if (std::find(values.begin(), values.end(), one) == values.end()) values.push_back(one);
  }
  return values.empty() ? TableCell{"-"} : TableCell{join(values, ", "), first};
}

std::string whole(double value) { return fmt::format("{:.0f}", value); }

/// Returns "8 scalar, 54 256-bit, 3 of them divisions; calls exp".
std::string machine_code_of(const roofline::InstructionMix& code) {
  using Mix = roofline::InstructionMix;
  if (code.scalar_share() < 0) return roofline::unknown_text;
  static constexpr std::pair<int Mix::*, const char*> kinds[] = {
      {&Mix::scalar, "scalar"},
      {&Mix::packed_128, "128-bit"},
      {&Mix::packed_256, "256-bit"},
      {&Mix::packed_512, "512-bit"},
      {&Mix::divisions, "of them divisions"},
      {&Mix::square_roots, "of them roots"}};
  std::vector<std::string> counts;
  for (const auto& [kind, name] : kinds)
    if (const int count = code.*kind; count > 0)
      counts.push_back(fmt::format("{} {}", count, name));
  const std::string text = join(counts, ", ");
  return code.calls.empty() ? text : fmt::format("{}; calls {}", text, fmt::join(code.calls, ", "));
}

/// Returns "data from memory (5.62 warps per issue, 62.0% of it at v9.cu:42)".
std::string cause_sentence(const LinkedCause& linked) {
  std::vector<std::string> evidence;
  if (!linked.cause.evidence.empty()) evidence.push_back(linked.cause.evidence);
  if (linked.line && !linked.line->place.file.empty())
    evidence.push_back(fmt::format("{} of it at {}:{}",
                                   roofline::percent_text(100 * linked.line->share),
                                   linked.line->place.file, linked.line->place.line));
  const std::string title = title_of(linked.cause);
  return evidence.empty() ? title : fmt::format("{} ({})", title, join(evidence, ", "));
}

/// Advice on the variant, with links to the steps that act on its limits.
TableCell advice_cell(const ShownRow& row) {
  const std::optional<LinkedAdvice> advice = advice_on(row.study(), *row.result);
  if (!advice) return {roofline::unknown_text};
  TableCell text{cause_sentence(advice->first)};
  std::vector<const StepAim*> steps = {advice->first.step};
  if (advice->also) {
    text.text += "; beside that " + cause_sentence(*advice->also);
    if (advice->also->step != advice->first.step) steps.push_back(advice->also->step);
  }
  text.text += ". " + advice->advice.next;
  for (const StepAim* step : steps)
    if (step != nullptr) text.see.emplace_back(step->id, "step-" + step->id);
  return text;
}

/// Returns "v9.cu:42 (12.0% of the samples)".
TableCell hottest_line_cell(const Result& result) {
  if (!result.lines) return {roofline::unknown_text};
  const LinesRecord& lines = *result.lines;
  const roofline::LineHeat heat(lines);
  for (const roofline::LineGroup& group : roofline::by_variant_line(lines.lines))
    if (!group.place.file.empty())
      return {fmt::format(
          "{}:{} ({} of the {})", group.place.file.substr(group.place.file.rfind('/') + 1),
          group.place.line, roofline::percent_text(100 * heat.share(group.stalls, group.counts)),
          heat.is_of_samples() ? "samples" : "warp instructions")};
  return {roofline::unknown_text};
}

TableCell against_the_step_before(const ShownResults& shown, const ShownRow& row) {
  const ShownRow* before = shown.before(row);
  if (before == nullptr) return {roofline::unknown_text};
  const double factor = before->result->timing().median / row.result->timing().median;
  return {fmt::format("{} over {}", roofline::times_text(factor), before->result->variant), factor};
}

TableCell of_lowest_roof(const ShownRow& row) {
  const roofline::RooflinePoint* point = row.result->roofline();
  if (point == nullptr) return {roofline::unknown_text};
  return {fmt::format("{} of {}", roofline::percent_text(point->percent_of_roof),
                      roofline::level_label(row.result->kind, point->bound_by)),
          point->percent_of_roof};
}

TableCell rate_cell(const ShownRow& row) {
  const roofline::RooflinePoint* point = row.result->roofline();
  return point == nullptr ? TableCell{roofline::unknown_text} : speed_cell(*row.result, *point);
}

/// The limit with its evidence: "latency (long_scoreboard 4.69 per issue)".
TableCell held_back_cell(const ShownRow& row) {
  const roofline::RooflinePoint* point = row.result->roofline();
  if (point == nullptr) return {roofline::unknown_text};
  const roofline::Verdict found = verdict(*point, row.result->counted.metrics);
  return {roofline::level_label(row.result->kind, found.by) + found.text().substr(found.by.size())};
}

using StepColumn = roofline::ColumnOf<ShownRow>;

std::vector<StepColumn> step_columns(const ShownResults& shown, const std::string& work) {
  const auto words = [](const char* name, const char* title, auto cell) {
    return StepColumn{{name, title}, cell};
  };
  const auto number = [](const char* name, const std::string& title, auto cell) {
    return StepColumn{{name, title, "", "", Align::right}, cell};
  };
  return {
      words("series", "", [](const ShownRow& row) { return TableCell{row.series_label()}; }),
      number("time", "time",
             [](const ShownRow& row) { return cell::seconds(row.result->timing().median); }),
      number("over_before", "against the step before",
             [&shown](const ShownRow& row) { return against_the_step_before(shown, row); }),
      number("speedup", "speedup over " + shown.baseline(),
             [](const ShownRow& row) { return cell::times(speedup(row.study(), *row.result)); }),
      number("work_rate", work + "/s",
             [](const ShownRow& row) {
               return cell::scientific(terms_per_second(row.study(), *row.result));
             }),
      number("rate", "rate", rate_cell),
      number("of_roof", "of its lowest roof", of_lowest_roof),
      words("held_back_by", "held back by", held_back_cell),
      words("hottest_line", "hottest line",
            [](const ShownRow& row) { return hottest_line_cell(*row.result); }),
      words("next", "look at next", advice_cell),
      words("machine_code", "machine code",
            [](const ShownRow& row) { return TableCell{machine_code_of(row.result->code)}; }),
      number("registers", "registers per thread", registers_cell),
      number("occupancy", "occupancy", occupancy_cell),
      number("spilled", "spilled per thread",
             [](const ShownRow& row) {
               return launch_cell(
                   *row.result,
                   [](const Launch& launch) { return static_cast<double>(launch.spill_bytes); },
                   [](double bytes) { return whole(bytes) + " B"; });
             }),
      number("threads", "threads per block",
             [](const ShownRow& row) {
               return launch_cell(
                   *row.result, [](const Launch& launch) { return launch.threads_per_block; },
                   whole);
             }),
      number("error", "largest relative error", error_cell),
  };
}

}  // namespace

TableCell registers_cell(const ShownRow& row) {
  return launch_cell(
      *row.result, [](const Launch& launch) { return launch.registers; }, whole);
}

TableCell occupancy_cell(const ShownRow& row) {
  return launch_cell(
      *row.result, [](const Launch& launch) { return 100 * launch.occupancy; },
      [](double percent) { return roofline::percent_text(percent, 0); });
}

TableCell error_cell(const ShownRow& row) {
  const double error = row.result->check.max_relative_error;
  return std::isfinite(error) ? cell::scientific(error, 1) : TableCell{roofline::unknown_text};
}

roofline::ViewTable step_table(const ShownResults& shown, const std::string& variant) {
  roofline::ViewTable table{"step-" + variant, "What the variant took and used", {}, {}, {}};
  std::vector<ShownRow> rows;
  for (const ShownRow* row : shown.timed(variant)) rows.push_back(*row);
  if (rows.empty()) return table;
  table = roofline::table_of(step_columns(shown, kernel_of(rows.front().study()).work), rows,
                             std::move(table));
  for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i].tags = rows[i].tags();
  return table;
}

}  // namespace gpp
