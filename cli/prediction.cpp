#include "cli/prediction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include "harness/measure/options.h"
#include "harness/program/exit_status.h"
#include "harness/program/source_diff.h"
#include "harness/program/source_files.h"
#include "harness/teach/answers_file.h"
#include "harness/view/rows.h"
#include "roofline/base/error.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
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

namespace fs = std::filesystem;

constexpr std::size_t most_files = 10000, most_lines = 20;

/// The files in which a name occurs.
std::map<std::string, std::set<std::string>> files_by_student(
    const std::vector<NamedAnswers>& files) {
  std::map<std::string, std::set<std::string>> students;
  for (const NamedAnswers& named : files)
    for (const Prediction& one : named.answers.predictions)
      students[one.student].insert(named.file);
  return students;
}

/// Whether this program has the variant that was asked about. Anybody can write answers about
/// others, and their outcomes with them.
bool is_of_catalog(const Prediction& one) {
  const Kernel* kernel = find_kernel(one.kernel);
  require_kernel_is_built(one.kernel);
  return kernel != nullptr &&
         std::ranges::any_of(kernel->catalog(), [&one](const Variant& variant) {
           return variant.id == one.variant && variant.model == one.model;
         });
}

/// The places of one file's students, without ranks.
void add_students(const NamedAnswers& named,
                  const std::map<std::string, std::set<std::string>>& files,
                  PredictionBoard& board) {
  std::map<std::string, StudentPlace> places;
  std::map<std::string, std::set<std::string>> strangers;
  std::set<std::tuple<std::string, std::string, std::string, std::string, std::string, Asked>>
      answered;
  for (const Prediction& one : named.answers.predictions) {
    StudentPlace& place = places[one.student];
    const auto points = one.points();
    if (!is_of_catalog(one)) strangers[one.student].insert(one.model + " " + one.variant);
    if (!points || !is_of_catalog(one) ||
        !answered.emplace(one.student, one.kernel, one.variant, one.model, one.device, one.asked)
             .second) {
      ++place.not_counted;
      continue;
    }
    place.points += *points;
    ++place.questions;
    place.after_run += one.after_run ? 1 : 0;
  }
  for (auto& [student, place] : places) {
    place.student =
        files.at(student).size() > 1 ? fmt::format("{} ({})", student, named.file) : student;
    if (const auto names = strangers.find(student); names != strangers.end())
      board.refused.push_back(
          fmt::format("{}: this program has no variant {}; answers about it are not counted",
                      place.student, fmt::join(names->second, ", ")));
    if (place.questions > 0)
      board.places.push_back(place);
    else if (!strangers.contains(student))
      board.refused.push_back(place.student + ": no prediction has an outcome");
  }
}

double as_shown(const StudentPlace& place) { return std::round(100 * place.per_question()); }

void rank(std::vector<StudentPlace>& places) {
  std::ranges::sort(places, [](const StudentPlace& a, const StudentPlace& b) {
    return std::tuple(-as_shown(a), -a.questions, a.student) <
           std::tuple(-as_shown(b), -b.questions, b.student);
  });
  std::size_t first = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (as_shown(places[i]) != as_shown(places[first])) first = i;
    places[i].rank = static_cast<int>(first) + 1;
  }
}

std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".json" && files.size() < most_files)
      files.push_back(entry->path());
  if (files.empty())
    throw roofline::InputError(
        fmt::format("{}: holds no *.json file", roofline::visible(path.string())));
  std::ranges::sort(files);
  return files;
}

/// The files' answers; what cannot be read goes to `refused`.
std::vector<NamedAnswers> read_all(const std::vector<fs::path>& paths,
                                   const std::optional<Secret>& key,
                                   std::vector<std::string>& refused) {
  std::vector<NamedAnswers> files;
  std::set<fs::path> seen;
  for (const fs::path& path : paths) {
    try {
      for (const fs::path& file : files_of(path)) {
        std::error_code error;
        if (!seen.insert(fs::weakly_canonical(file, error)).second) continue;
        try {
          files.push_back({roofline::visible(file.string()), read_answers(file, key)});
        } catch (const roofline::InputError& unreadable) {
          refused.emplace_back(unreadable.what());
        }
      }
    } catch (const roofline::InputError& unreadable) {
      refused.emplace_back(unreadable.what());
    }
  }
  return files;
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

PredictionBoard prediction_board(const std::vector<NamedAnswers>& files) {
  PredictionBoard board;
  const auto students = files_by_student(files);
  for (const NamedAnswers& named : files) {
    add_students(named, students, board);
    for (const RefusedEntry& entry : named.answers.refused) board.refused.push_back(entry.reason);
  }
  rank(board.places);
  return board;
}

std::string text_of(const PredictionBoard& board) {
  using enum roofline::Table::Align;
  roofline::Table table({{"rank", right},
                         {"student", left},
                         {"points per question", right},
                         {"questions", right},
                         {"points", right},
                         {"after a run", right},
                         {"not counted", right}});
  for (const StudentPlace& place : board.places)
    table.add({std::to_string(place.rank), place.student,
               fmt::format("{:.2f}", place.per_question()), std::to_string(place.questions),
               std::to_string(place.points), std::to_string(place.after_run),
               std::to_string(place.not_counted)});
  std::string text =
      table.text() +
      roofline::wrapped(
          "The first try at a question counts, where it has an outcome. " + rule_of_points(),
          page_width, 0) +
      "\n";
  for (std::size_t i = 0; i < std::min(board.refused.size(), most_lines); ++i)
    text += roofline::wrapped("not ranked: " + board.refused[i], page_width, 2) + "\n";
  if (board.refused.size() > most_lines)
    text += fmt::format("and {} more; --json lists them\n", board.refused.size() - most_lines);
  return text;
}

nlohmann::ordered_json to_json(const PredictionBoard& board) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const StudentPlace& place : board.places)
    rows.push_back({{"rank", place.rank},
                    {"student", place.student},
                    {"points_per_question", place.per_question()},
                    {"questions", place.questions},
                    {"points", place.points},
                    {"after_run", place.after_run},
                    {"not_counted", place.not_counted}});
  return {{"by_points_per_question", rows}, {"not_ranked", board.refused}};
}

int show_prediction_board(const std::vector<fs::path>& paths, const std::optional<Secret>& key,
                          bool json) {
  std::vector<std::string> unreadable;
  const std::vector<NamedAnswers> files = read_all(paths, key, unreadable);
  if (files.empty()) throw roofline::InputError(unreadable.front());
  PredictionBoard board = prediction_board(files);
  board.refused.insert(board.refused.end(), unreadable.begin(), unreadable.end());
  if (json)
    fmt::print("{}\n", to_json(board).dump(1));
  else
    fmt::print("{}", text_of(board));
  return board.refused.empty() && !board.places.empty() ? every_check_passed : something_failed;
}

}  // namespace gpp
