#include "harness/view/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include "harness/kernel.h"
#include "harness/view/rows.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::Binding;
using roofline::TableCell;
using roofline::title_of;
using roofline::ViewTable;

std::string source_place(const roofline::SourcePlace& place, const std::string& source) {
  if (place.file.empty()) return "code without a line";
  return fmt::format("{}:{}{}", roofline::visible(place.file), place.line,
                     source.empty() ? "" : fmt::format(", `{}`", source));
}

/// Returns "Most of it, 62%, stands at ...".
std::string line_text(const HotLine& line) {
  std::string text = fmt::format(" {:.0f}% of it stand at {}", 100 * line.share,
                                 source_place(line.place, line.source));
  if (line.within)
    text += fmt::format(", there most at {}", source_place(*line.within, line.within_source));
  return text + ".";
}

/// Returns "v9 acts on it, by ...".
std::string step_text(const LinkedCause& linked) {
  if (linked.step == nullptr) return {};
  return fmt::format(" {} acts on {}, by {}.", linked.step->id, title_of(linked.cause),
                     linked.step->by);
}

std::string sentences_on(const char* first, const LinkedCause& linked) {
  std::string text = fmt::format("{}: {}.", first, roofline::visible(cause_text(linked.cause)));
  if (linked.line) text += line_text(*linked.line);
  return text;
}

std::string steps_of(const LinkedAdvice& advice) {
  std::vector<std::string> ids;
  for (const LinkedCause* one : {&advice.first, advice.also ? &*advice.also : nullptr})
    if (one != nullptr && one->step != nullptr &&
        std::find(ids.begin(), ids.end(), one->step->id) == ids.end())
      ids.push_back(one->step->id);
  return ids.empty() ? "-" : fmt::format("{}", fmt::join(ids, ", "));
}

// ---- Machine code -------------------------------------------------------------------------------

using CodeColumn = roofline::ColumnOf<const Result*>;

CodeColumn code_words(const char* name, const char* title,
                      std::function<std::string(const Result&)> text) {
  return {{name, title}, [text](const Result* row) { return TableCell{text(*row)}; }};
}

CodeColumn instructions_column(const char* title, int roofline::InstructionMix::*kind) {
  return {{title, title, "", "", Align::right}, [kind](const Result* row) {
            const int count = row->code.*kind;
            return count == 0 ? TableCell{roofline::unknown_text} : roofline::cell::integer(count);
          }};
}

/// A table of the machine code that compilers made, with a row per host variant.
ViewTable machine_code_table(const StudyRecord& study) {
  using Mix = roofline::InstructionMix;
  const std::vector<CodeColumn> columns = {
      code_words("model", "model",
                 [](const Result& row) { return model_label(row.model, row.kind); }),
      code_words("variant", "", [](const Result& row) { return row.variant; }),
      instructions_column("scalar", &Mix::scalar),
      instructions_column("128-bit", &Mix::packed_128),
      instructions_column("256-bit", &Mix::packed_256),
      instructions_column("512-bit", &Mix::packed_512),
      instructions_column("divide", &Mix::divisions),
      instructions_column("root", &Mix::square_roots),
      code_words("calls", "calls", [](const Result& row) {
        const std::set<std::string>& calls = row.code.calls;
        return calls.empty() ? "-" : fmt::format("{}", fmt::join(calls, ", "));
      })};
  std::vector<const Result*> rows;
  for (const Result& result : study.results)
    if (result.timed() && result.code.scalar_share() >= 0) rows.push_back(&result);
  return roofline::table_of(columns, rows, {"machine_code", "Machine code", {}, {}, {}});
}

// ---- What a profiler shows ----------------------------------------------------------------------

using Value = std::optional<double>;

struct Column {
  std::string title;
  std::string metric;  ///< name of the metric in docs/counters.md
  std::string (*text)(double);
};

struct Section {
  std::string title;
  std::string legend;
  std::vector<Column> columns;
};

std::string two_decimals(double value) { return fmt::format("{:.2f}", value); }
std::string percent(double value) { return roofline::percent_text(value, 2); }
std::string rate(double value) { return roofline::with_prefix(value, "B/s"); }

const std::vector<Section>& sections() {
  static const std::vector<Section> all = {
      {"Schedulers",
       "Warps of one of the four schedulers of a multiprocessor, on average over its busy cycles: "
       "resident, ready to issue, issuing. no eligible: cycles in which none was ready.",
       {{"active", "active_warps", two_decimals},
        {"eligible", "eligible_warps", two_decimals},
        {"issued", "issued_warps", two_decimals},
        {"no eligible", "no_eligible", percent}}},
      {"Memory",
       "DRAM: bytes read and written per second. Hits: of the sectors asked for. busy: the busiest "
       "unit that holds memory; bandwidth: the busiest connection between such; pipes: the busiest "
       "pipe of memory instructions; each of its peak. --counters all counts these three.",
       {{"DRAM", "dram_rate", rate},
        {"L1 hit", "l1_hit", percent},
        {"L2 hit", "l2_hit", percent},
        {"busy", "mem_busy", percent},
        {"bandwidth", "max_bandwidth", percent},
        {"pipes", "mem_pipes_busy", percent}}},
  };
  return all;
}

/// A rate uses the time of a run without counters.
Value ours(const Result& result, const std::string& metric) {
  if (metric != "dram_rate") return roofline::metric_value(result.counted.metrics, metric);
  const Value bytes = roofline::metric_value(result.counted.metrics, "dram_bytes");
  const double seconds = result.timing().median;
  return bytes && seconds > 0 ? Value(*bytes / seconds) : std::nullopt;
}

bool is_counted_on_gpu(const Result& result) {
  return result.kind == "gpu" && result.timed() &&
         result.counted.source == roofline::CountedBy::cupti;
}

/// A published value of the variant.
Value published_of(const Kernel& kernel, const std::string& variant, const std::string& metric) {
  if (kernel.published == nullptr) return std::nullopt;
  const PublishedStep* step = kernel.published().find(variant);
  return step == nullptr ? std::nullopt : roofline::metric_value(step->profiled, metric);
}

/// A table of the section's counted metrics, with published values beside them if a shown variant
/// has any.
ViewTable section_table(const StudyRecord& study, const Section& section) {
  std::vector<Result> shown;
  std::copy_if(study.results.begin(), study.results.end(), std::back_inserter(shown),
               is_counted_on_gpu);
  const Kernel& kernel = kernel_of(study);
  std::vector<roofline::ColumnOf<Result>> columns = {
      {{"variant", ""}, [](const Result& result) {
         return TableCell{
             fmt::format("{} {}", model_label(result.model, result.kind), result.variant)};
       }}};
  bool published = false;
  const auto add = [&](const std::string& title, const Column& column, auto value) {
    if (std::none_of(shown.begin(), shown.end(),
                     [&value](const Result& result) { return value(result).has_value(); }))
      return false;
    columns.push_back({{columns.size() > 1 && title != column.title ? "published_" + column.metric
                                                                    : column.metric,
                        title, "", "", Align::right},
                       [value, text = column.text](const Result& result) {
                         return roofline::cell::number(value(result), text);
                       }});
    return true;
  };
  for (const Column& column : section.columns)
    if (add(column.title, column,
            [metric = column.metric](const Result& result) { return ours(result, metric); }) &&
        kernel.published != nullptr)
      published = add(kernel.published().device, column,
                      [&kernel, metric = column.metric](const Result& result) {
                        return published_of(kernel, result.variant, metric);
                      }) ||
                  published;
  ViewTable table{"profiler", section.title, {}, {}, {section.legend}};
  if (published) table.notes.front() += " " + kernel.published().device + ": published.";
  return columns.size() == 1 ? table : roofline::table_of(columns, shown, std::move(table));
}

}  // namespace

std::string advice_text(const LinkedAdvice& linked, std::size_t width) {
  std::string text = roofline::paragraph(sentences_on("Bound by", linked.first), 0, width);
  if (linked.also) text += roofline::paragraph(sentences_on("Beside that", *linked.also), 0, width);
  std::string next = linked.advice.next + step_text(linked.first);
  if (linked.also && (linked.first.step == nullptr || linked.also->step != linked.first.step))
    next += step_text(*linked.also);
  if (next.empty()) return text;
  return fmt::format("{}\n{}\n", text, roofline::wrapped(next, width, 0));
}

std::string advice_tables(const StudyRecord& study) {
  ViewTable table{"advice",
                  "What to look at next",
                  {{"model", "model"},
                   {"variant", ""},
                   {"bound_by", "bound by"},
                   {"what", "what"},
                   {"shown_by", "shown by"},
                   {"also", "beside that"},
                   {"see", "see"}},
                  {},
                  {}};
  std::vector<roofline::Advice> all;
  for (const Result& result : study.results) {
    const std::optional<LinkedAdvice> linked = advice_on(study, result);
    if (!linked || linked->first.cause.binding == Binding::unknown) continue;
    const roofline::Cause& cause = linked->first.cause;
    table.rows.push_back({{{model_label(result.model, result.kind)},
                           {result.variant},
                           {std::string(name_of(cause.binding))},
                           {title_of(cause)},
                           {cause.evidence},
                           {linked->also ? title_of(linked->also->cause) : "-"},
                           {steps_of(*linked)}}});
    all.push_back(linked->advice);
  }
  if (table.rows.empty()) return {};
  return table.caption + "\n" + terminal_text(table) + "\n" + looks_text(all, page_width) +
         roofline::paragraph(
             "see: the next steps that act on it, `gpp explain v9`. They need not "
             "gain: docs/advice.md sets advice beside gains.");
}

std::string machine_code_text(const StudyRecord& study) {
  const ViewTable table = machine_code_table(study);
  if (table.rows.empty()) return {};
  return table.caption + "\n" + terminal_text(table) + "\n" +
         roofline::paragraph(
             "Floating-point instructions in the text of each variant, each counted once, as the "
             "compiler made them: scalar ones work on one number, the others on 2, 4 or 8 of FP64. "
             "Loops of vectors have scalar copies for what is left over. divide, root: divisions "
             "and square roots among them. calls: functions of libraries.");
}

std::string profiler_text(const StudyRecord& study) {
  std::string all;
  for (const Section& section : sections()) {
    const ViewTable table = section_table(study, section);
    if (table.columns.empty()) continue;
    all += (all.empty() ? "" : "\n") + table.caption + "\n" +
           terminal_text(table, false, roofline::text_width());
  }
  return all;
}

}  // namespace gpp
