// The fake CUPTI's host API: which counters there are, how many passes they take, what they count.
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>

#include <cmath>
#include <cstring>

#include "tests/roofline/fake_cuda/counts.h"
#include "tests/roofline/fake_cuda/cupti.h"
#include "tests/roofline/fake_cuda/image.h"

struct CUpti_Profiler_Host_Object {
  bool instrumented = false;
  std::uint64_t passes = 1;
};

extern "C" {

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params*) {
  FAKE_MAY_REFUSE();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params*) { return CUPTI_SUCCESS; }

CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params* params) {
  return fake::gives(params->isSupported, CUPTI_PROFILER_CONFIGURATION_SUPPORTED);
}

CUptiResult cuptiProfilerGetCounterAvailability(
    CUpti_Profiler_GetCounterAvailability_Params* params) {
  return fake::gives(params->counterAvailabilityImageSize, 1);
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* params) {
  return fake::gives(params->pChipName, "FAKE100");
}

CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params*) {
  return CUPTI_ERROR_NOT_SUPPORTED;
}

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* params) {
  return fake::gives(params->pHostObject, new CUpti_Profiler_Host_Object);
}

CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* params) {
  delete params->pHostObject;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetMetricProperties(
    CUpti_Profiler_Host_GetMetricProperties_Params* params) {
  return fake::counters().contains(params->pMetricName) ? CUPTI_SUCCESS
                                                        : CUPTI_ERROR_INVALID_METRIC_NAME;
}

CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    if (!fake::counters().contains(params->ppMetricNames[i]))
      return CUPTI_ERROR_INVALID_METRIC_NAME;
    if (std::strstr(params->ppMetricNames[i], "_sass_") != nullptr)
      params->pHostObject->instrumented = true;
    if (fake::takes_many_passes(params->ppMetricNames[i]))
      params->pHostObject->passes = fake::many_passes;
  }
  return CUPTI_SUCCESS;
}

/// A configuration is its number of passes.
CUptiResult cuptiProfilerHostGetConfigImageSize(
    CUpti_Profiler_Host_GetConfigImageSize_Params* params) {
  return fake::gives(params->configImageSize, sizeof params->pHostObject->passes);
}

CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* params) {
  if (!params->pHostObject->instrumented && fake::refuses("hardware"))
    return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  std::memcpy(params->pConfigImage, &params->pHostObject->passes, params->configImageSize);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
  std::uint64_t passes = 0;
  std::memcpy(&passes, params->pConfigImage, sizeof passes);
  params->numOfPasses = passes;
  return CUPTI_SUCCESS;
}

/// A metric that the configuration did not hold has no value.
CUptiResult cuptiProfilerHostEvaluateToGpuValues(
    CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
  const auto& image = *reinterpret_cast<const fake::Image*>(params->pCounterDataImage);
  if (params->rangeIndex >= image.ranges) return CUPTI_ERROR_INVALID_PARAMETER;
  const char* kernel = image.names()[params->rangeIndex];
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    const char* counter = params->ppMetricNames[i];
    const bool counted = image.passes > 1 || !fake::takes_many_passes(counter);
    params->pMetricValues[i] = counted ? fake::count_of(kernel, counter) : NAN;
  }
  return CUPTI_SUCCESS;
}
}
