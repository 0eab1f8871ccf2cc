#include <fmt/format.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/measure/lines.h"
#include "harness/program/source_files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/recorder.h"
#include "roofline/statistics.h"

namespace gpp {
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

/// By kernel, because what the driver runs itself, such as cudaMemset, has no lines.
LinesRecord totals_of(VariantWorker& worker) {
  const std::vector<std::pair<const char*, std::string>> names = {
      {"warp_instructions", "smsp__inst_executed.sum"},
      {"thread_instructions", "smsp__thread_inst_executed.sum"},
      {"thread_instructions_pred_on", "smsp__thread_inst_executed_pred_on.sum"}};
  std::vector<std::string> counters;
  for (const auto& [count, counter] : names) counters.push_back(counter);
  const roofline::Recording recording = roofline::cupti_recorder().record_kernels(
      counters, {"lines", [&worker] { worker.run_again(); }});
  LinesRecord record;
  record.lost = recording.defects;
  for (const roofline::Missing& missing : recording.missing)
    record.lost.push_back(fmt::format("the total {}: {}", missing.name, missing.reason));
  for (const auto& [count, counter] : names)
    if (const auto found = recording.counters.find(counter); found != recording.counters.end())
      record.totals[count] = static_cast<std::uint64_t>(std::llround(found->second));
  return record;
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
  worker->work_until(totals_message);
  worker->say(message_text(lines_message, totals_of(*worker)));
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
