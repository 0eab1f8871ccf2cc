// From options to a record: what `gpp run` and `gpp study` have in common.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/record/record.h"
#include "harness/study/input_source.h"
#include "harness/study/selection.h"
#include "harness/study/study.h"

namespace gpp {

/// Exit statuses of the program.
enum ExitStatus { every_check_passed = 0, something_failed = 1, bad_usage = 2, interrupted = 130 };

struct MeasureRequest {
  SourceRequest source;
  StudyOptions options;
  std::filesystem::path folder;  ///< keeps study.json up to date there; nowhere where empty
};

/// A study and how it ended.
struct Measured {
  StudyRecord study;
  bool interrupted = false;

  ExitStatus status() const;
};

/// Fails what was faster than the device can be (harness/rules/possible.h): such a time is not of
/// the work that it is said to be of.
void refuse_impossible(StudyRecord& study);

/// Obtains the input, runs the choices and keeps the record. Throws InputError.
Measured measure(const MeasureRequest& request, const std::vector<Choice>& choices);

}  // namespace gpp
