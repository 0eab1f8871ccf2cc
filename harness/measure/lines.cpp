#include "harness/measure/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "harness/measure/apart.h"
#include "harness/program/child.h"
#include "harness/program/interrupt.h"
#include "roofline/base/terminal.h"

namespace gpp {
namespace {

using roofline::LineMode;

/// Answers are judged on that many pieces of work: a reference of more takes its time.
constexpr std::int64_t judged_terms = 200'000'000;

/// Patched kernels take up to that many times as long.
constexpr double slowdown = 200;

/// A worker of a mode.
class Bench {
 public:
  Bench(const Subject& subject, const Kernel& kernel, const Choice& choice,
        const LinesOptions& options, LineMode mode)
      : subject_(subject),
        choice_(choice),
        tolerance_(kernel.tolerance(choice.variant->step)),
        apart_(*choice.build->runtime, {options.limit_s, InterruptGuard::interrupted, true}) {
    WorkerProgram program = program_of(kernel, choice);
    program.lines = mode;
    program.period = options.period;
    build_ = &apart_.employ(*choice.build, program);
  }

  /// A wrong variant gives no evidence. On a part, where the whole has no reference.
  void judge() {
    std::string part;
    const std::unique_ptr<Subject> slice = subject_.slice(judged_terms, part);
    Stage stage(slice ? *slice : subject_);
    const Check check = stage.run(*choice_.variant, *build_, as_it_is, tolerance_).check;
    if (!check.passed)
      throw std::runtime_error(fmt::format("the variant's answer is wrong{}: {}",
                                           part.empty() ? "" : " on " + part, check.reason));
  }

  /// Runs on a part of so many pieces of work, 0: on all. Returns how many it has, and the seconds
  /// of the last run.
  std::pair<std::int64_t, double> run(std::int64_t terms, std::string& part, int times = 1) {
    const std::unique_ptr<Subject> slice = terms > 0 ? subject_.slice(terms, part) : nullptr;
    const Subject& subject = slice ? *slice : subject_;
    Stage stage(subject);
    double seconds = 0;
    for (int i = 0; i < times; ++i) seconds = stage.run_only(*choice_.variant, *build_, as_it_is);
    return {subject.input().terms, seconds};
  }

  LinesRecord ask(const char* order) {
    return apart_.ask(*build_, message_text(order, roofline::Nothing{}), lines_message)
        .read<LinesRecord>();
  }

 private:
  const Subject& subject_;
  const Choice& choice_;
  double tolerance_;
  Apart apart_;
  const Build* build_ = nullptr;
};

/// Samples, and the totals of the part that is to be counted, `asked` pieces of work.
void take_samples(Bench& bench, const Subject& subject, const LinesOptions& options,
                  FoundLines& found, std::optional<std::int64_t>& asked) {
  std::string part;
  bench.judge();
  bench.run(0, part);
  found.samples = bench.ask(sample_message);
  asked =
      countable_terms(subject.input().terms, found.samples.plain_seconds, options.counting_seconds);
  found.totals_terms = bench.run(*asked, part).first;
  found.totals = bench.ask(totals_message);
}

void take_counts(Bench& bench, const Subject& subject, const LinesOptions& options,
                 FoundLines& found, std::optional<std::int64_t> asked) {
  bench.judge();
  if (!asked)
    asked = countable_terms(subject.input().terms, bench.run(0, found.part, 2).second,
                            options.counting_seconds);
  found.counts_terms = bench.run(*asked, found.part, 2).first;
  found.counts = bench.ask(instructions_message);
}

}  // namespace

std::int64_t countable_terms(std::int64_t terms, double run_seconds, double counting_seconds) {
  const double whole = slowdown * run_seconds;
  if (!(whole > counting_seconds)) return 0;
  const double share = counting_seconds / whole;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(terms)));
}

LinesRecord measure_lines(const Kernel& kernel, const SourceRequest& source, const Choice& choice,
                          const LinesOptions& options) {
  // A module that is loaded before anybody listens has no lines. Nothing here has asked for eager
  // loading on purpose.
  setenv("CUDA_MODULE_LOADING", "LAZY", 1);
  FoundLines found;
  std::optional<std::int64_t> asked;
  std::vector<std::string> lost;
  const std::string none = error_of([&] {
    SourceRequest request = source;
    request.most_judged = judged_terms;
    const std::unique_ptr<Subject> subject = kernel.obtain(request);
    const auto take = [&](LineMode mode, const char* name, const auto& action) {
      roofline::ProgressLine progress;
      progress.show(fmt::format("{} {}: {}", choice.variant->model, choice.variant->id, name));
      const std::string error = error_of([&] {
        Bench bench(*subject, kernel, choice, options, mode);
        action(bench, *subject, options, found, asked);
      });
      if (error.empty()) return;
      const bool totals = mode == LineMode::samples && found.samples.has_samples();
      lost.push_back(
          fmt::format("{}: {}", totals ? "the totals of the hardware's counters" : name, error));
    };
    take(LineMode::samples, "samples", take_samples);
    take(LineMode::instructions, "counts of instructions", take_counts);
    found.samples.terms = subject->input().terms;
  });
  if (!none.empty()) lost.push_back(none);
  found.samples.lost.insert(found.samples.lost.end(), lost.begin(), lost.end());
  return joined(std::move(found));
}

}  // namespace gpp
