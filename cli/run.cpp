// The variant and its parent, if it runs; for a predicted ladder step, the previous step.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/plugins.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "harness/plugin/plugin.h"
#include "harness/program/source_diff.h"
#include "harness/record/record_json.h"
#include "harness/report/page.h"
#include "harness/view/outcome.h"
#include "harness/view/study_charts.h"
#include "harness/view/summary.h"
#include "roofline/base/error.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

struct RunRequest {
  std::string variant;
  Wanted wanted;
  MeasureRequest measure;
  std::filesystem::path output;
  bool replace = false;
  bool details = false;
  bool json = false;
  bool alone = false;
  Prediction prediction;
  bool no_build = false;
};

std::string launches_of(const Result& result) {
  if (result.launches.empty()) return {};
  using enum roofline::Align;
  roofline::Table table = roofline::plain_table({{"kernel", left},
                                                 {"blocks", right},
                                                 {"threads", right},
                                                 {"registers", right},
                                                 {"shared bytes", right},
                                                 {"spill bytes", right},
                                                 {"occupancy", right}});
  for (const Launch& launch : result.launches)
    table.add({launch.kernel, std::to_string(launch.blocks),
               std::to_string(launch.threads_per_block), std::to_string(launch.registers),
               std::to_string(launch.shared_bytes), std::to_string(launch.spill_bytes),
               roofline::percent_text(100 * launch.occupancy, 0)});
  return "\n" + roofline::terminal_text(table);
}

/// The variant, and the one that it is compared with: its parent, or for a prediction the step
/// before it.
std::vector<Choice> choices_for(const RunRequest& request, const Choice& choice) {
  if (request.alone) return {choice};
  const std::vector<Variant>& catalog = request.wanted.kernel->catalog();
  Choice parent = parent_of(catalog, choice);
  if (parent.variant == nullptr && request.prediction.speedup)
    if (const Variant* const before = predecessor(catalog, *choice.variant))
      parent = choose(*before, choice.build->kind);
  if (parent.build != nullptr) return {choice, parent};
  if (request.prediction.speedup)
    throw roofline::InputError(fmt::format(
        "--predict: no step before {} runs here, over which it could gain", choice.variant->id));
  return {choice};
}

Outcome outcome_in(const StudyRecord& study) {
  return outcome_of(study, study.results[0], &study.results[1]);
}

/// Everything, with answer, launches and charts.
std::string details_of(const StudyRecord& study) {
  const Result& result = study.results.front();
  const Kernel& kernel = kernel_of(study);
  std::string text = summary(study, roofline::colours_wanted());
  if (kernel.describe_answer != nullptr)
    if (const std::string answer = kernel.describe_answer(study, result); !answer.empty())
      text += "\n" + answer;
  text += launches_of(result);
  if (study.results.size() > 1 && result.roofline()) text += terminal_rooflines(study);
  return text + doubts(study, roofline::colours_wanted());
}

nlohmann::ordered_json json_of(const StudyRecord& study, const Prediction& prediction) {
  nlohmann::ordered_json json = to_json(study, study.results.front());
  if (study.results.size() > 1) json["against"] = to_json(prediction, outcome_in(study));
  return json;
}

std::string page_of(const RunRequest& request, const StudyRecord& study) {
  return (request.details ? details_of(study) : brief(study, roofline::colours_wanted())) +
         learnt_of_run(study, request.prediction);
}

int run_variant(RunRequest& request) {
  adopt_plugin_and_edits(request.variant, request.wanted, request.no_build);
  const Choice choice =
      select_one(request.wanted.kernel->catalog(), request.variant, request.wanted);
  if (!can_run(choice)) return something_failed;
  const std::vector<Choice> choices = choices_for(request, choice);
  std::optional<ResultsFolder> folder;
  if (!request.output.empty()) {
    folder.emplace(request.output, request.replace ? Taken::replace : Taken::refuse);
    request.measure.folder = folder->working();
  }
  const Measured measured = measure(request.measure, choices);
  const StudyRecord& study = measured.study;
  const std::string text =
      request.json ? json_of(study, request.prediction).dump(1) + "\n" : page_of(request, study);
  std::fputs(text.c_str(), stdout);  // the record is written even if this fails
  if (folder) write_record_of(*folder, measured);
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
  add_output_option(*command, request->output, "Folder to keep the record in (default: none)");
  add_replace_option(*command, request->replace);
  CLI::Option* const alone = command->add_flag(
      "--alone", request->alone, "Do not time the variant it was made from beside it");
  command
      ->add_option_function<std::string>(
          "--predict",
          [request](const std::string& text) {
            request->prediction.speedup = speedup_in(text);
            if (!request->prediction.speedup)
              throw CLI::ValidationError("--predict", "a number such as 1.8 is expected");
          },
          "What you expect: how many times as fast as the step before it is it?")
      ->excludes(alone);
  add_build_options(*command, request->no_build);
  add_details_option(*command, request->details);
  add_json_option(*command, request->json);
  return {command, [request] { return run_variant(*request); }};
}

}  // namespace gpp
