#include "harness/view/roofline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "harness/record/derive.h"
#include "harness/view/advice.h"
#include "harness/view/rows.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/instruction_table.h"
#include "roofline/points.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::RooflinePoint;
using roofline::TableCell;
using roofline::ViewTable;
namespace cell = roofline::cell;

bool has_places(const Result& result) { return result.timed() && !result.rooflines.empty(); }

template <class Row>
roofline::ColumnOf<Row> words(const char* name, const char* title,
                              std::function<TableCell(const Row&)> cell) {
  return {{name, title}, std::move(cell)};
}

template <class Row>
roofline::ColumnOf<Row> number(const char* name, const std::string& title,
                               std::function<TableCell(const Row&)> cell) {
  return {{name, title, "", "", Align::right}, std::move(cell)};
}

/// "Title\n", the table, an empty line, the legend; "" for a table without rows.
std::string with_title(const std::string& title, const ViewTable& table,
                       const std::string& legend) {
  if (table.rows.empty()) return {};
  return title + "\n" + terminal_text(table) + "\n" + roofline::paragraph(legend);
}

// ---- Places under the roofs ---------------------------------------------------------------------

/// The places of all results, in order.
std::vector<PlacedResult> places_of(const StudyRecord& study) {
  std::vector<PlacedResult> places;
  for (const Result& result : study.results)
    for (const PlacedResult& place : gpp::places_of(result)) places.push_back(place);
  return places;
}

template <class Predicate>
bool any_point(const StudyRecord& study, const Predicate& is) {
  const std::vector<PlacedResult> places = places_of(study);
  return std::any_of(places.begin(), places.end(),
                     [&is](const PlacedResult& place) { return is(*place.point); });
}

TableCell intensity(const RooflinePoint& point, std::string_view level) {
  return cell::short_number(roofline::intensity_at(&point, level));
}

bool has_level(const StudyRecord& study, std::string_view level) {
  return any_point(study, [level](const RooflinePoint& point) {
    return intensity(point, level).text != roofline::unknown_text;
  });
}

bool computes(const RooflinePoint& point) { return !roofline::only_moves(point); }

/// False for a processor, which has no stalls.
bool any_stalls(const StudyRecord& study) {
  return std::any_of(study.results.begin(), study.results.end(), [](const Result& result) {
    return roofline::top_stall(result.counted.metrics).has_value();
  });
}

/// A cell such as "long_scoreboard 4.69".
TableCell stall_cell(const roofline::Metrics& metrics) {
  const auto stall = roofline::top_stall(metrics);
  return {stall ? fmt::format("{} {:.2f}", stall->name, stall->warps_per_issue)
                : roofline::unknown_text};
}

/// Returns "FP32", "FP64 TENSOR".
std::string precision_name(const RooflinePoint& point) {
  std::string name = point.precision;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// The precision, with its share of all operations unless it is nearly all.
std::string precision_cell(const RooflinePoint& point) {
  const std::string name = precision_name(point);
  return point.share < 1 - roofline::least_share_shown
             ? fmt::format("{} {:.1f}%", name, 100 * point.share)
             : name;
}

using PlaceColumn = roofline::ColumnOf<PlacedResult>;

/// The columns of speed, roofs and stalls. `precisions` is true if some points are not in FP64.
std::vector<PlaceColumn> place_columns(bool precisions) {
  return {
      words<PlacedResult>("model", "model",
                          [](const PlacedResult& place) {
                            return TableCell{model_label(place.result->model, place.result->kind)};
                          }),
      words<PlacedResult>(
          "variant", "",
          [](const PlacedResult& place) { return TableCell{place.result->variant}; }),
      words<PlacedResult>(
          "counted", "",
          [](const PlacedResult& place) { return TableCell{place.point->analytic ? "o" : "*"}; }),
      words<PlacedResult>("precision", "of",
                          [precisions](const PlacedResult& place) {
                            return TableCell{precisions ? precision_cell(*place.point) : ""};
                          }),
      number<PlacedResult>(
          "speed", "speed",
          [](const PlacedResult& place) { return speed_cell(*place.result, *place.point); }),
      number<PlacedResult>(
          "of_peak", "of peak",
          [](const PlacedResult& place) { return cell::percent(place.point->percent_of_peak); }),
      number<PlacedResult>(
          "of_roof", "of roof",
          [](const PlacedResult& place) { return cell::percent(place.point->percent_of_roof); }),
      words<PlacedResult>("bound_by", "bound by", [](const PlacedResult& place) {
        return TableCell{verdict(*place.point, place.result->counted.metrics).by};
      })};
}

void add_levels(std::vector<PlaceColumn>& columns) {
  static constexpr std::pair<const char*, const char*> levels[] = {
      {"l1", "L1"}, {"shared", "shared"}, {"l2", "L2"}, {"l3", "L3"}, {"dram", "DRAM"}};
  for (const auto& [level, title] : levels)
    columns.push_back(number<PlacedResult>(
        level, title,
        [level = level](const PlacedResult& place) { return intensity(*place.point, level); }));
}

/// The roofs that points were compared with: "roofs of NVIDIA H200: FP64, FMA 33.43 TFLOP/s; ...".
std::string roofs(const StudyRecord& study) {
  std::string text;
  for (const roofline::Ceilings& device : study.ceilings) {
    if (std::none_of(study.results.begin(), study.results.end(), [&device](const Result& result) {
          return has_places(result) && result.kind == device.kind;
        }))
      continue;
    std::string line = fmt::format("roofs of {}:", device.device);
    std::vector<std::string> names;
    for (const roofline::Model& model : roofline::table_of(device.kind).models)
      if (any_point(study,
                    [&model](const RooflinePoint& point) { return point.precision == model.name; }))
        names.push_back(model.peak);
    names.push_back("l1");
    if (has_level(study, "shared")) names.push_back("shared");
    names.insert(names.end(), {"l2", "l3", "dram"});
    for (const std::string& name : names) {
      const roofline::Ceiling* ceiling = device.find(name);
      if (ceiling == nullptr) continue;
      line +=
          fmt::format("{} {} {}", line.back() == ':' ? "" : ";", ceiling->label,
                      roofline::describe_rate(ceiling->measured, roofline::rate_unit(*ceiling)));
    }
    text += roofline::paragraph(line, 2);
  }
  return text;
}

std::string legend(const StudyRecord& study) {
  const auto any = [&study](bool analytic) {
    return any_point(study,
                     [analytic](const RooflinePoint& point) { return point.analytic == analytic; });
  };
  std::string text;
  if (any(false)) text += "*: counted by hardware.\n";
  if (any(true) && any_point(study, computes))
    text +=
        "o: computed from the source and the input: FLOPs, bytes of L1 as loops load, of DRAM as\n"
        "each array once.\n";
  else if (any(true))
    text += "o: computed from the source and the input: bytes of DRAM as each array once.\n";
  std::string columns =
      "of roof: of the lowest roof of all levels. bound by: that roof, where half of it or of the "
      "pipe was used; else latency, scalar code or division, where that is known.";
  if (any_point(study, computes)) columns += " L1, L2, L3, DRAM: FLOP per byte.";
  if (any_point(study, roofline::only_moves))
    columns +=
        " BYTES: no operation is done. speed: bytes of DRAM per second. peak: the roof of DRAM. "
        "L1, L2, L3, DRAM: bytes of DRAM per byte.";
  if (any_stalls(study)) columns += " top stall: warps per issue.";
  return text + roofline::paragraph(columns);
}

/// Returns "Not shown, being less than 5% of the operations: FP16 (cuda v2, cuda v3).".
std::string small_shares(const StudyRecord& study) {
  std::map<std::string, std::string> steps;
  for (const Result& result : study.results)
    for (const RooflinePoint& point : result.rooflines)
      if (has_places(result) && !roofline::is_shown(point)) {
        std::string& names = steps[precision_name(point)];
        names += fmt::format("{}{} {}", names.empty() ? "" : ", ",
                             model_label(result.model, result.kind), result.variant);
      }
  std::string text;
  for (const auto& [precision, names] : steps)
    text +=
        roofline::paragraph(fmt::format("Not shown, less than {:.0f}% of the operations: {} of {}.",
                                        100 * roofline::least_share_shown, precision, names));
  return text;
}

/// Lists the results that were counted on a slice, and explains slices.
std::string slices(const StudyRecord& study) {
  for (const Result& result : study.results)
    if (result.counted.slice && result.counted.source == roofline::CountedBy::cupti)
      return roofline::paragraph(
          fmt::format("FLOPs: the mix of instructions is counted on {}, their number on all, "
                      "because counting every kind on all would take some hundred times as "
                      "long.",
                      result.counted.slice->part));
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
  std::set<std::string> told;  // several points may give the same text
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
    if (!has_places(result)) continue;
    for (const RooflinePoint& point : result.rooflines)
      for (const std::string& defect : point.defects) warn(result, defect);
  }
  return text;
}

/// Returns "cuda v1 to v9: ..."; neighbours with the same reason share a line.
std::string without_hardware(const StudyRecord& study) {
  std::string text;
  std::string last;
  for (const Result& result : study.results) {
    const std::string& reason = result.counted.reason;
    if (result.kind != "gpu" || !result.timed() || reason.empty() || reason == last) continue;
    last = reason;
    text += roofline::paragraph(
        fmt::format("not counted by hardware: {} {}: {}", result.model, result.variant, reason), 9);
  }
  return text;
}

// ---- Kernels ------------------------------------------------------------------------------------

using KernelColumnOf = roofline::ColumnOf<KernelRow>;

/// A cell that needs the kernel's roofline point.
KernelColumnOf placed_column(const char* name, const char* title, Align align,
                             TableCell (*cell)(const KernelRow&, const RooflinePoint&)) {
  return {{name, title, "", "", align}, [cell](const KernelRow& row) {
            const RooflinePoint* point = row.kernel->placed.leading();
            return point == nullptr ? TableCell{roofline::unknown_text} : cell(row, *point);
          }};
}

std::vector<KernelColumnOf> kernel_columns() {
  return {
      words<KernelRow>("model", "model",
                       [](const KernelRow& row) {
                         return TableCell{model_label(row.result->model, row.result->kind)};
                       }),
      words<KernelRow>("variant", "",
                       [](const KernelRow& row) { return TableCell{row.result->variant}; }),
      words<KernelRow>("kernel", "kernel",
                       [](const KernelRow& row) { return TableCell{row.name}; }),
      number<KernelRow>("launches", "launches",
                        [](const KernelRow& row) { return cell::integer(row.kernel->launches); }),
      number<KernelRow>("of_time", "of time",
                        [](const KernelRow& row) {
                          return cell::percent(100 * *row.kernel->seconds /
                                               row.result->timing().median);
                        }),
      placed_column("speed", "speed", Align::right,
                    [](const KernelRow& row, const RooflinePoint& point) {
                      return speed_cell(*row.result, point);
                    }),
      placed_column("of_roof", "of roof", Align::right,
                    [](const KernelRow&, const RooflinePoint& point) {
                      return cell::percent(point.percent_of_roof);
                    }),
      placed_column("bound_by", "bound by", Align::left,
                    [](const KernelRow& row, const RooflinePoint& point) {
                      return TableCell{verdict(point, row.kernel->metrics).by};
                    }),
      placed_column(
          "l1", "L1", Align::right,
          [](const KernelRow&, const RooflinePoint& point) { return intensity(point, "l1"); }),
      placed_column(
          "l2", "L2", Align::right,
          [](const KernelRow&, const RooflinePoint& point) { return intensity(point, "l2"); }),
      placed_column(
          "dram", "DRAM", Align::right,
          [](const KernelRow&, const RooflinePoint& point) { return intensity(point, "dram"); }),
      words<KernelRow>("top_stall", "top stall",
                       [](const KernelRow& row) { return stall_cell(row.kernel->metrics); })};
}

std::string kernels_text(const StudyRecord& study) {
  std::vector<KernelRow> rows;
  for (const Result& result : study.results)
    for (KernelRow& row : kernels_of(result)) rows.push_back(std::move(row));
  return with_title(
      "Kernels", kernels_table(rows),
      fmt::format("Variants of several kernels that take {:.0f}% of the time or more. "
                  "The median is divided as the hardware's durations of the kernels "
                  "are.",
                  100 * least_share_of_time));
}

std::string instructions_of(const StudyRecord& study) {
  std::vector<roofline::InstructionRow> rows;
  for (const Result& result : study.results)
    if (!result.instructions.empty())
      rows.push_back({fmt::format("{} {}", model_label(result.model, result.kind), result.variant),
                      roofline::instruction_facts(result.counted.metrics, result.timing().median),
                      result.instructions});
  const roofline::ViewTable table = roofline::instruction_table(rows);
  return table.rows.empty()
             ? ""
             : "Instructions\n" + roofline::terminal_text(table, false, roofline::text_width());
}

/// Lists results without a roofline point despite measured roofs, with the first one's reason.
std::string without_place(const StudyRecord& study) {
  std::string first, why;
  int others = 0;
  for (const Result& result : study.results) {
    if (ceilings_of_kind(study, result.kind) == nullptr) continue;
    const std::string reason = why_no_place(study, result);
    if (reason.empty()) continue;
    others += !first.empty();
    if (first.empty()) why = reason, first = result.model + " " + result.variant;
  }
  if (first.empty()) return {};
  return roofline::paragraph(fmt::format("No place on the roofline: {}{}, because {}.", first,
                                         others > 0 ? fmt::format(" and {} more", others) : "",
                                         why));
}

}  // namespace

std::vector<PlacedResult> places_of(const Result& result) {
  std::vector<PlacedResult> places;
  if (!result.timed()) return places;
  for (const RooflinePoint& point : result.rooflines)
    if (roofline::is_shown(point)) places.push_back({&result, &point});
  return places;
}

ViewTable places_table(const std::vector<PlacedResult>& places) {
  const bool precisions = std::ranges::any_of(
      places, [](const PlacedResult& place) { return place.point->precision != "fp64"; });
  std::vector<PlaceColumn> columns = place_columns(precisions);
  add_levels(columns);
  columns.push_back(number<PlacedResult>(
      "pipe", precisions ? "pipe" : "FP64 pipe", [](const PlacedResult& place) {
        return cell::percent(roofline::metric_value(place.result->counted.metrics,
                                                    place.point->precision + "_pipe"));
      }));
  columns.push_back(words<PlacedResult>("top_stall", "top stall", [](const PlacedResult& place) {
    return stall_cell(place.result->counted.metrics);
  }));
  return without_empty_columns(
      roofline::table_of(columns, places, {"places", "Every variant under its roofs", {}, {}, {}}));
}

std::vector<KernelRow> kernels_of(const Result& result) {
  std::vector<KernelRow> rows;
  if (!result.timed()) return rows;
  const std::vector<const roofline::KernelProfile*> kernels = result.leading_kernels();
  const std::vector<std::string> names = roofline::short_names(kernels);
  for (std::size_t i = 0; i < kernels.size(); ++i) rows.push_back({&result, kernels[i], names[i]});
  return rows;
}

ViewTable kernels_table(const std::vector<KernelRow>& kernels) {
  return roofline::table_of(kernel_columns(), kernels,
                            {"kernels",
                             "Kernels of variants that have several. The time is divided as the "
                             "hardware’s durations are.",
                             {},
                             {},
                             {}});
}

TableCell speed_cell(const Result& result, const RooflinePoint& point) {
  const roofline::Model* model = roofline::table_of(result.kind).find_model(point.precision);
  return cell::rate(point.flop_per_s, model == nullptr ? "FLOP/s" : model->rate_unit());
}

std::string roofline_text(const StudyRecord& study, bool colours) {
  std::string text;
  if (const std::vector<PlacedResult> places = places_of(study); !places.empty())
    text = "Roofline\n" + terminal_text(places_table(places)) + "\n" + roofs(study) + legend(study);
  text += without_place(study) + without_hardware(study) + small_shares(study) + slices(study) +
          cost(study) + defects(study, colours);
  for (const std::string& further :
       {machine_code_text(study), kernels_text(study), instructions_of(study), profiler_text(study),
        advice_tables(study)})
    if (!further.empty()) text += "\n" + further;
  return text;
}

}  // namespace gpp
