// The fake CUPTI's samples and counts. A kernel of size n has 3 n samples at its first instruction,
// where warps waited, and n at its second; 32 n warps executed each.
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_sass_metrics.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "tests/roofline/fake_cuda/code.h"
#include "tests/roofline/fake_cuda/counts.h"
#include "tests/roofline/fake_cuda/cupti.h"

namespace {

struct Instructions {
  std::mutex mutex;
  CUcontext context = nullptr;
  bool sampling = false, counting = false;
  std::map<std::string, std::uint64_t> sizes;  ///< code sizes of kernels since the last fetch
};

Instructions& instructions() {
  static auto* one = new Instructions;  // never destroyed: programs call the driver at exit
  return *one;
}

std::uint64_t crc_of(const std::string& cubin) { return std::hash<std::string>{}(cubin); }

constexpr std::uint64_t warps = 32;
constexpr int places = 2;

/// A metric's number is its index here, from 1.
constexpr const char* metrics[] = {"smsp__sass_inst_executed", "smsp__sass_thread_inst_executed",
                                   "smsp__sass_thread_inst_executed_pred_on"};

}  // namespace

void fake::execute(const Kernel& kernel) {
  Instructions& all = instructions();
  const std::scoped_lock lock(all.mutex);
  if ((all.sampling || all.counting) && all.context == kernel.context && kernel.symbol != nullptr)
    all.sizes[kernel.symbol] += static_cast<std::uint64_t>(size_of(kernel.work));
}

extern "C" {

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) { return CUPTI_SUCCESS; }

CUptiResult cuptiGetCubinCrc(CUpti_GetCubinCrcParams* params) {
  return fake::gives(params->cubinCrc,
                     crc_of({static_cast<const char*>(params->cubin), params->cubinSize}));
}

CUptiResult cuptiPCSamplingEnable(CUpti_PCSamplingEnableParams* params) {
  FAKE_MAY_REFUSE();
  instructions().context = params->ctx;
  return CUPTI_SUCCESS;
}

FAKE_ACCEPTS(cuptiPCSamplingDisable, CUpti_PCSamplingDisableParams)
FAKE_ACCEPTS(cuptiPCSamplingSetConfigurationAttribute, CUpti_PCSamplingConfigurationInfoParams)
FAKE_ACCEPTS(cuptiSassMetricsSetConfig, CUpti_SassMetricsSetConfig_Params)
FAKE_ACCEPTS(cuptiSassMetricsUnsetConfig, CUpti_SassMetricsUnsetConfig_Params)

CUptiResult cuptiPCSamplingGetNumStallReasons(CUpti_PCSamplingGetNumStallReasonsParams* params) {
  return fake::gives(*params->numStallReasons, places);
}

CUptiResult cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams* params) {
  const char* names[] = {"long_scoreboard", "selected"};
  for (std::uint32_t i = 0; i < places; ++i) {
    params->stallReasonIndex[i] = i;
    std::snprintf(params->stallReasons[i], CUPTI_STALL_REASON_STRING_SIZE,
                  "smsp__pcsamp_warps_issue_stalled_%s", names[i]);
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiPCSamplingStart(CUpti_PCSamplingStartParams*) {
  FAKE_MAY_REFUSE();
  instructions().sampling = true;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiPCSamplingStop(CUpti_PCSamplingStopParams*) {
  FAKE_MAY_REFUSE();
  instructions().sampling = false;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiPCSamplingGetData(CUpti_PCSamplingGetDataParams* params) {
  auto& data = *static_cast<CUpti_PCSamplingData*>(params->pcSamplingData);
  Instructions& all = instructions();
  const std::scoped_lock lock(all.mutex);
  std::size_t count = 0;
  for (const auto& [kernel, size] : all.sizes)
    for (std::uint32_t place = 0; place < places && count < data.collectNumPcs; ++place) {
      CUpti_PCSamplingPCData& one = data.pPcData[count++];
      one.cubinCrc = crc_of(fake::cubin_of(kernel));
      one.pcOffset = 16 * place;
      one.functionName = strdup(kernel.c_str());
      one.stallReasonCount = 1;
      one.stallReason[0] = {place, static_cast<std::uint32_t>(place == 0 ? 3 * size : size)};
    }
  data.totalNumPcs = count;
  data.remainingNumPcs = 0;
  all.sizes.clear();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSassMetricsGetProperties(CUpti_SassMetrics_GetProperties_Params* params) {
  for (std::uint64_t i = 0; i < std::size(metrics); ++i)
    if (std::strcmp(params->pMetricName, metrics[i]) == 0) {
      params->metric.metricId = i + 1;
      return CUPTI_SUCCESS;
    }
  return CUPTI_ERROR_INVALID_METRIC_NAME;
}

CUptiResult cuptiSassMetricsEnable(CUpti_SassMetricsEnable_Params* params) {
  FAKE_MAY_REFUSE();
  instructions().context = params->ctx;
  instructions().counting = true;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSassMetricsDisable(CUpti_SassMetricsDisable_Params* params) {
  params->numOfDroppedRecords = 0;
  instructions().counting = false;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSassMetricsGetDataProperties(CUpti_SassMetricsGetDataProperties_Params* params) {
  params->numOfPatchedInstructionRecords = places * instructions().sizes.size();
  params->numOfInstances = std::size(metrics);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSassMetricsFlushData(CUpti_SassMetricsFlushData_Params* params) {
  Instructions& all = instructions();
  const std::scoped_lock lock(all.mutex);
  std::size_t record = 0;
  for (const auto& [kernel, size] : all.sizes)
    for (std::uint32_t place = 0; place < places; ++place) {
      CUpti_SassMetrics_Data& one = params->pMetricsData[record++];
      one.cubinCrc = static_cast<std::uint32_t>(crc_of(fake::cubin_of(kernel)));
      one.functionName = strdup(kernel.c_str());
      one.pcOffset = 16 * place;
      for (std::uint64_t i = 0; i < std::size(metrics); ++i)
        one.pInstanceValues[i] = {i + 1, (i == 0 ? 1 : warps) * warps * size};
    }
  all.sizes.clear();
  return CUPTI_SUCCESS;
}
}
