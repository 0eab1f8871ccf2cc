#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "roofline/cupti/api.h"
#include "roofline/cupti/session.h"

namespace roofline::cupti {
namespace {

/// A count as a sum of CUPTI's metrics. The first way that the chip supports is used.
struct Way {
  const char* count;
  std::vector<const char*> metrics;
};

// The names are CUPTI's (cuptiSassMetricsGetMetrics), those of instructions first. Chips before
// Hopper count ideal sectors of loads and stores separately.
const std::vector<Way>& ways() {
  static const std::vector<Way> list = {
      {"warp_instructions", {"smsp__sass_inst_executed"}},
      {"thread_instructions", {"smsp__sass_thread_inst_executed"}},
      {"thread_instructions_pred_on", {"smsp__sass_thread_inst_executed_pred_on"}},
      {"sectors", {"smsp__sass_sectors_mem_global"}},
      {"ideal_sectors", {"smsp__sass_sectors_mem_global_ideal"}},
      {"ideal_sectors",
       {"smsp__sass_sectors_mem_global_op_ld_ideal", "smsp__sass_sectors_mem_global_op_st_ideal"}},
      {"shared_wavefronts", {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"}},
      {"ideal_shared_wavefronts", {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal"}},
      {"local_sectors", {"smsp__sass_sectors_mem_local"}}};
  return list;
}

/// A number that no CUPTI metric has.
constexpr std::uint64_t no_metric = std::numeric_limits<std::uint64_t>::max();

/// The metrics to count: CUPTI's number of each, and the count to which it contributes.
using Numbered = std::vector<std::pair<std::uint64_t, std::string>>;

bool has_count(const Numbered& metrics, const std::string& count) {
  return std::ranges::any_of(metrics, [&count](const auto& one) { return one.second == count; });
}

/// CUPTI's number of a metric; empty if the chip lacks it.
std::optional<std::uint64_t> number_of(const std::string& chip, const char* metric) {
  ROOFLINE_CUPTI_PARAMS(CUpti_SassMetrics_GetProperties_Params, params);
  params.pChipName = chip.c_str();
  params.pMetricName = metric;
  if (ROOFLINE_CUPTI(cuptiSassMetricsGetProperties)(&params) != CUPTI_SUCCESS) return std::nullopt;
  return params.metric.metricId;
}

/// All metrics that the chip has. The others are added to `lost`.
Numbered metrics_of(const std::string& chip, std::vector<std::string>& lost) {
  Numbered metrics;
  for (const Way& way : ways()) {
    if (has_count(metrics, way.count)) continue;
    Numbered found;
    for (const char* metric : way.metrics)
      if (const auto number = number_of(chip, metric)) found.emplace_back(*number, way.count);
    if (found.size() == way.metrics.size())
      metrics.insert(metrics.end(), found.begin(), found.end());
  }
  for (const char* count : line_counts)
    if (!has_count(metrics, count))
      lost.push_back(fmt::format("{}: {} does not count them", count, chip));
  if (!has_count(metrics, line_counts[0]))
    throw RecorderError(fmt::format(
        "{} does not count executed instructions; GPUs from compute capability 7.5 on do", chip));
  return metrics;
}

/// Counts in a context from SetConfig to UnsetConfig.
class Counting final : public CodeWatch {
 public:
  explicit Counting(CUcontext context) : context_(context), device_(current_target().device) {
    metrics_ = metrics_of(chip_name(device_), lost_);
    begin();
  }
  ~Counting() override {
    std::size_t dropped = 0;
    if (enabled_) disable(dropped);
    if (configured_) unset();
  }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

  /// Waits for the device.
  RecordedCode fetch() override {
    synchronize();
    RecordedCode code;
    code.instructions = flush();
    code.lost = std::exchange(lost_, {});
    for (const char* count : line_counts)
      if (has_count(metrics_, count)) code.counted.emplace_back(count);
    return code;
  }

  RecordedCode end() override {
    RecordedCode code = fetch();
    std::size_t dropped = 0;
    check(disable(dropped), "cuptiSassMetricsDisable");
    if (dropped > 0)
      code.lost.push_back(
          fmt::format("counts: CUPTI dropped {} records (cuptiSassMetricsDisable)", dropped));
    check(unset(), "cuptiSassMetricsUnsetConfig");
    return code;
  }

 private:
  void begin() {
    std::vector<CUpti_SassMetrics_Config> configs;
    for (const auto& [number, count] : metrics_)
      configs.push_back({number, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    ROOFLINE_CUPTI_ASK(cuptiSassMetricsSetConfig, CUpti_SassMetricsSetConfig_Params,
                       params.numOfMetricConfig = configs.size();
                       params.pConfigs = configs.data();
                       params.deviceIndex = static_cast<std::uint32_t>(device_));
    configured_ = true;
    try {
      ROOFLINE_CUPTI_ASK(cuptiSassMetricsEnable, CUpti_SassMetricsEnable_Params,
                         params.ctx = context_;
                         // patches each kernel at its launch, not all at once
                         params.enableLazyPatching = 1);
    } catch (...) {
      unset();
      throw;
    }
    enabled_ = true;
  }

  std::vector<InstructionEvidence> flush() const {
    const auto told =
        ROOFLINE_CUPTI_ASK(cuptiSassMetricsGetDataProperties,
                           CUpti_SassMetricsGetDataProperties_Params, params.ctx = context_);
    const std::size_t records = told.numOfPatchedInstructionRecords;
    const std::size_t instances = told.numOfInstances;
    if (records == 0) return {};
    // The header does not say whether the instances are per metric or for all.
    const std::size_t room = std::max<std::size_t>(1, instances) * metrics_.size();
    std::vector<CUpti_SassMetrics_InstanceValue> values(records * room, {no_metric, 0});
    std::vector<CUpti_SassMetrics_Data> data(records);
    for (std::size_t i = 0; i < records; ++i) {
      data[i].structSize = sizeof(CUpti_SassMetrics_Data);
      data[i].pInstanceValues = &values[i * room];
    }
    ROOFLINE_CUPTI_ASK(
        cuptiSassMetricsFlushData, CUpti_SassMetricsFlushData_Params, params.ctx = context_;
        params.numOfPatchedInstructionRecords = records; params.numOfInstances = instances;
        params.pMetricsData = data.data());
    return evidence(data, room);
  }

  std::vector<InstructionEvidence> evidence(const std::vector<CUpti_SassMetrics_Data>& data,
                                            std::size_t room) const {
    const std::map<std::uint64_t, std::string> names(metrics_.begin(), metrics_.end());
    std::vector<InstructionEvidence> all;
    for (const CUpti_SassMetrics_Data& one : data) {
      Events& counts = all.emplace_back(InstructionEvidence{
                                            one.cubinCrc, one.functionName ? one.functionName : "",
                                            one.pcOffset})
                           .counts;
      for (std::size_t i = 0; i < room; ++i) {
        const auto name = names.find(one.pInstanceValues[i].metricId);
        if (name != names.end()) counts[name->second] += one.pInstanceValues[i].value;
      }
    }
    return all;
  }

  CUptiResult disable(std::size_t& dropped) {
    enabled_ = false;
    ROOFLINE_CUPTI_PARAMS(CUpti_SassMetricsDisable_Params, params);
    params.ctx = context_;
    const CUptiResult result = ROOFLINE_CUPTI(cuptiSassMetricsDisable)(&params);
    dropped = params.numOfDroppedRecords;
    return result;
  }

  CUptiResult unset() {
    configured_ = false;
    ROOFLINE_CUPTI_PARAMS(CUpti_SassMetricsUnsetConfig_Params, params);
    params.deviceIndex = static_cast<std::uint32_t>(device_);
    return ROOFLINE_CUPTI(cuptiSassMetricsUnsetConfig)(&params);
  }

  CUcontext context_;
  CUdevice device_;
  Numbered metrics_;
  std::vector<std::string> lost_;  // told by the next fetch
  bool configured_ = false;
  bool enabled_ = false;
};

}  // namespace

std::unique_ptr<CodeWatch> watch_instructions(CUcontext context) {
  return std::make_unique<Counting>(context);
}

}  // namespace roofline::cupti
