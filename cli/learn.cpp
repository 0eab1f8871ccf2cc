// gpp learn: goes through the lessons in order. Each has the idea, the reader's prediction, the
// run, its result and the explanation.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "harness/program/source_diff.h"
#include "harness/teach/explanation.h"
#include "harness/teach/lessons.h"
#include "harness/view/outcome.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

struct LearnRequest {
  std::string from;
  Wanted wanted;
  MeasureRequest measure;
  bool no_build = false;
};

/// The steps that have a lesson and run here, in lesson order; behind them the variant to begin at
/// where it has no lesson, such as one of your own.
std::vector<Choice> path_of(const LearnRequest& request) {
  const Kernel& kernel = *request.wanted.kernel;
  std::vector<std::string> names;
  for (const Lesson& lesson : lessons_of(kernel)) names.push_back(lesson.id);
  if (!request.from.empty() && find_lesson(kernel, request.from) == nullptr)
    names.push_back(request.from);
  Wanted wanted = request.wanted;
  std::vector<Choice> path;
  for (const std::string& name : names) {
    wanted.only = {name};
    const auto is_one = [&wanted](const Variant& variant) { return is_wanted(variant, wanted); };
    if (std::ranges::none_of(kernel.catalog(), is_one)) continue;
    const Choice choice = select_one(kernel.catalog(), name, wanted);
    if (choice.build != nullptr) path.push_back(choice);
  }
  return path;
}

std::size_t place_of(const std::string& name, const std::vector<Choice>& path) {
  const auto found = std::ranges::find_if(path, [&name](const Choice& choice) {
    return name.empty() || choice.variant->id == name || choice.variant->step == name;
  });
  if (found == path.end())
    throw roofline::InputError(
        fmt::format("no step '{}' with a lesson runs here; {} list tells why",
                    roofline::visible(name), program_name()));
  return static_cast<std::size_t>(found - path.begin());
}

void say(const std::string& text) {
  fmt::print("{}\n", roofline::wrapped(text, roofline::text_width(), 0));
  std::fflush(stdout);
}

/// A line that the reader types, in lower case; nothing at the end of the input or at "q".
std::optional<std::string> typed_line() {
  fmt::print("> ");
  std::fflush(stdout);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  line = roofline::in_lower_case(roofline::trimmed(line));
  return line == "q" ? std::nullopt : std::optional(line);
}

/// Asks for the speedup until there is a number, or "?" for none. False if the reader ends.
bool ask_about(const Choice& choice, const Choice& before, std::optional<double>& predicted) {
  if (before.build != nullptr)
    say(
        fmt::format("How many times as fast as {} is {} here? Type a number such as 1.8, where 0.5 "
                    "is half as fast; ? where you don't know; q ends.",
                    before.variant->id, choice.variant->id));
  else
    say("Enter runs it; q ends.");
  while (const std::optional<std::string> line = typed_line()) {
    predicted = speedup_in(*line);
    if (before.build == nullptr || line->empty() || *line == "?" || predicted) return true;
    say(fmt::format("'{}' is not a number such as 1.8.", roofline::visible(line->substr(0, 60))));
  }
  return false;
}

/// The status of the lesson's run; nothing where the reader ended before it.
std::optional<ExitStatus> teach(const LearnRequest& request, const Choice& choice) {
  const Kernel& kernel = *request.wanted.kernel;
  const ExplanationStyle style{roofline::text_width(), roofline::colours_wanted()};
  fmt::print("{}\n", before_the_answer(kernel, *choice.variant, style));
  Choice before;
  if (const Variant* one = predecessor(kernel.catalog(), *choice.variant))
    before = choose(*one, choice.build->kind);
  std::optional<double> predicted;
  if (!ask_about(choice, before, predicted)) return std::nullopt;
  std::vector<Choice> choices = {choice};
  if (before.build != nullptr) choices.push_back(before);
  const Measured measured = measure(request.measure, choices);
  if (measured.interrupted) return interrupted;
  const std::vector<Result>& results = measured.study.results;
  const Outcome outcome =
      outcome_of(measured.study, results[0], results.size() > 1 ? &results[1] : nullptr);
  fmt::print("\n{}", text_of(predicted, outcome, style.width));
  say(fmt::format("Its source, evidence, and what to try next: {} explain {} --model {}",
                  program_name(), choice.variant->id, choice.variant->model));
  return measured.status();
}

int learn(LearnRequest& request) {
  if (!request.from.empty()) adopt_plugin_and_edits(request.from, request.wanted, request.no_build);
  std::vector<std::string> all;
  adopt_plugins_and_edits(all, request.wanted, request.no_build);
  const std::vector<Choice> path = path_of(request);
  int status = every_check_passed;
  for (std::size_t at = place_of(request.from, path); at < path.size(); ++at) {
    say(fmt::format("\nStep {} of {}\n", at + 1, path.size()));
    const std::optional<ExitStatus> taught = teach(request, path[at]);
    status = std::max<int>(status, taught.value_or(every_check_passed));
    const bool stays = !taught || *taught == interrupted;
    const std::string next = path[std::min(stays ? at : at + 1, path.size() - 1)].variant->id;
    if (stays)
      say(fmt::format("\nNothing of {} is told without an answer.", next));
    else if (at + 1 < path.size())
      say(fmt::format("\nEnter goes on with {}, q ends.", next));
    if (stays || (at + 1 < path.size() && !typed_line())) {
      const std::vector<std::string>& models = request.wanted.models;
      say(fmt::format("{} learn{} --from {} goes on.", program_name(),
                      models.empty() ? "" : fmt::format(" --model {}", fmt::join(models, ",")),
                      next));
      return status;
    }
  }
  say(fmt::format("That was the last step. Next: an idea of your own, {} new my_idea --from {}.",
                  program_name(), path.back().variant->id));
  return status;
}

}  // namespace

Command add_learn(CLI::App& program) {
  CLI::App* command = add_command(program, to_learn, "learn",
                                  "Step by step: the idea, what you predict, the run, and why",
                                  {"gpp learn", "gpp learn --from v3", "gpp learn --model omp"});
  const auto request = std::make_shared<LearnRequest>();
  request->measure.options.timing.time_limit = 10;
  command->add_option("--from", request->from,
                      "Begin at this step, v3 or block512, or a variant of your own");
  add_model_option(*command, request->wanted);
  add_source_options(*command, request->measure.source);
  command
      ->add_option("--time-limit", request->measure.options.timing.time_limit,
                   "Seconds that timing both steps may take")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  add_build_options(*command, request->no_build);
  return {command, [request] { return learn(*request); }};
}

}  // namespace gpp
