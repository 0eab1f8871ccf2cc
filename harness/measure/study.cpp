#include "harness/measure/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "harness/measure/apart.h"
#include "harness/plugin/plugin.h"
#include "harness/program/child.h"
#include "harness/program/source_diff.h"
#include "harness/record/provenance.h"
#include "roofline/machine_code/instruction_mix.h"

namespace gpp {
namespace {

/// One variant on its way through the study.
struct Entry {
  const Variant* variant = nullptr;
  const Build* build = nullptr;  // in a worker
  Apart* apart = nullptr;        // has the worker
  Result* result = nullptr;
  double used = 0;   // seconds of its share of the time limit, its first run's included
  double share = 0;  // seconds of the time limit that it may use
  std::vector<std::vector<std::string>> limits = {};  // told after each timed run
  bool timing = false;
};

constexpr const char* not_asked = "the hardware was not asked: --counters source";

class Runner {
 public:
  Runner(const Kernel& kernel, Subject& subject, const StudyOptions& options,
         const StudyEvents& events)
      : kernel_(kernel), subject_(subject), options_(options), events_(events), stage_(subject) {}

  ~Runner() {
    if (events_.load != nullptr) events_.load->own_too({});
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  std::vector<Result> run(const std::vector<Choice>& choices) {
    enter(choices);
    start_apart();
    events_.recorded(results_, false);
    for (Entry& entry : entries_) {
      if (events_.interrupted()) break;
      if (entry.result->status != Status::failed) warm_up(entry);
      events_.recorded(results_, false);
    }
    share_out();
    for (std::size_t round = 0; active() > 0 && !events_.interrupted(); ++round) {
      time_round(round);
      events_.recorded(results_, false);
    }
    finish();
    measure_energy();
    end_on_hosts();
    events_.recorded(results_, true);
    count();
    return results_;
  }

 private:
  void enter(const std::vector<Choice>& choices) {
    results_.resize(choices.size());
    for (std::size_t i = 0; i < choices.size(); ++i) {
      Result& result = results_[i];
      result.variant = choices[i].variant->id;
      result.step = choices[i].variant->step;
      result.model = choices[i].variant->model;
      result.check.max_relative_error = std::numeric_limits<double>::infinity();
      result.check.tolerance =
          options_.tolerance ? *options_.tolerance : kernel_.tolerance(choices[i].variant->step);
      result.reason = choices[i].reason;
      if (choices[i].build == nullptr) continue;
      if (const Variant* parent = predecessor(kernel_.catalog(), *choices[i].variant))
        result.parent = parent->id;
      result.sources = sources_of_plugin(*choices[i].variant);
      result.reason = "not run: the study ended before its turn";
      result.preparation_seconds = subject_.preparation_seconds(*choices[i].variant);
      Entry& entry = entries_.emplace_back(Entry{.variant = choices[i].variant, .result = &result});
      guard(entry, "before its first run", [&] { employ(entry, choices[i]); });
    }
  }

  // ---- Workers ----

  void employ(Entry& entry, const Choice& choice) {
    const Build& build = *choice.build;
    std::unique_ptr<Apart>& apart = apart_[build.runtime];
    if (!apart)
      apart = std::make_unique<Apart>(
          *build.runtime, ApartOptions{longest_run(), events_.interrupted, build.kind != "host",
                                       options_.counting.recorder});
    std::optional<WorkerProgram> program;
    if (options_.programs) program = program_of(kernel_, choice, options_.units);
    entry.apart = apart.get();
    entry.build = &apart->employ(build, program);
  }

  /// Seconds; a slow variant takes far less.
  double longest_run() const {
    if (options_.longest_run > 0) return options_.longest_run;
    constexpr double least = 60, of_a_term = 1e-6;
    return std::max(least, options_.timing.time_limit) +
           of_a_term * static_cast<double>(subject_.input().terms);
  }

  void start_apart() {
    for (auto& [runtime, apart] : apart_) {
      const std::string error = error_of([this, &apart = apart] {
        stage_.on(*apart);
        apart->start_all();
      });
      for (Entry& entry : entries_)
        if (!error.empty() && entry.apart == apart.get())
          fail(entry, "before its first run: " + error);
    }
    if (events_.load != nullptr)
      events_.load->own_too([this] {
        double seconds = 0;
        for (const auto& [runtime, apart] : apart_) seconds += apart->cpu_seconds();
        return seconds;
      });
  }

  /// A GPU's workers stay, to count.
  void end_on_hosts() {
    for (Entry& entry : entries_)
      if (entry.build != nullptr && entry.build->kind == "host") entry.apart->end_all();
  }

  bool was_interrupted() const {
    return std::ranges::any_of(apart_,
                               [](const auto& one) { return one.second->was_interrupted(); });
  }

  // ---- Runs ----

  void warm_up(Entry& entry) {
    events_.progress(title_of(entry) + ": checking", -1);
    guard(entry, "in its first run", [&] {
      const Runtime& runtime = *entry.build->runtime;
      entry.result->kind = entry.build->kind;
      entry.result->threads = threads_of(*entry.result);
      if (options_.units > 0)
        entry.result->threads = std::min(entry.result->threads, options_.units);
      entry.result->device = runtime.describe().name;
      const double start = events_.clock();
      run_once(entry, as_it_is);
      entry.used = events_.clock() - start;
      entry.result->clocks.before = pulse_of(entry).clock_mhz;
      entry.timing = true;
    });
  }

  void time_round(std::size_t round) {
    for (const std::size_t place : order_of_round(entries_.size(), engine_)) {
      Entry& entry = entries_[place];
      if (!entry.timing || events_.interrupted()) continue;
      events_.progress(fmt::format("round {}: {}", round + 1, title_of(entry)), share_of_timing());
      guard(entry, fmt::format("in timed run {}", entry.result->samples.size() + 1), [&] {
        const double start = events_.clock();
        const double seconds = run_once(entry, any_seed());
        entry.used += events_.clock() - start;
        take_sample(entry, seconds);
      });
      if (!entry.timing) continue;
      entry.result->stop = stop(options_.timing, *entry.result, entry.used, entry.share);
      entry.timing = entry.result->stop == Stop::none;
    }
  }

  /// Runs and checks; returns the seconds it took. The record shows the answer of the first run, on
  /// the problem as it is, and the largest error of all.
  double run_once(Entry& entry, std::uint64_t seed) {
    Result& result = *entry.result;
    const bool first = result.answer.empty();
    const Tried tried =
        stage_.run(*entry.variant, *entry.build, seed, tolerance_of(entry), events_.load, first);
    load_ = tried.load;
    if (first) result.answer = stage_.on(*entry.build->runtime).answer();
    if (first || !tried.check.passed ||
        tried.check.max_relative_error > result.check.max_relative_error)
      result.check = tried.check;
    result.launches = entry.build->runtime->launches();
    if (!tried.check.passed) throw std::runtime_error(tried.check.reason);
    if (!(tried.seconds > 0))
      throw std::runtime_error("the device measured no time; its clock cannot be trusted");
    result.status = Status::passed;
    result.reason.clear();
    return tried.seconds;
  }

  void take_sample(Entry& entry, double seconds) {
    const Pulse pulse = pulse_of(entry);
    std::vector<std::string> limits;
    load_.gpu = watched_share(entry, pulse);
    if (entry.build->kind == "gpu" && events_.gpu)
      limits = events_.gpu(*entry.build->runtime).clock_limits();
    entry.result->samples.push_back(seconds);
    entry.result->clocks.samples.push_back(pulse.clock_mhz);
    entry.result->clocks.after = pulse.clock_mhz;
    entry.limits.push_back(std::move(limits));
    if (events_.load != nullptr) entry.result->load.push_back(load_);
  }

  Pulse pulse_of(const Entry& entry) {
    if (entry.build->kind == "host" && events_.host_clock) return {events_.host_clock()};
    return entry.build->runtime->pulse(brief_pulse);
  }

  /// Divides the time limit among all that are timed.
  void share_out() {
    const auto timed = static_cast<double>(std::max<std::size_t>(1, active()));
    for (Entry& entry : entries_) entry.share = options_.timing.time_limit / timed;
  }

  /// Each variant runs alone for some seconds. The last of its answers is checked.
  void measure_energy() {
    for (Entry& entry : entries_) {
      if (!events_.energy || events_.interrupted() || entry.result->status != Status::passed)
        continue;
      events_.progress("energy: " + title_of(entry), -1);
      guard(entry, "while its energy was measured", [&] {
        EnergyRecord energy = events_.energy(*entry.apart).measure([&](double seconds) {
          entry.apart->repeat_next_run(seconds);
          const double took = stage_.run_only(*entry.variant, *entry.build, any_seed());
          return Repeated{entry.apart->runs(), took, pulse_of(entry).clock_mhz};
        });
        const Check check = stage_.on(*entry.build->runtime).check(tolerance_of(entry));
        if (!check.passed) throw std::runtime_error(check.reason);
        if (watched_share(entry, pulse_of(entry)) > disturbed_threshold)
          energy.reason = "another program used the GPU meanwhile";
        entry.result->energy = std::move(energy);
      });
      events_.recorded(results_, false);
    }
  }

  /// The share of the GPU's time that others took; NaN on a host, and where nothing tells.
  double watched_share(const Entry& entry, const Pulse& pulse) const {
    if (entry.build->kind != "gpu" || !events_.gpu) return std::nan("");
    return share_of_others(events_.gpu(*entry.build->runtime), pulse);
  }

  void fail(Entry& entry, const std::string& reason) {
    entry.result->status = Status::failed;
    entry.result->reason = reason;
    entry.timing = false;
  }

  /// Whatever a variant or its device throws ends that variant alone.
  void guard(Entry& entry, const std::string& when, const std::function<void()>& action) {
    const std::string error = error_of(action);
    if (error.empty()) return;
    entry.timing = false;
    if (!was_interrupted()) fail(entry, when + ": " + error);
  }

  /// Clocks are compared among all that ran on the same device.
  void finish() {
    std::map<std::string, double> highest;
    for (const Result& result : results_)
      for (const double mhz : result.clocks.samples)
        highest[result.device] = std::max(highest[result.device], mhz);
    for (Result& result : results_)
      result.clocks.throttled = count_throttled(result.clocks.samples, highest[result.device]);
    for (Entry& entry : entries_) count_limits(entry, highest[entry.result->device]);
  }

  /// The driver tells late: what it says counts for runs whose clock was low.
  static void count_limits(Entry& entry, double highest) {
    constexpr double low = 0.98;
    Clocks& clocks = entry.result->clocks;
    for (std::size_t i = 0; i < std::min(entry.limits.size(), clocks.samples.size()); ++i)
      for (const std::string& limit : entry.limits[i])
        if (clocks.samples[i] > 0 && clocks.samples[i] < low * highest) ++clocks.limited[limit];
  }

  // ---- Counting ----

  void count() {
    for (Entry& entry : entries_) {
      if (entry.result->status != Status::passed) continue;
      events_.progress("counting " + title_of(entry), -1);
      roofline::Counted& counted = entry.result->counted;
      if (options_.counting.counters == CountersWanted::off)
        counted.reason = "not asked for: --counters off";
      else if (events_.interrupted())
        counted.reason = "the study was interrupted before it was counted";
      else
        counted = entry.build->kind == "host" ? counted_on_host(entry) : counted_on_gpu(entry);
    }
    for (auto& [runtime, apart] : apart_) apart->end_all();
    events_.recorded(results_, false);
  }

  /// By hardware where that can be, else from the source. What the hardware gave is kept, but none
  /// of its metrics beside those of the source.
  roofline::Counted counted_on_gpu(const Entry& entry) {
    if (!options_.counting.by_hardware())
      return count_by_source(subject_, *entry.variant, "gpu", not_asked);
    const double start = events_.clock();
    roofline::Counted counted =
        roofline::counted_or_why_not([&] { return counted_by_hardware(entry); });
    counted.seconds = events_.clock() - start;
    if (counted.source != roofline::CountedBy::nobody) return counted;
    roofline::Counted computed = count_by_source(subject_, *entry.variant, "gpu", counted.reason);
    counted.source = computed.source;
    counted.reason = std::move(computed.reason);
    counted.metrics = std::move(computed.metrics);
    return counted;
  }

  roofline::Counted counted_by_hardware(const Entry& entry) {
    const std::int64_t most = options_.counting.countable_terms;
    if (!slice_ && subject_.input().terms > most)
      if ((sliced_ = subject_.slice(most, part_))) slice_.emplace(*sliced_);
    std::vector<Stage*> stages = {&stage_};
    if (slice_) stages.push_back(&*slice_);
    const CountOrder order{title_of(entry), options_.counting.counters == CountersWanted::all,
                           slice_ ? part_ : ""};
    return entry.apart->count(*entry.variant, *entry.build, order, stages, tolerance_of(entry));
  }

  /// By the source, and by what the compiler made of it.
  roofline::Counted counted_on_host(const Entry& entry) {
    const bool looks = options_.counting.looks_into_runs();
    roofline::Counted counted =
        count_by_source(subject_, *entry.variant, "host",
                        looks ? "the counters of a host are not read" : not_asked);
    if (!looks) return counted;
    entry.result->code = roofline::instruction_mix(entry.build->call.code());
    if (const double scalar = entry.result->code.scalar_share(); scalar >= 0)
      counted.metrics["scalar_fraction"] = scalar;
    return counted;
  }

  static std::string title_of(const Entry& entry) {
    return entry.result->model + " " + entry.result->variant;
  }
  static double tolerance_of(const Entry& entry) { return entry.result->check.tolerance; }
  /// Different for each run, and not to be foreseen.
  std::uint64_t any_seed() { return engine_() | 1; }

  std::size_t active() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(entries_, [](const Entry& entry) { return entry.timing; }));
  }
  /// The share of the time limit that is used.
  double share_of_timing() const {
    double used = 0;
    for (const Entry& entry : entries_) used += entry.used;
    return std::min(1.0, used / options_.timing.time_limit);
  }

  const Kernel& kernel_;
  Subject& subject_;
  const StudyOptions& options_;
  const StudyEvents& events_;
  std::map<const Runtime*, std::unique_ptr<Apart>> apart_;
  Stage stage_;
  std::string part_;                 // what the slice is
  std::unique_ptr<Subject> sliced_;  // for counters kept by software; cut when it is needed
  std::optional<Stage> slice_;
  std::mt19937_64 engine_{std::random_device{}()};
  std::vector<Result> results_;
  std::vector<Entry> entries_;
  LoadShare load_;  // of the last run
};

}  // namespace

Stop stop(const TimingRule& rule, const Result& result, double used, double share) {
  const std::vector<bool> disturbed = result.disturbed_runs();
  std::vector<double> quiet;
  for (std::size_t i = 0; i < disturbed.size(); ++i)
    if (!disturbed[i]) quiet.push_back(result.samples[i]);
  return stop(rule, quiet, used, share, static_cast<int>(disturbed.size() - quiet.size()));
}

std::vector<Result> run_study(const Kernel& kernel, Subject& subject,
                              const std::vector<Choice>& choices, const StudyOptions& options,
                              const StudyEvents& events) {
  return Runner(kernel, subject, options, events).run(choices);
}

roofline::Counted count_by_source(Subject& subject, const Variant& variant, const std::string& kind,
                                  const std::string& reason) {
  SourceCount found = subject.count(variant);
  if (kind == "host") found.metrics.merge(found.on_host);
  if (!found.metrics.empty()) return roofline::stated(std::move(found.metrics), reason);
  roofline::Counted counted;
  counted.reason = fmt::format("{}; nor from the source: {}", reason, found.unknown);
  return counted;
}

}  // namespace gpp
