#include "cli/prediction.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "harness/measure/options.h"
#include "harness/program/exit_status.h"
#include "harness/program/source_diff.h"
#include "harness/program/source_files.h"
#include "harness/teach/answers_file.h"
#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

constexpr const char* run_source = "run now";

bool is_own(const Variant& variant) { return variant.id == variant.step; }

/// Whether a run here can tell; else a record would have to.
bool can_show(Asked asked, const Step& step) {
  if (step.choice.build == nullptr) return false;
  const Variant& variant = *step.choice.variant;
  const std::string& kind = step.choice.build->kind;
  if (!not_askable(asked, kind, step.before.build != nullptr).empty()) return false;
  if (asked == Asked::registers) return variant.model != "omp";  // whose runtime tells none
  return true;
}

std::string before_of(const Step& step, const std::optional<Observed>& observed) {
  if (observed && observed->study.before)
    return observed->study.study.results[*observed->study.before].variant;
  return step.before.variant == nullptr ? "" : step.before.variant->id;
}

/// The result in a study that a name and a model mean: one that was timed, where there is one, and
/// of CUDA before others, as in `gpp run`.
std::optional<std::size_t> result_called(const StudyRecord& study, const std::string& name,
                                         const std::string& model) {
  const auto merit = [&study](std::size_t i) {
    return std::pair(study.results[i].timed(), study.results[i].model == "cuda");
  };
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    const Result& result = study.results[i];
    const bool meant =
        (result.variant == name || result.step == name) && (model.empty() || result.model == model);
    if (meant && (!found || merit(i) > merit(*found))) found = i;
  }
  return found;
}

/// The variant that a result was made from; records of earlier programs leave it to the catalog.
std::string parent_of(const Kernel& kernel, const Result& result) {
  if (!result.parent.empty()) return result.parent;
  for (const Variant& variant : kernel.catalog())
    if (variant.id == result.variant && variant.model == result.model)
      if (const Variant* before = predecessor(kernel.catalog(), variant)) return before->id;
  return {};
}

std::optional<std::size_t> before_in(const StudyRecord& study, const Result& result,
                                     const std::string& parent) {
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    const Result& other = study.results[i];
    if (!parent.empty() && other.variant == parent && other.model == result.model &&
        other.kind == result.kind)
      return i;
  }
  return std::nullopt;
}

void require_student(const std::string& student) {
  constexpr std::size_t longest = 100;
  if (student.empty() || student.size() > longest || roofline::visible(student) != student)
    throw roofline::InputError(
        fmt::format("--student '{}': not a name of up to {} bytes without control characters",
                    roofline::visible(student.substr(0, longest)), longest));
}

}  // namespace

std::vector<std::string> add_prediction_options(CLI::App& command, PredictionOptions& options) {
  command.add_option("--student", options.student, "Who predicts (default: $USER)");
  command.add_option("--answers", options.answers,
                     "File that keeps predictions (default: "
                     "${XDG_DATA_HOME:-~/.local/share}/gpp/predictions.json)");
  command.add_option("--key", options.key,
                     "Sign what is predicted with the key in this file, which is made where there "
                     "is none");
  command.add_flag("--fresh", options.fresh,
                   "Run the steps even where this machine has a record of them");
  command.add_option("--time-limit", options.time_limit, "Seconds that timing both steps may take")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  add_source_options(command, options.source);
  return {"--student",    "--answers", "--key",    "--fresh",
          "--time-limit", "--input",   "--preset", "--seed"};
}

void settle(PredictionOptions& options) {
  if (options.student.empty()) {
    const char* user = std::getenv("USER");
    options.student = user == nullptr || *user == '\0' ? "student" : user;
  }
  require_student(options.student);
  if (options.answers.empty()) options.answers = default_answers_file();
  require_answers_file(options.answers);
}

Step step_to_predict(const Kernel& kernel, const Choice& choice) {
  Step step{&kernel, choice, {}};
  if (const Variant* before = predecessor(kernel.catalog(), *choice.variant))
    step.before = choose(*before, choice.build == nullptr ? "" : choice.build->kind);
  return step;
}

Outcome Observed::outcome() const {
  const std::vector<Result>& results = study.study.results;
  return outcome_of(study.study, results[study.result],
                    study.before ? &results[*study.before] : nullptr);
}

std::optional<Observed> recorded(const Step& step, const PredictionOptions& options,
                                 const std::optional<LastStudy>& last) {
  const bool other_input = !options.source.file.empty() || !options.source.preset.empty();
  if (options.fresh || other_input || is_own(*step.choice.variant) || !last) return std::nullopt;
  return Observed{*last, {last->folder.string(), was_made_here(*last)}, every_check_passed};
}

Observed recorded_in(const fs::path& record, const Kernel& kernel, const std::string& variant,
                     const std::string& model) {
  LastStudy study{record, read_record(record), 0, {}};
  const std::string name = roofline::visible(record.string());
  if (study.study.kernel != kernel.name)
    throw roofline::InputError(fmt::format("--from {}: a study of the kernel {}, not {}", name,
                                           study.study.kernel, kernel.name));
  const auto result = result_called(study.study, variant, model);
  if (!result)
    throw roofline::InputError(fmt::format("--from {}: holds no {}{}; name another record", name,
                                           variant, model.empty() ? "" : " of the model " + model));
  study.result = *result;
  const Result& found = study.study.results[*result];
  study.before = before_in(study.study, found, parent_of(kernel, found));
  return {std::move(study), {name, true}, every_check_passed};
}

Observed run_now(const Step& step, const PredictionOptions& options,
                 const std::optional<LastStudy>& last) {
  if (step.choice.build == nullptr)
    throw roofline::InputError(fmt::format("{} {} cannot run here: {}", step.choice.variant->model,
                                           step.choice.variant->id, step.choice.reason));
  std::vector<Choice> choices = {step.choice};
  if (step.before.build != nullptr) choices.insert(choices.begin(), step.before);
  MeasureRequest request;
  request.kernel = step.kernel;
  request.source = options.source;
  request.options.timing.time_limit = options.time_limit;
  Measured measured = measure(request, choices);
  const ExitStatus status = measured.status();
  LastStudy study{"", std::move(measured.study), choices.size() - 1, {}};
  if (choices.size() > 1) study.before = 0;
  return {std::move(study), {run_source, last && was_made_here(*last)}, status};
}

std::vector<PredictionQuestion> questions_on(const Step& step,
                                             const std::optional<Observed>& observed) {
  std::optional<Outcome> outcome;
  if (observed) outcome = observed->outcome();
  std::vector<PredictionQuestion> questions;
  for (const Asked asked : all_asked) {
    if (outcome ? !outcome->known.contains(asked) : !can_show(asked, step)) continue;
    const std::string& kind = outcome ? outcome->kind : step.choice.build->kind;
    PredictionQuestion question{asked,
                                question_on(asked, step.choice.variant->id,
                                            before_of(step, observed), step.kernel->work, kind),
                                choices_for(asked, kind)};
    questions.push_back(std::move(question));
  }
  return questions;
}

std::vector<Prediction> judge(const Observed& observed, const std::map<Asked, Answer>& answers,
                              const PredictionOptions& options) {
  std::vector<Prediction> predictions =
      held_against(observed.outcome(), answers, options.student, observed.source);
  std::optional<Secret> key;
  if (!options.key.empty()) key.emplace(options.key);
  keep_predictions(options.answers, predictions, key);
  return predictions;
}

}  // namespace gpp
