// The chart sections: the ladder, rooflines, times, the time plane, stalls.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "harness/report/sections.h"
#include "harness/view/ladder_charts.h"
#include "harness/view/study_charts.h"
#include "harness/view/study_rooflines.h"
#include "harness/view/summary.h"
#include "roofline/page/rooflines.h"
#include "roofline/points.h"

namespace gpp {
namespace {

namespace page = roofline::page;
using roofline::Chart;
using Rooflines = std::vector<StudyRoofline>;

/// True if several marks lie at one place, so that a chart shows nothing.
bool is_one_place(const Chart& chart) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 0.02 * std::abs(b); };
  const auto& marks = chart.marks;
  return marks.size() > 1 && std::ranges::all_of(marks, [&](const roofline::ChartMark& mark) {
           return near(mark.at.x, marks.front().at.x) && near(mark.at.y, marks.front().at.y);
         });
}

/// The charts that `make` draws of each model on each machine, empty ones left out.
Html charts_of(const Rooflines& all, const std::string& name,
               const std::function<std::optional<Chart>(const roofline::RooflineChart&)>& make) {
  Html blocks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::optional<Chart> chart = make(all[i].chart);
    if (!chart) continue;
    roofline::Tags tags = all[i].series.tags();
    tags.emplace_back("precision", all[i].work);
    blocks += page::with_tags(
        page::heading(3, all[i].series.label()) +
            (is_one_place(*chart)
                 ? page::paragraph("All points lie at one place: the table has them.", "small")
                 : page::chart(*chart, fmt::format("{}-{}-{}", name, all[i].work, i))),
        tags);
  }
  return blocks;
}

Chart roofline_of(const roofline::RooflineChart& chart) {
  return roofline::make_roofline(chart, "roofline", "");
}

/// Explains, in the studies' own words, why charts of counters are missing, and how to get them.
Html without_counters(const ShownResults& shown) {
  std::set<std::string> reasons;
  for (const ShownRow& row : shown.rows()) reasons.insert(row.result->counted.reason);
  reasons.erase("");
  return page::notice(
      fmt::format("Nothing was counted here, so that no variant can be placed under a roof. {}A "
                  "new ",
                  reasons.empty()
                      ? ""
                      : fmt::format("The reason on record: {}. ", fmt::join(reasons, "; "))) +
      page::code("gpp study") + " counts by itself where it can; " + page::code("gpp doctor") +
      " says what this machine lacks for it.");
}

/// The defects of counts and points, one per line.
std::vector<std::string> defects_of(const ShownResults& shown) {
  std::vector<std::string> lines;
  for (const ShownRow& row : shown.timed())
    for (const std::string& defect : gpp::defects_of(*row.result))
      lines.push_back(fmt::format("{} ({}): {}", row.result->variant, row.series_label(), defect));
  return lines;
}

/// Explains why there are no instruction rooflines, and what they need.
Html without_instructions(const ShownResults& shown) {
  std::set<std::string> kinds, reasons;
  for (const ShownMachine& machine : shown.machines()) kinds.insert(machine.kind);
  for (const ShownRow& row : shown.timed()) {
    if (row.machine->ceilings == nullptr) continue;
    const auto placed =
        roofline::instruction_points(row.metrics(), row.result->timing().median,
                                     row.result->counted.source, *row.machine->ceilings);
    for (const roofline::Missing& missing : placed.missing) reasons.insert(missing.reason);
  }
  return page::no_instructions(kinds, reasons);
}

/// The kind of work that has most of the operations in most rows.
std::string leading_work(const ShownResults& shown) {
  std::map<std::string, std::size_t> rows;
  for (const ShownRow& row : shown.timed())
    if (row.point != nullptr) ++rows[row.point->precision];
  const auto most = std::ranges::max_element(rows, {}, [](const auto& one) { return one.second; });
  return most == rows.end() ? "" : most->first;
}

/// The limits of each kernel of a variant with several kernels, and each advice once, that for the
/// hottest kernel first.
Html kernels_block(const ShownResults& shown) {
  std::vector<ShownRow> rows = shown.kernels();
  if (rows.empty()) return {};
  std::ranges::stable_sort(rows, std::greater(),
                           [](const ShownRow& row) { return row.kernel->seconds.value_or(0); });
  page::Pairs advice;
  for (const ShownRow& row : rows)
    if (const auto one = advice_on(row))
      advice.emplace_back(fmt::format("{}: {}", title_of(one->advice.cause), one->advice.next),
                          fmt::format("{} {}", row.result->variant, row.kernel_name));
  return page::table(kernels_table(shown)) +
         (advice.empty() ? Html() : page::heading(4, "Look at next") + page::reasons(advice));
}

}  // namespace

Html roofline_section(const ShownResults& shown) {
  const std::string title = "The hierarchical roofline";
  const Rooflines all = all_rooflines(shown, &Result::rooflines, true);
  if (all.empty()) return page::section("roofline", title, "", without_counters(shown));
  std::vector<const roofline::RooflineChart*> charts;
  for (const StudyRoofline& one : all) charts.push_back(&one.chart);
  Html blocks = page::roofline_switches(charts, leading_work(shown));
  blocks += charts_of(all, "roofline", roofline_of);
  blocks += kernels_block(shown);
  if (all_rooflines(shown, &Result::instructions, true).empty())
    blocks += without_instructions(shown);
  if (const auto defects = defects_of(shown); !defects.empty())
    blocks += page::notice("Defects of the measurement:", defects);
  return page::section(
      "roofline", title,
      "Each variant stands once per level of memory: the same rate, over the bytes moved at that "
      "level. Colour and shape are the level. Solid roofs were measured on the machine, dashed "
      "ones follow from its data sheet and clock. Arrows lead from step to step. Pointing at a "
      "marker tells all of it. Hollow markers were computed, not counted by hardware.",
      blocks);
}

Html instructions_section(const ShownResults& shown) {
  Rooflines all = all_rooflines(shown, &Result::instructions, true);
  if (all.empty()) return {};
  const std::set<std::string> models = first_models(shown);
  Html blocks;
  if (std::erase_if(all, [&models](const StudyRoofline& one) {
        return !models.contains(one.series.rows.front().model);
      }) > 0)
    blocks += page::paragraph("The table below has the other models, too.", "small");
  for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
    Rooflines same;
    while (last < all.size() && all[last].work == all[first].work) same.push_back(all[last++]);
    blocks += page::heading(3, same.front().chart.model.title) +
              charts_of(same, "instructions", roofline_of);
  }
  return page::instructions_section(
      "instructions", "variant",
      blocks + page::table(instructions_table(shown), {.sortable = true}));
}

Html ladder_section(const ShownResults& shown) {
  const std::optional<Chart> chart = make_ladder(shown);
  if (!chart) return {};
  return page::section(
      "ladder", "The ladder",
      "How fast each step is, beside what was published. Every step passed its check.",
      page::chart(*chart, "ladder-rate"));
}

Html time_section(const ShownResults& shown) {
  const Html blocks =
      charts_of(all_rooflines(shown, &Result::rooflines, false), "time",
                [](const auto& chart) { return roofline::make_times(chart, "time", ""); });
  if (blocks.empty()) return {};
  return page::section(
      "time", "Where the time goes",
      "The bar is the measured time; the markers in it are what the traffic of each level and the "
      "arithmetic need at least at their measured roofs. What lies above the highest of them "
      "neither explains: waiting, and on a host instructions that work on one number alone. This "
      "view compares steps even where they change the number of operations.",
      blocks);
}

Html plane_section(const ShownResults& shown) {
  const Html blocks =
      charts_of(all_rooflines(shown, &Result::rooflines, false), "plane", [](const auto& chart) {
        return roofline::make_plane(chart, roofline::plane_level(chart), "plane", "");
      });
  if (blocks.empty()) return {};
  return page::section(
      "plane", "Arithmetic against memory",
      "To the right what the arithmetic takes, up what the bytes of the farthest memory take. The "
      "filled marker is the least of both, at the measured roofs: left of the diagonal memory "
      "needs longer, right of it arithmetic. The open one is the measured time on the same "
      "intensity; the distance between the two is what was not reached. Markers on the two sides "
      "of one corner take the same time. What lies in the box of launches takes no longer than "
      "launching.",
      blocks);
}

Html stalls_section(const ShownResults& shown) {
  const std::string title = "What the warps waited for";
  Html charts;
  for (const StudySeries& series : shown.series())
    if (const std::optional<Chart> chart = make_stalls(series))
      charts += page::with_tags(page::heading(3, series.label()) +
                                    page::chart(*chart, fmt::format("stalls-{}", series.place)),
                                series.tags());
  if (!charts.empty())
    return page::section("stalls", title,
                         "Stalls by reason: where a bar grows shorter, warps wait less for each "
                         "instruction they issue.",
                         charts);
  const auto placed_on_gpu = [](const ShownRow& row) {
    return row.machine->kind == "gpu" && row.point != nullptr;
  };
  if (std::none_of(shown.rows().begin(), shown.rows().end(), placed_on_gpu)) return {};
  return page::section("stalls", title, "",
                       page::notice("No warp stalls were recorded. They are counted on NVIDIA GPUs "
                                    "by " +
                                    page::code("gpp study") + " where the driver allows it: see " +
                                    page::code("gpp doctor") + "."));
}

}  // namespace gpp
