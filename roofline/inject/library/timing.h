// Takes the time of every kernel, from CUPTI's activity records: the device's own clock, no
// counters, and kernels that run at the same time still do.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "roofline/inject/library/watcher.h"

namespace roofline::inject {

#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
#else
using KernelRecord = CUpti_ActivityKernel9;
#endif

class Timing final : public Watcher {
 public:
  Timing(const cupti::Functions& functions, Channel& channel, Chooser& chooser);

  void before(const Launch& launch) override;
  void after(const Launch& launch, bool ran) override;
  void synchronized() override;
  void module_ends(CUcontext) override {}  // CUPTI keeps the names
  void context_ends(CUcontext context) override;
  void program_ends() override;

 private:
  /// Sums of kernels, by the symbols that CUPTI names, since the last packet.
  struct Sum {
    std::int64_t launches = 0;
    double seconds = 0;
  };

  static void lend_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records);
  static void take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                          std::size_t size, std::size_t filled);
  void take_records(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                    std::size_t filled);
  void take(const KernelRecord& record, std::map<std::string, Sum>& sums);
  bool was_chosen(std::uint32_t correlation);
  void flush();

  const cupti::Functions& functions_;
  Channel& channel_;
  Chooser& chooser_;
  const bool everything_;  // then nobody needs to remember what was chosen
  std::mutex mutex_;
  std::set<std::uint32_t> chosen_;  // launches that have not run yet
  std::set<std::uint32_t> graphs_;  // chosen launches of graphs, which run many kernels each
  std::int64_t launches_ = 0;
  std::int64_t told_ = 0;         // launches, when they were last sent
  std::set<CUcontext> contexts_;  // whose devices were told
};

}  // namespace roofline::inject
