#include "roofline/cupti/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "roofline/cupti/listeners.h"
#include "roofline/metrics.h"

namespace roofline::cupti {
namespace {

/// Runs `one_pass` until it returns that it was the last; returns the number of passes.
int run_passes(const Session& session, const Plan& plan, const Work& work,
               const std::function<bool(const std::function<void()>&)>& one_pass) {
  // CUPTI reports the last pass; this limit ends the run if it never does.
  const int most = 4 * plan.passes + 4;
  for (int passes = 1; passes <= most; ++passes) {
    if (work.reset) work.reset();
    session.synchronize();  // work of the reset must not reach into the range
    const bool last = one_pass([&] {
      work.run();
      session.synchronize();
    });
    if (work.check) work.check();
    if (last) return passes;
  }
  throw RecorderError(fmt::format(
      "CUPTI planned {} passes for '{}' and still asked for more after {}; update the driver or "
      "the CUDA toolkit",
      plan.passes, work.name, most));
}

/// Adds the number of these kernels' counted HFMA2 that load constants, if their code shows it.
void add_constants(const std::vector<std::string>& kernels, Counters& counters) {
  const auto fused = counters.find(half_fma);
  if (fused == counters.end()) return;
  if (const auto loads = constant_loads(kernels, fused->second)) counters[half_constants] = *loads;
}

/// CUPTI's counts, and the kernels in the order of their ranges.
struct KernelRanges {
  Bytes counter_data;
  std::vector<std::string> kernels;
  int passes = 0;
};

KernelRanges run_kernel_passes(const Session& session, const Plan& plan, const Work& work) {
  KernelRanges ranges;
  Launches launches(session.functions);
  RangeProfiler profiler(session.functions, session.context);
  ranges.counter_data = profiler.counter_data(plan.names, most_launches);
  profiler.configure_kernels(plan.config, ranges.counter_data, most_launches, false);
  bool same = true, graphs = false;
  ranges.passes = run_passes(session, plan, work, [&](const std::function<void()>& run) {
    launches.clear();
    profiler.start();
    run();
    const bool last = profiler.stop();
    std::vector<std::string> names = launches.names();
    same = same && (ranges.kernels.empty() || ranges.kernels == names);
    graphs = graphs || launches.graphs();
    ranges.kernels = std::move(names);
    return last;
  });
  const std::size_t dropped = profiler.decode();
  const std::size_t counted = number_of_ranges(session.functions, ranges.counter_data);
  const auto refuse = [&work](const std::string& why) {
    throw RecorderError(
        fmt::format("the kernels of '{}' cannot be counted apart: {}", work.name, why));
  };
  if (graphs) refuse("they run in CUDA graphs");
  if (!same) refuse("one run launched other kernels than the next");
  if (ranges.kernels.size() > most_launches || dropped > 0)
    refuse(fmt::format("one run has {} launches; {} are the most", ranges.kernels.size(),
                       most_launches));
  if (counted != ranges.kernels.size())
    refuse(fmt::format("CUPTI counted {} of {} launches", counted, ranges.kernels.size()));
  return ranges;
}

KernelCounts& kernel_named(const std::string& name, std::vector<KernelCounts>& kernels) {
  const auto known = std::ranges::find(kernels, name, &KernelCounts::name);
  return known != kernels.end() ? *known : kernels.emplace_back(KernelCounts{name, 0, {}});
}

}  // namespace

RangeProfiler::RangeProfiler(const Functions& functions, CUcontext context)
    : functions_(functions) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, params);
  params.ctx = context;
  ROOFLINE_CUPTI_CALL(functions_, cuptiRangeProfilerEnable, params);
  object_ = params.pRangeProfilerObject;
}

RangeProfiler::~RangeProfiler() {
  // Errors are ignored here, because an exception may be in flight.
  if (pushed_) {
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, params);
    params.pRangeProfilerObject = object_;
    functions_.cuptiRangeProfilerPopRange(&params);
  }
  if (started_) {
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, params);
    params.pRangeProfilerObject = object_;
    functions_.cuptiRangeProfilerStop(&params);
  }
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
  params.pRangeProfilerObject = object_;
  functions_.cuptiRangeProfilerDisable(&params);
}

Bytes RangeProfiler::counter_data(const std::vector<std::string>& names, std::size_t ranges) const {
  std::vector<const char*> list;
  list.reserve(names.size());
  for (const std::string& name : names) list.push_back(name.c_str());
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
  size.pRangeProfilerObject = object_;
  size.pMetricNames = list.data();
  size.numMetrics = list.size();
  size.maxNumOfRanges = ranges;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);
  ROOFLINE_CUPTI_CALL(functions_, cuptiRangeProfilerGetCounterDataSize, size);
  Bytes data(size.counterDataSize);
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, params);
  params.pRangeProfilerObject = object_;
  params.counterDataSize = data.size();
  params.pCounterData = data.data();
  ROOFLINE_CUPTI_CALL(functions_, cuptiRangeProfilerCounterDataImageInitialize, params);
  return data;
}

void RangeProfiler::configure(const Bytes& config, Bytes& counter_data) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, params);
  params.range = CUPTI_UserRange;
  params.replayMode = CUPTI_UserReplay;
  params.maxRangesPerPass = 1;
  set_config(params, config, counter_data);
}

void RangeProfiler::configure_kernels(const Bytes& config, Bytes& counter_data, std::size_t ranges,
                                      bool replayed) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, params);
  params.range = CUPTI_AutoRange;
  params.replayMode = replayed ? CUPTI_KernelReplay : CUPTI_UserReplay;
  params.maxRangesPerPass = ranges;
  set_config(params, config, counter_data);
}

void RangeProfiler::set_config(CUpti_RangeProfiler_SetConfig_Params& params, const Bytes& config,
                               Bytes& counter_data) {
  params.pRangeProfilerObject = object_;
  params.configSize = config.size();
  params.pConfig = config.data();
  params.counterDataImageSize = counter_data.size();
  params.pCounterDataImage = counter_data.data();
  params.numNestingLevels = 1;
  params.minNestingLevel = 1;
  params.passIndex = 0;
  params.targetNestingLevel = 1;
  ROOFLINE_CUPTI_CALL(functions_, cuptiRangeProfilerSetConfig, params);
}

bool RangeProfiler::pass(const std::string& name, const std::function<void()>& work) {
  start();
  push(name);
  work();
  pop();
  return stop();
}

std::size_t RangeProfiler::decode() {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, params);
  params.pRangeProfilerObject = object_;
  ROOFLINE_CUPTI_CALL(functions_, cuptiRangeProfilerDecodeData, params);
  return params.numOfRangeDropped;
}

void RangeProfiler::start() {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, params);
  params.pRangeProfilerObject = object_;
  ROOFLINE_CUPTI_CALL(functions_, cuptiRangeProfilerStart, params);
  started_ = true;
}

void RangeProfiler::push(const std::string& name) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params, params);
  params.pRangeProfilerObject = object_;
  params.pRangeName = name.c_str();
  ROOFLINE_CUPTI_CALL(functions_, cuptiRangeProfilerPushRange, params);
  pushed_ = true;
}

void RangeProfiler::pop() {
  pushed_ = false;
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, params);
  params.pRangeProfilerObject = object_;
  ROOFLINE_CUPTI_CALL(functions_, cuptiRangeProfilerPopRange, params);
}

bool RangeProfiler::stop() {
  started_ = false;
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, params);
  params.pRangeProfilerObject = object_;
  ROOFLINE_CUPTI_CALL(functions_, cuptiRangeProfilerStop, params);
  return params.isAllPassSubmitted != 0;
}

std::size_t number_of_ranges(const Functions& functions, const Bytes& counter_data) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, params);
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  ROOFLINE_CUPTI_CALL(functions, cuptiRangeProfilerGetCounterDataInfo, params);
  return params.numTotalRanges;
}

Profiling::Profiling(const Functions& functions) : functions_(functions) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, params);
  ROOFLINE_CUPTI_CALL(functions_, cuptiProfilerInitialize, params);
}

Profiling::~Profiling() {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, params);
  functions_.cuptiProfilerDeInitialize(&params);
}

void check_device(const Functions& functions, CUdevice device) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported_Params, params);
  params.cuDevice = device;
  params.api = CUPTI_PROFILER_RANGE_PROFILING;
  ROOFLINE_CUPTI_CALL(functions, cuptiProfilerDeviceSupported, params);
  const auto refuses = [](CUpti_Profiler_Support_Level level) {
    return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
           level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
  };
  if (!refuses(params.isSupported)) return;
  const CUptiResult reason = refuses(params.confidentialCompute)
                                 ? CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED
                             : params.vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED
                                 ? CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
                             : refuses(params.vGpu) ? CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED
                                                    : CUPTI_ERROR_NOT_SUPPORTED;
  check(functions, reason, "cuptiProfilerDeviceSupported");
}

std::string chip_name(const Functions& functions, CUdevice device) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, params);
  params.deviceIndex = static_cast<std::size_t>(device);
  ROOFLINE_CUPTI_CALL(functions, cuptiDeviceGetChipName, params);
  return params.pChipName == nullptr ? "" : params.pChipName;
}

Bytes counter_availability(const Functions& functions, CUcontext context) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, params);
  params.ctx = context;
  ROOFLINE_CUPTI_CALL(functions, cuptiProfilerGetCounterAvailability, params);
  Bytes image(params.counterAvailabilityImageSize);
  params.pCounterAvailabilityImage = image.data();
  ROOFLINE_CUPTI_CALL(functions, cuptiProfilerGetCounterAvailability, params);
  return image;
}

Recording count(const Session& session, const std::string& chip, const Plan& plan,
                const Work& work) {
  Recording recording;
  recording.missing = plan.missing;
  if (plan.names.empty()) return recording;

  std::size_t dropped = 0;
  Bytes counter_data;
  std::optional<Launches> launches;  // no listener if only the hardware counts
  if (std::ranges::find(plan.names, half_fma) != plan.names.end())
    launches.emplace(session.functions);
  {
    RangeProfiler profiler(session.functions, session.context);
    counter_data = profiler.counter_data(plan.names);
    profiler.configure(plan.config, counter_data);
    recording.passes = run_passes(session, plan, work, [&](const std::function<void()>& run) {
      return profiler.pass(work.name, run);
    });
    dropped = profiler.decode();
  }
  const std::size_t ranges = number_of_ranges(session.functions, counter_data);
  if (ranges == 0)
    throw RecorderError(fmt::format(
        "CUPTI recorded nothing of '{}': it ran on another device or in another context; choose "
        "one GPU for the whole run (CUDA_VISIBLE_DEVICES)",
        work.name));
  if (dropped > 0)
    recording.defects.push_back(
        fmt::format("CUPTI dropped {} of the recorded ranges: the values are too low", dropped));
  if (ranges > 1)
    recording.defects.push_back(fmt::format(
        "CUPTI recorded {} ranges instead of one: the values are those of the first", ranges));
  if (session.current_context() != session.context)
    recording.defects.push_back(
        "the work changed the CUDA context: what ran in the other one was not counted");

  const HostApi host(session.functions, chip);
  recording.counters = evaluate(host, counter_data, plan.names, recording.missing);
  if (launches && !launches->graphs()) add_constants(launches->names(), recording.counters);
  return recording;
}

KernelRecording count_kernels(const Session& session, const std::string& chip, const Plan& plan,
                              const Work& work) {
  KernelRecording recording;
  recording.missing = plan.missing;
  if (plan.names.empty()) return recording;
  const KernelRanges ranges = run_kernel_passes(session, plan, work);
  recording.passes = ranges.passes;
  const HostApi host(session.functions, chip);
  for (std::size_t range = 0; range < ranges.kernels.size(); ++range) {
    KernelCounts& kernel = kernel_named(ranges.kernels[range], recording.kernels);
    ++kernel.launches;
    for (const std::string& name : plan.names)
      kernel.counters[name] += host.value(ranges.counter_data, range, name);
  }
  for (KernelCounts& kernel : recording.kernels) add_constants({kernel.name}, kernel.counters);
  for (KernelCounts& kernel : recording.kernels)
    for (const std::string& name : plan.names)
      if (!std::isfinite(kernel.counters.at(name))) {
        kernel.counters.erase(name);
        recording.missing.push_back({name, "CUPTI gave no number for " + kernel.name});
      }
  return recording;
}

}  // namespace roofline::cupti
