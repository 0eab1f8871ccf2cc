#include "harness/study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "harness/sources/source_diff.h"
#include "harness/study/decoy.h"
#include "harness/study/provenance.h"
#include "harness/study/slice.h"

namespace gpp {
namespace {

/// Seconds spent looking at what variants left in memory, per second that they ran.
constexpr double most_looking = 0.05;

double steady_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

Check unchecked(double tolerance) {
  Check check;
  check.max_relative_error = std::numeric_limits<double>::infinity();
  check.tolerance = tolerance;
  return check;
}

/// One run, and what is to be said of it.
struct Tried {
  Measurement measurement;
  Check check;
  LoadShare load;  // where it was measured
};

/// A problem with its reference, placed once on each device that is used.
class Stage {
 public:
  Stage(const PreparedProblem& problem, const Reference& reference)
      : problem_(problem), reference_(reference) {}

  /// Throws what the runtime throws when the problem does not fit.
  Placement& on(const Runtime& runtime) {
    std::unique_ptr<Placement>& placement = placements_[&runtime];
    if (!placement) placement = runtime.place(problem_);
    return *placement;
  }

  /// Runs and checks on the problem whose G' weigh `factors` times as much, in the same memory.
  Tried run(const Build& build, const std::vector<double>& factors, double tolerance,
            LoadMeter* load = nullptr) {
    Placement& placement = on(*build.runtime);
    placement.problem().reweight(factors);
    Tried tried;
    if (load != nullptr) load->begin();
    tried.measurement = placement.run(build.function);
    if (load != nullptr) tried.load = load->end();
    // As it is, it is judged by the reference itself, so that the record can be judged again.
    const Reference& due = factors == as_it_is() ? reference_ : reweighted(reference_, factors);
    tried.check = gpp::check(tried.measurement.sums, due, problem_.view().nfreq, tolerance);
    return tried;
  }

  /// The factors that make no difference.
  std::vector<double> as_it_is() const {
    return std::vector<double>(static_cast<std::size_t>(problem_.view().ngpown), 1.0);
  }
  const Input& input() const { return problem_.input(); }
  const Problem& view() const { return problem_.view(); }

 private:
  const PreparedProblem& problem_;
  const Reference& reference_;
  std::map<const Runtime*, std::unique_ptr<Placement>> placements_;
};

/// Other weights for each run, so that a result computed before is of no use. Powers of two: what
/// they are multiplied with keeps its digits.
class Weights {
 public:
  std::vector<double> draw(std::size_t count) {
    std::vector<double> factors(count);
    for (double& factor : factors) factor = std::ldexp(1.0, exponent_(engine_));
    return factors;
  }

 private:
  std::mt19937_64 engine_{std::random_device{}()};
  std::uniform_int_distribution<int> exponent_{-2, 2};
};

/// Another problem than the one studied, made for the study.
struct SideStage {
  explicit SideStage(Input&& input)
      : problem(std::move(input)),
        reference(compute_reference(problem.view())),
        stage(problem, reference) {}
  PreparedProblem problem;
  Reference reference;
  Stage stage;
};

/// One variant on its way through the study.
struct Entry {
  const Build* build = nullptr;
  Result* result = nullptr;
  double used = 0;  // seconds of its share of the time limit
  bool timing = false;
};

class Runner {
 public:
  Runner(const PreparedProblem& problem, const Reference& reference, const StudyOptions& options,
         const StudyEvents& events)
      : options_(options), events_(events), stage_(problem, reference) {
    for (Input& input : decoys()) decoys_.push_back(std::make_unique<SideStage>(std::move(input)));
  }

  std::vector<Result> run(const std::vector<Choice>& choices) {
    enter(choices);
    recorded();
    for (Entry& entry : entries_) {
      if (interrupted()) break;
      warm_up(entry);
      recorded();
    }
    share_ = options_.timing.time_limit / static_cast<double>(std::max<std::size_t>(1, active()));
    for (std::size_t round = 0; active() > 0 && !interrupted(); ++round) {
      time_round(round);
      recorded();
    }
    finish();
    recorded();
    if (events_.timed) events_.timed(results_);
    count_all();
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
      result.check = unchecked(options_.tolerance);
      result.reason = choices[i].reason;
      if (choices[i].build == nullptr) continue;
      if (const Variant* parent = predecessor(catalog(), *choices[i].variant))
        result.parent = parent->id;
      result.reason = "not run: the study ended before its turn";
      entries_.push_back({.build = choices[i].build, .result = &result});
    }
  }

  void warm_up(Entry& entry) {
    progress(fmt::format("{} {}: checking", entry.result->model, entry.result->variant));
    double seconds = 0;
    guard(entry, "in its first run", [&] {
      const Runtime& runtime = *entry.build->runtime;
      entry.result->kind = entry.build->device;
      entry.result->threads = threads_of(*entry.result);
      entry.result->device = runtime.describe().name;
      if (!knows_the_decoys(entry)) return;
      entry.result->clocks.before = clock_mhz(entry);
      seconds = run_once(entry, "in its first run", stage_.as_it_is());
      entry.timing = entry.result->status == Status::passed;
    });
    // After a first run this long nothing is left to warm up, and no time for another.
    const double share = options_.timing.time_limit / static_cast<double>(entries_.size());
    if (entry.timing && options_.timing.repeat == 0 && seconds > share) {
      take_sample(entry, seconds);
      stop_timing(entry, Stop::time_limit);
    }
  }

  /// Each twice with other values in the same memory, so that what was computed before is no help.
  bool knows_the_decoys(Entry& entry) {
    for (const auto& decoy : decoys_) {
      Stage& stage = decoy->stage;
      const auto ngpown = static_cast<std::size_t>(stage.view().ngpown);
      for (const std::vector<double>& factors : {stage.as_it_is(), weights_.draw(ngpown)}) {
        const Tried tried = stage.run(*entry.build, factors, options_.tolerance);
        const std::string changed = stage.on(*entry.build->runtime).problem().repair();
        if (tried.check.passed && changed.empty()) continue;
        entry.result->check = tried.check;
        fail(entry,
             tried.check.passed
                 ? writes(changed)
                 : "on a small other problem that every variant runs first: " + tried.check.reason);
        return false;
      }
    }
    return true;
  }

  static std::string writes(const std::string& array) {
    return fmt::format("it writes to its input ({}), which belongs to all variants", array);
  }

  void time_round(std::size_t round) {
    for (const std::size_t place : order_of_round(entries_.size(), round)) {
      Entry& entry = entries_[place];
      if (!entry.timing || interrupted()) continue;
      const std::vector<double>& samples = entry.result->samples;
      const std::string when = fmt::format("in timed run {}", samples.size() + 1);
      progress(
          fmt::format("round {}: {} {}", round + 1, entry.result->model, entry.result->variant),
          share_of_timing());
      guard(entry, when, [&] {
        const double start = now();
        const double seconds =
            run_once(entry, when, weights_.draw(static_cast<std::size_t>(stage_.view().ngpown)));
        entry.used += now() - start;
        if (entry.timing) take_sample(entry, seconds);
      });
      if (entry.timing) stop_timing(entry, done(entry));
    }
  }

  /// Runs on the problem itself and checks; returns the seconds it took. The record shows the sums
  /// of the first run, and the largest error of all.
  double run_once(Entry& entry, const std::string& when, const std::vector<double>& factors) {
    Result& result = *entry.result;
    const bool first = !result.has_sums;
    std::string changed;
    const Tried tried = run_fairly(entry, factors, first, changed);
    load_ = tried.load;
    if (first) {
      result.sums = tried.measurement.sums;
      result.has_sums = true;
      result.original = original_verdict(result.sums, stage_.input());
    }
    if (first || !tried.check.passed ||
        tried.check.max_relative_error > result.check.max_relative_error)
      result.check = tried.check;
    result.launches = stage_.on(*entry.build->runtime).launches();
    if (!changed.empty()) {
      fail(entry, when + ": " + writes(changed));
    } else if (!tried.check.passed) {
      fail(entry, when + ": " + tried.check.reason);
    } else if (!(tried.measurement.seconds > 0)) {
      fail(entry, when + ": the device measured no time; its clock cannot be trusted");
    } else {
      result.status = Status::passed;
      result.reason.clear();
    }
    return tried.measurement.seconds;
  }

  /// All variants share the arrays, so what one of them writes there must not be held against
  /// another. `changed` gets the array that this one was seen to write to. Looking takes time: it
  /// is done after a first run, where something is wrong, and as long as it takes little.
  Tried run_fairly(const Entry& entry, const std::vector<double>& factors, bool first,
                   std::string& changed) {
    bool& clean = clean_.try_emplace(entry.build->runtime, true).first->second;
    const double start = now();
    const bool was_clean = std::exchange(clean, false);
    Tried tried = stage_.run(*entry.build, factors, options_.tolerance, events_.load);
    running_ += now() - start;
    const bool cheap = looking_ <= most_looking * running_;
    if (tried.check.passed && !first && !someone_writes_ && !cheap) return tried;

    changed = repair(entry);
    clean = true;
    if (changed.empty() || was_clean) return tried;
    // Somebody wrote since the last look. From now on every run is looked at; this one is repeated.
    someone_writes_ = true;
    tried = stage_.run(*entry.build, factors, options_.tolerance, events_.load);
    changed = repair(entry);
    return tried;
  }

  std::string repair(const Entry& entry) {
    const double start = now();
    const std::string changed = stage_.on(*entry.build->runtime).problem().repair();
    looking_ += now() - start;
    return changed;
  }

  void take_sample(Entry& entry, double seconds) {
    entry.result->samples.push_back(seconds);
    if (events_.load != nullptr) entry.result->load.push_back(load_);
    entry.result->clocks.samples.push_back(clock_mhz(entry));
    entry.result->clocks.after = entry.result->clocks.samples.back();
  }

  double clock_mhz(const Entry& entry) {
    if (entry.build->device == "host" && events_.host_clock) return events_.host_clock();
    return stage_.on(*entry.build->runtime).clock_mhz();
  }

  /// Disturbed runs bring nobody nearer to the end, but for the time they took.
  Stop done(const Entry& entry) const {
    const std::vector<bool> disturbed = entry.result->disturbed_runs();
    std::vector<double> quiet;
    for (std::size_t i = 0; i < disturbed.size(); ++i)
      if (!disturbed[i]) quiet.push_back(entry.result->samples[i]);
    const auto others = static_cast<int>(disturbed.size() - quiet.size());
    return stop(options_.timing, quiet, entry.used, share_, others);
  }

  void stop_timing(Entry& entry, Stop why) {
    entry.result->stop = why;
    entry.timing = why == Stop::none;
  }

  void fail(Entry& entry, const std::string& reason) {
    entry.result->status = Status::failed;
    entry.result->reason = reason;
    entry.timing = false;
  }

  /// Whatever a variant or its device throws ends that variant alone.
  template <class Action>
  void guard(Entry& entry, const std::string& when, Action&& action) {
    try {
      action();
    } catch (const std::exception& error) {
      fail(entry, when + ": " + error.what());
    } catch (...) {
      fail(entry, when + ": stopped by an error of unknown kind");
    }
  }

  /// Clocks are compared among all that ran on the same device.
  void finish() {
    std::map<std::string, double> highest;
    for (const Result& result : results_)
      for (const double mhz : result.clocks.samples)
        highest[result.device] = std::max(highest[result.device], mhz);
    for (Result& result : results_)
      result.clocks.throttled = count_throttled(result.clocks.samples, highest[result.device]);
  }

  void count_all() {
    StepCounter counter(stage_.view());
    for (Entry& entry : entries_) {
      Result& result = *entry.result;
      if (result.status != Status::passed) continue;
      if (options_.counting.counters == Counters::off) {
        result.counted.reason = "not asked for: --counters off";
      } else if (interrupted()) {
        result.counted.reason = "the study was interrupted before it was counted";
      } else {
        progress(fmt::format("counting {} {}", result.model, result.variant));
        result.counted = count(entry, counter);
      }
    }
    recorded();
  }

  Counted count(const Entry& entry, StepCounter& counter) {
    const Result& result = *entry.result;
    if (result.kind == "host")
      return count_by_source(counter, result.step, result.model,
                             "the counters of a host are not read");
    if (!by_hardware(options_.counting, result.kind))
      return count_by_source(counter, result.step, result.model,
                             "the hardware was not asked: --counters source");
    const double start = now();
    Counted counted = count_by_hardware(
        *options_.counting.recorder, result.model + " " + result.variant,
        [this, &entry] { return run_to_be_counted(entry, stage_); }, slice_run(entry));
    counted.seconds = now() - start;
    if (!counted.source.empty()) return counted;
    const Counted computed = count_by_source(counter, result.step, result.model, counted.reason);
    counted.source = computed.source;
    counted.reason = computed.reason;
    counted.metrics = computed.metrics;
    return counted;
  }

  /// What is wrong with the sums, or "".
  std::string run_to_be_counted(const Entry& entry, Stage& stage) {
    return stage.run(*entry.build, stage.as_it_is(), options_.tolerance).check.reason;
  }

  /// Empty where the whole problem is small enough for every counter.
  std::optional<SliceRun> slice_run(const Entry& entry) {
    const Input& input = stage_.input();
    const std::int64_t most = options_.counting.countable_terms;
    if (input.terms() <= most) return std::nullopt;
    const int ngpown = own_g_of_slice(input, most);
    return SliceRun{ngpown, [this, &entry, ngpown] {
                      if (!slice_)
                        slice_ = std::make_unique<SideStage>(slice_of(stage_.input(), ngpown));
                      return run_to_be_counted(entry, slice_->stage);
                    }};
  }

  std::size_t active() const {
    return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(),
                                                  [](const Entry& entry) { return entry.timing; }));
  }
  /// The share of its timing that each variant has behind it, on average.
  double share_of_timing() const {
    double done = 0;
    for (const Entry& entry : entries_) {
      const auto runs = static_cast<double>(entry.result->samples.size());
      const double share = options_.timing.repeat > 0 ? runs / options_.timing.repeat
                           : share_ > 0               ? entry.used / share_
                                                      : 1.0;
      done += entry.timing ? std::min(share, 1.0) : 1.0;
    }
    return done / static_cast<double>(entries_.size());
  }
  void progress(const std::string& what, double share = -1) const {
    if (events_.progress) events_.progress(what, share);
  }
  void recorded() const {
    if (events_.recorded) events_.recorded(results_);
  }
  bool interrupted() const { return events_.interrupted && events_.interrupted(); }
  double now() const { return events_.clock ? events_.clock() : steady_seconds(); }

  const StudyOptions& options_;
  const StudyEvents& events_;
  std::vector<std::unique_ptr<SideStage>> decoys_;
  Stage stage_;
  Weights weights_;
  std::map<const Runtime*, bool> clean_;  // nobody has run since its arrays were last looked at
  bool someone_writes_ = false;           // to its input, and was not caught at it
  double running_ = 0;                    // seconds of all runs
  double looking_ = 0;                    // seconds of looking at arrays afterwards
  std::unique_ptr<SideStage> slice_;      // for counters kept by software; built when it is needed
  std::vector<Result> results_;
  std::vector<Entry> entries_;
  LoadShare load_;    // of the last run
  double share_ = 0;  // seconds of the time limit for each variant that is timed
};

}  // namespace

std::vector<Result> run_study(const PreparedProblem& problem, const Reference& reference,
                              const std::vector<Choice>& choices, const StudyOptions& options,
                              const StudyEvents& events) {
  return Runner(problem, reference, options, events).run(choices);
}

}  // namespace gpp
