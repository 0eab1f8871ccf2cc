#include "tests/roofline/fake_cupti.h"

namespace roofline::cupti {
namespace {

/// Notes the call; what the test wants it to answer.
CUptiResult note(const std::string& name) {
  fake().calls.push_back(name);
  const auto refusal = fake().refusals.find(name);
  return refusal == fake().refusals.end() ? CUPTI_SUCCESS : refusal->second;
}

/// Any address: nothing looks behind it.
template <typename Object>
Object* some_object() {
  static char place;
  return reinterpret_cast<Object*>(&place);
}

CUptiResult evaluate_values(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
  const CUptiResult result = note("ProfilerHostEvaluateToGpuValues");
  for (std::size_t i = 0; i < params->numMetrics; ++i)
    params->pMetricValues[i] = fake().values.at(params->ppMetricNames[i]);
  return result;
}

CUptiResult add_metrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
  const CUptiResult result = note("ProfilerHostConfigAddMetrics");
  for (std::size_t i = 0; i < params->numMetrics; ++i)
    if (fake().cannot_count.count(params->ppMetricNames[i]) > 0) return CUPTI_ERROR_UNKNOWN;
  return result;
}

CUptiResult metric_properties(CUpti_Profiler_Host_GetMetricProperties_Params* params) {
  const CUptiResult result = note("ProfilerHostGetMetricProperties");
  if (fake().values.count(params->pMetricName) == 0) return CUPTI_ERROR_INVALID_METRIC_NAME;
  return result;
}

CUptiResult device_supported(CUpti_Profiler_DeviceSupported_Params* params) {
  params->isSupported = fake().support.isSupported;
  params->vGpu = fake().support.vGpu;
  params->confidentialCompute = fake().support.confidentialCompute;
  return note("ProfilerDeviceSupported");
}

}  // namespace

FakeCupti& fake() {
  static FakeCupti cupti;
  return cupti;
}

Functions fake_functions() {
  Functions f;
  f.cuptiGetErrorMessage = [](CUptiResult, const char** text) {
    *text = "in CUPTI's words";
    return CUPTI_SUCCESS;
  };
  f.cuptiProfilerDeviceSupported = device_supported;
  f.cuptiProfilerInitialize = [](CUpti_Profiler_Initialize_Params*) {
    return note("ProfilerInitialize");
  };
  f.cuptiProfilerDeInitialize = [](CUpti_Profiler_DeInitialize_Params*) {
    return note("ProfilerDeInitialize");
  };
  f.cuptiProfilerHostInitialize = [](CUpti_Profiler_Host_Initialize_Params* params) {
    params->pHostObject = some_object<CUpti_Profiler_Host_Object>();
    return note("ProfilerHostInitialize");
  };
  f.cuptiProfilerHostDeinitialize = [](CUpti_Profiler_Host_Deinitialize_Params*) {
    return note("ProfilerHostDeinitialize");
  };
  f.cuptiProfilerHostGetMetricProperties = metric_properties;
  f.cuptiProfilerHostConfigAddMetrics = add_metrics;
  f.cuptiProfilerHostGetConfigImageSize = [](CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
    p->configImageSize = 16;
    return note("ProfilerHostGetConfigImageSize");
  };
  f.cuptiProfilerHostGetConfigImage = [](CUpti_Profiler_Host_GetConfigImage_Params*) {
    return note("ProfilerHostGetConfigImage");
  };
  f.cuptiProfilerHostGetNumOfPasses = [](CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
    params->numOfPasses = static_cast<std::size_t>(fake().passes);
    return note("ProfilerHostGetNumOfPasses");
  };
  f.cuptiProfilerHostEvaluateToGpuValues = evaluate_values;
  f.cuptiRangeProfilerEnable = [](CUpti_RangeProfiler_Enable_Params* params) {
    params->pRangeProfilerObject = some_object<CUpti_RangeProfiler_Object>();
    return note("RangeProfilerEnable");
  };
  f.cuptiRangeProfilerDisable = [](CUpti_RangeProfiler_Disable_Params*) {
    return note("RangeProfilerDisable");
  };
  f.cuptiRangeProfilerGetCounterDataSize = [](CUpti_RangeProfiler_GetCounterDataSize_Params* p) {
    p->counterDataSize = 64;
    return note("RangeProfilerGetCounterDataSize");
  };
  f.cuptiRangeProfilerCounterDataImageInitialize =
      [](CUpti_RangeProfiler_CounterDataImage_Initialize_Params*) {
        return note("RangeProfilerCounterDataImageInitialize");
      };
  f.cuptiRangeProfilerSetConfig = [](CUpti_RangeProfiler_SetConfig_Params*) {
    return note("RangeProfilerSetConfig");
  };
  f.cuptiRangeProfilerStart = [](CUpti_RangeProfiler_Start_Params*) {
    return note("RangeProfilerStart");
  };
  f.cuptiRangeProfilerStop = [](CUpti_RangeProfiler_Stop_Params* params) {
    ++fake().stopped;
    params->isAllPassSubmitted = fake().stopped == fake().passes ? 1 : 0;
    return note("RangeProfilerStop");
  };
  f.cuptiRangeProfilerPushRange = [](CUpti_RangeProfiler_PushRange_Params*) {
    return note("RangeProfilerPushRange");
  };
  f.cuptiRangeProfilerPopRange = [](CUpti_RangeProfiler_PopRange_Params*) {
    return note("RangeProfilerPopRange");
  };
  f.cuptiRangeProfilerDecodeData = [](CUpti_RangeProfiler_DecodeData_Params* params) {
    params->numOfRangeDropped = fake().dropped;
    return note("RangeProfilerDecodeData");
  };
  f.cuptiRangeProfilerGetCounterDataInfo = [](CUpti_RangeProfiler_GetCounterDataInfo_Params* p) {
    p->numTotalRanges = fake().ranges;
    return note("RangeProfilerGetCounterDataInfo");
  };
  return f;
}

}  // namespace roofline::cupti
