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
#include <set>
#include <string>
#include <utility>

#include "tests/roofline/fake_cuda/code.h"
#include "tests/roofline/fake_cuda/counts.h"
#include "tests/roofline/fake_cuda/cupti.h"

namespace {

struct Instructions {
  std::mutex mutex;
  CUcontext context = nullptr;
  bool enabled = false, sampling = false, counting = false;
  std::set<std::uint64_t> configured;          ///< numbers of the metrics to count
  std::set<std::string> too_early;             ///< kernels launched before sampling was enabled
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
                                   "smsp__sass_thread_inst_executed_pred_on",
                                   "smsp__sass_sectors_mem_global_op_ld_ideal",
                                   "smsp__sass_sectors_mem_global_op_st_ideal"};

}  // namespace

void fake::execute(const Kernel& kernel) {
  Instructions& all = instructions();
  const std::scoped_lock lock(all.mutex);
  if (kernel.symbol == nullptr) return;
  if (!all.enabled) all.too_early.insert(kernel.symbol);
  const bool sampled = all.sampling && !all.too_early.contains(kernel.symbol);
  if ((sampled || all.counting) && all.context == kernel.context)
    all.sizes[kernel.symbol] += static_cast<std::uint64_t>(size_of(kernel.work));
}

bool fake::samples() { return instructions().enabled; }

extern "C" {

FAKE_DOES(cuptiGetCubinCrc, CUpti_GetCubinCrcParams,
          params->cubinCrc = crc_of({static_cast<const char*>(params->cubin), params->cubinSize}))
FAKE_DOES(cuptiPCSamplingEnable, CUpti_PCSamplingEnableParams, instructions().context = params->ctx;
          if (std::exchange(instructions().enabled, true)) return CUPTI_ERROR_INVALID_OPERATION)
FAKE_ENDS(cuptiPCSamplingDisable, CUpti_PCSamplingDisableParams, instructions().enabled = false;
          instructions().sizes.clear())
FAKE_DOES(
    cuptiPCSamplingSetConfigurationAttribute, CUpti_PCSamplingConfigurationInfoParams,
    bool buffer = false;
    for (std::size_t i = 0; i < params->numAttributes; ++i) {
      auto& one = params->pPCSamplingConfigurationInfo[i];
      one.attributeStatus = fake::says("attribute") ? CUPTI_ERROR_INVALID_OPERATION : CUPTI_SUCCESS;
      buffer = buffer ||
               one.attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
    } if (!buffer) return CUPTI_ERROR_INVALID_PARAMETER)  // mandatory, though nothing says so

CUptiResult cuptiSassMetricsSetConfig(CUpti_SassMetricsSetConfig_Params* params) {
  FAKE_MAY_REFUSE();
  std::set<std::uint64_t>& configured = instructions().configured;
  if (!configured.empty()) return CUPTI_ERROR_INVALID_OPERATION;
  for (std::size_t i = 0; i < params->numOfMetricConfig; ++i)
    configured.insert(params->pConfigs[i].metricId);
  return CUPTI_SUCCESS;
}

FAKE_ENDS(cuptiSassMetricsUnsetConfig, CUpti_SassMetricsUnsetConfig_Params,
          instructions().configured.clear())
FAKE_DOES(cuptiPCSamplingGetNumStallReasons, CUpti_PCSamplingGetNumStallReasonsParams,
          *params->numStallReasons = places + 1)

CUptiResult cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams* params) {
  FAKE_MAY_REFUSE();
  const char* names[] = {"long_scoreboard", "selected", "selected_not_issued"};
  for (std::uint32_t i = 0; i < std::size(names); ++i) {
    params->stallReasonIndex[i] = i;
    std::snprintf(params->stallReasons[i], CUPTI_STALL_REASON_STRING_SIZE,
                  "smsp__pcsamp_warps_issue_stalled_%s", names[i]);
  }
  return CUPTI_SUCCESS;
}

FAKE_DOES(cuptiPCSamplingStart, CUpti_PCSamplingStartParams, instructions().sampling = true)
FAKE_DOES(cuptiPCSamplingStop, CUpti_PCSamplingStopParams, instructions().sampling = false)

CUptiResult cuptiPCSamplingGetData(CUpti_PCSamplingGetDataParams* params) {
  FAKE_MAY_REFUSE();
  if (fake::says("no memory")) return CUPTI_ERROR_OUT_OF_MEMORY;
  auto& data = *static_cast<CUpti_PCSamplingData*>(params->pcSamplingData);
  data.hardwareBufferFull = fake::says("full");
  data.droppedSamples = fake::says("dropped") ? 17 : 0;
  Instructions& all = instructions();
  const std::scoped_lock lock(all.mutex);
  std::size_t count = 0;
  for (const auto& [kernel, size] : all.sizes)
    for (std::uint32_t place = 0; place < places && count < data.collectNumPcs; ++place) {
      CUpti_PCSamplingPCData& one = data.pPcData[count++];
      one.cubinCrc = crc_of(fake::cubin_of(kernel));
      one.pcOffset = 16 * place;
      one.functionName = strdup(kernel.c_str());
      one.stallReasonCount = fake::says("many") ? std::size_t{1} << 40 : 2;
      const auto samples = static_cast<std::uint32_t>(place == 0 ? 3 * size : size);
      one.stallReason[0] = {place, samples};
      one.stallReason[1] = {places, samples};  // the same samples again
    }
  data.totalNumPcs = fake::says("many") ? std::size_t{1} << 40 : count;
  data.remainingNumPcs = fake::says("more");
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
FAKE_ENDS(cuptiSassMetricsDisable, CUpti_SassMetricsDisable_Params,
          params->numOfDroppedRecords = fake::says("dropped") ? 12 : 0;
          instructions().counting = false)
FAKE_DOES(cuptiSassMetricsGetDataProperties, CUpti_SassMetricsGetDataProperties_Params,
          params->numOfPatchedInstructionRecords = places * instructions().sizes.size();
          params->numOfInstances = std::size(metrics))

CUptiResult cuptiSassMetricsFlushData(CUpti_SassMetricsFlushData_Params* params) {
  FAKE_MAY_REFUSE();
  Instructions& all = instructions();
  const std::scoped_lock lock(all.mutex);
  std::size_t record = 0;
  for (const auto& [kernel, size] : all.sizes)
    for (std::uint32_t place = 0; place < places; ++place) {
      CUpti_SassMetrics_Data& one = params->pMetricsData[record++];
      one.cubinCrc = static_cast<std::uint32_t>(crc_of(fake::cubin_of(kernel)));
      one.functionName = strdup(kernel.c_str());
      one.pcOffset = 16 * place;
      std::size_t slot = 0;
      for (const std::uint64_t metric : all.configured)
        one.pInstanceValues[slot++] = {metric, (metric == 1 ? 1 : warps) * warps * size};
    }
  all.sizes.clear();
  return CUPTI_SUCCESS;
}
}
