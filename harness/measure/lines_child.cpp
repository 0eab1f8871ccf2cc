#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/measure/child.h"
#include "harness/measure/lines.h"
#include "harness/program/source_files.h"
#include "roofline/base/text.h"
#include "roofline/recorder.h"

namespace gpp {
namespace {

/// Answers are judged on that many pieces of work: a reference of more takes its time.
constexpr std::int64_t judged_terms = 200'000'000;

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

/// Patched kernels take up to that many times as long.
constexpr double slowdown = 200;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A subject that lies on the device.
struct Placed {
  Placed(const Subject& subject, const Choice& chosen)
      : choice(chosen), placement(subject.place(*choice.build->runtime)) {}

  double run() {
    return choice.build->runtime->time(
        [this] { placement->run(*choice.variant, choice.build->call); });
  }

  Choice choice;
  std::unique_ptr<Placement> placement;
};

/// The variant and its input, once the process is attached.
class Bench {
 public:
  explicit Bench(const LinesTask& task) : task_(task), choice_(task.choose()) {
    if (choice_.build == nullptr) throw std::runtime_error(choice_.reason);
    if (choice_.build->kind != "gpu")
      throw std::runtime_error("lines are sampled and counted on GPUs alone");
    SourceRequest source = task.source;
    source.most_judged = judged_terms;
    subject_ = task.kernel->obtain(source);
  }

  /// A wrong variant gives no evidence. On a part, where the whole has no reference.
  void judge() {
    std::string part;
    const std::unique_ptr<Subject> slice = subject_->slice(judged_terms, part);
    Placed judged(slice ? *slice : *subject_, choice_);
    judged.run();
    const Check check = judged.placement->check(task_.kernel->tolerance(choice_.variant->step));
    if (!check.passed)
      throw std::runtime_error(fmt::format("the variant's answer is wrong{}: {}",
                                           part.empty() ? "" : " on " + part, check.reason));
  }

  Placed& whole() {
    if (!whole_) whole_ = std::make_unique<Placed>(*subject_, choice_);
    return *whole_;
  }

  /// The part that instructions are counted on: at most so many pieces of work, 0: all.
  Placed& part(std::int64_t terms) {
    if (terms > 0) part_subject_ = subject_->slice(terms, part_name_);
    if (!part_subject_) return whole();
    part_ = std::make_unique<Placed>(*part_subject_, choice_);
    return *part_;
  }

  std::int64_t terms() const { return subject_->input().terms; }
  std::int64_t part_terms() const { return part_subject_ ? part_subject_->input().terms : terms(); }
  const std::string& part_name() const { return part_name_; }

  bool is_own(const std::string& file) { return path_of(file) == choice_.variant->source; }

  /// The lines of a measurement, with paths of the repository.
  std::vector<roofline::LineEvidence> lines(
      const std::vector<roofline::InstructionEvidence>& instructions,
      const roofline::Cubins& cubins, std::vector<std::string>& lost) {
    std::vector<roofline::LineEvidence> found = roofline::lines_of(
        instructions, cubins, [this](const std::string& file) { return is_own(file); }, lost);
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

  const LinesTask& task_;
  Choice choice_;
  std::unique_ptr<Subject> subject_, part_subject_;
  std::unique_ptr<Placed> whole_, part_;
  std::string part_name_;
  std::map<std::string, std::string> paths_;
};

/// Until its clock is that of steady work.
void warm_up(Placed& placed) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(most_wall_seconds);
  for (double sum = 0; sum < warm_seconds && Clock::now() < end;) sum += placed.run();
}

/// Runs until there is enough, and returns the seconds of each run.
std::vector<double> run_a_while(Placed& placed, std::size_t most_runs) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::vector<double> seconds;
  double sum = 0;
  while (seconds.size() < most_runs && (seconds.size() < fewest_runs || sum < enough_seconds)) {
    seconds.push_back(placed.run());
    sum += seconds.back();
    const std::chrono::duration<double> wall = Clock::now() - start;
    if (seconds.size() >= fewest_runs && (sum > most_seconds || wall.count() > most_wall_seconds))
      break;
  }
  return seconds;
}

/// Writes the hardware's totals of the part that will be counted.
void write_totals(const LinesTask& task, Bench& bench, double run_seconds, std::FILE* out) {
  const std::int64_t terms = countable_terms(bench.terms(), run_seconds, task.options);
  Placed& part = bench.part(terms);
  part.run();
  const std::vector<std::pair<const char*, std::string>> names = {
      {"warp_instructions", "smsp__inst_executed.sum"},
      {"thread_instructions", "smsp__thread_inst_executed.sum"},
      {"thread_instructions_pred_on", "smsp__thread_inst_executed_pred_on.sum"}};
  std::vector<std::string> counters;
  for (const auto& [count, counter] : names) counters.push_back(counter);
  // By kernel, because what the driver runs itself, such as cudaMemset, has no lines.
  const roofline::KernelRecording recording =
      roofline::cupti_recorder().record_kernels(counters, {"lines", [&part] { part.run(); }});
  const roofline::Counters sums = recording.totals();
  TotalsMessage message{terms, bench.part_terms(), {}, recording.defects};
  for (const roofline::Missing& missing : recording.missing)
    message.lost.push_back(fmt::format("the total {}: {}", missing.name, missing.reason));
  for (const auto& [count, counter] : names)
    if (const auto found = sums.find(counter); found != sums.end())
      message.totals[count] = static_cast<std::uint64_t>(std::llround(found->second));
  roofline::tell(out, TotalsMessage::name, message);
}

void sample(const LinesTask& task, std::unique_ptr<roofline::LineRecorder> recorder,
            std::FILE* out) {
  // Everything that may launch a kernel comes after sampling was enabled.
  std::optional<Bench> made;
  std::vector<double> sampled;
  const auto prepare = [&] {
    made.emplace(task);
    made->judge();
    warm_up(made->whole());
  };
  const auto run = [&] { sampled = run_a_while(made->whole(), 100'000); };
  roofline::SampledCode code = recorder->sample(task.options.period, {prepare, run});
  recorder.reset();  // one listens to CUPTI at a time
  Bench& bench = *made;
  warm_up(bench.whole());
  const std::vector<double> plain = run_a_while(bench.whole(), sampled.size());
  LinesRecord record;
  record.lines = bench.lines(code.instructions, code.cubins, code.lost);
  record.terms = bench.terms();
  record.period = 1LL << code.period;
  record.dropped = code.dropped;
  record.elsewhere = code.elsewhere;
  record.sampled_seconds = median(sampled);
  record.plain_seconds = median(plain);
  record.lost = std::move(code.lost);
  roofline::tell(out, samples_message, record);
  // A failure from here on does no harm to the lines written above.
  write_totals(task, bench, median(plain), out);
}

std::int64_t terms_by_time(const LinesTask& task, Bench& bench) {
  bench.whole().run();
  return countable_terms(bench.terms(), bench.whole().run(), task.options);
}

void count(const LinesTask& task, roofline::LineRecorder& recorder, std::FILE* out) {
  Bench bench(task);
  bench.judge();
  Placed& part = bench.part(task.part_terms ? *task.part_terms : terms_by_time(task, bench));
  part.run();
  part.run();
  roofline::CountedCode code = recorder.count([&part] { part.run(); });
  CountsMessage message{bench.terms(), bench.part_terms(), bench.part_name(), code.counted, {}, {}};
  message.lines = bench.lines(code.instructions, code.cubins, code.lost);
  message.lost = std::move(code.lost);
  roofline::tell(out, CountsMessage::name, message);
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

std::int64_t countable_terms(std::int64_t terms, double run_seconds, const LinesOptions& options) {
  const double whole = slowdown * run_seconds;
  if (options.whole || !(whole > options.counting_seconds)) return 0;
  const double share = options.counting_seconds / whole;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(terms)));
}

bool run_lines_task(const LinesTask& task, std::FILE* out) {
  const std::string error = error_of([&] {
    auto recorder = roofline::attach_line_recorder(task.mode);
    if (task.mode == roofline::LineMode::samples)
      sample(task, std::move(recorder), out);
    else
      count(task, *recorder, out);
  });
  if (!error.empty()) roofline::tell(out, failure_message, roofline::Failure{error});
  return error.empty();
}

}  // namespace gpp
