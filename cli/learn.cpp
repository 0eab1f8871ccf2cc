// gpp learn: goes through the lessons in order. Each has the idea, the reader's prediction, the
// run, its result and the explanation.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/plugins.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "harness/program/source_diff.h"
#include "harness/teach/explanation.h"
#include "harness/teach/lessons.h"
#include "harness/view/outcome.h"
#include "roofline/base/error.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

struct LearnRequest {
  std::string from, model;
  MeasureRequest measure;
  bool no_build = false;
};

Wanted wanted_by(const LearnRequest& request) {
  Wanted wanted;
  wanted.kernel = request.measure.kernel;
  if (!request.model.empty()) wanted.models = {request.model};
  return wanted;
}

/// The steps that have a lesson and run here, in lesson order; behind them the variant to begin at
/// where it has no lesson, such as one of your own.
std::vector<Choice> path_of(const LearnRequest& request) {
  const Kernel& kernel = *request.measure.kernel;
  std::vector<std::string> names;
  for (const Lesson& lesson : lessons_of(kernel)) names.push_back(lesson.id);
  if (!request.from.empty() && find_lesson(kernel, request.from) == nullptr)
    names.push_back(request.from);
  Wanted wanted = wanted_by(request);
  std::vector<Choice> path;
  for (const std::string& name : names) {
    wanted.only = {name};
    if (std::ranges::none_of(kernel.catalog(), [&wanted](const Variant& variant) {
          return is_wanted(variant, wanted);
        }))
      continue;
    const Choice choice = select_one(kernel.catalog(), name, wanted);
    if (choice.build != nullptr) path.push_back(choice);
  }
  if (path.empty())
    throw roofline::InputError(fmt::format(
        "no step with a lesson runs here; {0} list tells why, and {0} explain shows one",
        program_name()));
  return path;
}

std::size_t place_of(const std::string& name, const std::vector<Choice>& path) {
  if (name.empty()) return 0;
  std::vector<std::string> names;
  for (const Choice& choice : path) {
    if (choice.variant->id == name || choice.variant->step == name) return names.size();
    names.push_back(choice.variant->id);
  }
  throw roofline::InputError("--from: " + roofline::unknown_name("step of this path", name, names));
}

void say(const std::string& text) {
  fmt::print("{}\n", roofline::wrapped(text, roofline::text_width(), 0));
  std::fflush(stdout);
}

/// Asks until the answer satisfies `takes`; "?" and an empty line give "". Returns nothing at the
/// end of the input or at "q".
std::optional<std::string> ask(const std::string& question, const std::string& what,
                               const std::function<bool(const std::string&)>& takes) {
  say(fmt::format("{} Type {}; ? where you don't know; q ends.", question, what));
  for (std::string line; std::cout << "> " << std::flush, std::getline(std::cin, line);) {
    line = roofline::in_lower_case(roofline::trimmed(line));
    if (line == "q") return std::nullopt;
    if (line.empty() || line == "?") return "";
    if (takes(line)) return line;
    say(fmt::format("'{}' is not {}.", roofline::visible(line.substr(0, 60)), what));
  }
  fmt::print("\n");
  return std::nullopt;
}

/// Returns nothing if the input ended.
std::optional<Prediction> ask_about(const Choice& choice, const Choice& before) {
  Prediction prediction;
  const std::string& id = choice.variant->id;
  if (before.build != nullptr) {
    const auto typed =
        ask(fmt::format("How many times as fast as {} is {} here?", before.variant->id, id),
            "a number such as 1.8, where 0.5 is half as fast",
            [](const std::string& line) { return speedup_in(line).has_value(); });
    if (!typed) return std::nullopt;
    prediction.speedup = speedup_in(*typed);
  }
  const std::vector<std::string> words = words_for(choice.build->kind);
  const auto typed = ask(
      fmt::format("What holds {} back here?", id),
      fmt::format("one of: {}", fmt::join(words, ", ")),
      [&words](const std::string& line) { return std::ranges::find(words, line) != words.end(); });
  if (!typed) return std::nullopt;
  prediction.held_back_by = *typed;
  return prediction;
}

/// The status of the lesson's run; nothing where its outcome was not shown.
std::optional<ExitStatus> teach(const LearnRequest& request, const Choice& choice) {
  const Explanation explanation = explain(*request.measure.kernel, *choice.variant, {});
  ExplanationStyle style{roofline::text_width(), roofline::colours_wanted()};
  style.words = false;  // the text fits on one screen
  fmt::print("{}\n", before_the_answer(explanation, style, Diffs::kept_back));
  Choice before;
  if (explanation.before != nullptr) before = choose(*explanation.before, choice.build->kind);
  const std::optional<Prediction> prediction = ask_about(choice, before);
  if (!prediction) return std::nullopt;
  std::vector<Choice> choices = {choice};
  if (before.build != nullptr) choices.push_back(before);
  const Measured measured = measure(request.measure, choices);
  if (measured.status() == interrupted) return interrupted;
  const std::vector<Result>& results = measured.study.results;
  const Outcome outcome =
      outcome_of(measured.study, results[0], results.size() > 1 ? &results[1] : nullptr);
  fmt::print("\n{}", text_of(*prediction, outcome, style.width));
  say("Its source, evidence, and what to try next: " + explain_command(explanation, ""));
  return measured.status();
}

/// Asks whether to go on to the next step. No answer means no.
bool goes_on(const std::string& next) {
  fmt::print("\nEnter goes on with {}, q ends: ", next);
  std::fflush(stdout);
  std::string line;
  const bool answered = static_cast<bool>(std::getline(std::cin, line));
  fmt::print("\n");
  return answered && roofline::in_lower_case(roofline::trimmed(line)) != "q";
}

int learn(LearnRequest& request) {
  if (!request.from.empty())
    adopt_plugin_and_edits(request.from, wanted_by(request), request.no_build);
  std::vector<std::string> all;
  adopt_plugins_and_edits(all, wanted_by(request), request.no_build);
  const std::vector<Choice> path = path_of(request);
  ExitStatus status = every_check_passed;
  for (std::size_t at = place_of(request.from, path); at < path.size(); ++at) {
    const std::string& id = path[at].variant->id;
    say(fmt::format("Step {} of {}\n", at + 1, path.size()));
    const std::optional<ExitStatus> taught = teach(request, path[at]);
    status = std::max(status, taught.value_or(status));
    const bool last = at + 1 == path.size();
    const bool told = taught && *taught != interrupted;
    if (!told) say(fmt::format("Nothing of {} is told without an answer.", id));
    if (told && (last || goes_on(path[at + 1].variant->id))) continue;
    say(fmt::format("{} learn{} --from {} goes on.", program_name(),
                    request.model.empty() ? "" : " --model " + request.model,
                    path[told ? at + 1 : at].variant->id));
    return status;
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
  command->add_option("--model", request->model, "Programming model: cuda, omp, thrust or serial");
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
