// The chart sections: the ladder, rooflines, times, the time plane, stalls.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/report/sections.h"
#include "harness/view/study_charts.h"
#include "harness/view/summary.h"
#include "roofline/page/rooflines.h"

namespace gpp {
namespace {

namespace page = roofline::page;
using roofline::Chart;
using Rooflines = std::vector<StudyRoofline>;

/// The charts that `make` draws of each model on each machine, empty ones left out.
template <class Make>
Html charts_of(const Rooflines& all, const std::string& name, const Make& make) {
  Html blocks;
  for (const StudyRoofline& one : all) {
    const std::optional<Chart> chart = make(one.chart, name, "");
    if (!chart) continue;
    roofline::Tags tags = one.series.tags();
    tags.emplace_back("precision", one.work);
    const std::string id = fmt::format("{}-{}-{}", name, one.work, one.series.place);
    const std::string what =
        one.chart.model.counts_transactions() ? ": " + one.chart.model.title : "";
    blocks += page::with_tags(page::heading(3, one.series.label() + what) + page::chart(*chart, id),
                              tags);
  }
  return blocks;
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
  const Rooflines all = all_rooflines(shown, &Result::rooflines);
  if (all.empty()) return page::section("roofline", title, "", without_counters(shown));
  std::vector<const roofline::RooflineChart*> charts;
  for (const StudyRoofline& one : all) charts.push_back(&one.chart);
  Html blocks = page::roofline_switches(charts, all.front().work);
  blocks += charts_of(all, "roofline", roofline::make_roofline);
  blocks += kernels_block(shown);
  if (all_rooflines(shown, &Result::instructions).empty()) {
    std::set<std::string> kinds;
    for (const ShownMachine& machine : shown.machines()) kinds.insert(machine.kind);
    blocks += page::no_instructions(kinds, {});
  }
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
  Rooflines all = all_rooflines(shown, &Result::instructions);
  if (all.empty()) return {};
  std::erase_if(all, [models = first_models(shown)](const StudyRoofline& one) {
    return !models.contains(one.series.rows.front().model);
  });
  return page::instructions_section("instructions", "variant",
                                    charts_of(all, "instructions", roofline::make_roofline) +
                                        page::table(instructions_table(shown), {.sortable = true}));
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
      charts_of(all_rooflines(shown, &Result::rooflines), "time", roofline::make_times);
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
      charts_of(all_rooflines(shown, &Result::rooflines), "plane", roofline::make_plane);
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
