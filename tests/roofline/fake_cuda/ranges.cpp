// The fake CUPTI's range profiler: every kernel in its context is a range of its own, or all
// kernels between push and pop are one.
#include <cupti_range_profiler.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/roofline/fake_cuda/counts.h"
#include "tests/roofline/fake_cuda/cupti.h"

struct CUpti_RangeProfiler_Object {
  CUcontext context = nullptr;
  bool started = false;
  fake::Config config = {};
  std::size_t most = 0;
  bool by_user = false, pushed = false, replayed = false;
  std::uint64_t stops = 0;
  std::vector<std::string> ranges;
  std::size_t dropped = 0;
  fake::Image* image = nullptr;
};

namespace {

std::mutex mutex;
CUpti_RangeProfiler_Object* enabled = nullptr;  // the one context with the counters
int owned = -1;                                 // lock file of the counters

/// FAKE_CUPTI_OWNERS names a folder with a file per GPU; its lock gives access to the counters.
bool own_counters(CUcontext context) {
  const char* folder = std::getenv("FAKE_CUPTI_OWNERS");
  if (folder == nullptr) return true;
  const std::string file = folder + ("/gpu-" + std::to_string(fake_device(context)));
  owned = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  return flock(owned, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

/// Kernels called "lost" are not counted.
void fake::count(const Kernel& kernel) {
  const std::scoped_lock lock(mutex);
  if (enabled == nullptr || !enabled->started || enabled->context != kernel.context) return;
  if (has(kernel.work, "lost")) return;
  if (enabled->by_user) {
    if (enabled->pushed) enabled->ranges.back() += std::string("+") + kernel.work;
    return;
  }
  if (enabled->ranges.size() < enabled->most)
    enabled->ranges.push_back(kernel.work);
  else
    ++enabled->dropped;
}

/// The real CUPTI may read counts of instrumented kernels from an unloaded module's memory.
void fake::unload() {
  const std::scoped_lock lock(mutex);
  if (enabled != nullptr && enabled->started && !enabled->ranges.empty()) std::abort();
}

extern "C" {

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* params) {
  FAKE_MAY_REFUSE();
  const std::scoped_lock lock(mutex);
  if (fake::samples()) return CUPTI_ERROR_INVALID_OPERATION;
  if (enabled != nullptr || !own_counters(params->ctx)) return CUPTI_ERROR_HARDWARE_BUSY;
  enabled = new CUpti_RangeProfiler_Object;
  enabled->context = params->ctx;
  params->pRangeProfilerObject = enabled;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params* params) {
  const std::scoped_lock lock(mutex);
  delete params->pRangeProfilerObject;
  enabled = nullptr;
  if (owned >= 0) close(std::exchange(owned, -1));
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiRangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params,
          params->counterDataSize = sizeof(fake::Image) +
                                    params->maxNumOfRanges * sizeof(const char*))
FAKE_DOES(cuptiRangeProfilerCounterDataImageInitialize,
          CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
          auto& image = *reinterpret_cast<fake::Image*>(params->pCounterData);
          image = {(params->counterDataSize - sizeof image) / sizeof(const char*)})

CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* params) {
  CUpti_RangeProfiler_Object& object = *params->pRangeProfilerObject;
  std::memcpy(&object.config, params->pConfig, sizeof object.config);
  object.image = reinterpret_cast<fake::Image*>(params->pCounterDataImage);
  object.most = params->maxRangesPerPass;
  object.by_user = params->range == CUPTI_UserRange;
  object.replayed = params->replayMode == CUPTI_KernelReplay;
  object.stops = 0;
  return object.most > object.image->most ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

FAKE_DOES(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params,
          const std::scoped_lock lock(mutex);
          params->pRangeProfilerObject->started = true;
          params->pRangeProfilerObject->ranges.clear())
FAKE_DOES(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params,
          const std::scoped_lock lock(mutex);
          CUpti_RangeProfiler_Object& object = *params->pRangeProfilerObject;
          object.started = false; ++object.stops;
          params->isAllPassSubmitted = !fake::says("more") &&
                                       (object.replayed || object.stops >= object.config.passes))
FAKE_DOES(cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params,
          params->pRangeProfilerObject->pushed = true;
          params->pRangeProfilerObject->ranges.emplace_back())
FAKE_DOES(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params,
          params->pRangeProfilerObject->pushed = false)

CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params* params) {
  FAKE_MAY_REFUSE();
  CUpti_RangeProfiler_Object& object = *params->pRangeProfilerObject;
  std::erase(object.ranges, "");
  const bool complete = object.replayed || object.stops >= object.config.passes;
  object.image->passes = complete ? object.config.passes : 0;
  object.image->own_device = object.config.device == fake_device(object.context);
  object.image->ranges = object.ranges.size();
  static auto* kept = new std::set<std::string>;  // the image has pointers
  std::ranges::transform(object.ranges, object.image->names(), [](const std::string& range) {
    return kept->insert(range).first->c_str();
  });
  params->numOfRangeDropped = object.dropped;
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiRangeProfilerGetCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo_Params,
          params->numTotalRanges =
              reinterpret_cast<const fake::Image*>(params->pCounterDataImage)->ranges)
}
