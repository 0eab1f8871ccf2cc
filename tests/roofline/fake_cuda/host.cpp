// The fake CUPTI's host API: its counters, passes, and values.
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>

#include <cmath>
#include <cstring>
#include <sstream>
#include <string>

#include "tests/roofline/fake_cuda/counts.h"
#include "tests/roofline/fake_cuda/cupti.h"

struct CUpti_Profiler_Host_Object {
  bool instrumented = false;
  fake::Config config = {};
};

extern "C" {

FAKE_DOES(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params)
FAKE_DOES(cuptiProfilerDeInitialize, CUpti_Profiler_DeInitialize_Params)
FAKE_DOES(cuptiProfilerDeviceSupported, CUpti_Profiler_DeviceSupported_Params,
          constexpr auto yes = CUPTI_PROFILER_CONFIGURATION_SUPPORTED,
          no = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
          const bool is_virtual = fake::says("virtual");
          params->isSupported = is_virtual || fake::says("unsupported") ? no : yes;
          params->vGpu = is_virtual ? no : yes)

CUptiResult cuptiProfilerGetCounterAvailability(
    CUpti_Profiler_GetCounterAvailability_Params* params) {
  params->counterAvailabilityImageSize = 1;
  if (params->pCounterAvailabilityImage != nullptr)
    *params->pCounterAvailabilityImage = static_cast<std::uint8_t>(fake_device(params->ctx));
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params, params->pChipName = "FAKE100")

CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params*) {
  return CUPTI_ERROR_NOT_SUPPORTED;
}

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
}
