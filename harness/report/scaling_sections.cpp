// Sections on calculations of many ranks, published ladders, and trajectories.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/report/sections.h"
#include "harness/view/study_charts.h"
#include "harness/view/trajectory.h"

namespace gpp {
namespace {

namespace page = roofline::page;

/// The measured and the published steps, with remarks.
Html ladder_block(const NamedStudy& named, const roofline::Chart& chart, std::size_t number) {
  const PublishedLadder& ladder = *ladder_of(named.study);
  Html blocks = page::chart(chart, fmt::format("ladder-chart-{}", number));
  for (const LadderRun& run : ladder_runs(named.study)) {
    Table table = ladder_table(ladder, run);
    table.caption = named.name + ", step by step: " + run.model;
    table.columns.push_back({"notes", "notes"});
    for (std::size_t i = 0; i < run.rows.size(); ++i)
      table.rows[i].cells.push_back({fmt::format("{}", fmt::join(remarks_on(run.rows[i]), "; "))});
    blocks += page::table(table);
  }
  return page::section(
      fmt::format("ladder-{}", number), "Ladder " + ladder.name,
      fmt::format(
          "{}. Speedups are over its first step. Holds: yes within a third of the published "
          "effect or 3%; more and less: as published, only so; no: not seen.",
          title_and_source(ladder)),
      blocks);
}

}  // namespace

Html scaling_section(const std::vector<NamedStudy>& studies) {
  Html blocks;
  for (const auto& [name, study] : studies) {
    if (!study.scaling) continue;
    blocks += page::heading(3, name) + page::paragraph(scaling_headline(*study.scaling));
    for (const Table& table : scaling_tables(*study.scaling)) blocks += page::table(table);
  }
  return page::section(
      "scaling", "Over ranks",
      "One calculation, shared by ranks that pass their bands to each other. "
      "Strong: the same work on more ranks. Weak: a state more for every rank more.",
      blocks);
}

Html published_ladder_sections(const std::vector<NamedStudy>& studies) {
  Html sections;
  for (std::size_t i = 0; i < studies.size(); ++i)
    if (const auto chart = make_published_ladder(studies[i], "published"))
      sections += ladder_block(studies[i], *chart, i);
  return sections;
}

Html trajectory_sections(const std::vector<NamedTrajectory>& trajectories) {
  Html sections;
  std::size_t number = 0;
  for (const auto& [name, trajectory] : trajectories) {
    const std::string units = units_name(trajectory.kind), id = std::to_string(++number);
    Html blocks;
    if (!trajectory.complete)
      blocks += page::notice("Partial. It was interrupted or killed, or is still under way.");
    if (!trajectory.lost.empty()) blocks += page::notice("Missing:", trajectory.lost);
    if (const auto chart = trajectory_chart(trajectory))
      blocks += page::chart(*chart, "trajectory-chart-" + id);
    if (const Table table = trajectory_table(trajectory); !table.rows.empty())
      blocks += page::table(table, {.sortable = true});
    sections += page::section(
        "trajectory-" + id, fmt::format("Over {}: {}", units, name),
        fmt::format("On a part of {} that grows, under the roofs measured on each number of {}. "
                    "Straight up is ideal. To the left: more bytes for the same work. Hollow, and "
                    "in brackets: bytes that were not counted on so many.",
                    trajectory.device, units),
        blocks);
  }
  return sections;
}

}  // namespace gpp
