// Times every kernel with CUPTI's activity records: by the device's clock, without counters, and
// with kernels that overlap as usual.
#include "roofline/inject/library/watcher.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "roofline/cupti/api.h"

namespace roofline::inject {
namespace {

#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
#else
using KernelRecord = CUpti_ActivityKernel9;
#endif

constexpr std::size_t buffer_size = std::size_t{2} << 20;
constexpr std::size_t alignment = 8;  // alignment that CUPTI needs
constexpr std::uint32_t flush_milliseconds = 50;
constexpr std::size_t most_chosen = 1'000'000;

using Path = std::vector<RangeName>;

class Timing;
Timing* the_timing = nullptr;  // CUPTI's buffer callbacks have no user data

class Timing final : public Watcher {
 public:
  Timing(Channel& channel, Chooser& chooser)
      : Watcher(channel, chooser), everything_(channel.task().selection.everything()) {
    the_timing = this;
    ROOFLINE_CUPTI_CALL(cuptiActivityRegisterCallbacks, lend_buffer, take_buffer);
    ROOFLINE_CUPTI_CALL(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    // A crash loses at most the times of this period.
    ROOFLINE_CUPTI(cuptiActivityFlushPeriod)(flush_milliseconds);
  }

  void before(const Launch& launch) override {
    const bool chosen = chooser_.chosen(launch.kernel);
    Path ranges = chosen ? chooser_.open() : Path();
    const std::scoped_lock lock(mutex_);
    ++launches_;
    unflushed_ = true;
    tell_gpu(launch.context);
    // If all launches are selected, those outside of ranges need not be stored.
    if (!chosen || (everything_ && ranges.empty())) return;
    chosen_[launch.correlation] = std::move(ranges);
    if (chosen_.size() > most_chosen) chosen_.erase(chosen_.begin());
  }

  void after(const Launch& launch, bool ran) override {
    if (ran) return;
    const std::scoped_lock lock(mutex_);
    chosen_.erase(launch.correlation);
  }

  void graph_launches(CUcontext context) override {
    const std::scoped_lock lock(mutex_);
    tell_gpu(context);
  }

  void synchronized() override {
    if (unflushed_.exchange(false)) flush();
  }

  void context_ends(CUcontext) override { flush(); }

  void module_ends(CUcontext) override {}  // CUPTI keeps the names

  void program_ends() override { flush(); }

 private:
  /// Launches that are summed: one symbol as CUPTI names it, on one device, in one range.
  struct Alike {
    std::string symbol;
    int device = 0;
    Path ranges;

    auto operator<=>(const Alike&) const = default;
  };
  using Sums = std::map<Alike, KernelTally>;

  /// Sends the context's device. The mutex must be held.
  void tell_gpu(CUcontext context) {
    if (contexts_.insert(context).second) channel_.tell_gpu();
  }

  void flush() {
    ROOFLINE_CUPTI(cuptiActivityFlushAll)(0);
    tell({});  // also launches without a time
  }

  static void lend_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(alignment, buffer_size));
    *size = *buffer == nullptr ? 0 : buffer_size;
    *most_records = 0;  // as many records as fit
  }

  static void take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                          std::size_t, std::size_t filled) {
    try {
      the_timing->take_records(context, stream, buffer, filled);
    } catch (...) {  // the program continues; the tool reports missing times
    }
    std::free(buffer);
  }

  void take_records(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                    std::size_t filled) {
    Sums sums;
    CUpti_Activity* record = nullptr;
    while (ROOFLINE_CUPTI(cuptiActivityGetNextRecord)(buffer, filled, &record) == CUPTI_SUCCESS)
      if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
          record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
        take(*reinterpret_cast<const KernelRecord*>(record), sums);
    for (auto& [alike, sum] : sums) {
      const std::string name = kernel_name(alike.symbol.c_str());
      if (chooser_.suits(name))
        tell({.launched =
                  SeenLaunches{name, channel_.gpu(alike.device), alike.ranges, std::move(sum)}});
    }
    std::size_t dropped = 0;
    ROOFLINE_CUPTI(cuptiActivityGetNumDroppedRecords)(context, stream, &dropped);
    if (dropped > 0) tell({.note = "CUPTI dropped times of kernels: too few launches"});
  }

  static LaunchForm form_of(const KernelRecord& record) {
    return {{record.gridX, record.gridY, record.gridZ},
            {record.blockX, record.blockY, record.blockZ},
            record.registersPerThread,
            record.staticSharedMemory,
            record.dynamicSharedMemory};
  }

  /// Reads fields that have the same offset in all versions of CUPTI's record since 12.0.
  void take(const KernelRecord& record, Sums& sums) {
    const std::optional<Path> ranges = find(record.correlationId);
    if (!ranges || record.end <= record.start) return;
    const double seconds = static_cast<double>(record.end - record.start) * 1e-9;
    sums[{record.name == nullptr ? "" : record.name, static_cast<int>(record.deviceId), *ranges}]
        .add({1, seconds, {}, {{form_of(record), 1, seconds}}}, limits::forms);
  }

  /// The ranges around a launch; nothing if it was not selected.
  std::optional<Path> find(std::uint32_t correlation) {
    const std::scoped_lock lock(mutex_);
    if (auto known = chosen_.extract(correlation)) return std::move(known.mapped());
    return everything_ ? std::optional(Path()) : std::nullopt;
  }

  const bool everything_;                 // all launches are selected, so none is stored
  std::map<std::uint32_t, Path> chosen_;  // ranges of selected launches that have not run
  std::atomic<bool> unflushed_ = false;
  std::set<CUcontext> contexts_;  // contexts whose devices were sent
};

}  // namespace

std::unique_ptr<Watcher> timing(Channel& channel, Chooser& chooser) {
  return std::make_unique<Timing>(channel, chooser);
}

}  // namespace roofline::inject
