// Counts every kernel with CUPTI's range profiler, in a range of its own.
//
// Counters that fit into one pass are counted while the program runs normally: kernels follow each
// other as always, and caches keep their contents. A start and stop take about 25 ms on an H200, so
// many launches share one. Counters that need several passes are replayed: CUPTI repeats the kernel
// for each pass and restores its memory in between.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "roofline/cuda_driver.h"
#include "roofline/cupti/api.h"
#include "roofline/cupti/session.h"
#include "roofline/inject/library/watcher.h"
#include "roofline/metrics.h"
#include "roofline/recorder.h"

namespace roofline::inject {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_in_batch = 64;  // CUPTI needs about 100 kB per launch
/// If CUPTI counts other launches than expected, the batch is lost, and later batches are smaller
/// by this.
constexpr std::size_t less_in_batch = 8;
/// Counts are sent when the program waits for the device, so that a sudden end loses few. The time
/// spent on that is limited: this much at first, then a share of the total.
constexpr std::chrono::milliseconds leisure{500};
constexpr double share_of_leisure = 0.1;
/// Replaying ends after this many consecutive launches that need only one pass: switching takes 0.1
/// s, and replaying such a launch 0.02 s.
constexpr int enough_in_a_row = 6;

/// True while this thread is between before() and after(). A signal handler that ends the program
/// then must not wait for the lock that its own thread holds.
thread_local bool launching = false;

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// True if kernels must be replayed; CUPTI then copies and restores all memory of the program.
bool needs_replay(const cupti::Plan& plan) { return plan.passes > 1; }

/// False if CUPTI's copies do not fit on the GPU; on the host they take half a minute per launch.
bool has_room_for_copies() {
  std::size_t free = 0, total = 0;
  return call_cuda_driver("cuMemGetInfo_v2", &free, &total) != 0 || total - free <= free;
}

/// The plans for a device's chip: with all counters, and with those of every launch.
struct Chip {
  cupti::HostApi host;
  cupti::Plan all;
  cupti::Plan usual;
  bool tells_constants = false;  ///< the counter half_constants follows the others
  std::string sign;              ///< empty if the chip lacks it; then always counts all
  std::string harmless;          ///< empty if the chip lacks it

  Chip(const std::string& name, const cupti::Bytes& availability, const Task& task) : host(name) {
    std::vector<std::string> names = task.counters;
    tells_constants = std::erase(names, half_constants) > 0;
    for (const std::string& mark : {task.further.sign, task.further.harmless})
      if (!mark.empty()) names.push_back(mark);
    usual = cupti::plan(name, availability, names);
    names.insert(names.end(), task.further.counters.begin(), task.further.counters.end());
    all = cupti::plan(name, availability, names);
    if (all.names.empty()) throw RecorderError(name + " has none of the counters asked for");
    tells_constants = tells_constants && holds(all.names, half_fma);
    if (holds(usual.names, task.further.sign)) sign = task.further.sign;
    if (holds(usual.names, task.further.harmless)) harmless = task.further.harmless;
  }
};

/// The profiler of a context. CUPTI provides the counters in one context at a time.
struct Place {
  CUcontext context;
  Chip& chip;
  cupti::RangeProfiler profiler;

  bool replays;  ///< a profiler that does both confuses CUPTI's ranges

  Place(CUcontext where, Chip& how, bool replayed)
      : context(where), chip(how), profiler(where), replays(replayed) {}
};

/// A launch of a batch.
struct BatchedLaunch {
  std::string kernel = {};             ///< name; empty: launch not selected
  std::vector<RangeName> ranges = {};  ///< around it

  auto operator<=>(const BatchedLaunch&) const = default;
};

/// Launches that share one start, in the order of CUPTI's ranges.
struct Batch {
  bool with_all;
  cupti::Bytes data;
  std::vector<BatchedLaunch> launches;
};

class Counting final : public Watcher {
 public:
  using Watcher::Watcher;

  /// Serialises launches, because kernels that run during a measurement would be counted too: the
  /// mutex is held until after().
  void before(const Launch& launch) override {
    std::unique_lock lock(mutex_);
    ++launches_;
    if ((!chooser_.chosen(launch.kernel) || !joins(launch)) && batch_ != nullptr) {
      if (place_->context == launch.context)
        batch_->launches.emplace_back();
      else
        leave();
    }
    launching = true;
    lock.release();
  }

  void after(const Launch&, bool ran) override {
    const std::unique_lock lock(mutex_, std::adopt_lock);
    launching = false;
    if (batch_ == nullptr) return;
    if (!ran) batch_->launches.pop_back();
    if (place_->replays || batch_->launches.size() >= most_launches_) close();
  }

  void graph_launches(CUcontext) override {
    const std::scoped_lock lock(mutex_);
    close();
    tell_once(told_of_graphs_, "Kernels within CUDA graphs were timed, and not counted");
  }

  void synchronized() override {
    if (launching) return;
    const std::scoped_lock lock(mutex_);
    if (launches_ != 0) tell({});
    close_at_leisure();
  }

  /// Counts of instrumented kernels must be read before their module is unloaded.
  void module_ends(CUcontext context) override {
    if (launching) return;
    const std::scoped_lock lock(mutex_);
    if (place_ != nullptr && place_->context == context) close();
  }

  void context_ends(CUcontext context) override {
    if (launching) return;
    const std::scoped_lock lock(mutex_);
    if (place_ != nullptr && place_->context == context) leave();
  }

  void code_loaded(const CUpti_ResourceData& module, bool) override {
    cupti::see_code(module, true);
  }

  void program_ends() override {
    if (launching) return;
    const std::scoped_lock lock(mutex_);
    close();
  }

 private:
  Chip& chip_of(CUcontext context) {
    if (profiling_ == nullptr) profiling_ = std::make_unique<cupti::Profiling>();
    const CUdevice device = cupti::current_target().device;
    cupti::check_device(device);
    const std::string name = cupti::chip_name(device);
    std::unique_ptr<Chip>& chip = chips_[device];
    if (chip == nullptr)
      chip = std::make_unique<Chip>(name, cupti::counter_availability(context), channel_.task());
    if (std::exchange(told_, device) != device) gpu_ = channel_.tell_gpu();
    return *chip;
  }

  void leave() {
    if (place_ == nullptr) return;
    const Current current(place_->context);
    close();
    place_.reset();
  }

  bool needs_all(const Chip& chip, const std::string& kernel) const {
    if (chip.all.names == chip.usual.names) return false;
    const auto known = seen_.find(kernel);
    return chip.sign.empty() || known == seen_.end() || known->second;
  }

  bool has_room(CUcontext context, const cupti::Plan& plan) {
    if (!needs_replay(plan)) return true;
    const Current current(context);
    if (has_room_for_copies()) return true;
    tell_once(
        told_of_room_,
        "Not all was counted: the program holds more than half of the GPU's memory, and CUPTI "
        "had no room for its copy. Let the program reserve less; of JAX, set "
        "XLA_PYTHON_CLIENT_PREALLOCATE=false");
    return false;
  }

  bool is_replayed(const cupti::Plan& plan) {
    in_a_row_ = needs_replay(plan) ? 0 : in_a_row_ + 1;
    return needs_replay(plan) ||
           (place_ != nullptr && place_->replays && in_a_row_ <= enough_in_a_row);
  }

  void open(CUcontext context, Chip& chip, bool with_all) {
    const Clock::time_point start = Clock::now();
    if (began_ == Clock::time_point()) began_ = start;
    const cupti::Plan& plan = with_all ? chip.all : chip.usual;
    const bool replayed = is_replayed(plan);
    if (place_ != nullptr && place_->replays != replayed) leave();
    if (place_ == nullptr) place_ = std::make_unique<Place>(context, chip, replayed);
    // One more than needed, so that a kernel without a callback is noticed.
    const std::size_t most = (replayed ? 1 : most_launches_) + 1;
    auto batch = std::make_unique<Batch>();
    batch->with_all = with_all;
    using Ranges = cupti::RangeProfiler::Ranges;
    place_->profiler.configure(plan, replayed ? Ranges::replayed : Ranges::kernels, most,
                               batch->data);
    place_->profiler.start();
    batch_ = std::move(batch);
    spent_ += Clock::now() - start;
  }

  /// Adds a launch to the batch; returns false if it cannot be counted.
  bool joins(const Launch& launch) {
    if (place_ != nullptr && place_->context != launch.context) leave();
    Chip& chip = place_ != nullptr ? place_->chip : chip_of(launch.context);
    if (cupti::launches_kernels(launch.kernel) && launching_.insert(launch.kernel).second)
      tell({.note = launch.kernel + " is in a module that launches kernels itself: CUPTI tells of "
                                    "none of these, so that they have no rows"});
    if (!has_room(launch.context, chip.usual)) return false;
    const bool with_all = needs_all(chip, launch.kernel) && has_room(launch.context, chip.all);
    if (batch_ != nullptr && batch_->with_all != with_all) close();
    if (batch_ == nullptr) open(launch.context, chip, with_all);
    batch_->launches.push_back({launch.kernel, chooser_.open()});
    return true;
  }

  void close() {
    if (batch_ == nullptr) return;
    const Clock::time_point start = Clock::now();
    const Current current(place_->context);
    place_->profiler.stop();
    const auto [ranges, dropped] = place_->profiler.decode();
    if (ranges == batch_->launches.size() && dropped == 0) {
      send_counts(*batch_);
    } else {
      most_launches_ = std::max<std::size_t>(1, most_launches_ / less_in_batch);
      tell({.note =
                "CUPTI counted another number of kernels than were launched: those launches are "
                "left out"});
    }
    batch_.reset();
    spent_ += Clock::now() - start;
  }

  /// Sends the sums of alike launches.
  void send_counts(const Batch& batch) {
    std::map<BatchedLaunch, KernelTally> sums;
    for (std::size_t i = 0; i < batch.launches.size(); ++i)
      if (!batch.launches[i].kernel.empty())
        sums[batch.launches[i]].add({1, 0, counts_of(batch, i)}, 0);
    for (auto& [alike, sum] : sums)
      tell({.launched = SeenLaunches{alike.kernel, gpu_, alike.ranges, std::move(sum)}});
  }

  Counters counts_of(const Batch& batch, std::size_t range) {
    const Chip& chip = place_->chip;
    const std::string& kernel = batch.launches[range].kernel;
    const auto value = [&](const std::string& name) {
      return chip.host.value(batch.data, range, name);
    };
    const double harmless = chip.harmless.empty() ? 0 : value(chip.harmless);
    const bool sign = chip.sign.empty() || value(chip.sign) != harmless;
    // No sign tells of bulk copies: where a first launch has none, later ones are taken for such.
    const auto counts_further = [&](const std::string& name) {
      return !holds(chip.usual.names, name) && value(name) != 0;
    };
    const bool further =
        sign ||
        (batch.with_all ? std::ranges::any_of(chip.all.names, counts_further) : seen_[kernel]);
    seen_[kernel] = further;
    Counters counts;
    for (const std::string& name : chip.all.names) {
      const bool counted = batch.with_all || holds(chip.usual.names, name);
      // All others are zero without a sign.
      counts[name] = counted ? value(name) : further ? unknown : 0;
    }
    if (chip.tells_constants)
      counts[half_constants] = cupti::constant_loads({kernel}, value(half_fma)).value_or(unknown);
    return counts;
  }

  void close_at_leisure() {
    const Clock::duration most = leisure + std::chrono::duration_cast<Clock::duration>(
                                               (Clock::now() - began_) * share_of_leisure);
    if (batch_ != nullptr && spent_ < most) close();
  }

  std::unique_ptr<cupti::Profiling> profiling_;
  /// Plans by device: GPUs of one chip have different disabled units, so each needs its own.
  std::map<CUdevice, std::unique_ptr<Chip>> chips_;
  std::optional<CUdevice> told_;  // device that was told last
  std::string gpu_;               // its key
  std::unique_ptr<Place> place_;
  std::unique_ptr<Batch> batch_;  // set while the profiler runs
  std::size_t most_launches_ = most_in_batch;
  std::map<std::string, bool> seen_;  // kernels, and whether their sign was not zero
  std::set<std::string> launching_;   // kernels that launch kernels, once told
  int in_a_row_ = 0;                  // launches that one pass is enough for
  bool told_of_room_ = false;
  bool told_of_graphs_ = false;
  Clock::time_point began_{};  // start of the first batch
  Clock::duration spent_{};    // time for starts and stops
};

}  // namespace

std::unique_ptr<Watcher> counting(Channel& channel, Chooser& chooser) {
  return std::make_unique<Counting>(channel, chooser);
}

}  // namespace roofline::inject
