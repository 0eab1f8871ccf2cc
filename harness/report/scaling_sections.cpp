// Calculations of many ranks, published ladders, and trajectories on a growing part of a device.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/record/ladder.h"
#include "harness/report/sections.h"
#include "harness/view/scaling.h"
#include "harness/view/trajectory.h"
#include "harness/view/trajectory_charts.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

namespace page = roofline::page;
namespace cell = roofline::cell;
using roofline::Align;
using roofline::TableCell;

/// A table whose rows have a cell for each of these columns.
ViewTable table_with(const std::string& caption, const std::vector<std::string>& titles) {
  ViewTable table{"", caption, {}, {}, {}};
  for (const std::string& title : titles)
    table.columns.push_back({title, title, "", "", Align::right});
  return table;
}

PageJson shown(const ViewTable& table) {
  return page::table(table, {{"id", ""}, {"hidden_caption", true}});
}

PageJson scaling_facts(const ScalingRecord& scaling) {
  return page::facts(
      {{"ranks", fmt::format("{} in {} {}", scaling.ranks, scaling.pools,
                             scaling.pools == 1 ? "pool" : "pools")},
       {"states", std::to_string(scaling.states)},
       {"exchange", fmt::format("{}, blocks by {}", scaling.exchange, scaling.transport)},
       {"checked", scaling.sample.empty() ? "over all bands and all G′"
                                          : fmt::format("over all bands at the G′ {}",
                                                        fmt::join(scaling.sample, ", "))}});
}

void add_calculation(const NamedStudy& named, PageJson& blocks) {
  const ScalingRecord& scaling = *named.study.scaling;
  blocks.push_back(page::heading(3, named.name));
  blocks.push_back(scaling_facts(scaling));
  blocks.push_back(shown(ranks_table(scaling)));
  const auto add = [&](const char* title, const ViewTable& table) {
    blocks.push_back(page::heading(4, title));
    blocks.push_back(shown(table));
  };
  if (!scaling.steps.empty()) add("Steps", ring_table(scaling));
  if (scaling.strong.size() > 1) add("Strong scaling", scaling_table(scaling.strong, true));
  if (scaling.weak.size() > 1) add("Weak scaling", scaling_table(scaling.weak, false));
}

const roofline::Chart* chart_called(const Charts& charts, const std::string& name) {
  for (const roofline::Chart& chart : charts)
    if (chart.name == name) return &chart;
  return nullptr;
}

}  // namespace

PageJson scaling_section(const std::vector<NamedStudy>& studies, const Charts& charts) {
  PageJson blocks = PageJson::array();
  for (const auto& [name, title] :
       {std::pair("strong", "Strong scaling"), {"weak", "Weak scaling"}})
    if (const roofline::Chart* chart = chart_called(charts, name)) {
      blocks.push_back(page::heading(3, title));
      blocks.push_back(page::chart(*chart, name));
    }
  for (const NamedStudy& named : studies)
    if (named.study.scaling) add_calculation(named, blocks);
  if (blocks.empty()) return nullptr;
  return page::section(
      "scaling", "Over ranks",
      "One calculation, shared by ranks that pass their bands to each other. "
      "Strong: the same work on more ranks. Weak: a state more for every rank more. Dashed is what "
      "would be ideal.",
      blocks);
}

namespace {

std::string notes_of(const LadderRow& row) {
  std::vector<std::string> notes;
  if (!row.step->told.empty()) notes.push_back(row.step->told);
  if (!row.step->ours.empty()) notes.push_back("taken for granted here: " + row.step->ours);
  if (!row.reason.empty()) notes.push_back(row.reason);
  return fmt::format("{}", fmt::join(notes, "; "));
}

void add_numbers(const StepNumbers& numbers, std::vector<TableCell>& cells) {
  cells.push_back(cell::seconds(numbers.seconds));
  cells.push_back(cell::times(numbers.gain));
  cells.push_back(cell::times(numbers.speedup));
}

ViewTable ladder_table(const PublishedLadder& ladder, const LadderRun& run) {
  const bool published = ladder.published();
  std::vector<std::string> titles = {"step", "what changes", "variant"};
  if (published) titles.insert(titles.end(), {"published", "gain", "speedup"});
  titles.insert(titles.end(), {"measured", "gain", "speedup"});
  if (published) titles.push_back("holds");
  titles.push_back("notes");
  ViewTable table = table_with(
      (published ? "Published and measured, step by step: " : "Step by step: ") + run.model,
      titles);
  for (const std::size_t words : {std::size_t{1}, std::size_t{2}, titles.size() - 1})
    table.columns[words].align = Align::left;
  for (const LadderRow& row : run.rows) {
    std::vector<TableCell> cells = {{row.step->label},
                                    {row.step->change},
                                    {row.step->variant, NAN, "", "step-" + row.step->variant}};
    if (published) add_numbers(row.published, cells);
    add_numbers(row.measured, cells);
    if (published) cells.push_back({name_of(row.holds)});
    cells.push_back({notes_of(row)});
    table.rows.push_back({cells});
  }
  return table;
}

PageJson published_ladder_section(const NamedStudy& named, std::size_t index, bool several,
                                  const roofline::Chart& chart) {
  const PublishedLadder& ladder = *ladder_of(named.study);
  PageJson blocks = PageJson::array({page::chart(chart, fmt::format("ladder-{}", index))});
  for (const LadderRun& run : ladder_runs(named.study))
    blocks.push_back(page::table(ladder_table(ladder, run), {{"id", ""}}));
  return page::section(
      fmt::format("ladder-{}", index),
      fmt::format("Ladder {}{}", ladder.name, several ? ", " + named.name : ""),
      fmt::format("{}{}. Speedups are over the ladder’s first step. A step that was left out, or "
                  "failed its check, has no number.{}",
                  title_and_source(ladder),
                  ladder.published() ? ", beside what was measured here" : "",
                  ladder.published()
                      ? " Holds: yes within a third of the published effect or 3%; more and less: "
                        "as published, only so; no: not seen."
                      : ""),
      blocks);
}

}  // namespace

PageJson published_ladder_sections(const std::vector<NamedStudy>& studies, const Charts& charts) {
  PageJson sections = PageJson::array();
  std::vector<const roofline::Chart*> own;  // in the order of the studies
  for (const roofline::Chart& chart : charts)
    if (chart.name.starts_with("published-")) own.push_back(&chart);
  for (const NamedStudy& named : studies) {
    if (ladder_of(named.study) == nullptr || sections.size() == own.size()) continue;
    const std::size_t place = sections.size();
    sections.push_back(published_ladder_section(named, place, studies.size() > 1, *own[place]));
  }
  return sections;
}

namespace {

PageJson trajectory_blocks(const Trajectory& trajectory, std::size_t number) {
  PageJson blocks = PageJson::array();
  if (!trajectory.complete)
    blocks.push_back(page::notice("Partial. It was interrupted or killed, or is still under way."));
  if (!trajectory.lost.empty()) {
    std::vector<std::string> lost;
    for (const std::string& text : trajectory.lost) lost.push_back("Missing: " + text);
    blocks.push_back({{"kind", "list"}, {"items", lost}});
  }
  if (const auto chart = trajectory_chart(trajectory))
    blocks.push_back(page::chart(*chart, fmt::format("trajectory-chart-{}", number)));
  if (const ViewTable table = trajectory_table(trajectory); !table.rows.empty())
    blocks.push_back(shown(table));
  return blocks;
}

}  // namespace

PageJson trajectory_sections(const std::vector<NamedTrajectory>& trajectories) {
  PageJson sections = PageJson::array();
  for (const NamedTrajectory& named : trajectories) {
    const std::string units = units_name(named.trajectory.kind);
    const std::size_t number = sections.size() + 1;
    sections.push_back(page::section(
        fmt::format("trajectory-{}", number),
        "Over " + units + (trajectories.size() > 1 ? ": " + named.name : ""),
        fmt::format("On a part of {} that grows, under the roofs measured on each number of {}. "
                    "Straight up is ideal. To the left: more bytes for the same work. Hollow, and "
                    "in brackets: bytes that were not counted on so many. The rest of this page is "
                    "of the most that were measured.",
                    named.trajectory.device, units),
        trajectory_blocks(named.trajectory, number)));
  }
  return sections;
}

std::vector<NamedStudy> studies_of(const NamedTrajectory& named) {
  std::vector<NamedStudy> studies;
  for (const std::string& size : named.trajectory.sizes) {
    const TrajectoryPoint* most = nullptr;
    for (const TrajectoryPoint& point : named.trajectory.points)
      if (point.size == size && (most == nullptr || point.units > most->units)) most = &point;
    if (most == nullptr) continue;
    studies.push_back({fmt::format("{}: {} on {} {}", named.name, size, most->units,
                                   units_name(named.trajectory.kind)),
                       most->study});
  }
  return studies;
}

}  // namespace gpp
