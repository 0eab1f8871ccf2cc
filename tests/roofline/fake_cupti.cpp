#include "tests/roofline/fake_cupti.h"

#include <cupti_driver_cbid.h>

#include <cstdio>

namespace roofline::cupti {
namespace {

/// Records the call; returns the test's chosen answer.
CUptiResult note(const std::string& name) {
  fake().calls.push_back(name);
  const auto refusal = fake().refusals.find(name);
  return refusal == fake().refusals.end() ? CUPTI_SUCCESS : refusal->second;
}

/// A CUPTI function that records its call and sets results.
#define GIVES(function, ...)             \
  f.cupti##function = [](auto* params) { \
    __VA_ARGS__;                         \
    return note(#function);              \
  }

/// An arbitrary address that is never dereferenced.
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

// ---- PC sampling ----

void fill(const std::vector<FakeSamples>& samples, CUpti_PCSamplingData& data) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    CUpti_PCSamplingPCData& one = data.pPcData[i];
    one.cubinCrc = samples[i].crc;
    one.pcOffset = samples[i].offset;
    one.functionName = const_cast<char*>(samples[i].function);
    one.stallReasonCount =
        fake().claims_reasons > 0 ? fake().claims_reasons : samples[i].samples.size();
    for (std::size_t j = 0; j < samples[i].samples.size() && j < fake().stall_reasons.size(); ++j)
      one.stallReason[j] = {samples[i].samples[j].first, samples[i].samples[j].second};
  }
  data.totalNumPcs = fake().claims_pcs > 0 ? fake().claims_pcs : samples.size();
}

CUptiResult stall_reasons(CUpti_PCSamplingGetStallReasonsParams* params) {
  const CUptiResult result = note("PCSamplingGetStallReasons");
  for (std::size_t i = 0; i < fake().stall_reasons.size(); ++i) {
    params->stallReasonIndex[i] = static_cast<std::uint32_t>(i);
    std::snprintf(params->stallReasons[i], CUPTI_STALL_REASON_STRING_SIZE, "%s",
                  fake().stall_reasons[i].c_str());
  }
  return result;
}

CUptiResult configure(CUpti_PCSamplingConfigurationInfoParams* params) {
  const CUptiResult result = note("PCSamplingSetConfigurationAttribute");
  for (std::size_t i = 0; i < params->numAttributes; ++i) {
    CUpti_PCSamplingConfigurationInfo& one = params->pPCSamplingConfigurationInfo[i];
    one.attributeStatus = fake().attribute_status;
    fake().configuration[one.attributeType] = one.attributeData.samplingPeriodData.samplingPeriod;
    if (one.attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER)
      fake().own_buffer = static_cast<CUpti_PCSamplingData*>(
          one.attributeData.samplingDataBufferData.samplingDataBuffer);
  }
  return result;
}

CUptiResult get_data(CUpti_PCSamplingGetDataParams* params) {
  const CUptiResult result = note("PCSamplingGetData");
  if (result != CUPTI_SUCCESS) return result;
  auto& data = *static_cast<CUpti_PCSamplingData*>(params->pcSamplingData);
  const std::size_t turn = fake().fetched++;
  if (turn < fake().fetches.size()) fill(fake().fetches[turn], data);
  if (turn == 0) {
    data.droppedSamples = fake().samples_dropped;
    data.nonUsrKernelsTotalSamples = fake().samples_elsewhere;
    data.hardwareBufferFull = fake().buffer_full ? 1 : 0;
  }
  data.remainingNumPcs = turn + 1 < fake().fetches.size() ? 1 : 0;
  return result;
}

// ---- SASS metrics ----

CUptiResult sass_properties(CUpti_SassMetrics_GetProperties_Params* params) {
  const auto found = fake().sass_metrics.find(params->pMetricName);
  if (found == fake().sass_metrics.end()) return CUPTI_ERROR_INVALID_METRIC_NAME;
  params->metric.metricId = found->second;
  return CUPTI_SUCCESS;
}

CUptiResult sass_configure(CUpti_SassMetricsSetConfig_Params* params) {
  const CUptiResult result = note("SassMetricsSetConfig");
  if (params->numOfMetricConfig > fake().most_sass_metrics) return CUPTI_ERROR_INVALID_PARAMETER;
  fake().configured.clear();
  for (std::size_t i = 0; i < params->numOfMetricConfig; ++i)
    fake().configured.insert(params->pConfigs[i].metricId);
  return result;
}

/// The numbers of all metrics in sequence.
CUptiResult sass_flush(CUpti_SassMetricsFlushData_Params* params) {
  const CUptiResult result = note("SassMetricsFlushData");
  if (result != CUPTI_SUCCESS) return result;
  for (std::size_t i = 0; i < fake().counts.size(); ++i) {
    const FakeCounts& one = fake().counts[i];
    CUpti_SassMetrics_Data& data = params->pMetricsData[i];
    data.cubinCrc = one.crc;
    data.functionName = one.function;
    data.pcOffset = one.offset;
    std::size_t slot = 0;
    for (const auto& [name, value] : one.values)
      if (fake().configured.count(fake().sass_metrics.at(name)) > 0)
        data.pInstanceValues[slot++] = {fake().sass_metrics.at(name), value};
  }
  return result;
}

void add_line_functions(Functions& f) {
  f.cuptiSubscribe = [](CUpti_SubscriberHandle*, CUpti_CallbackFunc callback, void* data) {
    fake().callback = callback;
    fake().callback_data = data;
    return note("Subscribe");
  };
  GIVES(GetCubinCrc, params->cubinCrc = fake_crc(
                         std::string(static_cast<const char*>(params->cubin), params->cubinSize)));
  f.cuptiPCSamplingDisable = [](CUpti_PCSamplingDisableParams*) {
    if (fake().own_buffer != nullptr && !fake().left.empty()) fill(fake().left, *fake().own_buffer);
    return note("PCSamplingDisable");
  };
  GIVES(PCSamplingGetNumStallReasons, *params->numStallReasons = fake().reasons_claimed > 0
                                                                     ? fake().reasons_claimed
                                                                     : fake().stall_reasons.size());
  f.cuptiPCSamplingGetStallReasons = stall_reasons;
  f.cuptiPCSamplingSetConfigurationAttribute = configure;
  f.cuptiPCSamplingGetData = get_data;
  f.cuptiSassMetricsGetProperties = sass_properties;
  f.cuptiSassMetricsSetConfig = sass_configure;
  GIVES(SassMetricsDisable, params->numOfDroppedRecords = fake().records_dropped);
  GIVES(SassMetricsGetDataProperties,
        params->numOfPatchedInstructionRecords =
            fake().records_claimed > 0 ? fake().records_claimed : fake().counts.size();
        params->numOfInstances = fake().instances);
  f.cuptiSassMetricsFlushData = sass_flush;
}

void add_range_functions(Functions& f) {
  GIVES(RangeProfilerEnable,
        params->pRangeProfilerObject = some_object<CUpti_RangeProfiler_Object>());
  GIVES(RangeProfilerGetCounterDataSize, params->counterDataSize = 64);
  GIVES(RangeProfilerStop, ++fake().stopped;
        params->isAllPassSubmitted = fake().stopped == fake().passes ? 1 : 0);
  GIVES(RangeProfilerDecodeData, params->numOfRangeDropped = fake().dropped);
  GIVES(RangeProfilerGetCounterDataInfo, params->numTotalRanges = fake().ranges);
}

}  // namespace

std::uint64_t fake_crc(const std::string& cubin) {
  std::uint64_t crc = 0xcbf29ce484222325;
  for (const char byte : cubin) crc = (crc ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return crc;
}

void tell_of(const FakeModule& module, bool loaded) {
  CUpti_ModuleResourceData data = {};
  data.moduleId = module.id;
  data.cubinSize = module.cubin.size();
  data.pCubin = module.cubin.empty() ? nullptr : module.cubin.data();
  CUpti_ResourceData resource = {};
  resource.resourceDescriptor = &data;
  fake().callback(fake().callback_data, CUPTI_CB_DOMAIN_RESOURCE,
                  loaded ? CUPTI_CBID_RESOURCE_MODULE_LOADED : CUPTI_CBID_RESOURCE_MODULE_PROFILED,
                  &resource);
}

void tell_of_launch(const char* symbol) {
  CUpti_CallbackData data = {};
  data.symbolName = symbol;
  for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
    data.callbackSite = site;
    fake().callback(fake().callback_data, CUPTI_CB_DOMAIN_DRIVER_API,
                    symbol == nullptr ? CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch
                                      : CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                    &data);
  }
}

FakeCupti& fake() {
  static FakeCupti cupti;
  return cupti;
}

Functions fake_functions() {
  Functions f;
#define NOTES(function) f.function = [](auto...) { return note(std::string(#function).substr(5)); };
  ROOFLINE_CUPTI_FUNCTIONS(NOTES)
#undef NOTES
  f.cuptiGetErrorMessage = [](CUptiResult, const char** text) {
    *text = "in CUPTI's words";
    return CUPTI_SUCCESS;
  };
  f.cuptiProfilerDeviceSupported = device_supported;
  GIVES(ProfilerHostInitialize, params->pHostObject = some_object<CUpti_Profiler_Host_Object>());
  f.cuptiProfilerHostGetMetricProperties = metric_properties;
  f.cuptiProfilerHostConfigAddMetrics = add_metrics;
  GIVES(ProfilerHostGetConfigImageSize, params->configImageSize = 16);
  GIVES(ProfilerHostGetNumOfPasses, params->numOfPasses = static_cast<std::size_t>(fake().passes));
  f.cuptiProfilerHostEvaluateToGpuValues = evaluate_values;
  add_range_functions(f);
  add_line_functions(f);
  return f;
}

}  // namespace roofline::cupti
