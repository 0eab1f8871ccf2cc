#include "harness/measure/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "harness/measure/apart.h"
#include "harness/program/child.h"
#include "harness/program/interrupt.h"
#include "harness/program/source_files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/statistics.h"

namespace gpp {
namespace {

using roofline::LineEvidence;
using roofline::LineMode;

/// A worker of a mode.
class Bench {
 public:
  Bench(const Subject& subject, const Kernel& kernel, const Choice& choice, LineMode mode,
        int period)
      : subject_(subject),
        choice_(choice),
        apart_(*choice.build->runtime, {longest_silence, InterruptGuard::interrupted, true}) {
    WorkerProgram program = program_of(kernel, choice);
    program.lines = mode;
    program.period = period;
    build_ = &apart_.employ(*choice.build, program);
  }

  /// Runs twice on a part of so many pieces of work, 0: on all. Returns how many it has, and the
  /// seconds of the last run.
  std::pair<std::int64_t, double> run(std::int64_t terms, std::string& part) {
    const std::unique_ptr<Subject> slice = terms > 0 ? subject_.slice(terms, part) : nullptr;
    const Subject& subject = slice ? *slice : subject_;
    Stage stage(subject);
    stage.run_only(*choice_.variant, *build_, as_it_is);
    return {subject.input().terms, stage.run_only(*choice_.variant, *build_, as_it_is)};
  }

  LinesRecord ask(const char* order) {
    return apart_.ask(*build_, message_text(order, roofline::Nothing{}), lines_message)
        .read<LinesRecord>();
  }

 private:
  static constexpr double longest_silence = 300;  // seconds

  const Subject& subject_;
  const Choice& choice_;
  Apart apart_;
  const Build* build_ = nullptr;
};

/// Pieces of work to count, of `terms` of which one run takes so many seconds; 0: all.
std::int64_t countable_terms(std::int64_t terms, double seconds) {
  constexpr double slowdown = 200, longest = 10;  // patched kernels take so much longer
  const double share = longest / (slowdown * seconds);
  if (!(share < 1)) return 0;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(terms)));
}

void add_counts(LinesRecord& record, FoundLines& found) {
  const std::int64_t terms = record.terms, part_terms = found.counts_terms;
  record.counted = std::move(found.counts.counted);
  record.part = part_terms == terms ? "" : found.part;
  record.scale = static_cast<double>(terms) / static_cast<double>(part_terms);
  record.sums = roofline::total_counts(found.counts.lines);
  for (LineEvidence& line : found.counts.lines)
    for (auto& [name, number] : line.counts) number = scaled_count(number, terms, part_terms);
  record.lines = roofline::merged(record.lines, found.counts.lines);
}

void add_source(LinesRecord& record, const std::string& file) {
  constexpr std::size_t most_sources = 100;
  if (file.empty() || file.front() == '/' || record.sources.contains(file) ||
      record.sources.size() >= most_sources)
    return;
  const auto text = source_text(file);
  if (!text) return;
  std::istringstream stream(*text);
  std::vector<std::string>& lines = record.sources[file];
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
}

}  // namespace

std::uint64_t scaled_count(std::uint64_t count, std::int64_t terms, std::int64_t part_terms) {
  const auto scaled = static_cast<long double>(count) * static_cast<long double>(terms) /
                      static_cast<long double>(part_terms);
  return scaled < static_cast<long double>(roofline::most_events)
             ? static_cast<std::uint64_t>(std::llroundl(scaled))
             : roofline::most_events;
}

LinesRecord joined(FoundLines found) {
  constexpr std::size_t most_lost = 100;
  LinesRecord record = std::move(found.samples);
  record.lost.insert(record.lost.end(), found.counts.lost.begin(), found.counts.lost.end());
  if (found.counts.has_counts()) add_counts(record, found);
  if (record.lines.size() > roofline::most_lines) {
    record.lines.resize(roofline::most_lines);
    record.lost.emplace_back("lines beyond the first 10000");
  }
  if (record.lost.size() > most_lost) record.lost.resize(most_lost);
  for (const LineEvidence& line : record.lines) {
    add_source(record, line.place.file);
    if (line.called_from) add_source(record, line.called_from->file);
  }
  return record;
}

LinesRecord measure_lines(const Kernel& kernel, const SourceRequest& source, const Choice& choice,
                          int period) {
  // A module that is loaded before anybody listens has no lines. Nothing here has asked for eager
  // loading on purpose.
  setenv("CUDA_MODULE_LOADING", "LAZY", 1);
  FoundLines found;
  std::vector<std::string> lost;
  std::optional<std::int64_t> asked;  // pieces of work to count; 0: all
  const auto attempt = [&lost](const std::string& what, const std::function<void()>& action) {
    if (const std::string error = error_of(action); !error.empty())
      lost.push_back(what + ": " + error);
  };
  attempt("input", [&] {
    SourceRequest request = source;
    request.most_judged = 1;  // no reference, which takes its time
    const std::unique_ptr<Subject> subject = kernel.obtain(request);
    const std::int64_t terms = found.samples.terms = subject->input().terms;
    roofline::ProgressLine progress;
    const std::string name = fmt::format("{} {}: ", choice.variant->model, choice.variant->id);
    attempt("samples", [&] {
      progress.show(name + "samples");
      Bench bench(*subject, kernel, choice, LineMode::samples, period);
      bench.run(0, found.part);
      found.samples = bench.ask(sample_message);
      found.samples.terms = terms;
      asked = countable_terms(terms, found.samples.plain_seconds);
    });
    attempt("counts of instructions", [&] {
      progress.show(name + "counts of instructions");
      Bench bench(*subject, kernel, choice, LineMode::instructions, period);
      if (!asked) asked = countable_terms(terms, bench.run(0, found.part).second);
      found.counts_terms = bench.run(*asked, found.part).first;
      found.counts = bench.ask(instructions_message);
    });
  });
  found.samples.lost.insert(found.samples.lost.end(), lost.begin(), lost.end());
  return joined(std::move(found));
}

// ---- In the worker ------------------------------------------------------------------------------

namespace {

/// Sampled runs take together at least that long, which gives some 10^6 samples at the periods that
/// cost little, and end soon after: the hardware's buffer is finite. The median of three runs
/// tells the cost, whatever the clock does in one of them.
constexpr double enough_seconds = 0.05;
constexpr std::size_t fewest_runs = 3, most_runs = 100'000;

/// Before that runs of so many seconds, sampled or plain: a GPU needs some tenths of a second to
/// reach its clock, and after half a second of heavy work its power limit lowers that.
constexpr double warm_seconds = 1;

using Start = std::function<std::unique_ptr<VariantWorker>()>;

/// Runs until the runs have taken so many seconds together, and returns the seconds of each.
std::vector<double> run_for(VariantWorker& worker, double seconds, std::size_t fewest,
                            std::size_t most) {
  constexpr double longest = 2;  // seconds on the host's clock
  const double start = roofline::steady_seconds();
  std::vector<double> all;
  double sum = 0;
  while (all.size() < most &&
         (all.size() < fewest || (sum < seconds && roofline::steady_seconds() - start < longest))) {
    all.push_back(worker.run_again());
    sum += all.back();
  }
  return all;
}

/// Charges instructions to lines, with paths of the repository.
LinesRecord record_of_code(const std::string& variant_source, roofline::RecordedCode code) {
  constexpr std::size_t longest_function = 300;  // names of templates can be longer than that
  std::map<std::string, std::string> paths;      // each instruction asks
  const auto path_of = [&paths](const std::string& file) -> const std::string& {
    const auto [known, fresh] = paths.try_emplace(file);
    if (fresh) known->second = repository_path(file);
    return known->second;
  };
  roofline::LineTables tables(code.cubins);
  std::vector<roofline::LineEvidence> found = roofline::lines_of(
      code.instructions, tables,
      [&](const std::string& file) { return path_of(file) == variant_source; }, code.lost);
  for (roofline::LineEvidence& line : found) {
    line.place.file = path_of(line.place.file);
    if (line.called_from) line.called_from->file = path_of(line.called_from->file);
    line.function = roofline::shortened(line.function, longest_function);
  }
  found = roofline::merged(found, {});
  if (found.size() > roofline::most_lines)
    throw std::runtime_error(fmt::format("the code has {} lines, more than a record holds: {}",
                                         found.size(), roofline::most_lines));
  return record_of(std::move(code), std::move(found));
}

/// Everything that may launch a kernel comes after sampling was enabled.
void sample(std::unique_ptr<roofline::LineRecorder> recorder, int period,
            const std::string& variant_source, const Start& start) {
  std::unique_ptr<VariantWorker> worker;
  std::vector<double> sampled;
  const auto prepare = [&] {
    worker = start();
    worker->work_until(sample_message);
    run_for(*worker, warm_seconds, 0, most_runs);
  };
  const auto run = [&] { sampled = run_for(*worker, enough_seconds, fewest_runs, most_runs); };
  roofline::RecordedCode found = recorder->sample(period, {prepare, run});
  recorder.reset();  // one listens to CUPTI at a time
  run_for(*worker, warm_seconds, 0, most_runs);
  const double plain =
      roofline::middle_of(run_for(*worker, enough_seconds, fewest_runs, sampled.size()));
  LinesRecord record = record_of_code(variant_source, std::move(found));
  record.plain_seconds = plain;
  record.sampled_seconds = roofline::middle_of(sampled);
  worker->say(message_text(lines_message, record));
  worker->work_until();
}

void count(roofline::LineRecorder& recorder, const std::string& variant_source,
           const Start& start) {
  const std::unique_ptr<VariantWorker> worker = start();
  worker->work_until(instructions_message);
  const LinesRecord record =
      record_of_code(variant_source, recorder.count([&worker] { worker->run_again(); }));
  worker->say(message_text(lines_message, record));
  worker->work_until();
}

}  // namespace

void work_on_lines(roofline::LineMode mode, int period, const std::string& variant_source,
                   const Start& start) {
  auto recorder = roofline::attach_line_recorder(mode);
  if (mode == roofline::LineMode::samples)
    sample(std::move(recorder), period, variant_source, start);
  else
    count(*recorder, variant_source, start);
}

}  // namespace gpp
