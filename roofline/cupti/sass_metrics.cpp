#include "roofline/cupti/sass_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace roofline::cupti {
// The namespace has a name because a class visible elsewhere has these parts as its state.
namespace sass {

/// A count as a sum of CUPTI's metrics. The first way that the chip supports is used.
struct Way {
  const char* count;
  std::vector<const char*> metrics;
};

// The names are CUPTI's (cuptiSassMetricsGetMetrics). Chips before Hopper count ideal sectors of
// loads and stores separately.
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

constexpr std::string_view instructions_end = "_pred_on";

constexpr std::size_t most_records = 10'000'000;
constexpr std::size_t most_instances = 1000;
/// A number that no CUPTI metric has.
constexpr std::uint64_t no_metric = std::numeric_limits<std::uint64_t>::max();

/// The metrics to count: CUPTI's number of each, and the count to which it contributes.
using Metrics = std::vector<std::pair<std::uint64_t, std::string>>;

/// CUPTI's number of a metric; empty if the chip lacks it.
std::optional<std::uint64_t> number_of(const SassPlace& place, const char* metric) {
  ROOFLINE_CUPTI_PARAMS(CUpti_SassMetrics_GetProperties_Params, params);
  params.pChipName = place.chip.c_str();
  params.pMetricName = metric;
  if (place.functions.cuptiSassMetricsGetProperties(&params) != CUPTI_SUCCESS) return std::nullopt;
  return params.metric.metricId;
}

/// All metrics that the chip has. The others are added to `lost`.
Metrics metrics_of(const SassPlace& place, std::vector<std::string>& lost) {
  Metrics metrics;
  const auto has = [&metrics](const std::string& count) {
    return std::ranges::any_of(metrics, [&count](const auto& one) { return one.second == count; });
  };
  for (const Way& way : ways()) {
    if (has(way.count)) continue;
    Metrics found;
    for (const char* metric : way.metrics)
      if (const auto number = number_of(place, metric)) found.emplace_back(*number, way.count);
    if (found.size() == way.metrics.size())
      metrics.insert(metrics.end(), found.begin(), found.end());
  }
  for (const char* count : line_counts)
    if (!has(count)) lost.push_back(fmt::format("{}: {} does not count them", count, place.chip));
  if (!has(line_counts[0]))
    throw RecorderError(
        fmt::format("{} has no count of executed instructions (cuptiSassMetricsGetProperties of "
                    "smsp__sass_inst_executed); GPUs from compute capability 7.5 on have",
                    place.chip));
  return metrics;
}

/// The metrics that count instructions, without those of memory accesses.
Metrics of_instructions(const Metrics& all) {
  Metrics some;
  for (const auto& one : all)
    if (one.second.ends_with("_instructions") || one.second.ends_with(instructions_end))
      some.push_back(one);
  return some;
}

/// Counts in a context from SetConfig to UnsetConfig.
class CountingSession {
 public:
  explicit CountingSession(const SassPlace& place) : place_(place) {}
  ~CountingSession() {
    std::size_t dropped = 0;
    if (enabled_) disable(dropped);
    if (configured_) unset();
  }
  CountingSession(const CountingSession&) = delete;
  CountingSession& operator=(const CountingSession&) = delete;

  /// Starts counting. Returns the failed call with its error, or "".
  std::pair<const char*, CUptiResult> begin(const Metrics& metrics) {
    std::vector<CUpti_SassMetrics_Config> configs;
    for (const auto& [number, count] : metrics)
      configs.push_back({number, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    ROOFLINE_CUPTI_PARAMS(CUpti_SassMetricsSetConfig_Params, config);
    config.numOfMetricConfig = configs.size();
    config.pConfigs = configs.data();
    config.deviceIndex = static_cast<std::uint32_t>(place_.device);
    CUptiResult result = functions().cuptiSassMetricsSetConfig(&config);
    if (result != CUPTI_SUCCESS) return {"cuptiSassMetricsSetConfig", result};
    configured_ = true;
    ROOFLINE_CUPTI_PARAMS(CUpti_SassMetricsEnable_Params, params);
    params.ctx = place_.context;
    params.enableLazyPatching = 1;  // patches each kernel at its launch, not all at once
    result = functions().cuptiSassMetricsEnable(&params);
    enabled_ = result == CUPTI_SUCCESS;
    if (!enabled_) unset();
    return {"cuptiSassMetricsEnable", result};
  }

  std::vector<InstructionEvidence> fetch(const Metrics& metrics) const {
    ROOFLINE_CUPTI_PARAMS(CUpti_SassMetricsGetDataProperties_Params, properties);
    properties.ctx = place_.context;
    check(functions(), functions().cuptiSassMetricsGetDataProperties(&properties),
          "cuptiSassMetricsGetDataProperties");
    const std::size_t records = properties.numOfPatchedInstructionRecords;
    const std::size_t instances = properties.numOfInstances;
    if (records > most_records || instances > most_instances)
      throw RecorderError(
          fmt::format("CUPTI tells of {} instructions with {} numbers each "
                      "(cuptiSassMetricsGetDataProperties); update the driver or the CUDA toolkit",
                      records, instances));
    if (records == 0) return {};
    // The header does not say whether the instances are per metric or for all.
    const std::size_t room = std::max<std::size_t>(1, instances) * metrics.size();
    std::vector<CUpti_SassMetrics_InstanceValue> values(records * room, {no_metric, 0});
    std::vector<CUpti_SassMetrics_Data> data(records);
    for (std::size_t i = 0; i < records; ++i) {
      data[i] = {};
      data[i].structSize = sizeof(CUpti_SassMetrics_Data);
      data[i].pInstanceValues = &values[i * room];
    }
    ROOFLINE_CUPTI_PARAMS(CUpti_SassMetricsFlushData_Params, flush);
    flush.ctx = place_.context;
    flush.numOfPatchedInstructionRecords = records;
    flush.numOfInstances = instances;
    flush.pMetricsData = data.data();
    check(functions(), functions().cuptiSassMetricsFlushData(&flush), "cuptiSassMetricsFlushData");
    return evidence(data, room, metrics);
  }

  void end(std::vector<std::string>& lost) {
    std::size_t dropped = 0;
    check(functions(), disable(dropped), "cuptiSassMetricsDisable");
    if (dropped > 0)
      lost.push_back(
          fmt::format("counts: CUPTI dropped {} records (cuptiSassMetricsDisable)", dropped));
    check(functions(), unset(), "cuptiSassMetricsUnsetConfig");
  }

 private:
  static std::vector<InstructionEvidence> evidence(const std::vector<CUpti_SassMetrics_Data>& data,
                                                   std::size_t room, const Metrics& metrics) {
    const std::map<std::uint64_t, std::string> names(metrics.begin(), metrics.end());
    std::map<std::tuple<std::uint64_t, std::string, std::uint64_t>, Events> instructions;
    for (const CUpti_SassMetrics_Data& one : data) {
      Events& counts =
          instructions[{one.cubinCrc, one.functionName ? one.functionName : "", one.pcOffset}];
      for (std::size_t i = 0; i < room; ++i) {
        const auto name = names.find(one.pInstanceValues[i].metricId);
        if (name != names.end()) counts[name->second] += one.pInstanceValues[i].value;
      }
    }
    std::vector<InstructionEvidence> all;
    for (const auto& [key, counts] : instructions)
      all.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), {}, counts});
    return all;
  }

  CUptiResult disable(std::size_t& dropped) {
    enabled_ = false;
    ROOFLINE_CUPTI_PARAMS(CUpti_SassMetricsDisable_Params, params);
    params.ctx = place_.context;
    const CUptiResult result = functions().cuptiSassMetricsDisable(&params);
    dropped = params.numOfDroppedRecords;
    return result;
  }

  CUptiResult unset() {
    configured_ = false;
    ROOFLINE_CUPTI_PARAMS(CUpti_SassMetricsUnsetConfig_Params, params);
    params.deviceIndex = static_cast<std::uint32_t>(place_.device);
    return functions().cuptiSassMetricsUnsetConfig(&params);
  }

  const Functions& functions() const { return place_.functions; }

  const SassPlace& place_;
  bool configured_ = false;
  bool enabled_ = false;
};

/// Turns counting on; returns the counted metrics.
Metrics begin_counting(const SassPlace& place, CountingSession& session,
                       std::vector<std::string>& lost) {
  Metrics metrics = metrics_of(place, lost);
  auto [call, result] = session.begin(metrics);
  if (result == CUPTI_SUCCESS) return metrics;
  const Metrics fewer = of_instructions(metrics);
  if (fewer.size() == metrics.size()) check(place.functions, result, call);
  lost.push_back(fmt::format(
      "accesses to memory: CUPTI refused to count them together with instructions ({}: error {})",
      call, static_cast<int>(result)));
  std::tie(call, result) = session.begin(fewer);
  check(place.functions, result, call);
  return fewer;
}

}  // namespace sass

using namespace sass;

struct SassCounting::State {
  SassPlace place;
  std::vector<std::string> lost = {};  // lost metrics, reported by the next fetch
  CountingSession session;
  Metrics metrics;

  explicit State(const SassPlace& where)
      : place(where), session(place), metrics(begin_counting(place, session, lost)) {}
};

SassCounting::SassCounting(const SassPlace& place) : state_(std::make_unique<State>(place)) {}

SassCounting::~SassCounting() = default;

RecordedCode SassCounting::fetch() {
  const Metrics& metrics = state_->metrics;
  state_->place.synchronize();
  RecordedCode code;
  code.instructions = state_->session.fetch(metrics);
  code.lost = std::exchange(state_->lost, {});
  for (const char* count : line_counts)
    if (std::ranges::any_of(metrics, [count](const auto& one) { return one.second == count; }))
      code.counted.emplace_back(count);
  return code;
}

RecordedCode SassCounting::end() {
  RecordedCode code = fetch();
  state_->session.end(code.lost);
  return code;
}

RecordedCode count_instructions(const SassPlace& place, const std::function<void()>& run) {
  SassCounting counting(place);
  run();
  return counting.end();
}

}  // namespace roofline::cupti
