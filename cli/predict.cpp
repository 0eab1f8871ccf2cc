// gpp predict: a prediction without a dialogue, held against what comes.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

#include "cli/commands.h"
#include "cli/prediction.h"
#include "cli/rebuild.h"
#include "harness/measure/options.h"
#include "harness/program/build_info.h"
#include "harness/program/source_diff.h"
#include "roofline/base/error.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

struct PredictRequest {
  std::string variant;
  std::map<Asked, std::string> typed;
  std::string model;
  const Kernel* kernel = kernels().front();
  fs::path results = fs::path(build_info::source_dir) / "results";
  fs::path from;
  PredictionOptions options;
  BuildChoice build;
  bool json = false;
};

/// The option, or argument, of the command line that predicts it.
std::string option_of(Asked asked) {
  switch (asked) {
    case Asked::flop_per_term:
      return "--flop-per-term";
    case Asked::registers:
      return "--registers";
    case Asked::bound_by:
      return "--bound-by";
    default:
      return "speedup";
  }
}

std::map<Asked, Answer> guesses_in(const std::map<Asked, std::string>& typed,
                                   const std::string& kind) {
  std::map<Asked, Answer> guesses;
  for (const auto& [asked, text] : typed) {
    const std::vector<std::string> words = words_for(kind);
    const Answer guess = parse_guess(asked, text, words);
    if (!guess && (text.empty() || !is_dont_know(text)))
      throw roofline::InputError(fmt::format("{} '{}': not {}", option_of(asked),
                                             roofline::visible(text.substr(0, 60)),
                                             what_is_asked(asked, words)));
    guesses[asked] = guess;
  }
  if (guesses.empty())
    throw roofline::InputError(
        "nothing is predicted: give a speedup, --flop-per-term, --registers or --bound-by");
  return guesses;
}

/// Refuses a prediction that is no number before anything is built.
void require_numbers(const std::map<Asked, std::string>& typed) {
  std::map<Asked, std::string> numbers = typed;
  numbers.erase(Asked::bound_by);
  if (!numbers.empty() || typed.empty()) guesses_in(numbers, "");
}

void require_askable(const std::map<Asked, Answer>& guesses, const std::string& kind,
                     bool has_before) {
  for (const auto& [asked, guess] : guesses)
    if (const std::string why = not_askable(asked, kind, has_before); !why.empty())
      throw roofline::InputError(fmt::format("{}: {}", option_of(asked), why));
}

int show(const PredictRequest& request, const Observed& observed,
         const std::map<Asked, Answer>& guesses) {
  const Outcome outcome = observed.outcome();
  const std::vector<Prediction> predictions = judge(observed, guesses, request.options);
  if (request.json)
    fmt::print("{}\n", to_json(predictions, outcome, observed.source.name).dump(1));
  else
    fmt::print("{}From: {}; {}\nKept: {}\n",
               text_of(predictions, outcome, request.kernel->work, roofline::text_width()),
               observed.source.name, outcome.device,
               roofline::visible(request.options.answers.string()));
  const bool timed = observed.study.study.results[observed.study.result].timed();
  return timed ? observed.status : something_failed;
}

int predict_from_record(const PredictRequest& request) {
  const Observed observed =
      recorded_in(request.from, *request.kernel, request.variant, request.model);
  const Result& result = observed.study.study.results[observed.study.result];
  const auto guesses = guesses_in(request.typed, result.kind.empty() ? "gpu" : result.kind);
  require_askable(guesses, result.kind, observed.study.before.has_value());
  return show(request, observed, guesses);
}

int predict(PredictRequest& request) {
  settle(request.options);
  require_numbers(request.typed);
  if (!request.from.empty()) return predict_from_record(request);
  Wanted wanted;
  wanted.kernel = request.kernel;
  wanted.only = {request.variant};
  if (!request.model.empty()) wanted.models = {request.model};
  rebuild_if_changed(wanted, request.build, Outdated::warn);
  const Choice choice = select_one(request.kernel->catalog(), request.variant, wanted);
  const Step step = step_to_predict(*request.kernel, choice);
  const auto last = last_study(*request.kernel, recorded_studies(*request.kernel, request.results),
                               *choice.variant, step.before.variant);
  const auto observed = recorded(step, request.options, last);
  const std::string kind = observed                  ? observed->outcome().kind
                           : choice.build != nullptr ? choice.build->kind
                                                     : "gpu";
  const auto guesses = guesses_in(request.typed, kind);
  require_askable(guesses, kind, step.before.variant != nullptr);
  if (observed) return show(request, *observed, guesses);
  return show(request, run_now(step, request.options, last), guesses);
}

void add_guess_option(CLI::App& command, PredictRequest& request, Asked asked,
                      const std::string& help) {
  command.add_option_function<std::string>(
      option_of(asked), [&request, asked](const std::string& text) { request.typed[asked] = text; },
      help);
}

}  // namespace

Command add_predict(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("predict", "Before a step runs: say what will come, and get points")
          ->group(to_learn);
  const auto request = std::make_shared<PredictRequest>();
  command->add_option("variant", request->variant, "Its id or step: v7 or reciprocal")->required();
  add_guess_option(*command, *request, Asked::speedup, "Over the step before: 1.8");
  add_guess_option(*command, *request, Asked::flop_per_term, "Operations; an FMA is two");
  add_guess_option(*command, *request, Asked::registers, "Per thread, on a GPU");
  add_guess_option(*command, *request, Asked::bound_by, "compute, l1, l2, dram, latency, ...");
  add_kernel_option(*command, request->kernel);
  command->add_option("--model", request->model, "Programming model: cuda, omp, thrust or serial");
  command
      ->add_option("--results", request->results,
                   "Folder under which this machine's studies lie (default: results/)")
      ->check(CLI::ExistingDirectory);
  CLI::Option* from = command->add_option(
      "--from", request->from, "Take this record, a folder or its study.json, and run nothing");
  for (const std::string& option : add_prediction_options(*command, request->options))
    if (option != "--student" && option != "--answers" && option != "--key") from->excludes(option);
  add_build_options(*command, request->build);
  add_json_option(*command, request->json);
  command->footer(examples({"gpp predict v7 1.8", "gpp predict v8 3 --flop-per-term 80 --fresh",
                            "gpp predict v9 1.7 --registers 78 --bound-by compute --from "
                            "results/h200/gpp214",
                            "gpp predict my_idea 1.2 --json"}));
  return {command, [request] { return predict(*request); }};
}

}  // namespace gpp
