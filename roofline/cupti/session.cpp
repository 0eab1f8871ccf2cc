#include "roofline/cupti/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "roofline/cupti/driver.h"
#include "roofline/cupti/listeners.h"
#include "roofline/metrics.h"

namespace roofline::cupti {
namespace {

/// Runs `one_pass` until it returns that it was the last; returns the number of passes.
int run_passes(const Plan& plan, const Work& work,
               const std::function<bool(const std::function<void()>&)>& one_pass) {
  // CUPTI reports the last pass; this limit ends the run if it never does.
  const int most = 4 * plan.passes + 4;
  for (int passes = 1; passes <= most; ++passes) {
    if (work.reset) work.reset();
    synchronize();  // work of the reset must not reach into the range
    const bool last = one_pass([&] {
      work.run();
      synchronize();
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
  Bytes data;
  std::vector<std::string> kernels;
  int passes = 0;
};

KernelRanges run_kernel_passes(CUcontext context, const Plan& plan, const Work& work) {
  KernelRanges ranges;
  Launches launches;
  RangeProfiler profiler(context);
  profiler.configure(plan, RangeProfiler::Ranges::kernels, most_launches, ranges.data);
  bool same = true, graphs = false;
  ranges.passes = run_passes(plan, work, [&](const std::function<void()>& run) {
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
  const auto [counted, dropped] = profiler.decode();
  const std::string why =
      graphs  ? "they run in CUDA graphs"
      : !same ? "one run launched other kernels than the next"
      : ranges.kernels.size() > most_launches || dropped > 0
          ? fmt::format("one run has {} launches; {} are the most", ranges.kernels.size(),
                        most_launches)
      : counted != ranges.kernels.size()
          ? fmt::format("CUPTI counted {} of {} launches", counted, ranges.kernels.size())
          : "";
  if (!why.empty())
    throw RecorderError(
        fmt::format("the kernels of '{}' cannot be counted apart: {}", work.name, why));
  return ranges;
}

KernelCounts& kernel_named(const std::string& name, std::vector<KernelCounts>& kernels) {
  const auto known = std::ranges::find(kernels, name, &KernelCounts::name);
  return known != kernels.end() ? *known : kernels.emplace_back(KernelCounts{name, 0, {}});
}

/// Values that are no numbers are missing.
void keep_finite(Counters& counters, const std::string& of, std::vector<Missing>& missing) {
  std::erase_if(counters, [&](const auto& one) {
    if (std::isfinite(one.second)) return false;
    missing.push_back({one.first, "CUPTI gave no number for " + of});
    return true;
  });
}

}  // namespace

RangeProfiler::RangeProfiler(CUcontext context)
    : object_(ROOFLINE_CUPTI_ASK(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params,
                                 params.ctx = context)
                  .pRangeProfilerObject) {}

RangeProfiler::~RangeProfiler() {
  try {  // errors are ignored here, because an exception may be in flight
    if (pushed_) pop();
  } catch (const RecorderError&) {
  }
  try {
    if (started_) stop();
  } catch (const RecorderError&) {
  }
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
  params.pRangeProfilerObject = object_;
  ROOFLINE_CUPTI(cuptiRangeProfilerDisable)(&params);
}

void RangeProfiler::configure(const Plan& plan, Ranges ranges, std::size_t most, Bytes& data) {
  std::vector<const char*> list = pointers(plan.names);
  data.resize(ROOFLINE_CUPTI_ASK(cuptiRangeProfilerGetCounterDataSize,
                                 CUpti_RangeProfiler_GetCounterDataSize_Params,
                                 params.pRangeProfilerObject = object_;
                                 params.pMetricNames = list.data(); params.numMetrics = list.size();
                                 params.maxNumOfRanges = most;
                                 params.maxNumRangeTreeNodes = static_cast<std::uint32_t>(most))
                  .counterDataSize);
  ROOFLINE_CUPTI_ASK(cuptiRangeProfilerCounterDataImageInitialize,
                     CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
                     params.pRangeProfilerObject = object_;
                     params.counterDataSize = data.size(); params.pCounterData = data.data());
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, params);
  params.pRangeProfilerObject = object_;
  params.range = ranges == Ranges::all ? CUPTI_UserRange : CUPTI_AutoRange;
  params.replayMode = ranges == Ranges::replayed ? CUPTI_KernelReplay : CUPTI_UserReplay;
  params.maxRangesPerPass = most;
  params.configSize = plan.config.size();
  params.pConfig = plan.config.data();
  params.counterDataImageSize = data.size();
  params.pCounterDataImage = data.data();
  params.numNestingLevels = params.minNestingLevel = params.targetNestingLevel = 1;
  ROOFLINE_CUPTI_CALL(cuptiRangeProfilerSetConfig, &params);
  data_ = &data;
}

void RangeProfiler::start() {
  ROOFLINE_CUPTI_ASK(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params,
                     params.pRangeProfilerObject = object_);
  started_ = true;
}

void RangeProfiler::push(const std::string& name) {
  ROOFLINE_CUPTI_ASK(cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params,
                     params.pRangeProfilerObject = object_;
                     params.pRangeName = name.c_str());
  pushed_ = true;
}

void RangeProfiler::pop() {
  pushed_ = false;
  ROOFLINE_CUPTI_ASK(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params,
                     params.pRangeProfilerObject = object_);
}

bool RangeProfiler::stop() {
  started_ = false;
  return ROOFLINE_CUPTI_ASK(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params,
                            params.pRangeProfilerObject = object_)
             .isAllPassSubmitted != 0;
}

RangeProfiler::Decoded RangeProfiler::decode() {
  const auto decoded =
      ROOFLINE_CUPTI_ASK(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params,
                         params.pRangeProfilerObject = object_);
  const auto info = ROOFLINE_CUPTI_ASK(cuptiRangeProfilerGetCounterDataInfo,
                                       CUpti_RangeProfiler_GetCounterDataInfo_Params,
                                       params.pCounterDataImage = data_->data();
                                       params.counterDataImageSize = data_->size());
  return {info.numTotalRanges, decoded.numOfRangeDropped};
}

Profiling::Profiling() {
  ROOFLINE_CUPTI_ASK(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params);
}

Profiling::~Profiling() {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, params);
  ROOFLINE_CUPTI(cuptiProfilerDeInitialize)(&params);
}

void check_device(CUdevice device) {
  const auto told = ROOFLINE_CUPTI_ASK(
      cuptiProfilerDeviceSupported, CUpti_Profiler_DeviceSupported_Params, params.cuDevice = device;
      params.api = CUPTI_PROFILER_RANGE_PROFILING);
  const auto refuses = [](CUpti_Profiler_Support_Level level) {
    return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
           level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
  };
  if (refuses(told.isSupported))
    check(refuses(told.vGpu) ? CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED
                             : CUPTI_ERROR_NOT_SUPPORTED,
          "cuptiProfilerDeviceSupported");
}

std::string chip_name(CUdevice device) {
  const char* const name =
      ROOFLINE_CUPTI_ASK(cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params,
                         params.deviceIndex = static_cast<std::size_t>(device))
          .pChipName;
  return name == nullptr ? "" : name;
}

Bytes counter_availability(CUcontext context) {
  Bytes image;
  const auto ask = [&] {
    return ROOFLINE_CUPTI_ASK(
               cuptiProfilerGetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params,
               params.ctx = context;
               params.counterAvailabilityImageSize = image.size();
               params.pCounterAvailabilityImage = image.empty() ? nullptr : image.data())
        .counterAvailabilityImageSize;
  };
  image.resize(ask());
  ask();
  return image;
}

Recording count(CUcontext context, const Plan& plan, const Work& work) {
  Recording recording;
  recording.missing = plan.missing;
  if (plan.names.empty()) return recording;
  Bytes data;
  std::optional<Launches> launches;  // no listener if only the hardware counts
  if (std::ranges::find(plan.names, half_fma) != plan.names.end()) launches.emplace();
  RangeProfiler::Decoded decoded;
  {
    RangeProfiler profiler(context);
    profiler.configure(plan, RangeProfiler::Ranges::all, 1, data);
    recording.passes = run_passes(plan, work, [&](const std::function<void()>& run) {
      profiler.start();
      profiler.push(work.name);
      run();
      profiler.pop();
      return profiler.stop();
    });
    decoded = profiler.decode();
  }
  if (decoded.ranges == 0)
    throw RecorderError(fmt::format(
        "CUPTI recorded nothing of '{}': it ran on another device or in another context; choose "
        "one GPU for the whole run (CUDA_VISIBLE_DEVICES)",
        work.name));
  if (decoded.dropped > 0 || decoded.ranges > 1)
    recording.defects.push_back(
        fmt::format("CUPTI recorded {} ranges instead of one, and dropped {}", decoded.ranges,
                    decoded.dropped));
  if (current_context() != context)
    recording.defects.push_back(
        "the work changed the CUDA context: what ran in the other one was not counted");
  const HostApi host(plan.chip);
  for (const std::string& name : plan.names) recording.counters[name] = host.value(data, 0, name);
  keep_finite(recording.counters, work.name, recording.missing);
  if (launches && !launches->graphs()) add_constants(launches->names(), recording.counters);
  return recording;
}

KernelRecording count_kernels(CUcontext context, const Plan& plan, const Work& work) {
  KernelRecording recording;
  recording.missing = plan.missing;
  if (plan.names.empty()) return recording;
  const KernelRanges ranges = run_kernel_passes(context, plan, work);
  recording.passes = ranges.passes;
  const HostApi host(plan.chip);
  for (std::size_t range = 0; range < ranges.kernels.size(); ++range) {
    KernelCounts& kernel = kernel_named(ranges.kernels[range], recording.kernels);
    ++kernel.launches;
    for (const std::string& name : plan.names)
      kernel.counters[name] += host.value(ranges.data, range, name);
  }
  for (KernelCounts& kernel : recording.kernels) {
    add_constants({kernel.name}, kernel.counters);
    keep_finite(kernel.counters, kernel.name, recording.missing);
  }
  return recording;
}

}  // namespace roofline::cupti
