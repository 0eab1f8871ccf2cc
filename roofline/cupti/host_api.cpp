#include "roofline/cupti/host_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace roofline::cupti {
namespace {

/// The names that can be counted together. The list is halved until each refused name stands alone.
/// Each question needs a fresh HostApi, because counters added to it stay.
std::vector<std::string> countable(const Bytes& availability, const std::vector<std::string>& names,
                                   Plan& made) {
  if (names.empty() || HostApi(made.chip, availability).add(names)) return names;
  if (names.size() == 1) {
    made.missing.push_back({names.front(), fmt::format("CUPTI cannot count it on {}", made.chip)});
    return {};
  }
  const auto middle = names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2);
  std::vector<std::string> joined = countable(availability, {names.begin(), middle}, made);
  for (std::string& name : countable(availability, {middle, names.end()}, made))
    joined.push_back(std::move(name));
  return joined;
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

}  // namespace

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> list;
  for (const std::string& name : names) list.push_back(name.c_str());
  return list;
}

std::vector<std::string> supported_chips() {
  const auto told = ROOFLINE_CUPTI_ASK(cuptiProfilerHostGetSupportedChips,
                                       CUpti_Profiler_Host_GetSupportedChips_Params);
  return {told.ppChipNames, told.ppChipNames + told.numChips};
}

HostApi::HostApi(const std::string& chip, const Bytes& availability)
    : object_(ROOFLINE_CUPTI_ASK(cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params,
                                 params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
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
  Bytes image(ROOFLINE_CUPTI_ASK(cuptiProfilerHostGetConfigImageSize,
                                 CUpti_Profiler_Host_GetConfigImageSize_Params,
                                 params.pHostObject = object_)
                  .configImageSize);
  ROOFLINE_CUPTI_ASK(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params,
                     params.pHostObject = object_;
                     params.configImageSize = image.size(); params.pConfigImage = image.data());
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
  return ROOFLINE_CUPTI(cuptiProfilerHostEvaluateToGpuValues)(&params) == CUPTI_SUCCESS ? value
                                                                                        : unknown;
}

Plan plan(const std::string& chip, const Bytes& availability,
          const std::vector<std::string>& names) {
  Plan made;
  made.chip = chip;
  made.names = countable(availability, known_names(availability, names, made), made);
  if (made.names.empty()) return made;
  HostApi host(chip, availability);
  if (!host.add(made.names)) {
    for (const std::string& name : made.names)
      made.missing.push_back({name, "CUPTI cannot count it together with the others"});
    made.names.clear();
    return made;
  }
  made.config = host.config_image();
  made.passes = static_cast<int>(ROOFLINE_CUPTI_ASK(cuptiProfilerHostGetNumOfPasses,
                                                    CUpti_Profiler_Host_GetNumOfPasses_Params,
                                                    params.configImageSize = made.config.size();
                                                    params.pConfigImage = made.config.data())
                                     .numOfPasses);
  return made;
}

}  // namespace roofline::cupti
