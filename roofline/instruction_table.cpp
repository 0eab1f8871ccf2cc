#include "roofline/instruction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/charts/gnuplot.h"

namespace roofline {
namespace {

/// Empty without a divisor.
std::optional<double> ratio(const Metrics& metrics, const char* above, const char* below) {
  const auto one = metric_value(metrics, above), other = metric_value(metrics, below);
  return one && other && *other > 0 ? std::optional(*one / *other) : std::nullopt;
}

const RooflinePoint* find_point(const InstructionRow& row, std::string_view model) {
  const auto found =
      std::find_if(row.points.begin(), row.points.end(),
                   [model](const RooflinePoint& point) { return point.precision == model; });
  return found == row.points.end() ? nullptr : &*found;
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g}", *value) : "-";
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}%", 100 * *share) : "-";
}

std::string intensity(const RooflinePoint* point, std::string_view level) {
  if (point != nullptr)
    for (const LevelPoint& one : point->levels)
      if (one.level == level) return fmt::format("{:.3g}", one.intensity);
  return "-";
}

/// "unit stride, 8 B", and how far off where it is not on it.
std::string wall_text(const RooflinePoint* point, const char* name) {
  if (point == nullptr) return "-";
  const auto wall = nearest_wall(*point, *nvidia_table().find_model(name));
  if (!wall) return "-";
  constexpr double on_it = 0.01;
  return std::abs(wall->ratio - 1) < on_it
             ? wall->wall.label
             : fmt::format("{:.2f}x {}", wall->ratio, wall->wall.label);
}

std::vector<std::string> cells_of(const InstructionRow& row) {
  const RooflinePoint* whole = find_point(row, "instructions");
  const InstructionFacts& facts = row.facts;
  return {row.name,
          facts.warps_per_s ? with_prefix(*facts.warps_per_s, "IPS") : "-",
          percent(facts.active_share),
          intensity(whole, "l1"),
          intensity(whole, "l2"),
          intensity(whole, "dram"),
          number(facts.sectors_per_request),
          wall_text(find_point(row, "global_access"), "global_access"),
          number(facts.conflicts_per_access),
          wall_text(find_point(row, "shared_access"), "shared_access"),
          percent(facts.spill_share)};
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

std::string instruction_table(const std::vector<InstructionRow>& rows) {
  using enum Table::Align;
  Table table({{"", left},
               {"warps", right},
               {"active", right},
               {"L1", right},
               {"L2", right},
               {"DRAM", right},
               {"sectors", right},
               {"global wall", left},
               {"conflicts", right},
               {"shared wall", left},
               {"spills", right}});
  for (const InstructionRow& row : rows)
    if (!row.points.empty()) table.add(cells_of(row));
  if (table.empty()) return "";
  return "Instructions\n" + table.text() +
         wrapped(
             "warps: warp instructions per second. active: lanes not switched off. L1, L2, "
             "DRAM: warp instructions per transaction. sectors: of a load or store of global "
             "memory; conflicts: of one of shared memory. Walls: the nearest pattern of "
             "access, and how far off it is. spills: share of L1's transactions.",
             text_width(), 0) +
         "\n";
}

}  // namespace roofline
