// Sections on calculations of many ranks, published ladders, and trajectories.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/record/ladder.h"
#include "harness/report/sections.h"
#include "harness/view/ladder.h"
#include "harness/view/scaling.h"
#include "harness/view/study_charts.h"
#include "harness/view/trajectory.h"
#include "harness/view/trajectory_charts.h"

namespace gpp {
namespace {

namespace page = roofline::page;

Html shown(const Table& table) { return page::table(table, {.hidden_caption = true}); }

void add_calculation(const NamedStudy& named, Html& blocks) {
  const ScalingRecord& scaling = *named.study.scaling;
  blocks += page::heading(3, named.name) + page::paragraph(scaling_headline(scaling));
  for (const Table& table : scaling_tables(scaling))
    blocks += page::heading(4, table.caption) + shown(table);
}

}  // namespace

Html scaling_section(const std::vector<NamedStudy>& studies) {
  Html blocks;
  for (const NamedStudy& named : studies)
    if (named.study.scaling) add_calculation(named, blocks);
  if (blocks.empty()) return {};
  return page::section(
      "scaling", "Over ranks",
      "One calculation, shared by ranks that pass their bands to each other. "
      "Strong: the same work on more ranks. Weak: a state more for every rank more.",
      blocks);
}

namespace {

/// The ladder's table with remarks.
Table table_of(const PublishedLadder& ladder, const LadderRun& run) {
  Table table = ladder_table(ladder, run);
  table.caption =
      (ladder.published() ? "Published and measured, step by step: " : "Step by step: ") +
      run.model;
  table.columns.push_back({"notes", "notes"});
  for (std::size_t i = 0; i < run.rows.size(); ++i)
    table.rows[i].cells.push_back({fmt::format("{}", fmt::join(remarks_on(run.rows[i]), "; "))});
  return table;
}

Html published_ladder_section(const NamedStudy& named, std::size_t index, bool several,
                              const roofline::Chart& chart) {
  const PublishedLadder& ladder = *ladder_of(named.study);
  Html blocks = page::chart(chart, fmt::format("ladder-chart-{}", index));
  for (const LadderRun& run : ladder_runs(named.study))
    blocks += page::table(table_of(ladder, run));
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

Html published_ladder_sections(const std::vector<NamedStudy>& studies) {
  Html sections;
  std::size_t place = 0;
  for (const NamedStudy& named : studies)
    if (const auto chart = make_published_ladder(named, "published"))
      sections += published_ladder_section(named, place++, studies.size() > 1, *chart);
  return sections;
}

namespace {

Html trajectory_blocks(const Trajectory& trajectory, std::size_t number) {
  Html blocks;
  if (!trajectory.complete)
    blocks += page::notice("Partial. It was interrupted or killed, or is still under way.");
  if (!trajectory.lost.empty()) {
    std::vector<std::string> lost;
    for (const std::string& text : trajectory.lost) lost.push_back("Missing: " + text);
    blocks += page::list(lost);
  }
  if (const auto chart = trajectory_chart(trajectory))
    blocks += page::chart(*chart, fmt::format("trajectory-chart-{}", number));
  if (const Table table = trajectory_table(trajectory); !table.rows.empty()) blocks += shown(table);
  return blocks;
}

}  // namespace

Html trajectory_sections(const std::vector<NamedTrajectory>& trajectories) {
  Html sections;
  std::size_t number = 0;
  for (const NamedTrajectory& named : trajectories) {
    const std::string units = units_name(named.trajectory.kind);
    ++number;
    sections += page::section(
        fmt::format("trajectory-{}", number),
        "Over " + units + (trajectories.size() > 1 ? ": " + named.name : ""),
        fmt::format("On a part of {} that grows, under the roofs measured on each number of {}. "
                    "Straight up is ideal. To the left: more bytes for the same work. Hollow, and "
                    "in brackets: bytes that were not counted on so many. The rest of this page is "
                    "of the most that were measured.",
                    named.trajectory.device, units),
        trajectory_blocks(named.trajectory, number));
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
