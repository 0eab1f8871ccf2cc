// Instruction rooflines as a table: how full warps are, and how well their accesses are coalesced.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/points.h"

namespace roofline {

struct ViewTable;  // roofline/view/table.h
template <class Row>
struct ColumnOf;

/// Facts about the instructions of a piece of work; each empty where it was not counted, or nothing
/// of the kind was executed. Source: Ding and Williams 2019.
struct InstructionFacts {
  std::optional<double> warps_per_s;           ///< warp instructions per second
  std::optional<double> active_share;          ///< 0..1: of the lanes that were not switched off
  std::optional<double> sectors_per_request;   ///< of a load or store of global memory, at L1
  std::optional<double> conflicts_per_access;  ///< further passes of one of shared memory
  std::optional<double> spill_share;  ///< 0..1: of L1's transactions, those of local memory
};

/// `seconds` is the unprofiled time of the work.
InstructionFacts instruction_facts(const Metrics& metrics, double seconds);

/// The wall that a point is nearest to, on a logarithmic axis.
struct NearestWall {
  Wall wall;
  double ratio = 1;  ///< the point's intensity over the wall's
};

/// Empty where the model has no walls, or the point nothing at their level.
std::optional<NearestWall> nearest_wall(const RooflinePoint& point, const Model& model);

/// A line of the table.
struct InstructionRow {
  std::string name;  ///< "v7"
  InstructionFacts facts;
  std::vector<RooflinePoint> points;  ///< instruction_points
};

/// Columns of a row but for its name. Titles of levels begin with `before_levels`.
std::vector<ColumnOf<InstructionRow>> instruction_columns(const std::string& before_levels = "");

/// The rows that have points, and below what the columns mean.
ViewTable instruction_table(const std::vector<InstructionRow>& rows);

}  // namespace roofline
