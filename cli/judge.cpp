// gpp judge: judges submissions.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/command/results_folder.h"
#include "harness/judge/submission.h"
#include "harness/measure/measure.h"
#include "harness/plugin/plugin.h"
#include "harness/program/child.h"
#include "harness/program/interrupt.h"
#include "harness/record/provenance.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"

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
  return {.name = choice.variant->id, .variant = *choice.variant, .kind = choice.build->kind};
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
      judge(request_.submissions[i], takes[i]);
    rank(all_);
    if (request_.json)
      for (const Ruling& one : all_) fmt::print("{}\n", roofline::facts_text(one));
    else
      print_table();
    if (InterruptGuard::interrupted()) return interrupted;
    return std::ranges::all_of(all_, &Ruling::passed) ? every_check_passed : something_failed;
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
  void judge(const std::string& name, const std::function<Submission()>& take) {
    Ruling ruling;
    ruling.submission.name = name;
    line_.show("compiling " + roofline::visible(name));
    ruling.reason = error_of([&] { ruling.submission = take(); });
    if (ruling.reason.empty()) ruling = ruling_on(ruling.submission);
    line_.clear();
    if (InterruptGuard::interrupted()) return;  // the judgement is incomplete
    if (!ruling.kind.empty()) record(ruling);
    all_.push_back(std::move(ruling));
  }

  Ruling ruling_on(const Submission& submission) {
    const Build build{
        submission.kind,
        {},
        &runtime_of(*request_.wanted.kernel, submission.variant.model, submission.kind)};
    const auto turns = turns_for({{nullptr, &build, {}}}, request_.longest_wait);
    return referee_.judge(submission);
  }

  /// Each submission that ran gets a signed record, DIR/NAME/TIME/study.json.
  void record(Ruling& ruling) {
    const bool ceilings = request_.options.counting.ceilings != CeilingsWanted::off &&
                          ruling.passed() && !request_.rules.check_only;
    const StudyRecord study =
        record_of(*request_.wanted.kernel, referee_.subject(), ruling, ceilings, secret_);
    if (request_.output.empty()) return;
    const std::filesystem::path all = request_.output / ruling.submission.name;
    std::filesystem::create_directories(all);
    write_record(new_folder(all / folder_name()), study);
  }

  void print_table() const {
    using enum roofline::Align;
    roofline::Table table = roofline::plain_table({{"rank", right},
                                                   {"submission", left},
                                                   {"model", left},
                                                   {"verdict", left},
                                                   {"time", right},
                                                   {"+-", right},
                                                   {"error", right},
                                                   {"right answers", right}});
    std::string reasons;
    const Ruling* last = nullptr;  // the layers depend only on the kind of device
    for (const Ruling& one : all_) {
      const std::string name = roofline::visible(one.submission.name);
      table.add({one.rank == 0 ? "-" : fmt::format("{}", one.rank), name,
                 one.submission.variant.model,
                 one.passed() ? "ok"
                 : one.foul   ? "FOUL"
                              : "FAILED",
                 one.timed() ? roofline::describe_seconds(one.timing().median) : "-",
                 one.timed() ? roofline::percent_text(100 * one.timing().spread()) : "-",
                 one.checks > 0 ? fmt::format("{:.1e}", one.check.max_relative_error) : "-",
                 fmt::format("{}", one.checks)});
      if (!one.passed())
        reasons += fmt::format("\n{}: {}\n", name, roofline::visible_lines(one.reason));
      else if (!one.no_rank.empty() && !request_.rules.check_only)
        reasons += fmt::format("\n{} has no rank: {}\n", name, one.no_rank);
      if (!one.layers.tried.empty()) last = &one;
    }
    fmt::print("{}{}", roofline::terminal_text(table), reasons);
    if (last == nullptr) return;
    fmt::print("\n{}Times contain the way to a player and back: {} with an empty one.\n",
               roofline::paragraph("Layers: " + last->layers.text(), 2, roofline::text_width()),
               roofline::describe_seconds(last->round_trip_s));
  }

  const InterruptGuard guard_;
  JudgeRequest& request_;
  roofline::ProgressLine line_;
  const Secret secret_;
  Referee referee_;
  std::vector<Ruling> all_;
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
