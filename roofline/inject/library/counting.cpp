// Counts every kernel with CUPTI's range profiler, each as a range of its own.
//
// What one pass can count is counted as the program runs: kernels follow each other as always, and
// caches hold what they would hold. Starting and stopping takes some 25 ms on an H200, so many
// launches share one start. What needs several passes is replayed: CUPTI runs the kernel once for
// each and puts the memory it wrote back between them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "roofline/cuda_driver.h"
#include "roofline/cupti/driver.h"
#include "roofline/cupti/host_api.h"
#include "roofline/cupti/listeners.h"
#include "roofline/cupti/session.h"
#include "roofline/inject/library/watcher.h"
#include "roofline/metrics.h"
#include "roofline/recorder.h"

namespace roofline::inject {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_in_batch = 64;  // CUPTI keeps some 100 kB for each
/// Where CUPTI counted other launches than were seen, a batch is lost: later ones have so many
/// less.
constexpr std::size_t less_in_batch = 8;
/// Counts are sent when the program waits for the device, so that its sudden end loses little; but
/// the time for that is limited: so much at first, then a share of all.
constexpr std::chrono::milliseconds leisure{500};
constexpr double share_of_leisure = 0.1;
/// Launches in a row that one pass is enough for, before replaying ends: going over takes 0.1 s,
/// such a launch that is replayed all the same 0.02 s.
constexpr int enough_in_a_row = 6;

/// Whether this thread is between before() and after(). A signal's handler may end the program just
/// then, and would wait for itself.
thread_local bool launching = false;

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// To replay a kernel, CUPTI copies all memory that the program holds, and puts it back.
bool needs_replay(const cupti::Plan& plan) { return plan.passes > 1; }

/// Without room on the GPU, CUPTI's copies go to the host: half a minute for each launch.
bool has_room_for_copies() {
  CUresult (*ask)(std::size_t*, std::size_t*) = nullptr;
  std::size_t free = 0, total = 0;
  if (!find_cuda_driver_function("cuMemGetInfo_v2", ask) || ask(&free, &total) != CUDA_SUCCESS)
    return true;
  return total - free <= free;
}

/// How a device's chip counts: with all counters, or with those of every launch.
struct Chip {
  cupti::HostApi host;
  cupti::Plan all;
  cupti::Plan usual;
  bool tells_constants = false;  ///< half_constants, behind the other counters
  std::string sign;              ///< empty where the chip lacks it: then all is counted always
  std::string harmless;          ///< empty where the chip lacks it

  Chip(const cupti::Functions& functions, const std::string& name, const cupti::Bytes& availability,
       const Task& task)
      : host(functions, name) {
    std::vector<std::string> names = task.counters;
    tells_constants = std::erase(names, half_constants) > 0;
    for (const std::string& mark : {task.further.sign, task.further.harmless})
      if (!mark.empty()) names.push_back(mark);
    usual = cupti::plan(functions, name, availability, names);
    names.insert(names.end(), task.further.counters.begin(), task.further.counters.end());
    all = cupti::plan(functions, name, availability, names);
    if (all.names.empty()) throw RecorderError(name + " has none of the counters asked for");
    tells_constants = tells_constants && holds(all.names, half_fma);
    if (holds(usual.names, task.further.sign)) sign = task.further.sign;
    if (holds(usual.names, task.further.harmless)) harmless = task.further.harmless;
  }
};

/// The profiler of a context. CUPTI has the counters in one context at a time.
struct Place {
  CUcontext context;
  Chip& chip;
  cupti::RangeProfiler profiler;

  bool replays;  ///< CUPTI mixes up ranges where one profiler does both

  Place(const cupti::Functions& functions, CUcontext where, Chip& how, bool replayed)
      : context(where), chip(how), profiler(functions, where), replays(replayed) {}
};

/// A launch of a batch; what it is, as far as it is known before it is counted.
struct BatchedLaunch {
  std::string kernel = {};  ///< empty: not chosen
  SeenLaunch seen = {};
};

/// Launches that share a start, in the order of CUPTI's ranges.
struct Batch {
  bool with_all;
  cupti::Bytes data;
  std::vector<BatchedLaunch> launches;
  std::vector<std::string> nodes = {};  ///< kernels of the graph
  bool graph = false;
};

class Counting final : public Watcher {
 public:
  Counting(const cupti::Functions& functions, Channel& channel, Chooser& chooser)
      : functions_(functions), channel_(channel), chooser_(chooser) {}

  /// Launches wait for each other: whatever runs while another is counted would be counted too.
  void before(const Launch& launch) override {
    std::unique_lock lock(mutex_);
    ++launches_;
    const bool chosen = launch.graph ? chooser_.chosen() : chooser_.chosen(launch.kernel);
    const LaunchMark mark = chosen ? channel_.mark(launch, chooser_.open()) : LaunchMark();
    if (launch.graph) {
      close();
      if (chosen) open_graph(launch, mark);
    } else if ((!chosen || !joins(launch, mark)) && batch_ != nullptr) {
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
    if (batch_->graph) return close_graph(ran);
    if (!ran) batch_->launches.pop_back();
    if (place_->replays || batch_->launches.size() >= most_launches_) close();
  }

  void synchronized() override {
    if (launching) return;
    const std::scoped_lock lock(mutex_);
    if (std::exchange(launches_told_, launches_) != launches_)
      channel_.send({.launches = launches_});
    close_at_leisure();
  }

  /// Counts of instrumented kernels are with their modules until they are read.
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
    if (profiling_ == nullptr) profiling_ = std::make_unique<cupti::Profiling>(functions_);
    const CUdevice device = cupti::current_target().device;
    cupti::check_device(functions_, device);
    const std::string name = cupti::chip_name(functions_, device);
    std::unique_ptr<Chip>& chip = chips_[device];
    if (chip == nullptr)
      chip = std::make_unique<Chip>(
          functions_, name, cupti::counter_availability(functions_, context), channel_.task());
    if (std::exchange(told_, device) == device) return *chip;
    // Values that follow are of this device, in the order of its chip's counters.
    SeenDevice seen = current_device();
    seen.counters = chip->all.names;
    seen.passes = chip->usual.passes;
    seen.most_passes = chip->all.passes;
    seen.missing = chip->all.missing;
    if (chip->tells_constants) seen.counters.emplace_back(half_constants);
    channel_.send({.device = std::move(seen)});
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
    if (!std::exchange(told_of_room_, true))
      channel_.send({.launches = launches_,
                     .note = "Not all was counted: the program holds more than half of the GPU's "
                             "memory, and CUPTI had no room for the copies of it that tensor "
                             "operations take. Let the program reserve less; of JAX, "
                             "set XLA_PYTHON_CLIENT_PREALLOCATE=false"});
    return false;
  }

  bool is_replayed(const cupti::Plan& plan) {
    in_a_row_ = needs_replay(plan) ? 0 : in_a_row_ + 1;
    return needs_replay(plan) ||
           (place_ != nullptr && place_->replays && in_a_row_ <= enough_in_a_row);
  }

  /// `graph`: the next launch is one, of so many kernels.
  void open(CUcontext context, Chip& chip, bool with_all, std::optional<std::size_t> graph = {}) {
    const Clock::time_point start = Clock::now();
    if (began_ == Clock::time_point()) began_ = start;
    const cupti::Plan& plan = with_all ? chip.all : chip.usual;
    const bool replayed = graph ? needs_replay(plan) : is_replayed(plan);
    if (place_ != nullptr && place_->replays != replayed) leave();
    if (place_ == nullptr) place_ = std::make_unique<Place>(functions_, context, chip, replayed);
    // One more than wanted: a kernel that nobody announced must not go unseen.
    const std::size_t most = graph ? *graph + most_in_batch : (replayed ? 1 : most_launches_) + 1;
    auto batch = std::make_unique<Batch>();
    batch->with_all = with_all;
    batch->data = place_->profiler.counter_data(plan.names, most);
    place_->profiler.configure_kernels(plan.config, batch->data, most, replayed);
    place_->profiler.start();
    batch_ = std::move(batch);
    spent_ += Clock::now() - start;
  }

  void refuse_graphs(const std::string& why) {
    batch_.reset();
    place_.reset();
    graphs_counted_ = false;
    const std::string which = counted_graphs_ == 0
                                  ? "CUDA graphs were not counted: "
                                  : fmt::format(
                                        "CUDA graphs were not counted after their first {} "
                                        "launches: ",
                                        counted_graphs_);
    channel_.send({.launches = launches_, .note = which + why});
  }

  /// Once CUPTI refused, no other graph is tried.
  void open_graph(const Launch& launch, const LaunchMark& mark) {
    if (!graphs_counted_) return;
    const auto chosen = [this](const std::string& kernel) { return chooser_.suits(kernel); };
    const bool by_name = !channel_.task().selection.kernel.empty();
    if (by_name && !(launch.whole && std::ranges::all_of(launch.nodes, chosen))) {
      channel_.send({.launches = launches_,
                     .note = "Kernels within CUDA graphs were not counted where others ran with "
                             "them that --kernel leaves out"});
      return;
    }
    if (place_ != nullptr && place_->context != launch.context) leave();
    Chip& chip = place_ != nullptr ? place_->chip : chip_of(launch.context);
    const bool with_all =
        graphs_replayed_ && needs_all(chip, launch.kernel) && has_room(launch.context, chip.all);
    open(launch.context, chip, with_all, launch.nodes.size());
    batch_->launches.push_back(batched_as(launch, mark));
    batch_->nodes = launch.nodes;
    batch_->graph = true;
  }

  void close_graph(bool ran) try {
    const std::unique_ptr<Batch> batch = std::move(batch_);
    const Clock::time_point start = Clock::now();
    const Current current(place_->context);
    const bool replayed = place_->replays;
    place_->profiler.stop();
    const std::size_t dropped = place_->profiler.decode();
    const std::size_t ranges = cupti::number_of_ranges(functions_, batch->data);
    spent_ += Clock::now() - start;
    if (!ran) return;
    if (ranges > 0 && dropped == 0) {
      send_counts(*batch, 0, ranges);
      ++counted_graphs_;
      tell_ranges(ranges, batch->nodes.size());
    } else if (replayed && std::exchange(graphs_replayed_, false)) {
      seen_[batch->launches.front().kernel] = false;  // the next launch is counted in one pass
      channel_.send({.launches = launches_,
                     .note = "CUPTI does not replay CUDA graphs: operations of the tensor cores "
                             "within them are not counted"});
    } else {
      refuse_graphs(fmt::format("CUPTI recorded {} ranges of a graph of {} kernels, and dropped {}",
                                ranges, batch->nodes.size(), dropped));
    }
  } catch (const RecorderError& error) {
    refuse_graphs(error.what());
  }

  void tell_ranges(std::size_t ranges, std::size_t kernels) {
    const bool one = ranges == 1 && kernels != 1;
    if (std::exchange(one ? told_one_ : told_nodes_, true)) return;
    channel_.send(
        {.launches = launches_,
         .note = one ? "CUPTI counted each launch of a CUDA graph as one range: its "
                       "kernels are told by their times alone"
                     : fmt::format("CUPTI counted {} ranges in the launch of a CUDA graph "
                                   "of {} kernels: they are added up",
                                   ranges, kernels)});
  }

  /// Makes a launch the next of the batch; false where it cannot be counted.
  bool joins(const Launch& launch, const LaunchMark& mark) {
    if (place_ != nullptr && place_->context != launch.context) leave();
    Chip& chip = place_ != nullptr ? place_->chip : chip_of(launch.context);
    if (!has_room(launch.context, chip.usual)) return false;
    const bool with_all = needs_all(chip, launch.kernel) && has_room(launch.context, chip.all);
    if (batch_ != nullptr && batch_->with_all != with_all) close();
    if (batch_ == nullptr) open(launch.context, chip, with_all);
    batch_->launches.push_back(batched_as(launch, mark));
    return true;
  }

  BatchedLaunch batched_as(const Launch& launch, const LaunchMark& mark) {
    BatchedLaunch batched{launch.kernel};
    batched.seen.range = mark.range;
    batched.seen.stream = stream_of(launch);
    if (mark.number > 0) batched.seen.facts = {mark.number, launch.grid, launch.block};
    return batched;
  }

  void close() {
    if (batch_ == nullptr) return;
    const Clock::time_point start = Clock::now();
    const Current current(place_->context);
    place_->profiler.stop();
    const std::size_t dropped = place_->profiler.decode();
    const std::size_t ranges = cupti::number_of_ranges(functions_, batch_->data);
    std::vector<BatchedLaunch>& launches = batch_->launches;
    if (ranges == launches.size() && dropped == 0) {
      for (std::size_t range = 0; range < ranges; ++range)
        if (!launches[range].kernel.empty()) send_counts(*batch_, range, range + 1);
    } else {
      most_launches_ = std::max<std::size_t>(1, most_launches_ / less_in_batch);
      channel_.send({.launches = launches_,
                     .note = "CUPTI counted another number of kernels than were launched: those "
                             "launches are left out"});
    }
    batch_.reset();
    spent_ += Clock::now() - start;
  }

  /// The sums over these ranges, which are of one launch.
  void send_counts(Batch& batch, std::size_t first, std::size_t end) {
    const Chip& chip = place_->chip;
    BatchedLaunch& launch = batch.launches.at(first);
    const std::string& kernel = launch.kernel;
    const auto value = [&](const std::string& name) {
      double sum = 0;
      for (std::size_t range = first; range < end; ++range)
        sum += chip.host.value(batch.data, range, name);
      return sum;
    };
    const double harmless = chip.harmless.empty() ? 0 : value(chip.harmless);
    const bool sign = chip.sign.empty() || value(chip.sign) != harmless;
    seen_[kernel] = sign;
    SeenLaunch& counts = launch.seen;
    counts.kernel = channel_.kernel(kernel);
    for (const std::string& name : chip.all.names) {
      if (batch.with_all || holds(chip.usual.names, name))
        counts.values.push_back(value(name));
      else  // all of these are zero without the sign
        counts.values.push_back(sign ? unknown : 0);
    }
    if (chip.tells_constants)
      counts.values.push_back(
          cupti::constant_loads(batch.graph ? batch.nodes : std::vector{kernel}, value(half_fma))
              .value_or(unknown));
    channel_.send({.launch = std::move(counts), .launches = launches_});
  }

  /// CUPTI's number, by which the activity records name it, too; 0 where it tells none.
  std::int64_t stream_of(const Launch& launch) {
    std::uint32_t number = 0;
    functions_.cuptiGetStreamIdEx(launch.context, launch.stream, launch.per_thread, &number);
    return number;
  }

  void close_at_leisure() {
    const Clock::duration most = leisure + std::chrono::duration_cast<Clock::duration>(
                                               (Clock::now() - began_) * share_of_leisure);
    if (batch_ != nullptr && spent_ < most) close();
  }

  const cupti::Functions& functions_;
  Channel& channel_;
  Chooser& chooser_;
  std::mutex mutex_;  // held from before() to after()
  std::unique_ptr<cupti::Profiling> profiling_;
  /// GPUs of one chip have different units switched off: a plan for one counts nothing on another.
  std::map<CUdevice, std::unique_ptr<Chip>> chips_;
  std::optional<CUdevice> told_;  // the one whose counters the tool knows
  std::unique_ptr<Place> place_;
  std::unique_ptr<Batch> batch_;  // while the profiler runs
  std::size_t most_launches_ = most_in_batch;
  std::map<std::string, bool> seen_;  // kernels, and whether their sign was not zero
  int in_a_row_ = 0;                  // launches that one pass is enough for
  bool told_of_room_ = false;
  bool graphs_counted_ = true;   // until CUPTI refuses
  bool graphs_replayed_ = true;  // the same
  std::int64_t counted_graphs_ = 0;
  bool told_one_ = false, told_nodes_ = false;
  std::int64_t launches_ = 0;
  std::int64_t launches_told_ = 0;
  Clock::time_point began_{};  // of the first batch
  Clock::duration spent_{};    // on starting and stopping
};

}  // namespace

std::unique_ptr<Watcher> counting(const cupti::Functions& functions, Channel& channel,
                                  Chooser& chooser) {
  return std::make_unique<Counting>(functions, channel, chooser);
}

}  // namespace roofline::inject
