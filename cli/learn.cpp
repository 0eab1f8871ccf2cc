// gpp learn: the lessons one after the other, each predicted before it is told.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/rebuild.h"
#include "cli/teach.h"
#include "harness/measure/options.h"
#include "harness/program/build_info.h"
#include "harness/teach/learner_place.h"
#include "harness/teach/lessons.h"
#include "roofline/base/error.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

constexpr const char* end_of_path = "end";

struct LearnRequest {
  std::string from;
  bool again = false;
  std::string model;
  const Kernel* kernel = kernels().front();
  std::filesystem::path results = std::filesystem::path(build_info::source_dir) / "results";
  PredictionOptions prediction;
  BuildChoice build;

  /// Beside the predictions.
  std::filesystem::path place() const { return prediction.answers.parent_path() / "place.json"; }
};

/// The steps that have a lesson and run here, in the order of the lessons.
std::vector<Choice> path_of(const LearnRequest& request) {
  const std::vector<Variant>& catalog = request.kernel->catalog();
  Wanted wanted;
  wanted.kernel = request.kernel;
  if (!request.model.empty()) wanted.models = {request.model};
  std::vector<Choice> path;
  for (const Lesson& lesson : lessons_of(*request.kernel)) {
    wanted.only = {lesson.id};
    const bool exists = std::ranges::any_of(
        catalog, [&wanted](const Variant& variant) { return is_wanted(variant, wanted); });
    if (!exists) continue;
    const Choice choice = select_one(catalog, lesson.id, wanted);
    if (choice.build != nullptr) path.push_back(choice);
  }
  if (path.empty())
    throw roofline::InputError(
        "no step with a lesson runs here; gpp list tells why, and gpp explain v1 shows a lesson");
  return path;
}

std::size_t place_of(const std::string& name, const std::vector<Choice>& path,
                     const std::string& where) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i].variant->id == name || path[i].variant->step == name) return i;
    names.push_back(path[i].variant->id);
  }
  throw roofline::InputError(
      fmt::format("{}: {}", where, roofline::unknown_name("step of this path", name, names)));
}

/// "ann sigma omp": a path has one model, that of its first step.
std::string learner_of(const LearnRequest& request, const std::vector<Choice>& path) {
  return fmt::format("{} {} {}", request.prediction.student, request.kernel->name,
                     path.front().variant->model);
}

std::string command_of(const LearnRequest& request) {
  return fmt::format("gpp learn{}{}",
                     request.kernel == kernels().front() ? "" : " --kernel " + request.kernel->name,
                     request.model.empty() ? "" : " --model " + request.model);
}

/// The number of steps of the path: the end.
std::size_t first_step(const LearnRequest& request, const std::vector<Choice>& path) {
  if (!request.from.empty()) return place_of(request.from, path, "--from");
  if (request.again) return 0;
  const std::string kept = learner_place(request.place(), learner_of(request, path));
  if (kept.empty()) return 0;
  if (kept == end_of_path) return path.size();
  return place_of(kept, path, roofline::visible(request.place().string()));
}

void say(const std::string& text) {
  fmt::print("{}\n", roofline::wrapped(text, roofline::text_width(), 0));
  std::fflush(stdout);
}

void say_the_end(const LearnRequest& request) {
  say(
      fmt::format("That was the last step. {0} --again goes through all of them once more, {0} "
                  "--from STEP from a step on. Next: an idea of your own, gpp new my_idea --from "
                  "v8.",
                  command_of(request)));
}

/// Whether the learner wants the next step now. Without an answer the learner does not.
bool goes_on(const std::string& next) {
  fmt::print("\nEnter goes on with {}, q ends: ", next);
  std::fflush(stdout);
  std::string line;
  if (std::getline(std::cin, line))
    return line.empty() || roofline::in_lower_case(roofline::trimmed(line)) != "q";
  fmt::print("\n");
  return false;
}

Taught teach_step(const LearnRequest& request, const Choice& choice) {
  const Step step = step_to_predict(*request.kernel, choice);
  Explanation explanation = explain(*request.kernel, *choice.variant, request.results, {true});
  return teach(step, explanation, request.prediction, std::nullopt, AtEnd::stop,
               {roofline::text_width(), roofline::colours_wanted(), false});
}

int learn(LearnRequest& request) {
  settle(request.prediction);
  Wanted wanted;
  wanted.kernel = request.kernel;
  if (!request.model.empty()) wanted.models = {request.model};
  rebuild_if_changed(wanted, request.build, Outdated::warn);
  const std::vector<Choice> path = path_of(request);
  ExitStatus status = every_check_passed;
  std::size_t at = first_step(request, path);
  for (; at < path.size(); ++at) {
    say(fmt::format("Step {} of {}: predict, run, see, explain.\n", at + 1, path.size()));
    const Taught taught = teach_step(request, path[at]);
    if (!taught.told) {
      say(fmt::format("{}, so nothing of {} is told. {} goes on with it.",
                      taught.status == interrupted ? "Interrupted" : "No more answers",
                      path[at].variant->id, command_of(request)));
      return std::max(status, taught.status);
    }
    status = std::max(status, taught.status);
    const bool last = at + 1 == path.size();
    const std::string next = last ? end_of_path : path[at + 1].variant->id;
    keep_learner_place(request.place(), learner_of(request, path), next);
    if (last) continue;
    if (taught.ended || !goes_on(next)) {
      say(fmt::format("{} goes on with {}.", command_of(request), next));
      return status;
    }
    fmt::print("\n");
  }
  say_the_end(request);
  return status;
}

}  // namespace

Command add_learn(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("learn", "Step by step: predict, run, see why; it keeps your place")
          ->group(to_learn);
  const auto request = std::make_shared<LearnRequest>();
  CLI::Option* from =
      command->add_option("--from", request->from, "Begin at this step: v3 or block512");
  command->add_flag("--again", request->again, "Begin at the first step")->excludes(from);
  add_kernel_option(*command, request->kernel);
  command->add_option("--model", request->model, "Programming model: cuda, omp, thrust or serial");
  command
      ->add_option("--results", request->results,
                   "Folder under which this machine's studies lie (default: results/)")
      ->check(CLI::ExistingDirectory);
  add_prediction_options(*command, request->prediction);
  command->remove_option(command->get_option("--fresh"));  // each step is run
  add_build_options(*command, request->build);
  command->footer(examples({"gpp learn", "gpp learn --from v3", "gpp learn --again --model omp",
                            "gpp learn --kernel stream"}));
  return {command, [request] { return learn(*request); }};
}

}  // namespace gpp
