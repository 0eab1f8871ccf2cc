#include "roofline/cupti/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "roofline/metrics.h"

namespace roofline::cupti {
namespace {

/// The names as CUPTI takes them; they must outlive the list.
std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> list;
  for (const std::string& name : names) list.push_back(name.c_str());
  return list;
}

/// The names that the chip knows, each once.
std::vector<std::string> known_names(const Bytes& availability,
                                     const std::vector<std::string>& names, Plan& made) {
  std::vector<std::string> known;
  const HostApi host(made.chip, availability);
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    if (host.knows(name))
      known.push_back(name);
    else
      made.missing.push_back({name, fmt::format("{} has no such counter", made.chip)});
  }
  return known;
}

/// Leaves out names that cannot be counted even alone, if CUPTI refuses them together. Each
/// question needs a fresh HostApi, because counters added to it stay.
void keep_countable(const Bytes& availability, Plan& made) {
  if (HostApi(made.chip, availability).add(made.names)) return;
  std::erase_if(made.names, [&](const std::string& name) {
    if (HostApi(made.chip, availability).add({name})) return false;
    made.missing.push_back({name, fmt::format("CUPTI cannot count it on {}", made.chip)});
    return true;
  });
}

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
  throw RecorderError(
      fmt::format("CUPTI planned {} passes and still asked for more after {}; update the driver",
                  plan.passes, most));
}

/// Adds the number of these kernels' counted HFMA2 that load constants, if their code shows it.
void add_constants(const std::vector<std::string>& kernels, Counters& counters) {
  const auto fused = counters.find(half_fma);
  if (fused == counters.end()) return;
  if (const auto loads = constant_loads(kernels, fused->second)) counters[half_constants] = *loads;
}

/// What came of all passes.
struct Passes {
  int number = 0;
  Bytes data;
  RangeProfiler::Decoded decoded;
  Listener::Launches launches;  ///< of a pass, where they are listened to, for code or names
  bool same = true;             ///< each pass launched the same
};

Passes run_all(CUcontext context, const Plan& plan, const Work& work, bool apart) {
  using Ranges = RangeProfiler::Ranges;
  Passes all;
  std::optional<Listener> listener;  // none if only the hardware counts
  if (apart || std::ranges::find(plan.names, half_fma) != plan.names.end())
    listener.emplace(Listener::To::launches);
  RangeProfiler profiler(context);
  profiler.configure(plan, apart ? Ranges::kernels : Ranges::all, apart ? most_launches : 1,
                     all.data);
  all.number = run_passes(plan, work, [&](const std::function<void()>& run) {
    if (listener) listener->take_launches();
    profiler.start();
    run();
    const bool last = profiler.stop();
    if (!listener) return last;
    Listener::Launches launches = listener->take_launches();
    launches.graphs = launches.graphs || all.launches.graphs;
    all.same =
        all.same && (all.launches.kernels.empty() || all.launches.kernels == launches.kernels);
    all.launches = std::move(launches);
    return last;
  });
  all.decoded = profiler.decode();
  return all;
}

/// The reason why kernels cannot be counted apart; else empty.
std::string not_apart(const Passes& passes) {
  const std::size_t launches = passes.launches.kernels.size();
  const auto& [counted, dropped] = passes.decoded;
  if (passes.launches.graphs) return "they run in CUDA graphs";
  if (!passes.same) return "one run launched other kernels than the next";
  if (launches > most_launches || dropped > 0)
    return fmt::format("one run has {} launches; {} are the most", launches, most_launches);
  return counted == launches ? ""
                             : fmt::format("CUPTI counted {} of {} launches", counted, launches);
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

/// Calls a function of the host API or of the range profiler, and returns its parameters.
#define HOST_ASK(name, ...) \
  ROOFLINE_CUPTI_ASK(cuptiProfilerHost##name, CUpti_Profiler_Host_##name##_Params, __VA_ARGS__)
#define RANGE_ASK(name, ...)                                                        \
  ROOFLINE_CUPTI_ASK(cuptiRangeProfiler##name, CUpti_RangeProfiler_##name##_Params, \
                     params.pRangeProfilerObject = object_;                         \
                     __VA_ARGS__)

std::vector<std::string> supported_chips() {
  const auto told = HOST_ASK(GetSupportedChips);
  return {told.ppChipNames, told.ppChipNames + told.numChips};
}

HostApi::HostApi(const std::string& chip, const Bytes& availability)
    : object_(HOST_ASK(Initialize, params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
                       params.pChipName = chip.c_str();
                       params.pCounterAvailabilityImage =
                           availability.empty() ? nullptr : availability.data())
                  .pHostObject) {}

HostApi::~HostApi() {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
  params.pHostObject = object_;
  ROOFLINE_CUPTI(cuptiProfilerHostDeinitialize)(&params);
}

bool HostApi::knows(const std::string& name) const {
  if (name.find('.') == std::string::npos) return false;  // a number needs a roll-up
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params, params);
  params.pHostObject = object_;
  params.pMetricName = name.c_str();
  return ROOFLINE_CUPTI(cuptiProfilerHostGetMetricProperties)(&params) == CUPTI_SUCCESS;
}

bool HostApi::add(const std::vector<std::string>& names) {
  std::vector<const char*> list = pointers(names);
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, params);
  params.pHostObject = object_;
  params.ppMetricNames = list.data();
  params.numMetrics = list.size();
  return ROOFLINE_CUPTI(cuptiProfilerHostConfigAddMetrics)(&params) == CUPTI_SUCCESS;
}

Bytes HostApi::config_image() const {
  Bytes image(HOST_ASK(GetConfigImageSize, params.pHostObject = object_).configImageSize);
  HOST_ASK(GetConfigImage, params.pHostObject = object_; params.configImageSize = image.size();
           params.pConfigImage = image.data());
  return image;
}

double HostApi::value(const Bytes& counter_data, std::size_t range, const std::string& name) const {
  // With one name per call, results cannot be assigned to the wrong name.
  const char* names[] = {name.c_str()};
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double value = unknown;
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params);
  params.pHostObject = object_;
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  params.rangeIndex = range;
  params.ppMetricNames = names;
  params.numMetrics = 1;
  params.pMetricValues = &value;
  const CUptiResult result = ROOFLINE_CUPTI(cuptiProfilerHostEvaluateToGpuValues)(&params);
  return result == CUPTI_SUCCESS ? value : unknown;
}

Plan plan(const std::string& chip, const Bytes& availability,
          const std::vector<std::string>& names) {
  Plan made;
  made.chip = chip;
  made.names = known_names(availability, names, made);
  keep_countable(availability, made);
  if (made.names.empty()) return made;
  HostApi host(chip, availability);
  if (!host.add(made.names)) {
    for (const std::string& name : made.names)
      made.missing.push_back({name, "CUPTI cannot count it together with the others"});
    made.names.clear();
    return made;
  }
  made.config = host.config_image();
  made.passes =
      static_cast<int>(HOST_ASK(GetNumOfPasses, params.configImageSize = made.config.size();
                                params.pConfigImage = made.config.data())
                           .numOfPasses);
  return made;
}

RangeProfiler::RangeProfiler(CUcontext context)
    : object_(ROOFLINE_CUPTI_ASK(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params,
                                 params.ctx = context)
                  .pRangeProfilerObject) {}

RangeProfiler::~RangeProfiler() {
  while (started_) try {
      stop();
    } catch (const RecorderError&) {  // ignored, because an exception may be in flight
    }
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
  params.pRangeProfilerObject = object_;
  ROOFLINE_CUPTI(cuptiRangeProfilerDisable)(&params);
}

void RangeProfiler::configure(const Plan& plan, Ranges ranges, std::size_t most, Bytes& data) {
  std::vector<const char*> list = pointers(plan.names);
  data.resize(RANGE_ASK(GetCounterDataSize, params.pMetricNames = list.data();
                        params.numMetrics = list.size(); params.maxNumOfRanges = most;
                        params.maxNumRangeTreeNodes = static_cast<std::uint32_t>(most))
                  .counterDataSize);
  ROOFLINE_CUPTI_ASK(cuptiRangeProfilerCounterDataImageInitialize,
                     CUpti_RangeProfiler_CounterDataImage_Initialize_Params,
                     params.pRangeProfilerObject = object_;
                     params.counterDataSize = data.size(); params.pCounterData = data.data());
  RANGE_ASK(SetConfig, params.range = ranges == Ranges::all ? CUPTI_UserRange : CUPTI_AutoRange;
            params.replayMode = ranges == Ranges::replayed ? CUPTI_KernelReplay : CUPTI_UserReplay;
            params.maxRangesPerPass = most; params.configSize = plan.config.size();
            params.pConfig = plan.config.data(); params.counterDataImageSize = data.size();
            params.pCounterDataImage = data.data();
            params.numNestingLevels = params.minNestingLevel = params.targetNestingLevel = 1);
  data_ = &data;
  ranges_ = ranges;
}

void RangeProfiler::start() {
  RANGE_ASK(Start);
  started_ = true;
  if (ranges_ != Ranges::all) return;
  RANGE_ASK(PushRange, params.pRangeName = "work");
  pushed_ = true;
}

bool RangeProfiler::stop() {
  if (std::exchange(pushed_, false)) RANGE_ASK(PopRange);
  started_ = false;
  return RANGE_ASK(Stop).isAllPassSubmitted != 0;
}

RangeProfiler::Decoded RangeProfiler::decode() {
  const auto decoded = RANGE_ASK(DecodeData);
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
  if (told.isSupported == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
      told.isSupported == CUPTI_PROFILER_CONFIGURATION_DISABLED)
    check(CUPTI_ERROR_NOT_SUPPORTED, "cuptiProfilerDeviceSupported");
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

Recording count(CUcontext context, const Plan& plan, const Work& work, bool apart) {
  Recording recording;
  recording.missing = plan.missing;
  if (plan.names.empty()) return recording;
  const Passes passes = run_all(context, plan, work, apart);
  recording.passes = passes.number;
  const auto& [ranges, dropped] = passes.decoded;
  if (const std::string why = apart ? not_apart(passes) : ""; !why.empty())
    throw RecorderError(
        fmt::format("the kernels of '{}' cannot be counted apart: {}", work.name, why));
  if (!apart && ranges == 0)
    throw RecorderError(fmt::format(
        "CUPTI recorded nothing of '{}': it ran on another device or in another context; choose "
        "one GPU for the whole run (CUDA_VISIBLE_DEVICES)",
        work.name));
  if (!apart && (dropped > 0 || ranges > 1))
    recording.defects.push_back(
        fmt::format("CUPTI recorded {} ranges instead of one, and dropped {}", ranges, dropped));
  const HostApi host(plan.chip);
  const std::vector<std::string>& launched = passes.launches.kernels;
  for (std::size_t range = 0; range < (apart ? launched.size() : 1); ++range) {
    KernelCounts& kernel = kernel_named(apart ? launched[range] : work.name, recording.kernels);
    ++kernel.launches;
    for (const std::string& name : plan.names)
      kernel.counters[name] += host.value(passes.data, range, name);
  }
  for (KernelCounts& kernel : recording.kernels) {
    if (!passes.launches.graphs)
      add_constants(apart ? std::vector{kernel.name} : launched, kernel.counters);
    keep_finite(kernel.counters, kernel.name, recording.missing);
  }
  recording.counters = sums_over(recording.kernels);
  if (!apart) recording.kernels.clear();
  return recording;
}

}  // namespace roofline::cupti
