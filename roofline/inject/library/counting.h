// Counts every kernel with CUPTI's range profiler, each as a range of its own.
//
// What one pass can count is counted as the program runs: kernels follow each other as always, and
// caches hold what they would hold. Starting and stopping takes some 25 ms on an H200, so many
// launches share one start. What needs several passes is replayed: CUPTI runs the kernel once for
// each and puts the memory it wrote back between them.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "roofline/cupti/host_api.h"
#include "roofline/cupti/range_profiler.h"
#include "roofline/cupti/session.h"
#include "roofline/inject/library/watcher.h"

namespace roofline::inject {

class Counting final : public Watcher {
 public:
  Counting(const cupti::Functions& functions, Channel& channel, Chooser& chooser);
  ~Counting() override;

  /// Launches wait for each other: whatever runs while another is counted would be counted too.
  void before(const Launch& launch) override;
  void after(const Launch& launch, bool ran) override;
  void synchronized() override;
  void module_ends(CUcontext context) override;
  void context_ends(CUcontext context) override;
  void program_ends() override;

 private:
  using Clock = std::chrono::steady_clock;

  /// How a chip counts: with all counters, or with those of every launch.
  struct Chip;
  /// The profiler of a context. CUPTI has the counters in one context at a time.
  struct Place;
  /// Launches that share a start: kernels in the order of their ranges.
  struct Batch;

  /// Makes a context current while it lives.
  class Current;

  Chip& chip_of(CUcontext context);
  bool needs_all(const Chip& chip, const std::string& kernel) const;
  bool has_room(CUcontext context, const cupti::Plan& plan);
  bool is_replayed(const cupti::Plan& plan);
  /// Makes a launch the next of the batch; false where it cannot be counted.
  bool joins(const Launch& launch);
  void open(CUcontext context, Chip& chip, bool with_all);
  void close();
  void leave();
  void close_at_leisure();
  void send_counts(const std::string& kernel, std::size_t range);

  const cupti::Functions& functions_;
  Channel& channel_;
  Chooser& chooser_;
  std::mutex mutex_;  // held from before() to after()
  std::unique_ptr<cupti::Profiling> profiling_;
  std::map<std::string, std::unique_ptr<Chip>> chips_;
  const Chip* told_ = nullptr;  // the one whose counters the tool knows
  std::unique_ptr<Place> place_;
  std::unique_ptr<Batch> batch_;      // while the profiler runs
  std::map<std::string, bool> seen_;  // kernels, and whether their sign was not zero
  int in_a_row_ = 0;                  // launches that one pass is enough for
  bool told_of_room_ = false;
  std::int64_t launches_ = 0;
  std::int64_t launches_told_ = 0;
  Clock::time_point began_{};  // of the first batch
  Clock::duration spent_{};    // on starting and stopping
};

}  // namespace roofline::inject
