// From a study to its roofline charts.
#pragma once

#include <string>
#include <vector>

#include "harness/view/series.h"
#include "roofline/view/device_charts.h"
#include "roofline/view/terminal_chart.h"

namespace gpp {

/// The roofline of one model and precision on one kind of device.
struct StudyRoofline {
  std::string kind;       ///< "host" or "gpu"
  std::string model;      ///< as in the record
  std::string precision;  ///< "fp64"
  std::string subtitle;   ///< model, input, date
  roofline::RooflineChart chart;
};

/// One per kind of device whose ceilings are recorded and precision that has points: of the model
/// that has most of them, the first such in the record. Its steps have their names in charts
/// (record/ladder.h). Empty where no step can be placed.
std::vector<StudyRoofline> study_rooflines(const StudyRecord& study);

/// Rooflines of instructions: all, accesses to global memory, accesses to shared memory.
std::vector<StudyRoofline> study_instruction_rooflines(const StudyRecord& study);

/// The points of results: Result::rooflines or Result::instructions.
using PointsOf = std::vector<roofline::RooflinePoint> Result::*;

/// The series of all studies in one precision or instruction model, for a chart that shows them
/// together, with the kernels of variants that have several as parts. Those that have no point are
/// left out.
std::vector<roofline::ChartSeries> chart_series(const std::vector<StudySeries>& all,
                                                const std::string& precision, PointsOf points);

/// The names of all precisions or instruction models that some result has a point of, in the order
/// of the tables.
std::vector<std::string> work_of(const std::vector<StudySeries>& all, PointsOf points);

/// The rooflines of a study as text, one per kind of device; "" where there is none.
std::string terminal_rooflines(const StudyRecord& study, const roofline::TextStyle& style);

}  // namespace gpp
