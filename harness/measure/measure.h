// From options to a record: what `gpp run` and `gpp study` have in common.
#pragma once

#include <filesystem>
#include <functional>
#include <list>
#include <vector>

#include "harness/measure/study.h"
#include "harness/program/interrupt.h"
#include "harness/program/selection.h"
#include "harness/record/record.h"
#include "roofline/base/files.h"

namespace gpp {

struct MeasureRequest {
  const Kernel* kernel = kernels().front();
  SourceRequest source;
  StudyOptions options;
  /// Those of the part that workers are confined to; else the device's, where they are wanted.
  std::optional<roofline::Ceilings> roofs = {};
  bool energy = false;  ///< of each variant is measured, in a phase of its own (energy.h)
  double longest_wait = roofline::longest_wait_for_turn;  ///< seconds for a GPU that another uses
  const PublishedLadder* ladder = nullptr;  ///< the one whose steps the choices are; may be null
  /// Tells the results so far to the terminal while the study runs; may be empty.
  std::function<std::string(const StudyRecord& study)> so_far;
  std::filesystem::path folder;  ///< keeps study.json up to date there; nowhere where empty
};

/// A study and how it ended.
struct Measured {
  StudyRecord study;
  bool interrupted = false;

  ExitStatus status() const;
};

/// Fails results that were faster than the device can be (harness/record/derive.h): such a time
/// was not measured on the work that it claims.
void refuse_impossible(StudyRecord& study);

/// The turns on all GPUs that the choices will run on. Throws InputError where another program
/// measures there for longer than so many seconds.
std::list<roofline::DeviceTurn> turns_for(const std::vector<Choice>& choices, double seconds);

/// Obtains the input, unless it is `known`, runs the choices and keeps the record. Throws
/// InputError.
Measured measure(const MeasureRequest& request, const std::vector<Choice>& choices,
                 Subject* known = nullptr);

}  // namespace gpp
