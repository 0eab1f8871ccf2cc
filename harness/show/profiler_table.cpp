#include "harness/show/profiler_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/kernel.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/charts/gnuplot.h"

namespace gpp {
namespace {

using Value = std::optional<double>;

struct Column {
  std::string title;
  std::string metric;  ///< by its name in docs/counters.md
  std::string (*text)(double);
};

struct Section {
  std::string title;
  std::string legend;
  std::vector<Column> columns;
};

std::string number(double value) { return fmt::format("{:.2f}", value); }
std::string percent(double value) { return fmt::format("{:.2f}%", value); }
std::string rate(double value) { return roofline::with_prefix(value, "B/s"); }

const std::vector<Section>& sections() {
  static const std::vector<Section> all = {
      {"Schedulers",
       "Warps of one of the four schedulers of a multiprocessor, on average over its busy cycles: "
       "resident, ready to issue, issuing. no eligible: cycles in which none was ready.",
       {{"active", "active_warps", number},
        {"eligible", "eligible_warps", number},
        {"issued", "issued_warps", number},
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

/// A rate needs the time, which is that of a run without counters.
Value ours(const Result& result, const std::string& metric) {
  if (metric != "dram_rate") return roofline::metric_value(result.counted.metrics, metric);
  const Value bytes = roofline::metric_value(result.counted.metrics, "dram_bytes");
  const double seconds = result.timing().median;
  return bytes && seconds > 0 ? Value(*bytes / seconds) : std::nullopt;
}

bool is_shown(const Result& result) {
  return result.kind == "gpu" && result.timed() &&
         result.counted.source == roofline::CountedBy::cupti;
}

/// The section as it is shown: columns of which something was counted, and published values.
class Shown {
 public:
  Shown(const StudyRecord& study, const Section& section)
      : study_(study), kernel_(kernel_of(study)), section_(section) {
    std::erase_if(section_.columns, [this](const Column& column) {
      return std::none_of(study_.results.begin(), study_.results.end(), [&](const Result& result) {
        return is_shown(result) && ours(result, column.metric);
      });
    });
  }

  std::string text() const {
    if (section_.columns.empty()) return "";
    using enum roofline::Table::Align;
    std::vector<roofline::Table::Column> heads = {{"", left}};
    for (const Column& column : section_.columns) {
      heads.push_back({column.title, right});
      if (any_published(column)) heads.push_back({kernel_.published().device, right});
    }
    roofline::Table table(heads);
    for (const Result& result : study_.results)
      if (is_shown(result)) table.add(cells_of(result));
    const std::string legend =
        section_.legend +
        (has_published() ? " " + kernel_.published().device + ": published." : "");
    return section_.title + "\n" + table.text() +
           roofline::wrapped(legend, roofline::text_width(), 0) + "\n";
  }

 private:
  Value published(const std::string& variant, const Column& column) const {
    if (kernel_.published == nullptr) return std::nullopt;
    const PublishedStep* step = kernel_.published().find(variant);
    return step == nullptr ? std::nullopt : roofline::metric_value(step->profiled, column.metric);
  }

  /// Of a variant that is shown.
  bool any_published(const Column& column) const {
    return std::any_of(study_.results.begin(), study_.results.end(), [&](const Result& result) {
      return is_shown(result) && published(result.variant, column);
    });
  }

  bool has_published() const {
    return std::any_of(section_.columns.begin(), section_.columns.end(),
                       [this](const Column& column) { return any_published(column); });
  }

  std::vector<std::string> cells_of(const Result& result) const {
    const auto cell = [](const Column& column, const Value& value) {
      return value ? column.text(*value) : std::string("-");
    };
    std::vector<std::string> cells = {
        fmt::format("{} {}", model_label(result.model, result.kind), result.variant)};
    for (const Column& column : section_.columns) {
      cells.push_back(cell(column, ours(result, column.metric)));
      if (any_published(column)) cells.push_back(cell(column, published(result.variant, column)));
    }
    return cells;
  }

  const StudyRecord& study_;
  const Kernel& kernel_;
  Section section_;
};

}  // namespace

std::string profiler_tables(const StudyRecord& study) {
  std::string all;
  for (const Section& section : sections()) {
    const std::string text = Shown(study, section).text();
    all += (all.empty() || text.empty() ? "" : "\n") + text;
  }
  return all;
}

}  // namespace gpp
