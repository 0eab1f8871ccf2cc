// gpp judge: judges submissions.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/plugins.h"
#include "harness/command/options.h"
#include "harness/command/results_folder.h"
#include "harness/judge/submission.h"
#include "harness/measure/measure.h"
#include "harness/plugin/plugin.h"
#include "harness/program/child.h"
#include "harness/program/interrupt.h"
#include "harness/program/source_diff.h"
#include "harness/record/provenance.h"
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
  Wanted wanted;
  JudgeRules rules;
  StudyOptions options;
  double longest_wait = roofline::longest_wait_for_turn;
  std::filesystem::path key, output;  // an empty key is temporary; an empty output means no records
  bool json = false;
};

/// A step of this program.
Submission step_called(const std::string& name, const Wanted& wanted) {
  const Choice choice = select_one(wanted.kernel->catalog(), name, wanted);
  if (choice.build == nullptr)
    throw roofline::InputError(fmt::format("{}: {}", name, choice.reason));
  const Variant* const parent = predecessor(wanted.kernel->catalog(), *choice.variant);
  return {.name = choice.variant->id,
          .contestant = {*choice.variant, choice.build->kind, ""},
          .parent = parent == nullptr ? "" : parent->id};
}

class Court {
 public:
  explicit Court(JudgeRequest& request)
      : request_(request),
        secret_(request.key.empty() ? Secret() : Secret(request.key)),
        referee_(rules_of(request), secret_) {}

  int hold() {
    const Kernel& kernel = *request_.wanted.kernel;
    std::vector<std::function<Submission()>> takes;  // steps that are not there end all at once
    for (const std::string& name : request_.submissions)
      if (names_plugin(name, kernel))
        takes.emplace_back(
            [&] { return take_in(name, kernel, request_.wanted.kind, referee_.sandbox()); });
      else
        takes.emplace_back([step = step_called(name, request_.wanted)] { return step; });
    for (std::size_t i = 0; i < takes.size() && !InterruptGuard::interrupted(); ++i)
      judge({.submission = {.name = request_.submissions[i]}}, takes[i]);
    rank(all_);
    if (request_.json)
      for (const Judged& one : all_) fmt::print("{}\n", roofline::facts_text(one));
    else
      print_table();
    if (InterruptGuard::interrupted()) return interrupted;
    const bool all =
        std::ranges::all_of(all_, [](const Judged& one) { return one.ruling.passed(); });
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

  /// Every error in the submission becomes its ruling.
  void judge(Judged judged, const std::function<Submission()>& take) {
    line_.show("compiling " + roofline::visible(judged.submission.name));
    judged.ruling.reason = error_of([&] { judged.submission = take(); });
    if (judged.ruling.reason.empty()) judged.ruling = ruling_on(judged.submission.contestant);
    line_.clear();
    if (InterruptGuard::interrupted()) return;  // the judgement is incomplete
    if (!judged.submission.contestant.kind.empty()) record(judged);
    all_.push_back(std::move(judged));
  }

  /// Each submission that ran gets a signed record, DIR/NAME/TIME/study.json. A time below what the
  /// roofs allow is a failure.
  void record(Judged& judged) {
    const bool ceilings = request_.options.counting.ceilings != CeilingsWanted::off &&
                          judged.ruling.passed() && !request_.rules.check_only;
    const std::optional<Judged> parent = parent_of(judged);
    const StudyRecord study = record_of(*request_.wanted.kernel, referee_.subject(), judged,
                                        parent ? &*parent : nullptr, ceilings, secret_);
    judged.standing = standing_of(study);
    judged.ruling.status = study.results.back().status;
    judged.ruling.reason = study.results.back().reason;
    if (request_.output.empty()) return;
    const std::filesystem::path all = request_.output / judged.submission.name;
    std::filesystem::create_directories(all);
    write_record(new_folder(all / folder_name()), study);
  }

  /// Each step of this program is judged only once.
  Ruling ruling_on(const Contestant& contestant) {
    const auto& [variant, kind, library] = contestant;
    const std::string key =
        library.empty() ? fmt::format("{} {} {}", variant.id, variant.model, kind) : library;
    if (const auto known = rulings_.find(key); known != rulings_.end()) return known->second;
    const Build build{kind, {}, &runtime_of(*request_.wanted.kernel, variant.model, kind)};
    const auto turns = turns_for({{nullptr, &build, {}}}, request_.longest_wait);
    return rulings_[key] = referee_.judge(contestant);
  }

  /// The judged parent step of a submission; empty if it has none or the parent failed.
  std::optional<Judged> parent_of(const Judged& judged) {
    const Contestant& contestant = judged.submission.contestant;
    if (judged.submission.parent.empty() || !judged.ruling.passed() || request_.rules.check_only)
      return std::nullopt;
    Wanted wanted = request_.wanted;
    wanted.models = {contestant.variant.model};
    wanted.kind = contestant.kind;
    Judged parent;
    const std::string missing =
        error_of([&] { parent.submission = step_called(judged.submission.parent, wanted); });
    if (!missing.empty()) return std::nullopt;
    parent.ruling = ruling_on(parent.submission.contestant);
    line_.clear();
    return parent.ruling.passed() ? std::optional(parent) : std::nullopt;
  }

  void print_table() const {
    using enum roofline::Align;
    roofline::Table table = roofline::plain_table({{"rank", right},
                                                   {"submission", left},
                                                   {"model", left},
                                                   {"verdict", left},
                                                   {"time", right},
                                                   {"+-", right},
                                                   {"gain", right},
                                                   {"over", left},
                                                   {"error", right},
                                                   {"right answers", right}});
    std::string reasons;
    const Ruling* last = nullptr;  // the layers depend only on the kind of device
    for (const auto& [submission, ruling, standing] : all_) {
      const bool timed = standing.seconds > 0;
      const std::string name = roofline::visible(submission.name);
      table.add({standing.rank == 0
                     ? "-"
                     : fmt::format("{}{}", standing.rank, standing.doubt.empty() ? "" : "?"),
                 name, submission.contestant.variant.model,
                 ruling.passed() ? "ok"
                 : ruling.foul   ? "FOUL"
                                 : "FAILED",
                 timed ? roofline::describe_seconds(standing.seconds) : "-",
                 timed ? roofline::percent_text(100 * standing.spread) : "-",
                 standing.gain ? roofline::times_text(*standing.gain) : "-", standing.over,
                 ruling.checks > 0 ? fmt::format("{:.1e}", ruling.check.max_relative_error) : "-",
                 fmt::format("{}", ruling.checks)});
      if (!ruling.passed())
        reasons += fmt::format("\n{}: {}\n", name, roofline::visible_lines(ruling.reason));
      else if (!standing.no_rank.empty() && !request_.rules.check_only)
        reasons += fmt::format("\n{} has no rank: {}\n", name, standing.no_rank);
      else if (!standing.doubt.empty())
        reasons += fmt::format("\n{} may not deserve its rank: {}\n", name, standing.doubt);
      if (!ruling.layers.tried.empty()) last = &ruling;
    }
    fmt::print("{}{}", roofline::terminal_text(table), reasons);
    if (last == nullptr) return;
    fmt::print("\n{}{}Times contain the way to a player and back: {} with an empty one.\n",
               roofline::paragraph("Layers: " + last->layers.text(), 2, roofline::text_width()),
               last->layers.all_hold() ? "" : "Without them these results have no rank.\n",
               roofline::describe_seconds(last->round_trip_s));
  }

  const InterruptGuard guard_;
  JudgeRequest& request_;
  roofline::ProgressLine line_;
  const Secret secret_;
  Referee referee_;
  std::vector<Judged> all_;
  std::map<std::string, Ruling> rulings_;  // by step, model and kind of device, or by library
};

}  // namespace

Command add_judge(CLI::App& program) {
  CLI::App* command = add_command(
      program, to_compare, "judge",
      "For a ranking: submissions in a sandbox, timed and checked from outside",
      {"gpp judge ann.cpp bob/ --preset medium --secret key -o judged",
       "gpp judge v8 v11 --model omp --check-only", "gpp judge handed-in/*.cpp --json"});
  const auto request = std::make_shared<JudgeRequest>();
  command
      ->add_option("submissions", request->submissions,
                   "Files or folders with a variant each, or steps of this program")
      ->required();
  add_source_options(*command, request->rules.source);
  add_model_options(*command, request->wanted);
  add_measuring_options(*command, request->options);
  add_wait_option(*command, request->longest_wait);
  command->add_flag("--check-only", request->rules.check_only,
                    "Check all answers and time nothing");
  command
      ->add_option("--small-inputs", request->rules.largest_check,
                   "First also the inputs of `check` of at most so many pieces of work; 0: none")
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
                    "Folder for the signed records, DIR/NAME/TIME/study.json (default: none)");
  add_json_option(*command, request->json);
  return {command, [request] { return Court(*request).hold(); }};
}

}  // namespace gpp
