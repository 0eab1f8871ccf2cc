// Makes the roofline charts of a study.
#pragma once

#include <string>
#include <vector>

#include "harness/view/series.h"
#include "roofline/view/device_charts.h"

namespace gpp {

/// The roofline of one model and precision on one kind of device.
struct StudyRoofline {
  std::string kind;       ///< "host" or "gpu"
  std::string model;      ///< name of the model in the record
  std::string precision;  ///< "fp64"
  std::string subtitle;   ///< model, input, date
  roofline::RooflineChart chart;
};

/// One chart per precision with points and per kind of device with recorded ceilings, for the model
/// that has the most points (the first of equal ones). Steps have their names in charts
/// (record/ladder.h). Empty if no step has a point.
std::vector<StudyRoofline> study_rooflines(const StudyRecord& study);

/// Instruction rooflines: all instructions, accesses to global memory, accesses to shared memory.
std::vector<StudyRoofline> study_instruction_rooflines(const StudyRecord& study);

/// The list of points to use: Result::rooflines or Result::instructions.
using PointsOf = std::vector<roofline::RooflinePoint> Result::*;

/// The series of all studies in one precision or instruction model, for a chart that shows them
/// together, with the kernels of variants that have several as parts. Series without points are
/// left out.
std::vector<roofline::ChartSeries> chart_series(const std::vector<StudySeries>& all,
                                                const std::string& precision, PointsOf points);

/// The names of all precisions or instruction models that have points, in the order of the tables.
std::vector<std::string> work_of(const std::vector<StudySeries>& all, PointsOf points);

/// The rooflines of a study as text, one per kind of device; "" without points.
std::string terminal_rooflines(const StudyRecord& study);

}  // namespace gpp
