// gpp judge: submissions before the referee.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/plugins.h"
#include "harness/judge/judged_record.h"
#include "harness/judge/queue.h"
#include "harness/measure/child.h"
#include "harness/measure/measure.h"
#include "harness/measure/options.h"
#include "harness/measure/provenance.h"
#include "harness/program/interrupt.h"
#include "roofline/base/error.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

struct JudgeRequest {
  std::vector<std::string> submissions;
  std::filesystem::path queue;  // empty: there is none
  Wanted wanted;
  JudgeRules rules;
  StudyOptions options;
  double longest_wait = roofline::longest_wait_for_turn;
  std::filesystem::path key, output;  // empty: a key for once, no records
  bool json = false;
};

/// A verdict that holds no more than the submission's name yet.
Judged named(const std::string& name) {
  Judged judged;
  judged.submission.name = name;
  return judged;
}

/// A step of this program.
Submission step_called(const std::string& name, const Wanted& wanted) {
  const Choice choice = select_one(wanted.kernel->catalog(), name, wanted);
  if (choice.build == nullptr)
    throw roofline::InputError(fmt::format("{}: {}", name, choice.reason));
  Submission step = named(choice.variant->id).submission;
  step.contestant = {choice.variant->id,
                     choice.variant->step,
                     choice.variant->model,
                     choice.build->kind,
                     {},
                     choice.variant->operations};
  return step;
}

class Court {
 public:
  explicit Court(JudgeRequest& request)
      : request_(request),
        secret_(request.key.empty() ? Secret() : Secret(request.key)),
        referee_(rules_of(request), secret_) {}

  int hold() {
    for (const std::string& name : request_.submissions) {
      if (InterruptGuard::interrupted()) break;
      Judged judged = named(name);
      if (names_plugin(name, kernel()))
        judge(judged, [&] { return take_in(name, kernel(), kind(), referee_.sandbox(), true); });
      else
        judge(judged, [&, step = step_called(name, request_.wanted)] { return step; });
    }
    if (!request_.queue.empty()) empty_queue();
    if (!request_.json) print_table();
    if (InterruptGuard::interrupted()) return interrupted;
    const bool all = std::ranges::all_of(all_, [](const Judged& one) { return one.ruling.passed; });
    return all ? every_check_passed : something_failed;
  }

 private:
  JudgeRules rules_of(JudgeRequest& request) {
    JudgeRules& rules = request.rules;
    rules.kernel = request.wanted.kernel;
    rules.timing = request.options.timing;
    rules.tolerance = request.options.tolerance;
    rules.interrupted = InterruptGuard::interrupted;
    rules.progress = [this](std::string_view what, double share) { line_.show(what, share); };
    return rules;
  }

  const Kernel& kernel() const { return *request_.wanted.kernel; }
  const std::string& kind() const { return request_.wanted.kind; }

  void empty_queue() {
    SubmissionQueue queue(request_.queue);
    while (!InterruptGuard::interrupted()) {
      const auto taken = queue.take();
      if (!taken) break;
      Judged judged = named(taken->name);
      roofline::FileLock host;
      if (!queue.take_host(host, request_.longest_wait))
        throw roofline::InputError(
            "--queue: another judge of this folder has measured for too long; see --wait");
      judge(judged,
            [&] { return take_in(taken->path, kernel(), kind(), referee_.sandbox(), false); });
      if (!InterruptGuard::interrupted()) queue.finish(*taken);
    }
  }

  /// Whatever is wrong with the submission is its ruling.
  void judge(Judged& judged, const std::function<Submission()>& take) {
    line_.show("compiling " + roofline::visible(judged.submission.name));
    judged.ruling.reason = error_of([&] { judged.submission = take(); });
    if (judged.ruling.reason.empty()) {
      const auto turns = turns_on(judged.submission.contestant);
      judged.ruling = referee_.judge(judged.submission.contestant);
    }
    line_.clear();
    if (InterruptGuard::interrupted()) return;  // it was not judged to the end
    record(judged);
    all_.push_back(std::move(judged));
    if (!request_.json) return;
    fmt::print("{}\n", roofline::facts_text(all_.back()));
    std::fflush(stdout);
  }

  /// DIR/TEAM/TIME/study.json, of what was run.
  void record(const Judged& judged) {
    if (request_.output.empty() || judged.submission.contestant.kind.empty()) return;
    const bool ceilings = request_.options.counting.wants_ceilings() && judged.ruling.passed &&
                          !request_.rules.check_only;
    const StudyRecord study =
        record_of(kernel(), referee_.subject(), judged, parent_of(judged), ceilings, secret_);
    const std::filesystem::path team = request_.output / judged.submission.name;
    std::filesystem::path folder = team / folder_name();
    for (int number = 2; std::filesystem::exists(folder); ++number)
      folder = team / fmt::format("{}.{}", folder_name(), number);
    std::filesystem::create_directories(folder);
    write_record(folder, study);
  }

  /// The step that it was made from, judged once for all; nullptr where there is none.
  const Judged* parent_of(const Judged& judged) {
    const Contestant& contestant = judged.submission.contestant;
    if (judged.submission.parent.empty() || !judged.ruling.passed || request_.rules.check_only)
      return nullptr;
    const std::string key =
        fmt::format("{} {} {}", judged.submission.parent, contestant.model, contestant.kind);
    const auto [found, is_new] = parents_.try_emplace(key);
    Judged& parent = found->second;
    if (is_new) {
      Wanted wanted = request_.wanted;
      wanted.models = {contestant.model};
      wanted.kind = contestant.kind;
      parent.submission = step_called(judged.submission.parent, wanted);
      const auto turns = turns_on(contestant);
      parent.ruling = referee_.judge(parent.submission.contestant);
      line_.clear();
    }
    return parent.ruling.passed ? &parent : nullptr;
  }

  std::list<roofline::DeviceTurn> turns_on(const Contestant& contestant) const {
    const Build build{
        contestant.kind, {}, &runtime_of(kernel(), contestant.model, contestant.kind)};
    return turns_for({{nullptr, &build, {}}}, request_.longest_wait);
  }

  void print_table() const {
    using enum roofline::Table::Align;
    roofline::Table table({{"submission", left},
                           {"model", left},
                           {"verdict", left},
                           {"time", right},
                           {"error", right},
                           {"right answers", right}});
    for (const Judged& one : all_) {
      const Ruling& ruling = one.ruling;
      table.add({roofline::visible(one.submission.name), one.submission.contestant.model,
                 ruling.passed ? "ok"
                 : ruling.foul ? "FOUL"
                               : "FAILED",
                 ruling.passed && !ruling.samples.empty()
                     ? roofline::describe_seconds(summarize(ruling.samples).median)
                     : "-",
                 ruling.checks > 0 ? fmt::format("{:.1e}", ruling.check.max_relative_error) : "-",
                 fmt::format("{}", ruling.checks)});
    }
    fmt::print("{}", table.text());
    for (const Judged& one : all_)
      if (!one.ruling.passed)
        fmt::print("\n{}: {}\n", roofline::visible(one.submission.name),
                   roofline::visible_lines(one.ruling.reason));
    print_layers();
  }

  /// Prints the layers of the last player that ran. All ran under the same layers but for the kind
  /// of device.
  void print_layers() const {
    const Judged* last = nullptr;
    for (const Judged& one : all_)
      if (!one.ruling.layers.tried.empty()) last = &one;
    if (last == nullptr) return;
    const Ruling& ruling = last->ruling;
    fmt::print("\n{}\n",
               roofline::wrapped("Layers: " + ruling.layers.text(), roofline::text_width(), 2));
    if (!ruling.layers.all_hold()) fmt::print("Without them these results have no rank.\n");
    fmt::print("Times contain the way to a player and back: {} with an empty one.\n",
               roofline::describe_seconds(ruling.round_trip_s));
  }

  const InterruptGuard guard_;
  JudgeRequest& request_;
  roofline::ProgressLine line_;
  const Secret secret_;
  Referee referee_;
  std::vector<Judged> all_;
  std::map<std::string, Judged> parents_;  // by step, model and kind of device
};

int judge_all(JudgeRequest& request) {
  if (request.submissions.empty() && request.queue.empty())
    throw roofline::InputError("name a submission, or a folder of them: --queue FOLDER");
  return Court(request).hold();
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
                      "Files or folders with a variant each, or steps of this program");
  command->add_option(
      "--queue", request->queue,
      "Judge what lies in this folder, the oldest first, and move it to its 'done'");
  add_kernel_option(*command, request->wanted.kernel);
  add_source_options(*command, request->rules.source);
  add_model_options(*command, request->wanted);
  add_measuring_options(*command, request->options);
  add_wait_option(*command, request->longest_wait);
  command->add_flag("--check-only", request->rules.check_only,
                    "Check all answers and time nothing");
  command
      ->add_option("--small-inputs", request->rules.largest_check,
                   "First also the inputs of gpp check of at most so many pieces of work; 0: none")
      ->check(CLI::Range(0LL, 1'000'000'000'000LL))
      ->capture_default_str();
  command
      ->add_option("--longest-run", request->rules.longest_run,
                   "Seconds after which a submission that does not answer has failed")
      ->check(CLI::Range(0.1, 86400.0))
      ->capture_default_str();
  add_counting_options(*command, request->options.counting);
  command->add_option("--secret", request->key,
                      "The judge's key, in a file that nobody else may read; made where there is "
                      "none. Without it signatures cannot be checked later");
  add_output_option(*command, request->output,
                    "Folder for the records, DIR/TEAM/TIME/study.json (default: none)");
  add_json_option(*command, request->json);
  command->footer(examples({"gpp judge ann.cpp bob/ --preset medium --secret key -o judged",
                            "gpp judge v8 v11 --model omp --check-only",
                            "gpp judge --queue handed-in --json"}));
  return {command, [request] { return judge_all(*request); }};
}

}  // namespace gpp
