// From a study to its roofline charts.
#pragma once

#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/charts/chart.h"
#include "roofline/charts/terminal.h"

namespace gpp {

/// The roofline of one model and precision on one kind of device.
struct StudyRoofline {
  std::string kind;       ///< "host" or "gpu"
  std::string model;      ///< as in the record
  std::string precision;  ///< "fp64"
  std::string subtitle;   ///< model, input, date
  roofline::RooflineChart chart;
};

/// An input's name without the folders it lies in.
std::string input_name(const InputRecord& input);

/// One per kind of device whose ceilings are recorded and precision that has points: of the model
/// that has most of them, the first such in the record. Its steps have their names in charts
/// (record/ladder.h). Empty where no step can be placed.
std::vector<StudyRoofline> study_rooflines(const StudyRecord& study);

/// The same for instructions: of all, of accesses to global memory, of those to shared memory.
std::vector<StudyRoofline> study_instruction_rooflines(const StudyRecord& study);

/// Charts as text.
std::string terminal_rooflines(const std::vector<StudyRoofline>& charts,
                               const roofline::TextStyle& style);

/// The rooflines of a study as text, one per kind of device; "" where there is none.
std::string terminal_rooflines(const StudyRecord& study, const roofline::TextStyle& style);

}  // namespace gpp
