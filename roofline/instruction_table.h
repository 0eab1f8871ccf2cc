// The columns of instruction rooflines: how full warps are, and how well their accesses coalesce.
// Source: Ding and Williams 2019.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/points.h"

namespace roofline {

template <class Row>
struct ColumnOf;  // see roofline/base/table.h

/// The wall nearest to a point on a logarithmic axis.
struct NearestWall {
  Wall wall;
  double ratio = 1;  ///< the point's intensity relative to the wall's
};

/// Empty if the model has no walls or the point has no traffic at their level.
std::optional<NearestWall> nearest_wall(const RooflinePoint& point, const Model& model);

/// A line of the table.
struct InstructionRow {
  std::string name;  ///< "v7"
  const Metrics& metrics;
  double seconds;                            ///< the work's time without a profiler
  const std::vector<RooflinePoint>& points;  ///< points by instruction model
};

/// The columns of a row except its name. Titles of levels begin with `before_levels`.
std::vector<ColumnOf<InstructionRow>> instruction_columns(const std::string& before_levels = "");

}  // namespace roofline
