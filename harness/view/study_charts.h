// The charts of studies, for results folders and for the page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/view/rows.h"
#include "roofline/view/roofline_chart.h"
#include "roofline/view/svg.h"

namespace gpp {

/// The study's input, its size, and its date.
std::string input_and_date(const StudyRecord& study);

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
/// ceilings. Steps have their names in charts (record/ladder.h).
std::vector<StudyRoofline> all_rooflines(const ShownResults& shown, PointsOf points);

/// Those of the model with most steps on each machine, the first of equal ones.
std::vector<StudyRoofline> study_rooflines(const ShownResults& shown, PointsOf points);

/// The rooflines of a study as text, one per kind of device; "" without points.
std::string terminal_rooflines(const StudyRecord& study);

/// A rung per step and series of all studies; its height is work per second, its label the median
/// time. Published steps are shown beside. Empty if nothing was timed.
std::optional<roofline::Chart> make_ladder(const ShownResults& shown);

/// For a study of a published ladder, the speedups over the first step, published and measured. A
/// step that was left out, failed its check or is unpublished has no rung. Empty if the study has
/// no ladder or no measured step.
std::optional<roofline::Chart> make_published_ladder(const NamedStudy& named,
                                                     const std::string& name);

/// The stalls of each variant's warps as divided bars; empty if they were not counted.
std::optional<roofline::Chart> make_stalls(const StudySeries& series);

/// Makes the charts roofline, time, plane and ladder of a study. A study on two kinds of device has
/// two of the first three: roofline-gpu, roofline-host, ... With several studies, names contain the
/// studies' names, and there is one common ladder. published-NAME is for studies of the published
/// ladder NAME.
std::vector<roofline::Chart> study_charts(const std::vector<NamedStudy>& studies);

}  // namespace gpp
