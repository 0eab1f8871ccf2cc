// Predictions of students: the outcomes that `gpp explain --quiz` and `gpp predict` hold them
// against, and the file that keeps them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/measure.h"
#include "harness/teach/answers_file.h"
#include "harness/teach/last_study.h"
#include "harness/teach/quiz.h"

namespace gpp {

struct PredictionOptions {
  std::string student;            ///< empty: $USER
  std::filesystem::path answers;  ///< empty: default_answers_file()
  std::filesystem::path key;      ///< that signs predictions; empty: none does
  bool fresh = false;             ///< run, whatever is recorded
  SourceRequest source;           ///< where given: run that input
  double time_limit = 10;         ///< seconds for both steps
};

/// --student, --answers, --fresh, --time-limit, --input, --preset, --seed. Returns their names.
std::vector<std::string> add_prediction_options(CLI::App& command, PredictionOptions& options);

/// Fills in what was left open. Throws InputError where predictions cannot be kept.
void settle(PredictionOptions& options);

/// A step to predict, and the one before it.
struct Step {
  const Kernel* kernel = nullptr;
  Choice choice;
  Choice before;  ///< its variant is nullptr where there is none
};
Step step_to_predict(const Kernel& kernel, const Choice& choice);

/// A study whose outcomes predictions are held against.
struct Observed {
  LastStudy study;
  OutcomeSource source = {};
  ExitStatus status = every_check_passed;

  Outcome outcome() const;
};

/// The record of the step on this machine. Empty where there is none, or where it must be run: a
/// run is asked for, or it is an idea of one's own, whose source may have changed since.
std::optional<Observed> recorded(const Step& step, const PredictionOptions& options,
                                 const std::optional<LastStudy>& last);

/// Takes the step from a record that was named. Throws InputError where the record lacks the step
/// or is of another kernel. `model` may be empty.
Observed recorded_in(const std::filesystem::path& record, const Kernel& kernel,
                     const std::string& variant, const std::string& model);

/// Checks, times and counts both steps. `last`: what was on record of them before. Throws
/// InputError where the step cannot run here.
Observed run_now(const Step& step, const PredictionOptions& options,
                 const std::optional<LastStudy>& last);

/// The questions on the step that the record can answer, or else a run here.
std::vector<PredictionQuestion> questions_on(const Step& step,
                                             const std::optional<Observed>& observed);

/// Holds the predictions against the outcome and keeps them.
std::vector<Prediction> judge(const Observed& observed, const std::map<Asked, Answer>& answers,
                              const PredictionOptions& options);

}  // namespace gpp
