// The table of instruction rooflines: how full warps are, and how well their accesses coalesce.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/points.h"

namespace roofline {

struct Table;  // see roofline/base/table.h
template <class Row>
struct ColumnOf;

/// Facts about the instructions of work; each is empty if it was not counted or does not occur.
/// Source: Ding and Williams 2019.
struct InstructionFacts {
  std::optional<double> warps_per_s;           ///< executed warp instructions per second
  std::optional<double> active_share;          ///< 0..1: share of active lanes
  std::optional<double> sectors_per_request;   ///< sectors at L1 per access to global memory
  std::optional<double> conflicts_per_access;  ///< extra passes per access of shared memory
  std::optional<double> spill_share;           ///< 0..1: local memory's share of L1 transactions
};

/// `seconds` is the work's time without a profiler.
InstructionFacts instruction_facts(const Metrics& metrics, double seconds);

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
  InstructionFacts facts;
  std::vector<RooflinePoint> points;  ///< points by instruction model
};

/// The columns of a row except its name. Titles of levels begin with `before_levels`.
std::vector<ColumnOf<InstructionRow>> instruction_columns(const std::string& before_levels = "");

/// A table of the rows with points, and an explanation of the columns.
Table instruction_table(const std::vector<InstructionRow>& rows);

}  // namespace roofline
