#include "roofline/instruction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/table.h"
#include "roofline/base/units.h"

namespace roofline {
namespace {

using Column = ColumnOf<InstructionRow>;

const RooflinePoint* find_point(const InstructionRow& row, std::string_view model) {
  const auto found = std::ranges::find(row.points, model, &RooflinePoint::precision);
  return found == row.points.end() ? nullptr : &*found;
}

/// Returns "unit stride, 8 B", with the distance from the wall if the point is not on it.
Column wall_column(const char* name, const char* title, const char* model) {
  return {{name, title, "the pattern of access that is nearest, and how far off it is"},
          [model](const InstructionRow& row) -> TableCell {
            const RooflinePoint* point = find_point(row, model);
            const auto wall = point == nullptr
                                  ? std::nullopt
                                  : nearest_wall(*point, *nvidia_table().find_model(model));
            if (!wall) return {unknown_text};
            constexpr double on_it = 0.01;
            return {std::abs(wall->ratio - 1) < on_it
                        ? wall->wall.label
                        : fmt::format("{} {}", times_text(wall->ratio), wall->wall.label)};
          }};
}

Column level_column(const std::string& before, const char* label, const char* level) {
  return {{std::string("intensity_") + level, before + label,
           fmt::format("warp instructions per transaction at {}", label), "", Align::right},
          [level](const InstructionRow& row) {
            return cell::short_number(intensity_at(find_point(row, "instructions"), level));
          }};
}

/// The ratio of two metrics; unknown without a divisor.
Column ratio_column(const char* name, const char* note, const char* above, const char* below,
                    bool in_percent) {
  return {{name, name, note, "", Align::right}, [=](const InstructionRow& row) {
            const auto one = metric_value(row.metrics, above),
                       other = metric_value(row.metrics, below);
            std::optional<double> ratio;
            if (one && other && *other > 0) ratio = (in_percent ? 100 : 1) * (*one / *other);
            return in_percent ? cell::percent(ratio) : cell::short_number(ratio);
          }};
}

TableCell warps_cell(const InstructionRow& row) {
  const auto executed = metric_value(row.metrics, "instructions");
  return cell::prefixed(
      executed && row.seconds > 0 ? std::optional(*executed / row.seconds) : std::nullopt, "IPS");
}

}  // namespace

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
  return {{{"warps", "warps", "warp instructions per second", "", Align::right}, warps_cell},
          ratio_column("active", "lanes that were not switched off", "active_warp_instructions",
                       "instructions", true),
          level_column(before_levels, "L1", "l1"),
          level_column(before_levels, "L2", "l2"),
          level_column(before_levels, "DRAM", "dram"),
          ratio_column("sectors", "of a load or store of global memory, 32 B each",
                       "global_sectors", "global_instructions", false),
          wall_column("global_wall", "global wall", "global_access"),
          ratio_column("conflicts", "further passes of a load or store of shared memory",
                       "bank_conflicts", "shared_instructions", false),
          wall_column("shared_wall", "shared wall", "shared_access"),
          ratio_column("spills", "of the transactions of L1, those of local memory",
                       "local_sectors", "l1_transactions", true)};
}

}  // namespace roofline
