// The fake CUPTI's range profiler: every kernel in its context is a range of its own.
#include <cupti_range_profiler.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
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
  std::vector<const char*> ranges;
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
  const bool replayed = params->replayMode == CUPTI_KernelReplay;
  if (params->range != CUPTI_AutoRange || object.most > object.image->most ||
      (object.config.passes > 1 && !replayed))
    return CUPTI_ERROR_INVALID_PARAMETER;
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params,
          const std::scoped_lock lock(mutex);
          params->pRangeProfilerObject->started = true;
          params->pRangeProfilerObject->ranges.clear())
FAKE_DOES(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params,
          const std::scoped_lock lock(mutex);
          params->pRangeProfilerObject->started = false; params->isAllPassSubmitted = 1)

CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params*) {
  return CUPTI_ERROR_NOT_SUPPORTED;
}

CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params*) {
  return CUPTI_ERROR_NOT_SUPPORTED;
}

CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params* params) {
  const CUpti_RangeProfiler_Object& object = *params->pRangeProfilerObject;
  object.image->passes = object.config.passes;
  object.image->own_device = object.config.device == fake_device(object.context);
  object.image->ranges = object.ranges.size();
  std::copy(object.ranges.begin(), object.ranges.end(), object.image->names());
  params->numOfRangeDropped = object.dropped;
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiRangeProfilerGetCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo_Params,
          params->numTotalRanges =
              reinterpret_cast<const fake::Image*>(params->pCounterDataImage)->ranges)
}
