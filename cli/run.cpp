// The variant and its parent, if it runs; for a predicted ladder step, the previous step.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/command/results_folder.h"
#include "harness/measure/measure.h"
#include "harness/program/source_diff.h"
#include "harness/record/record_json.h"
#include "harness/report/page.h"
#include "harness/view/outcome.h"
#include "harness/view/summary.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

struct RunRequest {
  std::string variant;
  Wanted wanted;
  MeasureRequest measure;
  ResultOptions results;
  std::optional<double> predicted;  ///< speedup over the step before it
};

/// The variant, and the one that it is compared with: its parent, or for a prediction the step
/// before it.
std::vector<Choice> choices_for(const RunRequest& request, const Choice& choice) {
  const std::vector<Variant>& catalog = request.wanted.kernel->catalog();
  Choice parent = parent_of(catalog, choice);
  if (parent.variant == nullptr && request.predicted)
    if (const Variant* const before = predecessor(catalog, *choice.variant))
      parent = choose(*before, choice.build->kind);
  if (parent.build != nullptr) return {choice, parent};
  if (request.predicted)
    throw roofline::InputError(fmt::format(
        "--predict: no step before {} runs here, over which it could gain", choice.variant->id));
  return {choice};
}

std::string text_of(const RunRequest& request, const StudyRecord& study) {
  const std::vector<Result>& results = study.results;
  if (!request.results.json)
    return (request.results.details ? in_full(study, roofline::colours_wanted())
                                    : brief(study, roofline::colours_wanted())) +
           learnt_of_run(study, request.predicted);
  nlohmann::ordered_json json = to_json(study, results.front());
  if (results.size() > 1)
    json["against"] =
        to_json(request.predicted, outcome_of(study, results.front(), &results.back()));
  return json.dump(1) + "\n";
}

int run_variant(RunRequest& request) {
  adopt_plugin_and_edits(request.variant, request.wanted, request.results.no_build);
  const Choice choice =
      select_one(request.wanted.kernel->catalog(), request.variant, request.wanted);
  if (!can_run(choice)) return something_failed;
  const std::vector<Choice> choices = choices_for(request, choice);
  std::optional<ResultsFolder> folder;
  if (!request.results.output.empty()) {
    folder.emplace(request.results.output,
                   request.results.replace ? Taken::replace : Taken::refuse);
    request.measure.folder = folder->path();
  }
  const Measured measured = measure(request.measure, choices);
  // The record is written even if printing fails.
  std::fputs(text_of(request, measured.study).c_str(), stdout);
  if (folder) folder->write(measured.study);
  return measured.status();
}

}  // namespace

Command add_run(CLI::App& program) {
  CLI::App* command = add_command(
      program, to_measure, "run", "While you edit a variant: check, time and count this one",
      {"gpp run v9", "gpp run factored --model omp --preset medium", "gpp run my_idea/",
       "gpp run v7 --predict 1.3",
       "gpp run v1 --model serial --input gpp214.dat --repeat 3 --json"});
  const auto request = std::make_shared<RunRequest>();
  request->measure.options.timing.time_limit = 20;
  command
      ->add_option("variant", request->variant,
                   "Its id or step: v7 or reciprocal; or a file or folder of your own: my_idea/")
      ->required();
  add_model_options(*command, request->wanted);
  add_study_options(*command, request->measure);
  add_result_options(*command, request->results, "Folder to keep the record in (default: none)");
  command->add_option_function<std::string>(
      "--predict",
      [request](const std::string& text) {
        request->predicted = speedup_in(text);
        if (!request->predicted)
          throw CLI::ValidationError("--predict", "a number such as 1.8 is expected");
      },
      "What you expect: how many times as fast as the step before it is it?");
  return {command, [request] { return run_variant(*request); }};
}

}  // namespace gpp
