#include "harness/measure/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "harness/measure/apart.h"
#include "harness/measure/child.h"
#include "harness/measure/stage.h"
#include "harness/program/interrupt.h"
#include "harness/program/source_files.h"
#include "roofline/base/terminal.h"

namespace gpp {
namespace {

using roofline::LineEvidence;
using roofline::LineMode;

constexpr std::size_t most_sources = 100;
constexpr std::size_t most_lost = 100;

/// Answers are judged on that many pieces of work: a reference of more takes its time.
constexpr std::int64_t judged_terms = 200'000'000;

/// Patched kernels take up to that many times as long.
constexpr double slowdown = 200;

/// Every instruction is counted once: sums over lines are the hardware's own counts.
void compare_totals(LinesRecord& record) {
  for (const auto& [name, total] : record.totals) {
    const auto sum = record.sums.find(name);
    if (sum == record.sums.end() || roofline::are_same(name, sum->second, total)) continue;
    record.lost.push_back(
        fmt::format("{}: the lines have {} together, the hardware's counter told {}", name,
                    sum->second, total));
  }
}

void add_counts(LinesRecord& record, FoundLines& found) {
  const std::int64_t terms = record.terms, part_terms = found.counts_terms;
  record.counted = std::move(found.counts.counted);
  record.part = part_terms == terms ? "" : found.part;
  record.scale = static_cast<double>(terms) / static_cast<double>(part_terms);
  record.sums = roofline::total_counts(found.counts.lines);
  if (found.totals_terms == part_terms) record.totals = std::move(found.totals.totals);
  compare_totals(record);
  for (LineEvidence& line : found.counts.lines)
    for (auto& [name, number] : line.counts) number = scaled_count(number, terms, part_terms);
  record.lines = roofline::merged(record.lines, found.counts.lines);
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}

/// The sources as they are now, which may change.
void add_sources(LinesRecord& record) {
  const auto add = [&record](const roofline::SourcePlace& place) {
    if (place.file.empty() || place.file.front() == '/' || record.sources.contains(place.file) ||
        record.sources.size() >= most_sources)
      return;
    if (const auto text = source_text(place.file)) record.sources[place.file] = lines_in(*text);
  };
  for (const LineEvidence& line : record.lines) {
    add(line.place);
    if (line.called_from) add(*line.called_from);
  }
}

// ---- The study ----------------------------------------------------------------------------------

/// A worker of a mode, and the variant's input for it.
class Bench {
 public:
  Bench(const Subject& subject, const Kernel& kernel, const Choice& choice,
        const LinesOptions& options, LineMode mode)
      : subject_(subject),
        choice_(choice),
        tolerance_(kernel.tolerance(choice.variant->step)),
        apart_(*choice.build->runtime, {options.limit_s, InterruptGuard::interrupted, true}),
        build_(apart_.employ(*choice.build, WorkerProgram{.kernel = kernel.name,
                                                          .variant = choice.variant->id,
                                                          .model = choice.variant->model,
                                                          .kind = choice.build->kind,
                                                          .lines = mode,
                                                          .period = options.period})),
        whole_(subject) {}

  /// A wrong variant gives no evidence. On a part, where the whole has no reference.
  void judge() {
    std::string part;
    const std::unique_ptr<Subject> slice = subject_.slice(judged_terms, part);
    Stage stage(slice ? *slice : subject_);
    const Check check = stage.run(*choice_.variant, build_, as_it_is, tolerance_).check;
    if (!check.passed)
      throw std::runtime_error(fmt::format("the variant's answer is wrong{}: {}",
                                           part.empty() ? "" : " on " + part, check.reason));
  }

  double run_whole() { return whole_.run_only(*choice_.variant, build_, as_it_is); }

  /// Cuts a part of so many pieces of work, 0: all. Returns how many it has.
  std::int64_t cut(std::int64_t terms, std::string& part) {
    if (terms > 0) slice_ = subject_.slice(terms, part);
    const Subject& subject = slice_ ? *slice_ : subject_;
    part_.emplace(subject);
    return subject.input().terms;
  }
  void run_part() { part_->run_only(*choice_.variant, build_, as_it_is); }

  LinesRecord ask(const char* order) {
    return apart_.ask(build_, message_text(order, roofline::Nothing{}), lines_message)
        .read<LinesRecord>();
  }

 private:
  const Subject& subject_;
  const Choice& choice_;
  double tolerance_;
  Apart apart_;  // outlives what is placed there
  const Build& build_;
  Stage whole_;
  std::unique_ptr<Subject> slice_;
  std::optional<Stage> part_;
};

/// Samples, and the totals of the part that is to be counted, `asked` pieces of work.
void take_samples(Bench& bench, const Subject& subject, const LinesOptions& options,
                  FoundLines& found, std::optional<std::int64_t>& asked) {
  bench.judge();
  bench.run_whole();
  found.samples = bench.ask(sample_message);
  asked = countable_terms(subject.input().terms, found.samples.plain_seconds, options);
  std::string part;
  found.totals_terms = bench.cut(*asked, part);
  bench.run_part();
  found.totals = bench.ask(totals_message);
}

void take_counts(Bench& bench, const Subject& subject, const LinesOptions& options,
                 FoundLines& found, std::optional<std::int64_t> asked) {
  bench.judge();
  if (!asked) {
    bench.run_whole();
    asked = countable_terms(subject.input().terms, bench.run_whole(), options);
  }
  found.counts_terms = bench.cut(*asked, found.part);
  bench.run_part();
  bench.run_part();
  found.counts = bench.ask(instructions_message);
}

}  // namespace

std::uint64_t scaled_count(std::uint64_t count, std::int64_t terms, std::int64_t part_terms) {
  const std::int64_t common = std::gcd(terms, part_terms);
  const auto over = static_cast<std::uint64_t>(terms / common);
  const auto under = static_cast<std::uint64_t>(part_terms / common);
  constexpr std::uint64_t small = 4'000'000'000;  // products of two fit
  const auto rough = static_cast<long double>(count) * static_cast<long double>(over) /
                     static_cast<long double>(under);
  if (rough > static_cast<long double>(roofline::most_events)) return roofline::most_events;
  if (over > small || under > small) return static_cast<std::uint64_t>(std::llroundl(rough));
  return count / under * over + (count % under * over + under / 2) / under;
}

std::int64_t countable_terms(std::int64_t terms, double run_seconds, const LinesOptions& options) {
  const double whole = slowdown * run_seconds;
  if (options.whole || !(whole > options.counting_seconds)) return 0;
  const double share = options.counting_seconds / whole;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(terms)));
}

LinesRecord joined(FoundLines found) {
  LinesRecord record = std::move(found.samples);
  for (const LinesRecord* other : {&found.totals, &found.counts})
    record.lost.insert(record.lost.end(), other->lost.begin(), other->lost.end());
  if (found.counts.has_counts()) add_counts(record, found);
  if (record.lines.size() > roofline::most_lines) {
    record.lines.resize(roofline::most_lines);
    record.lost.emplace_back("lines beyond the first 10000");
  }
  if (record.lost.size() > most_lost) record.lost.resize(most_lost);
  add_sources(record);
  return record;
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
