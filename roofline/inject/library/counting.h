// Counts every kernel with CUPTI's range profiler. CUPTI runs a kernel once for each pass and puts
// the memory it wrote back between passes, so that the program sees one run.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
  void synchronized() override {}
  void context_ends(CUcontext context) override;
  void program_ends() override {}

 private:
  /// How a chip counts: with all counters, or with those of every launch.
  struct Chip;
  /// The profiler of a context. CUPTI has the counters in one context at a time.
  struct Place;

  Chip& chip_of(CUcontext context);
  void enter(CUcontext context);
  void send_counts(const Launch& launch);

  const cupti::Functions& functions_;
  Channel& channel_;
  Chooser& chooser_;
  std::mutex mutex_;  // held from before() to after()
  std::unique_ptr<cupti::Profiling> profiling_;
  std::map<std::string, std::unique_ptr<Chip>> chips_;
  std::unique_ptr<Place> place_;
  std::map<std::string, bool> needs_all_;  // kernels, once they ran
  bool counting_ = false;
  bool with_all_ = false;
  std::int64_t launches_ = 0;
};

}  // namespace roofline::inject
