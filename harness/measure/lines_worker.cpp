#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/measure/lines.h"
#include "harness/program/source_files.h"
#include "roofline/base/text.h"
#include "roofline/recorder.h"

namespace gpp {
namespace {

/// Sampled runs take together at least that long, which gives some 10^6 samples at the periods that
/// cost little, and end soon after: the hardware's buffer is finite. The median of three runs
/// tells the cost, whatever the clock does in one of them.
constexpr double enough_seconds = 0.05;
constexpr double most_seconds = 0.25;
constexpr double most_wall_seconds = 2;
constexpr std::size_t fewest_runs = 3;

/// Before that runs of so many seconds, sampled or plain: a GPU needs some tenths of a second to
/// reach its clock, and after half a second of heavy work its power limit lowers that.
constexpr double warm_seconds = 1;
/// Names of templates can be longer than anybody reads.
constexpr std::size_t longest_function = 300;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Charges instructions to lines, with paths of the repository.
class LinesOfCode {
 public:
  explicit LinesOfCode(std::string variant_source) : source_(std::move(variant_source)) {}

  std::vector<roofline::LineEvidence> lines(
      const std::vector<roofline::InstructionEvidence>& instructions,
      const roofline::Cubins& cubins, std::vector<std::string>& lost) {
    std::vector<roofline::LineEvidence> found = roofline::lines_of(
        instructions, cubins, [this](const std::string& file) { return path_of(file) == source_; },
        lost);
    for (roofline::LineEvidence& line : found) {
      line.place.file = path_of(line.place.file);
      if (line.called_from) line.called_from->file = path_of(line.called_from->file);
      line.function = roofline::shortened(line.function, longest_function);
    }
    found = roofline::merged(found, {});
    if (found.size() > roofline::most_lines)
      throw std::runtime_error(fmt::format("the code has {} lines, more than a record holds: {}",
                                           found.size(), roofline::most_lines));
    return found;
  }

 private:
  /// repository_path() of it; each instruction asks.
  const std::string& path_of(const std::string& file) {
    const auto [known, fresh] = paths_.try_emplace(file);
    if (fresh) known->second = repository_path(file);
    return known->second;
  }

  std::string source_;
  std::map<std::string, std::string> paths_;
};

/// Until the clock is that of steady work.
void warm_up(VariantWorker& worker) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(most_wall_seconds);
  for (double sum = 0; sum < warm_seconds && Clock::now() < end;) sum += worker.run_again();
}

/// Runs until there is enough, and returns the seconds of each run.
std::vector<double> run_a_while(VariantWorker& worker, std::size_t most_runs) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::vector<double> seconds;
  double sum = 0;
  while (seconds.size() < most_runs && (seconds.size() < fewest_runs || sum < enough_seconds)) {
    seconds.push_back(worker.run_again());
    sum += seconds.back();
    const std::chrono::duration<double> wall = Clock::now() - start;
    if (seconds.size() >= fewest_runs && (sum > most_seconds || wall.count() > most_wall_seconds))
      break;
  }
  return seconds;
}

/// By kernel, because what the driver runs itself, such as cudaMemset, has no lines.
LinesRecord totals_of(VariantWorker& worker) {
  const std::vector<std::pair<const char*, std::string>> names = {
      {"warp_instructions", "smsp__inst_executed.sum"},
      {"thread_instructions", "smsp__thread_inst_executed.sum"},
      {"thread_instructions_pred_on", "smsp__thread_inst_executed_pred_on.sum"}};
  std::vector<std::string> counters;
  for (const auto& [count, counter] : names) counters.push_back(counter);
  const roofline::KernelRecording recording = roofline::cupti_recorder().record_kernels(
      counters, {"lines", [&worker] { worker.run_again(); }});
  const roofline::Counters sums = recording.totals();
  LinesRecord record;
  record.lost = recording.defects;
  for (const roofline::Missing& missing : recording.missing)
    record.lost.push_back(fmt::format("the total {}: {}", missing.name, missing.reason));
  for (const auto& [count, counter] : names)
    if (const auto found = sums.find(counter); found != sums.end())
      record.totals[count] = static_cast<std::uint64_t>(std::llround(found->second));
  return record;
}

using Start = std::function<std::unique_ptr<VariantWorker>()>;

/// Everything that may launch a kernel comes after sampling was enabled.
void sample(std::unique_ptr<roofline::LineRecorder> recorder, int period, LinesOfCode& code,
            const Start& start) {
  std::unique_ptr<VariantWorker> worker;
  std::vector<double> sampled;
  const auto prepare = [&] {
    worker = start();
    worker->work_until(sample_message);
    warm_up(*worker);
  };
  const auto run = [&] { sampled = run_a_while(*worker, 100'000); };
  roofline::SampledCode found = recorder->sample(period, {prepare, run});
  recorder.reset();  // one listens to CUPTI at a time
  warm_up(*worker);
  const std::vector<double> plain = run_a_while(*worker, sampled.size());
  LinesRecord record;
  record.lines = code.lines(found.instructions, found.cubins, found.lost);
  record.period = 1LL << found.period;
  record.dropped = found.dropped;
  record.elsewhere = found.elsewhere;
  record.sampled_seconds = median(sampled);
  record.plain_seconds = median(plain);
  record.lost = std::move(found.lost);
  worker->say(message_text(lines_message, record));
  worker->work_until(totals_message);
  worker->say(message_text(lines_message, totals_of(*worker)));
  worker->work_until();
}

void count(roofline::LineRecorder& recorder, LinesOfCode& code, const Start& start) {
  const std::unique_ptr<VariantWorker> worker = start();
  worker->work_until(instructions_message);
  roofline::CountedCode found = recorder.count([&worker] { worker->run_again(); });
  LinesRecord record;
  record.counted = found.counted;
  record.lines = code.lines(found.instructions, found.cubins, found.lost);
  record.lost = std::move(found.lost);
  worker->say(message_text(lines_message, record));
  worker->work_until();
}

}  // namespace

std::string repository_path(const std::string& compiled) {
  namespace fs = std::filesystem;
  const std::string path = fs::path(compiled).lexically_normal().generic_string();
  // The longest end of it that is a source of the program.
  for (std::size_t at = 0; at < path.size();) {
    const std::string end = path.substr(at);
    if (end.front() != '/' && !end.starts_with("../") && end.find('/') != end.npos &&
        source_text(end))
      return end;
    const std::size_t slash = path.find('/', at);
    if (slash == path.npos) break;
    at = slash + 1;
  }
  return path.empty() ? compiled : path;
}

void work_on_lines(roofline::LineMode mode, int period, const std::string& variant_source,
                   const Start& start) {
  auto recorder = roofline::attach_line_recorder(mode);
  LinesOfCode code(variant_source);
  if (mode == roofline::LineMode::samples)
    sample(std::move(recorder), period, code, start);
  else
    count(*recorder, code, start);
}

}  // namespace gpp
