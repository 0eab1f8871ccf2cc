// The columns of evidence: launches, machine code, a profiler's metrics, advice, lines.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "harness/view/columns.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/view/lines.h"

namespace gpp {
namespace {

using roofline::TableCell;
using roofline::title_of;
using roofline::unknown_text;
namespace cell = roofline::cell;
using Value = std::optional<double>;
using Row = const ShownRow&;

std::string joined(const std::vector<std::string>& parts) {
  return parts.empty() ? unknown_text : fmt::format("{}", fmt::join(parts, ", "));
}

/// A fact of the launch with most threads, which does the work.
ShownColumn of_launch(const char* name, const char* title, const char* unit,
                      double (*value)(const Launch&)) {
  return number(name, title, "", [value, unit](Row row) {
    const std::vector<Launch>& launches = row.result->launches;
    const auto main = std::ranges::max_element(launches, {}, [](const Launch& launch) {
      return launch.blocks * launch.threads_per_block;
    });
    if (main == launches.end()) return TableCell{unknown_text};
    return TableCell{fmt::format("{:.0f}{}", value(*main), unit), value(*main)};
  });
}

/// Launches, and the floating-point instructions in the text of a host's variant, as the compiler
/// made them.
Columns code_columns() {
  Columns columns = {
      of_launch("registers", "registers", "",
                [](const Launch& one) { return 1.0 * one.registers; }),
      of_launch("occupancy", "occupancy", "%",
                [](const Launch& one) { return 100 * one.occupancy; }),
      of_launch("spilled", "spilled per thread", " B",
                [](const Launch& one) { return static_cast<double>(one.spill_bytes); }),
      of_launch("threads", "threads per block", "",
                [](const Launch& one) { return 1.0 * one.threads_per_block; })};
  using Mix = roofline::InstructionMix;
  for (const auto& [title, kind, note] :
       {std::tuple("scalar", &Mix::scalar, "instructions in its text that work on one number"),
        {"128-bit", &Mix::packed_128, "on 2 numbers of FP64"},
        {"256-bit", &Mix::packed_256, "on 4"},
        {"512-bit", &Mix::packed_512, "on 8"},
        {"divide", &Mix::divisions, "divisions among them"},
        {"root", &Mix::square_roots, "square roots"}})
    columns.push_back(number(title, title, note, [kind = kind](Row row) {
      const int count = row.result->code.*kind;
      return count == 0 ? TableCell{unknown_text} : cell::integer(count);
    }));
  columns.push_back(words("calls", "calls", "functions of libraries", [](Row row) {
    return joined({row.result->code.calls.begin(), row.result->code.calls.end()});
  }));
  return columns;
}

// ---- A profiler's metrics -----------------------------------------------------------------------

/// A metric of a GPU that hardware counted. A rate uses the time of a run without counters.
Value metric_of(Row row, const std::string& metric) {
  if (row.result->kind != "gpu" || row.result->counted.source != roofline::CountedBy::cupti)
    return std::nullopt;
  if (metric != "dram_rate") return roofline::metric_value(row.metrics(), metric);
  const Value bytes = roofline::metric_value(row.metrics(), "dram_bytes");
  const double seconds = row.result->timing().median;
  return bytes && seconds > 0 ? Value(*bytes / seconds) : std::nullopt;
}

/// Each metric, with the published value of the step beside it.
Columns profiler_columns(const Kernel& kernel) {
  using Text = std::string (*)(double);
  const Text two_decimals = [](double value) { return fmt::format("{:.2f}", value); };
  const Text percent = [](double value) { return roofline::percent_text(value, 2); };
  const Text rate = [](double value) { return roofline::with_prefix(value, "B/s"); };
  Columns columns;
  for (const auto& [metric, title, text, note] :
       {std::tuple("active_warps", "active", two_decimals,
                   "resident warps of one of a multiprocessor's four schedulers, on average"),
        {"eligible_warps", "eligible", two_decimals, "those ready to issue"},
        {"issued_warps", "issued", two_decimals, "those that issue"},
        {"no_eligible", "no eligible", percent, "cycles in which none was ready"},
        {"dram_rate", "DRAM", rate, "bytes read and written per second"},
        {"l1_hit", "L1 hit", percent, "of the sectors asked for"},
        {"l2_hit", "L2 hit", percent, "of the sectors asked for"},
        {"mem_busy", "busy", percent, "the busiest unit that holds memory"},
        {"max_bandwidth", "bandwidth", percent, "the busiest connection between such"},
        {"mem_pipes_busy", "pipes", percent, "the busiest pipe of memory instructions"}}) {
    columns.push_back(number(metric, title, note, [metric = metric, text = text](Row row) {
      return cell::number(metric_of(row, metric), text);
    }));
    if (kernel.published == nullptr) continue;
    columns.push_back(
        number(metric, kernel.published().device, "published",
               [metric = metric, text = text, &kernel](Row row) {
                 const PublishedStep* step = kernel.published().find(row.result->variant);
                 return step == nullptr || !metric_of(row, metric)
                            ? TableCell{unknown_text}
                            : cell::number(roofline::metric_value(step->profiled, metric), text);
               }));
  }
  return columns;
}

// ---- Advice -------------------------------------------------------------------------------------

/// The steps that act on the causes, each once.
std::vector<const LinkedCause*> acted_on(const LinkedAdvice& advice) {
  std::vector<const LinkedCause*> causes;
  if (advice.first.step != nullptr) causes.push_back(&advice.first);
  if (advice.also && advice.also->step != nullptr && advice.also->step != advice.first.step)
    causes.push_back(&*advice.also);
  return causes;
}

/// A column about the advice on a row; unknown where nothing is known to limit it.
ShownColumn advised(const char* name, const char* title, const char* note,
                    std::function<TableCell(const LinkedAdvice&)> cell) {
  return {{name, title, note}, [cell](Row row) {
            const std::optional<LinkedAdvice> advice = advice_on(row);
            return advice && advice->first.cause.binding != roofline::Binding::unknown
                       ? cell(*advice)
                       : TableCell{unknown_text};
          }};
}

TableCell steps_cell(const LinkedAdvice& advice) {
  std::vector<std::string> steps;
  for (const LinkedCause* cause : acted_on(advice)) steps.push_back(cause->step->id);
  return {joined(steps)};
}

TableCell next_cell(const LinkedAdvice& advice) {
  TableCell text{fmt::format("{}", fmt::join(advice_sentences(advice), " "))};
  for (const LinkedCause* cause : acted_on(advice))
    text.see.emplace_back(cause->step->id, "step-" + cause->step->id);
  return text;
}

Columns advice_columns() {
  using Advice = const LinkedAdvice&;
  return {
      advised("what", "bound by", "",
              [](Advice advice) { return TableCell{title_of(advice.first.cause)}; }),
      advised("shown_by", "shown by", "",
              [](Advice advice) { return TableCell{advice.first.cause.evidence}; }),
      advised("also", "beside that", "",
              [](Advice advice) {
                return TableCell{advice.also ? title_of(advice.also->cause) : unknown_text};
              }),
      advised(
          "see", "see",
          "the next steps that act on it, `gpp explain v9`; they need not gain (docs/advice.md)",
          steps_cell),
      advised("next", "look at next", "", next_cell)};
}

/// Returns "v9.cu:42 (12.0% of the samples)".
TableCell hottest_line_cell(Row row) {
  if (!row.result->lines) return {unknown_text};
  const LinesRecord& lines = *row.result->lines;
  const roofline::LineHeat heat(lines);
  for (const roofline::LineGroup& group : roofline::by_variant_line(lines.lines))
    if (!group.place.file.empty())
      return {fmt::format("{} ({} of the {})", roofline::place_text(group.place, ""),
                          roofline::percent_text(100 * heat.share(group.stalls, group.counts)),
                          heat.is_of_samples() ? "samples" : "warp instructions")};
  return {unknown_text};
}

}  // namespace

std::optional<LinkedAdvice> advice_on(Row row) {
  return advice_on(row.study(), *row.result, row.kernel);
}

std::vector<std::string> advice_sentences(const LinkedAdvice& advice) {
  const auto told = [](const char* first, const LinkedCause& linked) {
    return fmt::format("{}: {}.", first, roofline::visible(cause_text(linked.cause)));
  };
  std::vector<std::string> sentences = {told("Bound by", advice.first)};
  if (advice.also) sentences.push_back(told("Beside that", *advice.also));
  std::string next = advice.advice.next;
  for (const LinkedCause* cause : acted_on(advice))
    next += fmt::format(" {} acts on {}, by {}.", cause->step->id, title_of(cause->cause),
                        cause->step->by);
  if (!next.empty()) sentences.push_back(next);
  return sentences;
}

Columns evidence_columns(const Kernel& kernel) {
  Columns all = code_columns();
  for (const Columns& columns : {profiler_columns(kernel), advice_columns()})
    all.insert(all.end(), columns.begin(), columns.end());
  all.push_back({{"hottest_line", "hottest line"}, hottest_line_cell});
  return all;
}

}  // namespace gpp
