// The chart sections: the ladder, rooflines, times, the time plane, stalls.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "harness/record/advice.h"
#include "harness/report/sections.h"
#include "harness/view/ladder_charts.h"
#include "harness/view/roofline.h"
#include "harness/view/study_charts.h"
#include "harness/view/study_rooflines.h"
#include "roofline/base/units.h"
#include "roofline/models/model_table.h"
#include "roofline/points.h"

namespace gpp {
namespace {

namespace page = roofline::page;
using roofline::Chart;
using roofline::ChartSeries;

const roofline::Model* model_called(const std::string& name) {
  for (const roofline::ModelTable* table : roofline::all_tables())
    if (const roofline::Model* model = table->find_model(name)) return model;
  return nullptr;
}

std::string label_of_level(const std::string& name) {
  for (const roofline::ModelTable* table : roofline::all_tables())
    for (const roofline::Level& level : table->levels)
      if (level.name == name) return level.label;
  return name;
}

/// The points of one model on one machine, for charts of their own.
struct Alone {
  std::string work;   ///< name of the kind of work: "fp64"
  std::string title;  ///< "NVIDIA H200, cuda"
  roofline::Tags tags;
  roofline::RooflineChart chart;
};

/// Series of the same work have the same axes.
std::vector<Alone> all_alone(const std::vector<NamedStudy>& studies, PointsOf points) {
  const std::vector<StudySeries> all = series_of(studies);
  std::vector<Alone> charts;
  for (const std::string& work : work_of(all, points))
    for (ChartSeries& one : roofline::on_one_paper(chart_series(all, work, points)))
      charts.push_back({work, one.title, one.tags, std::move(one.chart)});
  return charts;
}

/// True if several marks lie at one place, so that a chart shows nothing.
bool is_one_place(const Chart& chart) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 0.02 * std::abs(b); };
  const auto& marks = chart.marks;
  return marks.size() > 1 && std::ranges::all_of(marks, [&](const roofline::ChartMark& mark) {
           return near(mark.at.x, marks.front().at.x) && near(mark.at.y, marks.front().at.y);
         });
}

/// The charts that `make` draws of each model on each machine, empty ones left out.
Html charts_of(const std::vector<Alone>& all, const std::string& name,
               const std::function<std::optional<Chart>(const Alone&)>& make) {
  Html blocks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::optional<Chart> chart = make(all[i]);
    if (!chart) continue;
    roofline::Tags tags = all[i].tags;
    tags.emplace_back("precision", all[i].work);
    blocks += page::with_tags(
        page::heading(3, all[i].title) +
            (is_one_place(*chart)
                 ? page::paragraph("All points lie at one place: the table has them.", "small")
                 : page::chart(*chart, fmt::format("{}-{}-{}", name, all[i].work, i))),
        tags);
  }
  return blocks;
}

/// Explains, in the studies' own words, why charts of counters are missing, and how to get them.
Html without_counters(const ShownResults& shown) {
  std::vector<std::string> reasons;
  for (const ShownRow& row : shown.rows()) {
    const std::string& reason = row.result->counted.reason;
    if (!reason.empty() && std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
      reasons.push_back(reason);
  }
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
  for (const ShownRow& row : shown.rows()) {
    if (!row.result->timed()) continue;
    const auto& counting = row.result->counted.defects;
    std::set<std::string> own(counting.begin(), counting.end());
    for (const auto* points : {&row.result->rooflines, &row.result->instructions})
      for (const roofline::RooflinePoint& point : *points)
        own.insert(point.defects.begin(), point.defects.end());
    for (const std::string& defect : own)
      lines.push_back(fmt::format("{} ({}): {}", row.result->variant, row.series_label(), defect));
  }
  return lines;
}

/// Explains why there are no instruction rooflines, and what they need.
Html without_instructions(const ShownResults& shown) {
  std::vector<std::string> reasons;
  bool possible = false;
  for (const ShownMachine& machine : shown.machines())
    possible |= !roofline::table_of(machine.kind).instruction_models.empty();
  for (const ShownRow& row : shown.rows()) {
    if (!row.result->timed() || row.machine->ceilings == nullptr) continue;
    const auto placed =
        roofline::instruction_points(row.result->counted.metrics, row.result->timing().median,
                                     row.result->counted.source, *row.machine->ceilings);
    for (const roofline::Missing& missing : placed.missing)
      if (std::find(reasons.begin(), reasons.end(), missing.reason) == reasons.end())
        reasons.push_back(missing.reason);
  }
  const std::string text =
      !possible ? "they are known for NVIDIA’s GPUs alone."
                : fmt::format("{}. A new gpp study measures and counts what they need.",
                              reasons.empty() ? "nothing of the kind was counted"
                                              : fmt::format("{}", fmt::join(reasons, "; ")));
  return page::paragraph("No instruction rooflines: " + text, "small", "no-instructions");
}

/// The memory levels with points, nearest first.
std::vector<page::Choice> level_choices(const std::vector<Alone>& all) {
  std::set<std::string> met;
  for (const Alone& one : all) met.insert(one.chart.levels.begin(), one.chart.levels.end());
  std::vector<page::Choice> choices;
  for (const std::string& level : roofline::level_order())
    if (met.contains(level)) choices.push_back({level, label_of_level(level)});
  return choices;
}

/// The kind of work that has most of the operations in most rows.
std::string leading_work(const ShownResults& shown, const std::vector<page::Choice>& works) {
  std::string best;
  std::size_t most = 0;
  for (const page::Choice& work : works) {
    std::size_t count = 0;
    for (const ShownRow& row : shown.rows())
      if (const auto* point = row.result->timed() ? row.result->roofline() : nullptr)
        count += point->precision == work.key;
    if (best.empty() || count > most) best = work.key;
    most = std::max(most, count);
  }
  return best;
}

/// The limits of each kernel of a variant with several kernels, and each advice once, that for the
/// hottest kernel first.
Html kernels_block(const ShownResults& shown) {
  std::vector<KernelRow> kernels;
  std::vector<const ShownRow*> rows;
  for (const ShownRow& row : shown.rows())
    for (KernelRow& kernel : kernels_of(*row.result)) {
      kernels.push_back(std::move(kernel));
      rows.push_back(&row);
    }
  if (kernels.empty()) return {};
  std::vector<std::size_t> order(kernels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&kernels](std::size_t i) {
    return kernels[i].kernel->seconds.value_or(0);
  });
  page::Pairs advice;
  for (const std::size_t i : order)
    if (const auto one = advice_on(rows[i]->study(), *kernels[i].result, *kernels[i].kernel))
      advice.emplace_back(fmt::format("{}: {}", title_of(one->advice.cause), one->advice.next),
                          fmt::format("{} {}", kernels[i].result->variant, kernels[i].name));
  return page::table(for_page(kernels_table(kernels), rows, shown)) +
         (advice.empty() ? Html() : page::heading(4, "Look at next") + page::reasons(advice));
}

Html roofline_switches(const ShownResults& shown, const std::vector<Alone>& all) {
  std::vector<page::Choice> works;
  bool theoretical = false, parts = false;
  for (const Alone& one : all) {
    if (works.empty() || works.back().key != one.work)
      works.push_back({one.work, model_called(one.work)->title});
    theoretical |= std::ranges::any_of(
        one.chart.roofs, [](const roofline::Roof& roof) { return roof.theoretical.has_value(); });
    parts |= std::ranges::any_of(one.chart.steps, &roofline::Step::part);
  }
  return page::one_of("precision", "Operations", works, leading_work(shown, works)) +
         page::some_of("level", "Levels", level_choices(all)) +
         (theoretical ? page::on_or_off("theoretical", "Theoretical roofs", true) : Html()) +
         (parts ? page::on_or_off("part", "Kernels of a variant apart", true) : Html());
}

}  // namespace

Html roofline_section(const std::vector<NamedStudy>& studies, const ShownResults& shown) {
  const std::string title = "The hierarchical roofline";
  const std::vector<Alone> all = all_alone(studies, &Result::rooflines);
  if (all.empty()) return page::section("roofline", title, "", without_counters(shown));
  Html blocks = roofline_switches(shown, all);
  blocks += charts_of(all, "roofline", [](const Alone& one) {
    return roofline::make_roofline({{one.chart}}, "roofline", one.title);
  });
  blocks += kernels_block(shown);
  if (all_alone(studies, &Result::instructions).empty()) blocks += without_instructions(shown);
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

Html instructions_section(const std::vector<NamedStudy>& studies, const ShownResults& shown) {
  std::vector<Alone> all = all_alone(studies, &Result::instructions);
  if (all.empty()) return {};
  Html blocks;
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first;
    while (last < all.size() && all[last].work == all[first].work) ++last;
    blocks += page::heading(3, model_called(all[first].work)->title);
    const auto at = [&all](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
    blocks += charts_of({at(first), at(last)}, "instructions", [](const Alone& one) {
      return roofline::make_roofline({{one.chart}}, "roofline", one.title);
    });
    first = last;
  }
  blocks += page::table(instructions_table(shown), {.sortable = true});
  return page::section(
      "instructions", "The instruction rooflines",
      "Warp instructions per second of each variant, over its instructions per transaction of "
      "memory. A marker leaves out lanes that were switched off; the dash above it has them. Thin "
      "flat roofs are units with fewer instructions per cycle than the schedulers issue. A wall is "
      "the intensity of one pattern of access: loads and stores left of the wall of unit stride, "
      "or of no conflict, move more than they use.",
      blocks);
}

Html ladder_section(const std::vector<NamedStudy>& studies) {
  const std::optional<Chart> chart = make_ladder(studies);
  if (!chart) return {};
  return page::section(
      "ladder", "The ladder",
      "How fast each step is, beside what was published. Every step passed its check.",
      page::chart(*chart, "ladder-rate"));
}

Html time_section(const std::vector<NamedStudy>& studies) {
  const Html blocks = charts_of(
      all_alone(studies, &Result::rooflines), "time",
      [](const Alone& one) { return roofline::make_times(one.chart, "time", one.title); });
  if (blocks.empty()) return {};
  return page::section(
      "time", "Where the time goes",
      "The bar is the measured time; the markers in it are what the traffic of each level and the "
      "arithmetic need at least at their measured roofs. What lies above the highest of them "
      "neither explains: waiting, and on a host instructions that work on one number alone. This "
      "view compares steps even where they change the number of operations.",
      blocks);
}

Html plane_section(const std::vector<NamedStudy>& studies) {
  const Html blocks =
      charts_of(all_alone(studies, &Result::rooflines), "plane", [](const Alone& one) {
        return roofline::make_plane(one.chart, roofline::plane_level(one.chart), "plane",
                                    one.title);
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

Html stalls_section(const std::vector<NamedStudy>& studies, const ShownResults& shown) {
  const std::string title = "What the warps waited for";
  if (const std::optional<Chart> chart = make_stalls(studies))
    return page::section("stalls", title,
                         "Stalls by reason: where a bar grows shorter, warps wait less for each "
                         "instruction they issue.",
                         page::chart(*chart, "stalls-chart"));
  const auto placed_on_gpu = [](const ShownRow& row) {
    return row.result->timed() && row.machine->kind == "gpu" && row.result->roofline() != nullptr;
  };
  if (std::none_of(shown.rows().begin(), shown.rows().end(), placed_on_gpu)) return {};
  return page::section("stalls", title, "",
                       page::notice("No warp stalls were recorded. They are counted on NVIDIA GPUs "
                                    "by " +
                                    page::code("gpp study") + " where the driver allows it: see " +
                                    page::code("gpp doctor") + "."));
}

}  // namespace gpp
