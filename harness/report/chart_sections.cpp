// The chart sections: the ladder, rooflines, times, the time plane, stalls.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/record/advice.h"
#include "harness/report/sections.h"
#include "harness/view/roofline.h"
#include "roofline/base/units.h"
#include "roofline/models/model_table.h"
#include "roofline/points.h"

namespace gpp {
namespace {

namespace page = roofline::page;
using roofline::Chart;

/// The charts whose names begin with this prefix.
std::vector<const Chart*> charts_of(const Charts& charts, const std::string& start) {
  std::vector<const Chart*> own;
  for (const Chart& chart : charts)
    if (chart.name.starts_with(start)) own.push_back(&chart);
  return own;
}

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

/// The charts "roofline-WORK", of arithmetic or of instructions.
std::vector<const Chart*> rooflines(const Charts& charts, bool of_instructions) {
  std::vector<const Chart*> own = charts_of(charts, "roofline-");
  std::erase_if(own, [&](const Chart* chart) {
    const roofline::Model* model = model_called(chart->name.substr(9));
    return model == nullptr || model->counts_transactions() != of_instructions;
  });
  return own;
}

/// Adds a switch before the charts that it controls, if there is a choice.
void add_switch(PageParts& parts, const std::string& name, PageJson one, PageJson& blocks) {
  parts.switches[name] = std::move(one);
  blocks.push_back(page::switch_place(name));
}

/// Removes the chart's levels, because the time plane has its own choice of levels.
Chart without_levels(Chart chart) {
  const auto erase = [](auto& items) {
    for (auto& item : items)
      std::erase_if(item.tags, [](const auto& tag) { return tag.first == "level"; });
  };
  erase(chart.marks);
  erase(chart.lines);
  return chart;
}

/// Explains, in the studies' own words, why charts of counters are missing, and how to get them.
PageJson without_counters(const PageParts& parts) {
  std::vector<std::string> reasons;
  for (const ShownRow& row : parts.shown.rows()) {
    const std::string& reason = row.result->counted.reason;
    if (!reason.empty() && std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
      reasons.push_back(reason);
  }
  return page::notice(
      {fmt::format("Nothing was counted in {}, so that no variant can be placed under a roof. {}"
                   "A new ",
                   parts.studies.size() == 1 ? "this study" : "these studies",
                   reasons.empty()
                       ? ""
                       : fmt::format("The reason on record: {}. ", fmt::join(reasons, "; "))),
       page::code("gpp study"), " counts by itself where it can; ", page::code("gpp doctor"),
       " says what this machine lacks for it."});
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
PageJson without_instructions(const ShownResults& shown) {
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
  return page::text("No instruction rooflines: " + text, "small", "no-instructions");
}

/// The memory levels of the marks in the given charts, nearest first.
std::vector<page::Choice> level_choices(const std::vector<const Chart*>& charts) {
  std::set<std::string> met;
  for (const Chart* chart : charts)
    for (const roofline::ChartMark& mark : chart->marks)
      for (const auto& [name, value] : mark.tags)
        if (name == "level") met.insert(value);
  std::vector<page::Choice> choices;
  for (const std::string& level : roofline::level_order())
    if (met.contains(level)) choices.push_back({level, label_of_level(level)});
  return choices;
}

/// The model that has most of the work in most rows.
std::string leading_model(const ShownResults& shown, const std::vector<page::Choice>& models) {
  std::string best;
  std::size_t most = 0;
  for (const page::Choice& model : models) {
    std::size_t count = 0;
    for (const ShownRow& row : shown.rows())
      if (const auto* point = row.result->timed() ? row.result->roofline() : nullptr)
        count += point->precision == model.key;
    if (best.empty() || count > most) best = model.key;
    most = std::max(most, count);
  }
  return best;
}

/// True if something in the charts has that tag.
bool tells(const std::vector<const Chart*>& charts, const std::string& tag) {
  const auto has = [&](const auto& items) {
    for (const auto& item : items)
      for (const auto& [name, value] : item.tags)
        if (name == tag) return true;
    return false;
  };
  return std::any_of(charts.begin(), charts.end(),
                     [&](const Chart* chart) { return has(chart->marks) || has(chart->lines); });
}

/// The limits of each kernel of a variant with several kernels, and advice.
ViewTable kernels_table(const ShownResults& shown) {
  std::vector<KernelRow> kernels;
  std::vector<const ShownRow*> rows;
  for (const ShownRow& row : shown.rows())
    for (KernelRow& kernel : kernels_of(*row.result)) {
      kernels.push_back(std::move(kernel));
      rows.push_back(&row);
    }
  ViewTable table = for_page(kernels_table(kernels), rows, shown);
  table.columns.push_back({"next", "look at next"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto advice = advice_on(rows[i]->study(), *kernels[i].result, *kernels[i].kernel);
    table.rows[i].cells.push_back(
        {advice ? fmt::format("{}. {}", cause_text(advice->advice.cause), advice->advice.next)
                : std::string(roofline::unknown_text)});
  }
  return table;
}

void add_roofline_switches(PageParts& parts, const std::vector<const Chart*>& charts,
                           PageJson& blocks) {
  std::vector<page::Choice> models;
  for (const Chart* chart : charts) {
    const std::string name = chart->name.substr(9);
    models.push_back({name, model_called(name)->title});
  }
  PageJson unplaced = PageJson::array();
  add_switch(parts, "precision",
             page::one_of("Operations", models, leading_model(parts.shown, models)),
             models.size() > 1 ? blocks : unplaced);
  const std::vector<page::Choice> levels = level_choices(charts);
  add_switch(parts, "level", page::some_of("Levels", levels),
             levels.size() > 1 ? blocks : unplaced);
  if (tells(charts, "theoretical"))
    add_switch(parts, "theoretical", page::on_or_off("Theoretical roofs", true), blocks);
  if (tells(charts, "part"))
    add_switch(parts, "part", page::on_or_off("Kernels of a variant apart", true), blocks);
}

}  // namespace

PageJson roofline_section(PageParts& parts, const Charts& charts) {
  const ShownResults& shown = parts.shown;
  const std::string title = "The hierarchical roofline";
  const std::vector<const Chart*> own = rooflines(charts, false);
  if (own.empty()) return page::section("roofline", title, "", {without_counters(parts)});
  PageJson blocks = PageJson::array();
  add_roofline_switches(parts, own, blocks);
  for (const Chart* chart : own)
    blocks.push_back(
        page::with_tags(page::chart(*chart, chart->name), {{"precision", chart->name.substr(9)}}));
  if (const ViewTable kernels = kernels_table(shown); !kernels.rows.empty())
    blocks.push_back(page::table(kernels));
  if (rooflines(charts, true).empty()) blocks.push_back(without_instructions(shown));
  if (const auto defects = defects_of(shown); !defects.empty())
    blocks.push_back(page::notice("Defects of the measurement:", defects));
  return page::section(
      "roofline", title,
      "Each variant stands once per level of memory: the same rate, over the bytes moved at that "
      "level. Solid roofs were measured on the machine, dashed ones follow from its data sheet and "
      "clock. Arrows lead from step to step, at the outermost level alone where several models are "
      "shown; there the names are too, as far as they find room. Pointing at a marker tells all of "
      "it. Hollow markers were computed, not counted by hardware.",
      blocks);
}

PageJson instructions_section(const ShownResults& shown, const Charts& charts) {
  const std::vector<const Chart*> own = rooflines(charts, true);
  if (own.empty()) return nullptr;
  PageJson blocks = PageJson::array();
  for (const Chart* chart : own) {
    blocks.push_back(page::heading(3, model_called(chart->name.substr(9))->title));
    blocks.push_back(page::chart(*chart, chart->name));
  }
  blocks.push_back(page::table(instructions_table(shown), {{"sortable", true}}));
  return page::section(
      "instructions", "The instruction rooflines",
      "Warp instructions per second of each variant, over its instructions per transaction of "
      "memory. A marker leaves out lanes that were switched off, the dash above it has them: "
      "between the two lies predication. Thin flat roofs are pipes narrower than the schedulers. A "
      "wall is the intensity of one pattern of access, whatever else a kernel does, and ends at "
      "its roof: loads and stores left of unit stride, or of no conflict, move more than they use.",
      blocks);
}

PageJson ladder_section(PageParts& parts, const Charts& charts) {
  const std::vector<const Chart*> own = charts_of(charts, "ladder");
  if (own.empty()) return nullptr;
  PageJson blocks = PageJson::array();
  add_switch(parts, "scale",
             page::one_of("Axis", {{"log", "logarithmic"}, {"linear", "linear"}}, "log"), blocks);
  blocks.push_back(page::chart(*own.front(), "ladder-rate"));
  blocks.back()["scale"] = "scale";
  return page::section(
      "ladder", "The ladder",
      "How fast each step is, beside what was published. Every step passed its check.", blocks);
}

PageJson time_section(const Charts& charts) {
  PageJson blocks = PageJson::array();
  for (const Chart* chart : charts_of(charts, "time-"))
    blocks.push_back(
        page::with_tags(page::chart(*chart, chart->name), {{"precision", chart->name.substr(5)}}));
  if (blocks.empty()) return nullptr;
  return page::section(
      "time", "Where the time goes",
      "The bar is the measured time; the markers in it are what the traffic of each level and the "
      "arithmetic need at least at their measured roofs. What lies above the highest of them "
      "neither explains: waiting, and on a host instructions that work on one number alone. This "
      "view compares steps even where they change the number of operations.",
      blocks);
}

PageJson plane_section(PageParts& parts, const Charts& charts) {
  const std::string title = "Arithmetic against memory";
  PageJson blocks = PageJson::array(), places = PageJson::array();
  std::vector<page::Choice> levels;
  for (const Chart* chart : charts_of(charts, "plane-")) {
    const std::size_t dash = chart->name.rfind('-');
    const std::string level = chart->name.substr(dash + 1);
    if (std::none_of(levels.begin(), levels.end(),
                     [&](const page::Choice& one) { return one.key == level; }))
      levels.push_back({level, label_of_level(level)});
    places.push_back(
        page::with_tags(page::chart(without_levels(*chart), chart->name),
                        {{"plane", level}, {"precision", chart->name.substr(6, dash - 6)}}));
  }
  if (places.empty()) {
    if (charts_of(charts, "time-").empty()) return nullptr;
    return page::section(
        "plane", title, "",
        {page::notice("Nothing is computed here, so all time is that of memory, and no variant has "
                      "a place between the two. What the bytes of each level need is told under "
                      "“Where the time goes”.")});
  }
  const bool dram = std::any_of(levels.begin(), levels.end(),
                                [](const page::Choice& level) { return level.key == "dram"; });
  PageJson unplaced;
  add_switch(parts, "plane", page::one_of("Memory", levels, dram ? "dram" : levels.back().key),
             levels.size() > 1 ? blocks : unplaced);
  for (PageJson& place : places) blocks.push_back(std::move(place));
  return page::section(
      "plane", title,
      "To the right what the arithmetic takes, up what the bytes of one level take. The filled "
      "marker is the least of both, at the measured roofs: left of the diagonal memory needs "
      "longer, right of it arithmetic. The open one is the measured time on the same intensity; "
      "the distance between the two is what was not reached. All on one corner take the same time. "
      "What lies in the box of launches takes no longer than launching.",
      blocks);
}

PageJson stalls_section(const ShownResults& shown, const Charts& charts) {
  const std::string title = "What the warps waited for";
  for (const Chart* chart : charts_of(charts, "stalls"))
    return page::section("stalls", title,
                         "Stalls by reason: where a bar grows shorter, warps wait less for each "
                         "instruction they issue.",
                         {page::chart(*chart, "stalls")});
  const auto placed_on_gpu = [](const ShownRow& row) {
    return row.result->timed() && row.machine->kind == "gpu" && row.result->roofline() != nullptr;
  };
  if (std::none_of(shown.rows().begin(), shown.rows().end(), placed_on_gpu)) return nullptr;
  return page::section(
      "stalls", title, "",
      {page::notice({"No warp stalls were recorded. They are counted on NVIDIA GPUs by ",
                     page::code("gpp study"), " where the driver allows it: see ",
                     page::code("gpp doctor"), "."})});
}

}  // namespace gpp
