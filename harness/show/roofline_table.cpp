#include "harness/show/roofline_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "harness/measure/counting.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

constexpr std::size_t page_width = 100;

bool is_shown(const Result& result) { return result.timed() && result.roofline.has_value(); }

std::optional<double> metric(const Result& result, const std::string& name) {
  const auto found = result.counted.metrics.find(name);
  if (found == result.counted.metrics.end()) return std::nullopt;
  return found->second;
}

std::string percent(std::optional<double> value) {
  return value ? fmt::format("{:.1f}%", *value) : "-";
}

std::string intensity(const Result& result, const std::string& level) {
  const roofline::LevelPoint* point = level_of(result, level);
  return point == nullptr ? "-" : fmt::format("{:.3g}", point->intensity);
}

/// "long_scoreboard 4.69"
std::string top_stall(const Result& result) {
  const auto stall = roofline::top_stall(result.counted.metrics);
  return stall ? fmt::format("{} {:.2f}", stall->name, stall->warps_per_issue) : "-";
}

std::string mark(const Result& result) { return result.roofline->analytic ? "o" : "*"; }

std::string table_of(const StudyRecord& study) {
  using enum roofline::Table::Align;
  roofline::Table table({{"model", left},
                         {"", left},
                         {"", left},
                         {"speed", right},
                         {"of peak", right},
                         {"of roof", right},
                         {"bound by", left},
                         {"L1", right},
                         {"L2", right},
                         {"DRAM", right},
                         {"FP64 pipe", right},
                         {"top stall", left}});
  for (const Result& result : study.results) {
    if (!is_shown(result)) continue;
    const roofline::RooflinePoint& point = *result.roofline;
    table.add({model_label(result.model, result.kind), result.variant, mark(result),
               roofline::describe_rate(point.flop_per_s, "FLOP/s"), percent(point.percent_of_peak),
               percent(point.percent_of_roof), verdict(point, result.counted.metrics).by,
               intensity(result, "l1"), intensity(result, "l2"), intensity(result, "dram"),
               percent(metric(result, "fp64_pipe")), top_stall(result)});
  }
  return table.empty() ? "" : table.text();
}

/// "roofs of NVIDIA H200: FP64, FMA 33.43 TFLOP/s; ...": those that a point was compared with.
std::string roofs(const StudyRecord& study) {
  std::string text;
  for (const roofline::Ceilings& device : study.ceilings) {
    if (std::none_of(study.results.begin(), study.results.end(), [&device](const Result& result) {
          return is_shown(result) && result.kind == device.kind;
        }))
      continue;
    std::string line = fmt::format("roofs of {}:", device.device);
    for (const char* name : {"fp64_fma", "l1", "l2", "dram"}) {
      const roofline::Ceiling* ceiling = device.find(name);
      if (ceiling == nullptr) continue;
      const bool compute = ceiling->kind == roofline::CeilingKind::compute;
      line += fmt::format("{} {} {}", line.back() == ':' ? "" : ";", ceiling->label,
                          roofline::describe_rate(ceiling->measured, compute ? "FLOP/s" : "B/s"));
    }
    text += roofline::wrapped(line, page_width, 2) + "\n";
  }
  return text;
}

std::string legend(const StudyRecord& study) {
  const auto any = [&study](bool analytic) {
    return std::any_of(study.results.begin(), study.results.end(), [&](const Result& result) {
      return is_shown(result) && result.roofline->analytic == analytic;
    });
  };
  std::string text;
  if (any(false)) text += "*: counted by hardware.\n";
  if (any(true))
    text +=
        "o: computed, not counted: FLOPs from the source and the input, each array crossing DRAM "
        "once.\n";
  return text +
         roofline::wrapped(
             "of roof: of the lowest roof of all levels. bound by: that roof, where half of it or "
             "of "
             "the FP64 pipe was used; else latency, where stalls were counted. top stall: warps "
             "per "
             "issue. L1, L2, DRAM: FLOP per byte.",
             page_width, 0) +
         "\n";
}

/// Which results were counted on a slice, and what that means.
std::string slices(const StudyRecord& study) {
  for (const Result& result : study.results)
    if (result.counted.slice && result.counted.source == "cupti")
      return roofline::wrapped(
                 fmt::format(
                     "FLOPs: the mix of instructions is counted on {}, their number on all, "
                     "because counting every kind on all would take some hundred times as "
                     "long.",
                     result.counted.slice->part),
                 page_width, 0) +
             "\n";
  return {};
}

std::string cost(const StudyRecord& study) {
  const auto cost = counting_cost(study);
  if (!cost) return {};
  return fmt::format("Counting by hardware took {}, {:.1f} times the runs.\n",
                     roofline::describe_seconds(cost->seconds), cost->times_the_runs);
}

std::string defects(const StudyRecord& study, bool colours) {
  std::string text;
  const auto warn = [&](const Result& result, const std::string& defect) {
    const std::string line =
        roofline::wrapped(fmt::format("warning: {} {}: {}", model_label(result.model, result.kind),
                                      result.variant, defect),
                          page_width, 9);
    text += roofline::coloured(line, roofline::Colour::yellow, colours) + "\n";
  };
  for (const Result& result : study.results) {
    for (const std::string& defect : result.counted.defects) warn(result, defect);
    if (!is_shown(result)) continue;
    for (const std::string& defect : result.roofline->defects) warn(result, defect);
  }
  return text;
}

/// "cuda v1 to v9: ...": neighbours with one reason share a line.
std::string without_hardware(const StudyRecord& study) {
  std::string text;
  std::string last;
  for (const Result& result : study.results) {
    const std::string& reason = result.counted.reason;
    if (result.kind != "gpu" || !result.timed() || reason.empty() || reason == last) continue;
    last = reason;
    text += roofline::wrapped(fmt::format("not counted by hardware: {} {}: {}", result.model,
                                          result.variant, reason),
                              page_width, 9) +
            "\n";
  }
  return text;
}

}  // namespace

const roofline::LevelPoint* level_of(const Result& result, const std::string& level) {
  if (!result.roofline) return nullptr;
  for (const roofline::LevelPoint& point : result.roofline->levels)
    if (point.level == level) return &point;
  return nullptr;
}

std::string roofline_text(const StudyRecord& study, bool colours) {
  const std::string table = table_of(study);
  const std::string rest =
      without_hardware(study) + slices(study) + cost(study) + defects(study, colours);
  if (table.empty()) return rest;
  return "Roofline\n" + table + "\n" + roofs(study) + legend(study) + rest;
}

}  // namespace gpp
