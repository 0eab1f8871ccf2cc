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

FAKE_DOES(cuptiGetCubinCrc, CUpti_GetCubinCrcParams,
          params->cubinCrc = crc_of({static_cast<const char*>(params->cubin), params->cubinSize}))
FAKE_DOES(cuptiPCSamplingEnable, CUpti_PCSamplingEnableParams, instructions().context = params->ctx)
FAKE_DOES(cuptiPCSamplingDisable, CUpti_PCSamplingDisableParams)
FAKE_DOES(cuptiPCSamplingSetConfigurationAttribute, CUpti_PCSamplingConfigurationInfoParams)
FAKE_DOES(cuptiSassMetricsSetConfig, CUpti_SassMetricsSetConfig_Params)
FAKE_DOES(cuptiSassMetricsUnsetConfig, CUpti_SassMetricsUnsetConfig_Params)
FAKE_DOES(cuptiPCSamplingGetNumStallReasons, CUpti_PCSamplingGetNumStallReasonsParams,
          *params->numStallReasons = places)

CUptiResult cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams* params) {
  const char* names[] = {"long_scoreboard", "selected"};
  for (std::uint32_t i = 0; i < places; ++i) {
    params->stallReasonIndex[i] = i;
    std::snprintf(params->stallReasons[i], CUPTI_STALL_REASON_STRING_SIZE,
                  "smsp__pcsamp_warps_issue_stalled_%s", names[i]);
  }
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiPCSamplingStart, CUpti_PCSamplingStartParams, instructions().sampling = true)
FAKE_DOES(cuptiPCSamplingStop, CUpti_PCSamplingStopParams, instructions().sampling = false)

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

FAKE_DOES(cuptiSassMetricsEnable, CUpti_SassMetricsEnable_Params,
          instructions().context = params->ctx;
          instructions().counting = true)
FAKE_DOES(cuptiSassMetricsDisable, CUpti_SassMetricsDisable_Params, params->numOfDroppedRecords = 0;
          instructions().counting = false)
FAKE_DOES(cuptiSassMetricsGetDataProperties, CUpti_SassMetricsGetDataProperties_Params,
          params->numOfPatchedInstructionRecords = places * instructions().sizes.size();
          params->numOfInstances = std::size(metrics))

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
