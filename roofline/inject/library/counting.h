// Counts every kernel with CUPTI's range profiler. CUPTI runs a kernel once for each pass and puts the
// memory it wrote back between passes, so that the program sees one run.
#pragma once

#include <map>
#include <memory>
#include <mutex>

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
  /// The profiler of one context.
  struct Place;

  Place& place_of(CUcontext context);
  void send_ranges(Place& place, const Launch& launch);

  const cupti::Functions& functions_;
  Channel& channel_;
  Chooser& chooser_;
  std::mutex mutex_;  // held from before() to after()
  std::unique_ptr<cupti::Profiling> profiling_;
  std::map<CUcontext, std::unique_ptr<Place>> places_;
  Place* counting_ = nullptr;
  std::int64_t launches_ = 0;
};

}  // namespace roofline::inject
