#include "roofline/cupti/host_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace roofline::cupti {
namespace {

std::vector<const char*> pointers(std::span<const std::string> names) {
  std::vector<const char*> list;
  list.reserve(names.size());
  for (const std::string& name : names) list.push_back(name.c_str());
  return list;
}

/// A chip for repeated questions: each question about a set of counters needs a fresh HostApi,
/// because counters added to it stay.
struct Chip {
  const Functions& functions;
  const std::string& name;
  const Bytes& availability;

  bool can_count(const std::vector<std::string>& names) const {
    HostApi host(functions, name, availability);
    return host.add(names);
  }
};

/// The names that can be counted together. The list is halved until each refused name stands alone.
std::vector<std::string> countable(const Chip& chip, const std::vector<std::string>& names,
                                   std::vector<Missing>& missing) {
  if (names.empty() || chip.can_count(names)) return names;
  if (names.size() == 1) {
    missing.push_back({names.front(), fmt::format("CUPTI cannot count it on {}", chip.name)});
    return {};
  }
  const auto middle = names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2);
  std::vector<std::string> joined = countable(chip, {names.begin(), middle}, missing);
  const std::vector<std::string> rest = countable(chip, {middle, names.end()}, missing);
  joined.insert(joined.end(), rest.begin(), rest.end());
  return joined;
}

}  // namespace

std::vector<std::string> supported_chips(const Functions& functions) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params, params);
  ROOFLINE_CUPTI_CALL(functions, cuptiProfilerHostGetSupportedChips, params);
  return {params.ppChipNames, params.ppChipNames + params.numChips};
}

HostApi::HostApi(const Functions& functions, std::string chip, const Bytes& availability)
    : functions_(functions) {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = chip.c_str();
  params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
  ROOFLINE_CUPTI_CALL(functions, cuptiProfilerHostInitialize, params);
  object_ = params.pHostObject;
}

HostApi::~HostApi() {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
  params.pHostObject = object_;
  functions_.cuptiProfilerHostDeinitialize(&params);
}

bool HostApi::knows(const std::string& name) const {
  if (name.find('.') == std::string::npos) return false;  // a number needs a roll-up
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params, params);
  params.pHostObject = object_;
  params.pMetricName = name.c_str();
  return functions_.cuptiProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS;
}

bool HostApi::add(const std::vector<std::string>& names) {
  std::vector<const char*> list = pointers(names);
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, params);
  params.pHostObject = object_;
  params.ppMetricNames = list.data();
  params.numMetrics = list.size();
  return functions_.cuptiProfilerHostConfigAddMetrics(&params) == CUPTI_SUCCESS;
}

Bytes HostApi::config_image() const {
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
  size.pHostObject = object_;
  ROOFLINE_CUPTI_CALL(functions_, cuptiProfilerHostGetConfigImageSize, size);
  Bytes image(size.configImageSize);
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, params);
  params.pHostObject = object_;
  params.configImageSize = image.size();
  params.pConfigImage = image.data();
  ROOFLINE_CUPTI_CALL(functions_, cuptiProfilerHostGetConfigImage, params);
  return image;
}

double HostApi::value(const Bytes& counter_data, std::size_t range, const std::string& name) const {
  // With one name per call, results cannot be assigned to the wrong name.
  const char* names[] = {name.c_str()};
  double value = std::numeric_limits<double>::quiet_NaN();
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params);
  params.pHostObject = object_;
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  params.rangeIndex = range;
  params.ppMetricNames = names;
  params.numMetrics = 1;
  params.pMetricValues = &value;
  if (functions_.cuptiProfilerHostEvaluateToGpuValues(&params) != CUPTI_SUCCESS)
    return std::numeric_limits<double>::quiet_NaN();
  return value;
}

Plan plan(const Functions& functions, const std::string& chip, const Bytes& availability,
          const std::vector<std::string>& names) {
  Plan made;
  std::vector<std::string> known;
  {
    const HostApi host(functions, chip, availability);
    for (const std::string& name : names) {
      if (std::ranges::find(known, name) != known.end()) continue;
      if (host.knows(name))
        known.push_back(name);
      else
        made.missing.push_back({name, fmt::format("{} has no such counter", chip)});
    }
  }
  made.names = countable({functions, chip, availability}, known, made.missing);
  if (made.names.empty()) return made;
  HostApi host(functions, chip, availability);
  if (!host.add(made.names)) {
    for (const std::string& name : made.names)
      made.missing.push_back({name, "CUPTI cannot count it together with the others"});
    made.names.clear();
    return made;
  }
  made.config = host.config_image();
  ROOFLINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, params);
  params.configImageSize = made.config.size();
  params.pConfigImage = made.config.data();
  ROOFLINE_CUPTI_CALL(functions, cuptiProfilerHostGetNumOfPasses, params);
  made.passes = static_cast<int>(params.numOfPasses);
  return made;
}

Counters evaluate(const HostApi& host, const Bytes& counter_data,
                  const std::vector<std::string>& names, std::vector<Missing>& missing) {
  Counters counters;
  for (const std::string& name : names) {
    const double value = host.value(counter_data, 0, name);
    if (std::isfinite(value))
      counters.emplace(name, value);
    else
      missing.push_back({name, "CUPTI gave no finite value for this work"});
  }
  return counters;
}

}  // namespace roofline::cupti
