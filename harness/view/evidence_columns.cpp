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

std::string joined(const std::vector<std::string>& parts) {
  return parts.empty() ? unknown_text : fmt::format("{}", fmt::join(parts, ", "));
}

/// The different values of large launches, such as "128, 118"; sorted by the largest launch's.
ShownColumn of_launches(const char* name, const char* title, const char* unit,
                        double (*value)(const Launch&)) {
  return number(name, title, [value, unit](const ShownRow& row) {
    std::vector<std::string> values;
    double first = NAN;
    for (const Launch& launch : large_launches(*row.result)) {
      if (std::isnan(first)) first = value(launch);
      const std::string one = fmt::format("{:.0f}{}", value(launch), unit);
      if (std::ranges::find(values, one) == values.end()) values.push_back(one);
    }
    return TableCell{joined(values), first};
  });
}

Columns launch_columns() {
  return {of_launches("registers", "registers", "",
                      [](const Launch& launch) { return static_cast<double>(launch.registers); }),
          of_launches("occupancy", "occupancy", "%",
                      [](const Launch& launch) { return 100 * launch.occupancy; }),
          of_launches("spilled", "spilled per thread", " B",
                      [](const Launch& launch) { return static_cast<double>(launch.spill_bytes); }),
          of_launches("threads", "threads per block", "", [](const Launch& launch) {
            return static_cast<double>(launch.threads_per_block);
          })};
}

/// Floating-point instructions in the text of a host's variant, as the compiler made them.
Columns code_columns() {
  using Mix = roofline::InstructionMix;
  Columns columns;
  for (const auto& [title, kind, note] :
       {std::tuple("scalar", &Mix::scalar, "instructions in its text that work on one number"),
        {"128-bit", &Mix::packed_128, "on 2 numbers of FP64"},
        {"256-bit", &Mix::packed_256, "on 4"},
        {"512-bit", &Mix::packed_512, "on 8"},
        {"divide", &Mix::divisions, "divisions among them"},
        {"root", &Mix::square_roots, "square roots"}})
    columns.push_back(number(
        title, title,
        [kind = kind](const ShownRow& row) {
          const int count = row.result->code.*kind;
          return count == 0 ? TableCell{unknown_text} : cell::integer(count);
        },
        note));
  columns.push_back(words(
      "calls", "calls",
      [](const ShownRow& row) {
        const auto& calls = row.result->code.calls;
        return joined({calls.begin(), calls.end()});
      },
      "functions of libraries"));
  return columns;
}

// ---- A profiler's metrics -----------------------------------------------------------------------

/// A metric of a GPU that hardware counted. A rate uses the time of a run without counters.
Value metric_of(const ShownRow& row, const std::string& metric) {
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
    columns.push_back(number(
        metric, title,
        [metric = metric, text = text](const ShownRow& row) {
          return cell::number(metric_of(row, metric), text);
        },
        note));
    if (kernel.published == nullptr) continue;
    columns.push_back(number(
        metric, kernel.published().device,
        [metric = metric, text = text, &kernel](const ShownRow& row) {
          const PublishedStep* step = kernel.published().find(row.result->variant);
          return step == nullptr || !metric_of(row, metric)
                     ? TableCell{unknown_text}
                     : cell::number(roofline::metric_value(step->profiled, metric), text);
        },
        "published"));
  }
  return columns;
}

// ---- Advice -------------------------------------------------------------------------------------

std::string place_of(const roofline::SourcePlace& place, const std::string& source) {
  if (place.file.empty()) return "code without a line";
  return fmt::format("{}:{}{}", roofline::visible(place.file), place.line,
                     source.empty() ? "" : fmt::format(", `{}`", source));
}

/// "Bound by latency: ... 62% of it stand at ..."
std::string sentences_on(const char* first, const LinkedCause& linked) {
  std::string text = fmt::format("{}: {}.", first, roofline::visible(cause_text(linked.cause)));
  if (!linked.line) return text;
  const HotLine& line = *linked.line;
  text += fmt::format(" {:.0f}% of it stand at {}", 100 * line.share,
                      place_of(line.place, line.source));
  if (line.within)
    text += fmt::format(", there most at {}", place_of(*line.within, line.within_source));
  return text + ".";
}

/// The steps that act on the causes, each once.
std::vector<const LinkedCause*> acted_on(const LinkedAdvice& advice) {
  std::vector<const LinkedCause*> causes;
  if (advice.first.step != nullptr) causes.push_back(&advice.first);
  if (advice.also && advice.also->step != nullptr && advice.also->step != advice.first.step)
    causes.push_back(&*advice.also);
  return causes;
}

/// A column about the advice on a row; unknown where nothing is known to limit it.
ShownColumn advised(const char* name, const char* title,
                    std::function<TableCell(const LinkedAdvice&)> cell, const char* note = "") {
  return {{name, title, note}, [cell](const ShownRow& row) {
            const std::optional<LinkedAdvice> advice = advice_on(row);
            return advice && advice->first.cause.binding != roofline::Binding::unknown
                       ? cell(*advice)
                       : TableCell{unknown_text};
          }};
}

Columns advice_columns() {
  return {
      advised("what", "bound by",
              [](const LinkedAdvice& advice) { return TableCell{title_of(advice.first.cause)}; }),
      advised("shown_by", "shown by",
              [](const LinkedAdvice& advice) { return TableCell{advice.first.cause.evidence}; }),
      advised("also", "beside that",
              [](const LinkedAdvice& advice) {
                return TableCell{advice.also ? title_of(advice.also->cause) : unknown_text};
              }),
      advised(
          "see", "see",
          [](const LinkedAdvice& advice) {
            std::vector<std::string> steps;
            for (const LinkedCause* cause : acted_on(advice)) steps.push_back(cause->step->id);
            return TableCell{joined(steps)};
          },
          "the next steps that act on it, `gpp explain v9`; they need not gain (docs/advice.md)"),
      advised("next", "look at next", [](const LinkedAdvice& advice) {
        TableCell text{fmt::format("{}", fmt::join(advice_sentences(advice), " "))};
        for (const LinkedCause* cause : acted_on(advice))
          text.see.emplace_back(cause->step->id, "step-" + cause->step->id);
        return text;
      })};
}

/// Returns "v9.cu:42 (12.0% of the samples)".
TableCell hottest_line_cell(const ShownRow& row) {
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

std::optional<LinkedAdvice> advice_on(const ShownRow& row) {
  return row.kernel == nullptr ? advice_on(row.study(), *row.result)
                               : advice_on(row.study(), *row.result, *row.kernel);
}

std::vector<std::string> advice_sentences(const LinkedAdvice& advice) {
  std::vector<std::string> sentences = {sentences_on("Bound by", advice.first)};
  if (advice.also) sentences.push_back(sentences_on("Beside that", *advice.also));
  std::string next = advice.advice.next;
  for (const LinkedCause* cause : acted_on(advice))
    next += fmt::format(" {} acts on {}, by {}.", cause->step->id, title_of(cause->cause),
                        cause->step->by);
  if (!next.empty()) sentences.push_back(next);
  return sentences;
}

Columns evidence_columns(const Kernel& kernel) {
  Columns all = launch_columns();
  for (const Columns& columns : {code_columns(), profiler_columns(kernel), advice_columns()})
    all.insert(all.end(), columns.begin(), columns.end());
  all.push_back({{"hottest_line", "hottest line"}, hottest_line_cell});
  return all;
}

}  // namespace gpp
