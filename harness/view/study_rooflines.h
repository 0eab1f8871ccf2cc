// Makes the roofline charts of studies.
#pragma once

#include <string>
#include <vector>

#include "harness/view/rows.h"
#include "roofline/view/device_charts.h"

namespace gpp {

/// The roofline of one model and one kind of work on one machine.
struct StudyRoofline {
  std::string work;  ///< precision or instruction model: "fp64"
  StudySeries series;
  roofline::RooflineChart chart;

  std::string subtitle() const;  ///< model, input, date
};

/// The list of points to use: Result::rooflines or Result::instructions.
using PointsOf = std::vector<roofline::RooflinePoint> Result::*;

/// The rooflines of each kind of work that has points, for each model on each machine with recorded
/// ceilings; those of the same work have the same axes. With `parts`, kernels of variants that have
/// several are steps, too. Steps have their names in charts (record/ladder.h).
std::vector<StudyRoofline> all_rooflines(const ShownResults& shown, PointsOf points, bool parts);

/// Those of the model with most steps on each machine, the first of equal ones, each with axes of
/// its own.
std::vector<StudyRoofline> study_rooflines(const ShownResults& shown, PointsOf points);

/// The rooflines of a study as text, one per kind of device; "" without points.
std::string terminal_rooflines(const StudyRecord& study);

}  // namespace gpp
