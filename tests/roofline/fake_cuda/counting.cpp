// The fake CUPTI's counters: its host API, with passes and values, and its range profiler, for
// which every kernel in its context is a range of its own, or all kernels between push and pop are
// one.
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/roofline/fake_cuda/counts.h"
#include "tests/roofline/fake_cuda/cupti.h"

struct CUpti_Profiler_Host_Object {
  bool instrumented = false;
  fake::Config config = {};
};

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

FAKE_DOES(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params)
FAKE_DOES(cuptiProfilerDeInitialize, CUpti_Profiler_DeInitialize_Params)
FAKE_DOES(cuptiProfilerDeviceSupported, CUpti_Profiler_DeviceSupported_Params,
          params->isSupported = fake::says("unsupported") ? CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED
                                                          : CUPTI_PROFILER_CONFIGURATION_SUPPORTED)

CUptiResult cuptiProfilerGetCounterAvailability(
    CUpti_Profiler_GetCounterAvailability_Params* params) {
  params->counterAvailabilityImageSize = 1;
  if (params->pCounterAvailabilityImage != nullptr)
    *params->pCounterAvailabilityImage = static_cast<std::uint8_t>(fake_device(params->ctx));
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params, params->pChipName = "FAKE100")

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* params) {
  params->pHostObject = new CUpti_Profiler_Host_Object;
  if (params->pCounterAvailabilityImage != nullptr)
    params->pHostObject->config.device = *params->pCounterAvailabilityImage;
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params,
          delete params->pHostObject)

CUptiResult cuptiProfilerHostGetMetricProperties(
    CUpti_Profiler_Host_GetMetricProperties_Params* params) {
  const std::string name = params->pMetricName;
  return fake::counters().contains(name) || name == "uncountable.sum"
             ? CUPTI_SUCCESS
             : CUPTI_ERROR_INVALID_METRIC_NAME;
}

CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    if (!fake::counters().contains(params->ppMetricNames[i]))
      return CUPTI_ERROR_INVALID_METRIC_NAME;
    if (std::strstr(params->ppMetricNames[i], "_sass_") != nullptr)
      params->pHostObject->instrumented = true;
    if (fake::takes_many_passes(params->ppMetricNames[i]))
      params->pHostObject->config.passes = fake::many_passes;
  }
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiProfilerHostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params,
          params->configImageSize = sizeof params->pHostObject->config)

CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* params) {
  if (!params->pHostObject->instrumented && fake::refuses("hardware"))
    return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  std::memcpy(params->pConfigImage, &params->pHostObject->config, params->configImageSize);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
  fake::Config config;
  std::memcpy(&config, params->pConfigImage, sizeof config);
  params->numOfPasses = config.passes;
  return CUPTI_SUCCESS;
}

/// A metric outside of the configuration has no value; none has one if the configuration is for
/// another device.
CUptiResult cuptiProfilerHostEvaluateToGpuValues(
    CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
  const auto& image = *reinterpret_cast<const fake::Image*>(params->pCounterDataImage);
  if (params->rangeIndex >= image.ranges) return CUPTI_ERROR_INVALID_PARAMETER;
  const std::string kernels = image.names()[params->rangeIndex];
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    const char* counter = params->ppMetricNames[i];
    const bool counted =
        image.own_device && image.passes > (fake::takes_many_passes(counter) ? 1U : 0U);
    params->pMetricValues[i] = counted ? 0 : NAN;
    std::istringstream list(kernels);
    for (std::string kernel; std::getline(list, kernel, '+');)
      if (!kernel.empty()) params->pMetricValues[i] += fake::count_of(kernel, counter);
  }
  return CUPTI_SUCCESS;
}

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
