// gpp judge: submissions before the referee.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/plugins.h"
#include "harness/judge/submission.h"
#include "harness/measure/measure.h"
#include "harness/measure/options.h"
#include "harness/program/interrupt.h"
#include "roofline/base/error.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

struct JudgeRequest {
  std::vector<std::string> submissions;
  Wanted wanted;
  SourceRequest source;
  StudyOptions options;
  double longest_wait = roofline::longest_wait_for_turn;
  bool check_only = false;
  bool json = false;
};

int judge_all(const JudgeRequest& request) {
  JudgeRules rules;
  rules.kernel = request.wanted.kernel;
  rules.source = request.source;
  rules.timing = request.options.timing;
  rules.tolerance = request.options.tolerance;
  rules.check_only = request.check_only;
  const InterruptGuard guard;
  rules.interrupted = InterruptGuard::interrupted;
  roofline::ProgressLine line;
  rules.progress = [&line](std::string_view what, double share) { line.show(what, share); };
  Secret secret;
  Referee referee(rules, secret);
  bool all = true;
  for (const std::string& name : request.submissions) {
    Submission submission;
    std::list<roofline::DeviceTurn> turns;
    if (names_plugin(name, *rules.kernel)) {
      submission = take_in(name, *rules.kernel, request.wanted.kind, referee.sandbox(), true);
    } else {
      const Choice choice = select_one(request.wanted.kernel->catalog(), name, request.wanted);
      if (choice.build == nullptr) throw roofline::InputError(name + ": " + choice.reason);
      submission.contestant = {choice.variant->id, choice.variant->step, choice.variant->model, choice.build->kind, {}};
    }
    const Ruling ruling = referee.judge(submission.contestant);
    line.clear();
    all = all && ruling.passed;
    const double median = ruling.samples.empty() ? 0 : summarize(ruling.samples).median;
    fmt::print("{} {}: {} {} x{} n={} checks={} err={:.1e} rt={} [{}]\n", name, ruling.passed,
               ruling.foul ? "FOUL " : "" , ruling.reason.empty() ? roofline::describe_seconds(median) : ruling.reason,
               ruling.together, ruling.samples.size(), ruling.checks,
               ruling.check.max_relative_error, roofline::describe_seconds(ruling.round_trip_s), ruling.layers.text());
    std::fflush(stdout);
  }
  return all ? every_check_passed : something_failed;
}

}  // namespace

Command add_judge(CLI::App& program) {
  CLI::App* command =
      program
          .add_subcommand("judge",
                          "For a ranking: submissions in a sandbox, timed and checked from outside")
          ->group(to_compare);
  const auto request = std::make_shared<JudgeRequest>();
  command->add_option("submissions", request->submissions,
                      "Files or folders with a variant, or steps of this program: mine.cpp, v8")
      ->required();
  add_kernel_option(*command, request->wanted.kernel);
  add_source_options(*command, request->source);
  add_model_options(*command, request->wanted);
  add_measuring_options(*command, request->options);
  add_wait_option(*command, request->longest_wait);
  command->add_flag("--check-only", request->check_only, "Check all answers, time nothing");
  add_json_option(*command, request->json);
  command->footer(examples({"gpp judge submissions/ann.cpp -o judged",
                            "gpp judge v8 v11 --model omp --preset medium -o judged"}));
  return {command, [request] { return judge_all(*request); }};
}

}  // namespace gpp
