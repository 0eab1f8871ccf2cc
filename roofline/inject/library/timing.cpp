// Takes the time of every kernel, from CUPTI's activity records: the device's own clock, no
// counters, and kernels that run at the same time still do.
#include "roofline/inject/library/watcher.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "roofline/cupti/functions.h"

namespace roofline::inject {
namespace {

#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
#else
using KernelRecord = CUpti_ActivityKernel9;
#endif

constexpr std::size_t buffer_size = std::size_t{2} << 20;
constexpr std::size_t alignment = 8;  // that CUPTI asks for
constexpr std::uint32_t flush_milliseconds = 50;
constexpr std::size_t most_graphs = 100'000;  // launched and perhaps not run yet
constexpr std::size_t most_times = 1000;      // in a packet, whose length is limited

class Timing;
Timing* the_timing = nullptr;  // CUPTI's callbacks for buffers bear no data of ours

class Timing final : public Watcher {
 public:
  Timing(const cupti::Functions& functions, Channel& channel, Chooser& chooser)
      : functions_(functions),
        channel_(channel),
        chooser_(chooser),
        everything_(channel.task().selection.everything()) {
    the_timing = this;
    cupti::check(functions, functions.cuptiActivityRegisterCallbacks(lend_buffer, take_buffer),
                 "cuptiActivityRegisterCallbacks");
    cupti::check(functions, functions.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL),
                 "cuptiActivityEnable");
    // A crash loses the times of at most so long.
    functions.cuptiActivityFlushPeriod(flush_milliseconds);
  }

  void before(const Launch& launch) override {
    const bool chosen = launch.graph ? chooser_.chosen() : chooser_.chosen(launch.kernel);
    const std::scoped_lock lock(mutex_);
    ++launches_;
    if (contexts_.insert(launch.context).second)
      channel_.send({.device = SeenDevice{.name = device_name()}, .launches = launches_});
    if (chosen && launch.graph) {
      const std::int64_t graph = channel_.kernel(launch.kernel);
      graphs_[launch.correlation] = graph;
      ++launched_graphs_[graph];
      if (graphs_.size() > most_graphs) graphs_.erase(graphs_.begin());
    } else if (chosen && !everything_) {
      chosen_.insert(launch.correlation);
    }
  }

  void after(const Launch& launch, bool ran) override {
    if (ran || (everything_ && !launch.graph)) return;
    const std::scoped_lock lock(mutex_);
    chosen_.erase(launch.correlation);
    if (const auto graph = graphs_.find(launch.correlation); graph != graphs_.end()) {
      --launched_graphs_[graph->second];
      graphs_.erase(graph);
    }
  }

  void synchronized() override {
    {
      const std::scoped_lock lock(mutex_);
      if (told_ == launches_) return;
      told_ = launches_;
    }
    flush();
  }

  void context_ends(CUcontext) override { flush(); }

  void module_ends(CUcontext) override {}  // CUPTI keeps the names

  void program_ends() override { flush(); }

 private:
  struct Sum {
    std::int64_t launches = 0;
    double seconds = 0;
  };
  /// Of kernels since the last packet, by the symbols that CUPTI names, and by graph.
  using Sums = std::map<std::pair<std::string, std::int64_t>, Sum>;

  void flush() {
    functions_.cuptiActivityFlushAll(0);
    Seen seen;  // there may be launches without a time, or none that was chosen
    {
      const std::scoped_lock lock(mutex_);
      seen.launches = launches_;
      for (const auto& [graph, launches] : std::exchange(launched_graphs_, {}))
        if (launches > 0) seen.times.push_back({graph, launches, 0, graph});
    }
    channel_.send(seen);
  }

  static void lend_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(alignment, buffer_size));
    *size = *buffer == nullptr ? 0 : buffer_size;
    *most_records = 0;  // as many as fit
  }

  static void take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                          std::size_t, std::size_t filled) {
    try {
      the_timing->take_records(context, stream, buffer, filled);
    } catch (...) {  // the program goes on; times are missing, which the tool says
    }
    std::free(buffer);
  }

  void take_records(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                    std::size_t filled) {
    Sums sums;
    CUpti_Activity* record = nullptr;
    while (functions_.cuptiActivityGetNextRecord(buffer, filled, &record) == CUPTI_SUCCESS)
      if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
          record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
        take(*reinterpret_cast<const KernelRecord*>(record), sums);
    std::size_t dropped = 0;
    Seen seen;
    functions_.cuptiActivityGetNumDroppedRecords(context, stream, &dropped);
    if (dropped > 0)
      seen.note =
          "CUPTI dropped " + std::to_string(dropped) + " times of kernels: too few launches";
    for (const auto& [key, sum] : sums) {
      const auto& [symbol, graph] = key;
      const std::string name = kernel_name(symbol.c_str());
      if (!chooser_.suits(name)) continue;
      seen.times.push_back({channel_.kernel(name), sum.launches, sum.seconds, graph});
      if (seen.times.size() < most_times) continue;
      channel_.send(seen);
      seen = {};
    }
    {
      const std::scoped_lock lock(mutex_);
      seen.launches = launches_;
    }
    channel_.send(seen);
  }

  /// Reads what all of CUPTI's versions of the record since 12.0 have in the same place.
  void take(const KernelRecord& record, Sums& sums) {
    const auto [chosen, graph] = find(record.correlationId);
    if (!chosen || record.end <= record.start) return;
    Sum& sum = sums[{record.name == nullptr ? "" : record.name, graph}];
    ++sum.launches;
    sum.seconds += static_cast<double>(record.end - record.start) * 1e-9;
  }

  /// Whether a launch was chosen, and the graph that it was; no_graph where it was a kernel.
  std::pair<bool, std::int64_t> find(std::uint32_t correlation) {
    const std::scoped_lock lock(mutex_);
    if (const auto graph = graphs_.find(correlation); graph != graphs_.end())
      return {true, graph->second};
    return {everything_ || chosen_.erase(correlation) > 0, no_graph};
  }

  const cupti::Functions& functions_;
  Channel& channel_;
  Chooser& chooser_;
  const bool everything_;  // then nobody needs to remember what was chosen
  std::mutex mutex_;
  std::set<std::uint32_t> chosen_;  // launches that have not run yet
  /// Chosen launches of graphs, which run many kernels each, and the graphs.
  std::map<std::uint32_t, std::int64_t> graphs_;
  std::map<std::int64_t, std::int64_t> launched_graphs_;  // that were not told yet
  std::int64_t launches_ = 0;
  std::int64_t told_ = 0;         // launches, when they were last sent
  std::set<CUcontext> contexts_;  // whose devices were told
};

}  // namespace

std::unique_ptr<Watcher> timing(const cupti::Functions& functions, Channel& channel,
                                Chooser& chooser) {
  return std::make_unique<Timing>(functions, channel, chooser);
}

}  // namespace roofline::inject
