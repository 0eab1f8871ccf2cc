// Predictions of students: the outcomes that `gpp explain --quiz` and `gpp predict` hold them
// against, the file that keeps them, and the ranking of students by how well they predict.
//
// For the ranking points are computed anew from prediction and outcome. Of several tries at one
// question (student, kernel, step, model, device, question) the first that has an outcome counts.
// Who has more points per question stands higher; who has as many, as shown, shares the place, and
// stands higher in the list with more questions. One name in two files is two students, named with
// their files.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
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

/// The answers of one file.
struct NamedAnswers {
  std::string file;
  Answers answers;
};

struct StudentPlace {
  int rank = 0;  ///< from 1
  std::string student;
  int points = 0;
  int questions = 0;    ///< that count
  int after_run = 0;    ///< of these, predicted when an outcome was on record
  int not_counted = 0;  ///< further tries, without an outcome, or about variants nobody has
  double per_question() const { return static_cast<double>(points) / questions; }
};

struct PredictionBoard {
  std::vector<StudentPlace> places;
  /// Files and entries that are not ranked, and why.
  std::vector<std::string> refused;
};

PredictionBoard prediction_board(const std::vector<NamedAnswers>& files);

std::string text_of(const PredictionBoard& board);
nlohmann::ordered_json to_json(const PredictionBoard& board);

/// `gpp report --scoreboard --predictions`: reads the files, and the *.json of folders, prints the
/// ranking and returns the exit status. What cannot be read is listed with the reason. Throws
/// InputError where nothing can be.
int show_prediction_board(const std::vector<std::filesystem::path>& paths,
                          const std::optional<Secret>& key, bool json);

}  // namespace gpp
