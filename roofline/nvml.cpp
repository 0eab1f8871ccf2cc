#include "roofline/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "roofline/base/machine.h"

namespace roofline {
namespace {

// Types as nvml.h declares them (NVML API reference): every function returns 0 or an error.
using NvmlResult = int;
using NvmlDevice = void*;

struct ProcessInfo {
  unsigned pid;
  unsigned long long bytes;
  unsigned gpu_instance, compute_instance;
};

struct UtilizationSample {
  unsigned pid;
  unsigned long long microseconds;  // calendar time of the sample
  unsigned sm, memory, encoder, decoder;
};

constexpr int nvml_temperature_of_gpu = 0;

/// NVML's library, loaded and initialised. It stays loaded.
class NvmlLibrary {
 public:
  static const NvmlLibrary& instance() {
    static const NvmlLibrary library;
    return library;
  }

  const std::string& missing() const { return missing_; }

  template <class... Arguments>
  NvmlResult call(const char* name, Arguments... arguments) const {
    constexpr NvmlResult function_not_found = 13;
    auto* const function = reinterpret_cast<NvmlResult (*)(Arguments...)>(dlsym(handle_, name));
    return function == nullptr ? function_not_found : function(arguments...);
  }

 private:
  NvmlLibrary() : handle_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
      missing_ = "there is no NVML here (libnvidia-ml.so.1, part of the NVIDIA driver)";
    } else if (const NvmlResult status = call("nvmlInit_v2"); status != 0) {
      missing_ = fmt::format("NVML does not start (error {} of nvmlInit_v2)", status);
    }
  }

  void* handle_;
  std::string missing_;
};

/// Reads a number that NVML stores as T, multiplied by `unit`.
template <class T, class... More>
std::optional<double> nvml_number(NvmlDevice device, double unit, const char* name, More... more) {
  T value{};
  if (device == nullptr || NvmlLibrary::instance().call(name, device, more..., &value) != 0)
    return std::nullopt;
  return unit * static_cast<double>(value);
}

/// Reads a list. `ask` fills up to `count` entries and sets `count` to their number.
template <class T, class Ask>
std::optional<std::vector<T>> nvml_list(const Ask& ask) {
  constexpr unsigned most = 4096;
  std::vector<T> found(most);
  unsigned count = most;
  if (ask(found.data(), &count) != 0 || count > most) return std::nullopt;
  found.resize(count);
  return found;
}

}  // namespace

Nvml::Nvml(const std::string& bus_place) : missing_(NvmlLibrary::instance().missing()) {
  if (!missing_.empty()) return;
  const NvmlResult status =
      NvmlLibrary::instance().call("nvmlDeviceGetHandleByPciBusId_v2", bus_place.c_str(), &device_);
  if (status == 0) return;
  device_ = nullptr;
  missing_ = fmt::format("NVML does not know the GPU at {} (error {})", bus_place, status);
}

std::optional<std::vector<int>> Nvml::processes() const {
  if (device_ == nullptr) return std::nullopt;
  const auto found = nvml_list<ProcessInfo>([this](ProcessInfo* to, unsigned* count) {
    return NvmlLibrary::instance().call("nvmlDeviceGetComputeRunningProcesses_v3", device_, count,
                                        to);
  });
  if (!found) return std::nullopt;
  std::vector<int> pids;
  for (const ProcessInfo& process : *found) pids.push_back(static_cast<int>(process.pid));
  return pids;
}

std::map<int, double> Nvml::used_lately() const {
  using namespace std::chrono;
  constexpr microseconds lately = milliseconds(1500);
  std::map<int, double> shares;
  if (device_ == nullptr) return shares;
  const auto now = duration_cast<microseconds>(system_clock::now().time_since_epoch());
  const auto since = static_cast<unsigned long long>((now - lately).count());
  const auto samples = nvml_list<UtilizationSample>([this, since](auto* to, unsigned* count) {
    return NvmlLibrary::instance().call("nvmlDeviceGetProcessUtilization", device_, to, count,
                                        since);
  });
  for (const UtilizationSample& sample : samples.value_or(std::vector<UtilizationSample>()))
    if (sample.microseconds >= since) {
      double& share = shares[static_cast<int>(sample.pid)];
      share = std::max(share, 0.01 * std::min(100U, sample.sm));
    }
  return shares;
}

std::vector<std::string> Nvml::clock_limits() const {
  const auto found =
      nvml_number<unsigned long long>(device_, 1, "nvmlDeviceGetCurrentClocksEventReasons");
  const auto reasons = static_cast<std::uint64_t>(found.value_or(0));
  constexpr std::uint64_t power_cap = 0x4, slowdown = 0x8, heat = 0x20, heat_of_hardware = 0x40,
                          power_brake = 0x80;
  std::vector<std::string> limits;
  if ((reasons & (power_cap | power_brake)) != 0) limits.emplace_back("power");
  if ((reasons & (heat | heat_of_hardware)) != 0) limits.emplace_back("heat");
  if (limits.empty() && (reasons & slowdown) != 0) limits.emplace_back("hardware");
  return limits;
}

std::optional<double> Nvml::watts() const {
  return nvml_number<unsigned>(device_, 1e-3, "nvmlDeviceGetPowerUsage");
}

std::optional<double> Nvml::celsius() const {
  return nvml_number<unsigned>(device_, 1, "nvmlDeviceGetTemperature", nvml_temperature_of_gpu);
}

std::optional<double> Nvml::joules() const {
  return nvml_number<unsigned long long>(device_, 1e-3, "nvmlDeviceGetTotalEnergyConsumption");
}

GpuSources gpu_sources(const std::string& bus_place) {
  const auto nvml = std::make_shared<const Nvml>(bus_place);
  return {[nvml] { return nvml->processes(); }, [nvml] { return nvml->used_lately(); },
          is_own_process, [nvml] { return nvml->clock_limits(); }};
}

double used_by_others(const GpuSources& sources) {
  std::vector<int> others = sources.processes().value_or(std::vector<int>());
  if (std::erase_if(others, sources.is_own) == 0) return std::numeric_limits<double>::quiet_NaN();
  const std::map<int, double> used =
      others.empty() ? std::map<int, double>() : sources.used_lately();
  double sum = 0;
  for (const int pid : others)
    if (const auto one = used.find(pid); one != used.end()) sum += one->second;
  return std::min(1.0, sum);
}

}  // namespace roofline
