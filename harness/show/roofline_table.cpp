#include "harness/show/roofline_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "harness/measure/counting.h"
#include "harness/show/advice_text.h"
#include "harness/show/profiler_table.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/instruction_table.h"
#include "roofline/points.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

constexpr std::size_t page_width = 100;

bool is_shown(const Result& result) { return result.timed() && !result.rooflines.empty(); }

std::optional<double> metric(const Result& result, const std::string& name) {
  return roofline::metric_value(result.counted.metrics, name);
}

std::string percent(std::optional<double> value) {
  return value ? fmt::format("{:.1f}%", *value) : "-";
}

std::string intensity(const roofline::RooflinePoint& point, const std::string& level) {
  const auto found =
      std::find_if(point.levels.begin(), point.levels.end(),
                   [&level](const roofline::LevelPoint& one) { return one.level == level; });
  return found == point.levels.end() ? "-" : fmt::format("{:.3g}", found->intensity);
}

/// "long_scoreboard 4.69"
std::string top_stall(const Result& result) {
  const auto stall = roofline::top_stall(result.counted.metrics);
  return stall ? fmt::format("{} {:.2f}", stall->name, stall->warps_per_issue) : "-";
}

/// Whether any point that is shown is like that.
template <class Predicate>
bool any_point(const StudyRecord& study, const Predicate& is) {
  for (const Result& result : study.results)
    if (is_shown(result) && std::any_of(result.rooflines.begin(), result.rooflines.end(),
                                        [&is](const roofline::RooflinePoint& point) {
                                          return roofline::is_shown(point) && is(point);
                                        }))
      return true;
  return false;
}

bool has_shared(const roofline::RooflinePoint& point) { return intensity(point, "shared") != "-"; }
bool has_l3(const roofline::RooflinePoint& point) { return intensity(point, "l3") != "-"; }
bool computes(const roofline::RooflinePoint& point) { return !roofline::only_moves(point); }
bool is_not_fp64(const roofline::RooflinePoint& point) { return point.precision != "fp64"; }

/// Whether stalls were counted of anything: a processor has none.
bool any_stalls(const StudyRecord& study) {
  return std::any_of(study.results.begin(), study.results.end(), [](const Result& result) {
    return roofline::top_stall(result.counted.metrics).has_value();
  });
}

/// "FP32", "FP64 TENSOR".
std::string precision_name(const roofline::RooflinePoint& point) {
  std::string name = point.precision;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// And the share of all operations where it is not nearly all.
std::string precision_cell(const roofline::RooflinePoint& point) {
  const std::string name = precision_name(point);
  return point.share < 1 - roofline::least_share_shown
             ? fmt::format("{} {:.1f}%", name, 100 * point.share)
             : name;
}

/// "FLOP", or "OP" of whole numbers.
std::string work_unit(const Result& result, const roofline::RooflinePoint& point) {
  const roofline::Model* model = roofline::table_of(result.kind).find_model(point.precision);
  return model == nullptr ? "FLOP" : model->unit;
}

std::string pipe_cell(const Result& result, const roofline::RooflinePoint& point) {
  return percent(metric(result, point.precision + "_pipe"));
}

/// Columns that nothing would stand in are left out.
std::string table_of(const StudyRecord& study) {
  using enum roofline::Table::Align;
  const bool precisions = any_point(study, is_not_fp64), shared = any_point(study, has_shared);
  const bool l3 = any_point(study, has_l3), counted = any_stalls(study);
  std::vector<roofline::Table::Column> columns = {{"model", left}, {"", left}, {"", left}};
  if (precisions) columns.push_back({"of", left});
  for (const char* title : {"speed", "of peak", "of roof"}) columns.push_back({title, right});
  columns.push_back({"bound by", left});
  columns.push_back({"L1", right});
  if (shared) columns.push_back({"shared", right});
  columns.push_back({"L2", right});
  if (l3) columns.push_back({"L3", right});
  columns.push_back({"DRAM", right});
  if (counted) columns.push_back({precisions ? "pipe" : "FP64 pipe", right});
  if (counted) columns.push_back({"top stall", left});
  roofline::Table table(columns);
  for (const Result& result : study.results) {
    if (!is_shown(result)) continue;
    for (const roofline::RooflinePoint& point : result.rooflines) {
      if (!roofline::is_shown(point)) continue;
      std::vector<std::string> cells = {model_label(result.model, result.kind), result.variant,
                                        point.analytic ? "o" : "*"};
      if (precisions) cells.push_back(precision_cell(point));
      cells.push_back(roofline::describe_rate(point.flop_per_s, work_unit(result, point) + "/s"));
      cells.push_back(percent(point.percent_of_peak));
      cells.push_back(percent(point.percent_of_roof));
      cells.push_back(verdict(point, result.counted.metrics).by);
      cells.push_back(intensity(point, "l1"));
      if (shared) cells.push_back(intensity(point, "shared"));
      cells.push_back(intensity(point, "l2"));
      if (l3) cells.push_back(intensity(point, "l3"));
      cells.push_back(intensity(point, "dram"));
      if (counted) cells.push_back(pipe_cell(result, point));
      if (counted) cells.push_back(top_stall(result));
      table.add(cells);
    }
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
    std::vector<std::string> names;
    for (const roofline::Model& model : roofline::table_of(device.kind).models)
      if (any_point(study, [&model](const roofline::RooflinePoint& point) {
            return point.precision == model.name;
          }))
        names.push_back(model.peak);
    names.push_back("l1");
    if (any_point(study, has_shared)) names.push_back("shared");
    names.insert(names.end(), {"l2", "l3", "dram"});
    for (const std::string& name : names) {
      const roofline::Ceiling* ceiling = device.find(name);
      if (ceiling == nullptr) continue;
      line +=
          fmt::format("{} {} {}", line.back() == ':' ? "" : ";", ceiling->label,
                      roofline::describe_rate(ceiling->measured, roofline::rate_unit(*ceiling)));
    }
    text += roofline::wrapped(line, page_width, 2) + "\n";
  }
  return text;
}

std::string legend(const StudyRecord& study) {
  const auto any = [&study](bool analytic) {
    return any_point(study, [analytic](const roofline::RooflinePoint& point) {
      return point.analytic == analytic;
    });
  };
  std::string text;
  if (any(false)) text += "*: counted by hardware.\n";
  if (any(true) && any_point(study, computes))
    text += "o: computed, not counted: FLOPs from the source and the input, bytes from a model.\n";
  else if (any(true))
    text += "o: computed, not counted: bytes from the source or a model.\n";
  std::string columns =
      "of roof: of the lowest roof of all levels. bound by: that roof, where half of it or of the "
      "pipe was used; else latency, scalar code or division, where that is known.";
  if (any_point(study, computes)) columns += " L1, L2, L3, DRAM: FLOP per byte.";
  if (any_point(study, roofline::only_moves))
    columns +=
        " BYTES: no operation is done. speed: bytes of DRAM per second. peak: the roof of DRAM. "
        "L1, L2, L3, DRAM: bytes of DRAM per byte.";
  if (any_stalls(study)) columns += " top stall: warps per issue.";
  return text + roofline::wrapped(columns, page_width, 0) + "\n";
}

/// "Not shown, being less than 5% of the operations: FP16 (cuda v2, cuda v3).".
std::string small_shares(const StudyRecord& study) {
  std::map<std::string, std::string> steps;
  for (const Result& result : study.results)
    for (const roofline::RooflinePoint& point : result.rooflines)
      if (is_shown(result) && !roofline::is_shown(point)) {
        std::string& names = steps[precision_name(point)];
        names += fmt::format("{}{} {}", names.empty() ? "" : ", ",
                             model_label(result.model, result.kind), result.variant);
      }
  std::string text;
  for (const auto& [precision, names] : steps)
    text +=
        roofline::wrapped(fmt::format("Not shown, less than {:.0f}% of the operations: {} of {}.",
                                      100 * roofline::least_share_shown, precision, names),
                          page_width, 0) +
        "\n";
  return text;
}

/// Which results were counted on a slice, and what that means.
std::string slices(const StudyRecord& study) {
  for (const Result& result : study.results)
    if (result.counted.slice && result.counted.source == roofline::CountedBy::cupti)
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

/// "hypot; libm.so.6 41%": what a loop calls, and beside the first loop the shares of libraries.
std::string calls_cell(const roofline::HotCode& code, const roofline::HotLoop& loop) {
  std::string text = fmt::format("{}", fmt::join(loop.calls, ", "));
  if (&loop == code.hottest())
    for (const roofline::LibraryShare& library : code.libraries)
      text +=
          fmt::format("{}{} {:.0f}%", text.empty() ? "" : "; ", library.name, 100 * library.share);
  return text.empty() ? "-" : text;
}

/// The loops that make up nine tenths of the time in hot loops: the coldest come and go with the
/// samples.
std::vector<const roofline::HotLoop*> leading_loops(const roofline::HotCode& code) {
  constexpr double enough = 0.9;
  std::vector<const roofline::HotLoop*> loops;
  const double all = code.all_loops().share;
  double sum = 0;
  for (const roofline::HotLoop& loop : code.loops) {
    if (sum >= enough * all) break;
    sum += loop.share;
    loops.push_back(&loop);
  }
  return loops;
}

std::vector<std::string> loop_cells(const Result& result, const roofline::HotLoop& loop) {
  using Mix = roofline::InstructionMix;
  const bool first = &loop == result.code.hottest();
  std::vector<std::string> cells = {
      first ? model_label(result.model, result.kind) : "", first ? result.variant : "",
      loop.file.empty() ? loop.function : fmt::format("{}:{}", loop.file, loop.line),
      fmt::format("{:.0f}%", 100 * loop.share)};
  for (int Mix::*kind : {&Mix::scalar, &Mix::packed_128, &Mix::packed_256, &Mix::packed_512,
                         &Mix::divisions, &Mix::square_roots}) {
    const int both = loop.fp64.*kind + loop.fp32.*kind;
    cells.push_back(both == 0 ? "-" : std::to_string(both));
  }
  cells.push_back(calls_cell(result.code, loop));
  return cells;
}

/// What the compiler made of each host's variant.
std::string machine_code(const StudyRecord& study) {
  using enum roofline::Table::Align;
  roofline::Table table({{"model", left},
                         {"", left},
                         {"hot loop", left},
                         {"of time", right},
                         {"scalar", right},
                         {"128-bit", right},
                         {"256-bit", right},
                         {"512-bit", right},
                         {"divide", right},
                         {"root", right},
                         {"calls", left}});
  for (const Result& result : study.results) {
    if (!result.timed()) continue;
    for (const roofline::HotLoop* loop : leading_loops(result.code))
      table.add(loop_cells(result, *loop));
  }
  if (table.empty()) return {};
  return "Machine code\n" + table.text() + "\n" +
         roofline::wrapped(
             "Floating-point instructions in the text of each variant's hot loops, hottest first, "
             "as "
             "the compiler made them: scalar ones work on one number, the others on 2, 4 or 8 of "
             "FP64. divide, root: divisions and square roots among them. calls: functions called "
             "there, and the share of the time in a library. A loop is named by its first line in "
             "the variant, or by the line before it.",
             page_width, 0) +
         "\n";
}

/// Whose bytes are a model's, and whose are not and why.
std::string cache_model(const StudyRecord& study) {
  std::string text, last;
  for (const Result& result : study.results) {
    const TraceRecord& trace = result.trace;
    if (!result.timed() || result.kind != "host") continue;
    std::string line;
    if (!trace.reason.empty())
      line = fmt::format("No traffic of caches of {} {}: {}.", result.model, result.variant,
                         trace.reason);
    else if (!trace.caches.empty())
      line = fmt::format(
          "L1, L2, L3 and DRAM of the host: a model of one core's caches ({}), empty at "
          "first, fed with the accesses of an instrumented build{}.",
          trace.caches, trace.part.empty() ? "" : " on " + trace.part);
    if (line.empty() || line == last) continue;
    last = line;
    text += roofline::wrapped(line, page_width, 0) + "\n";
  }
  return text;
}

std::string cost(const StudyRecord& study) {
  const auto cost = counting_cost(study);
  if (!cost) return {};
  return fmt::format("Counting by hardware took {}, {:.1f} times the runs.\n",
                     roofline::describe_seconds(cost->seconds), cost->times_the_runs);
}

std::string defects(const StudyRecord& study, bool colours) {
  std::string text;
  std::set<std::string> told;  // each precision's point may say the same
  const auto warn = [&](const Result& result, const std::string& defect) {
    const std::string line =
        roofline::wrapped(fmt::format("warning: {} {}: {}", model_label(result.model, result.kind),
                                      result.variant, defect),
                          page_width, 9);
    if (!told.insert(line).second) return;
    text += roofline::coloured(line, roofline::Colour::yellow, colours) + "\n";
  };
  for (const Result& result : study.results) {
    for (const std::string& defect : result.counted.defects) warn(result, defect);
    if (!is_shown(result)) continue;
    for (const roofline::RooflinePoint& point : result.rooflines)
      for (const std::string& defect : point.defects) warn(result, defect);
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

/// A row of the table of kernels.
std::vector<std::string> kernel_cells(const Result& result, const roofline::KernelProfile& kernel,
                                      const std::string& name) {
  const roofline::RooflinePoint* point = kernel.placed.leading();
  const auto stall = roofline::top_stall(kernel.metrics);
  std::vector<std::string> cells = {model_label(result.model, result.kind), result.variant, name,
                                    std::to_string(kernel.launches),
                                    percent(100 * *kernel.seconds / result.timing().median)};
  if (point == nullptr) {
    cells.insert(cells.end(), {"-", "-", "-", "-", "-", "-"});
  } else {
    cells.push_back(roofline::describe_rate(point->flop_per_s, work_unit(result, *point) + "/s"));
    cells.push_back(percent(point->percent_of_roof));
    cells.push_back(verdict(*point, kernel.metrics).by);
    for (const char* level : {"l1", "l2", "dram"}) cells.push_back(intensity(*point, level));
  }
  cells.push_back(stall ? fmt::format("{} {:.2f}", stall->name, stall->warps_per_issue) : "-");
  return cells;
}

/// Variants of several kernels: each under the roofs.
std::string kernels_of(const StudyRecord& study) {
  using enum roofline::Table::Align;
  roofline::Table table({{"model", left},
                         {"", left},
                         {"kernel", left},
                         {"launches", right},
                         {"of time", right},
                         {"speed", right},
                         {"of roof", right},
                         {"bound by", left},
                         {"L1", right},
                         {"L2", right},
                         {"DRAM", right},
                         {"top stall", left}});
  for (const Result& result : study.results) {
    if (!is_shown(result)) continue;
    const std::vector<const roofline::KernelProfile*> kernels = result.leading_kernels();
    const std::vector<std::string> names = roofline::short_names(kernels);
    for (std::size_t i = 0; i < kernels.size(); ++i)
      table.add(kernel_cells(result, *kernels[i], names[i]));
  }
  if (table.empty()) return {};
  return "Kernels\n" + table.text() + "\n" +
         roofline::wrapped(
             fmt::format("Variants of several kernels that take {:.0f}% of the time or more. The "
                         "median is divided as the hardware's durations of the kernels are.",
                         100 * least_share_of_time),
             page_width, 0) +
         "\n";
}

std::string instructions_of(const StudyRecord& study) {
  std::vector<roofline::InstructionRow> rows;
  for (const Result& result : study.results)
    if (!result.instructions.empty())
      rows.push_back({fmt::format("{} {}", model_label(result.model, result.kind), result.variant),
                      roofline::instruction_facts(result.counted.metrics, result.timing().median),
                      result.instructions});
  return roofline::instruction_table(rows);
}

}  // namespace

const roofline::LevelPoint* level_of(const Result& result, const std::string& level) {
  if (!result.roofline()) return nullptr;
  for (const roofline::LevelPoint& point : result.roofline()->levels)
    if (point.level == level) return &point;
  return nullptr;
}

std::string roofline_text(const StudyRecord& study, bool colours) {
  const std::string rest = without_hardware(study) + small_shares(study) + slices(study) +
                           cost(study) + defects(study, colours);
  std::string text;
  if (const std::string table = table_of(study); !table.empty())
    text = "Roofline\n" + table + "\n" + roofs(study) + legend(study) + cache_model(study);
  text += rest;
  for (const std::string& further : {machine_code(study), kernels_of(study), instructions_of(study),
                                     profiler_tables(study), advice_table(study, page_width)})
    if (!further.empty()) text += "\n" + further;
  return text;
}

}  // namespace gpp
