#include "roofline/instruction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "roofline/base/table.h"
#include "roofline/base/units.h"

namespace roofline {
namespace {

/// The ratio of two metrics; empty without a divisor.
std::optional<double> ratio(const Metrics& metrics, const char* above, const char* below) {
  const auto one = metric_value(metrics, above), other = metric_value(metrics, below);
  return one && other && *other > 0 ? std::optional(*one / *other) : std::nullopt;
}

const RooflinePoint* find_point(const InstructionRow& row, std::string_view model) {
  const auto found = std::ranges::find(row.points, model, &RooflinePoint::precision);
  return found == row.points.end() ? nullptr : &*found;
}

/// Returns "unit stride, 8 B", with the distance from the wall if the point is not on it.
TableCell wall_cell(const InstructionRow& row, const char* name) {
  const RooflinePoint* point = find_point(row, name);
  if (point == nullptr) return {unknown_text};
  const auto wall = nearest_wall(*point, *nvidia_table().find_model(name));
  if (!wall) return {unknown_text};
  constexpr double on_it = 0.01;
  return {std::abs(wall->ratio - 1) < on_it
              ? wall->wall.label
              : fmt::format("{} {}", times_text(wall->ratio), wall->wall.label)};
}

TableCell share_cell(const std::optional<double>& share) {
  return cell::percent(share ? std::optional(100 * *share) : std::nullopt);
}

using Column = ColumnOf<InstructionRow>;

Column number(const std::string& name, const std::string& title, const std::string& note,
              std::function<TableCell(const InstructionRow&)> cell) {
  return {{name, title, note, "", Align::right}, std::move(cell)};
}

Column wall_column(const char* name, const char* title, const char* model) {
  return {{name, title, "the pattern of access that is nearest, and how far off it is"},
          [model](const InstructionRow& row) { return wall_cell(row, model); }};
}

Column level_column(const std::string& before, const char* label, const char* level) {
  return number(std::string("intensity_") + level, before + label,
                fmt::format("warp instructions per transaction at {}", label),
                [level](const InstructionRow& row) {
                  return cell::short_number(intensity_at(find_point(row, "instructions"), level));
                });
}

}  // namespace

InstructionFacts instruction_facts(const Metrics& metrics, double seconds) {
  InstructionFacts facts;
  const auto executed = metric_value(metrics, "instructions");
  if (executed && seconds > 0) facts.warps_per_s = *executed / seconds;
  facts.active_share = ratio(metrics, "active_warp_instructions", "instructions");
  facts.sectors_per_request = ratio(metrics, "global_sectors", "global_instructions");
  facts.conflicts_per_access = ratio(metrics, "bank_conflicts", "shared_instructions");
  facts.spill_share = ratio(metrics, "local_sectors", "l1_transactions");
  return facts;
}

std::optional<NearestWall> nearest_wall(const RooflinePoint& point, const Model& model) {
  std::optional<NearestWall> nearest;
  for (const LevelPoint& level : point.levels)
    for (const Wall& wall : model.walls) {
      if (wall.level != level.level || !(level.intensity > 0)) continue;
      const double ratio = level.intensity / wall.intensity;
      if (!nearest || std::abs(std::log(ratio)) < std::abs(std::log(nearest->ratio)))
        nearest = {wall, ratio};
    }
  return nearest;
}

std::vector<Column> instruction_columns(const std::string& before_levels) {
  return {number("warps", "warps", "warp instructions per second",
                 [](const InstructionRow& row) {
                   return cell::prefixed(row.facts.warps_per_s, "IPS");
                 }),
          number("active", "active", "lanes that were not switched off",
                 [](const InstructionRow& row) { return share_cell(row.facts.active_share); }),
          level_column(before_levels, "L1", "l1"),
          level_column(before_levels, "L2", "l2"),
          level_column(before_levels, "DRAM", "dram"),
          number("sectors", "sectors", "of a load or store of global memory, 32 B each",
                 [](const InstructionRow& row) {
                   return cell::short_number(row.facts.sectors_per_request);
                 }),
          wall_column("global_wall", "global wall", "global_access"),
          number("conflicts", "conflicts", "further passes of a load or store of shared memory",
                 [](const InstructionRow& row) {
                   return cell::short_number(row.facts.conflicts_per_access);
                 }),
          wall_column("shared_wall", "shared wall", "shared_access"),
          number("spills", "spills", "of the transactions of L1, those of local memory",
                 [](const InstructionRow& row) { return share_cell(row.facts.spill_share); })};
}

Table instruction_table(const std::vector<InstructionRow>& rows) {
  std::vector<Column> columns = {
      {{"name", ""}, [](const InstructionRow& row) { return TableCell{row.name}; }}};
  for (Column& column : instruction_columns()) columns.push_back(std::move(column));
  std::vector<InstructionRow> counted;
  std::ranges::copy_if(rows, std::back_inserter(counted),
                       [](const InstructionRow& row) { return !row.points.empty(); });
  return table_of(columns, counted,
                  {"instructions",
                   "Instructions",
                   {},
                   {},
                   {"warps: warp instructions per second. active: lanes not switched off. L1, L2, "
                    "DRAM: warp instructions per transaction. sectors: of a load or store of "
                    "global memory; conflicts: of one of shared memory. Walls: the nearest pattern "
                    "of access, and how far off it is. spills: share of L1's transactions."}});
}

}  // namespace roofline
