// NVML (libnvidia-ml.so.1, part of the NVIDIA driver) reports facts about a GPU that CUDA does not:
// other processes on it, power, energy, temperature, and limits of the clock. It needs no special
// rights, is loaded on first use, and is not needed to compile.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// One GPU in NVML. Answers are empty if NVML does not give them.
class Nvml {
 public:
  /// The GPU with that bus address, in CUDA's form: "0000:3b:00.0".
  explicit Nvml(const std::string& bus_place);

  /// The reason why NVML cannot be used; else empty.
  const std::string& missing() const { return missing_; }
  /// Ids of the processes with a context on it. In a container these may be ids of the host.
  std::optional<std::vector<int>> processes() const;
  /// The largest share of the multiprocessors' time that each process used in the last 1.5 s, by
  /// process id. NVML samples it a few times a second and omits idle processes.
  std::map<int, double> used_lately() const;
  /// What limits the clock now (nvmlClocksEventReasons): "power", the card's cap or its supply;
  /// "heat"; or "hardware", another protection. Empty: nothing, or NVML does not tell.
  std::vector<std::string> clock_limits() const;
  std::optional<double> watts() const;
  std::optional<double> celsius() const;
  /// Energy since the driver was loaded. The counter is updated 10 to 50 times a second.
  std::optional<double> joules() const;

 private:
  std::string missing_;
  void* device_ = nullptr;
};

/// The functions that a watch over a GPU needs; tests replace them.
struct GpuSources {
  std::function<std::optional<std::vector<int>>()> processes;
  std::function<std::map<int, double>()> used_lately;
  std::function<bool(int pid)> is_own;  ///< this process or its descendants
  std::function<std::vector<std::string>()> clock_limits;
};

/// Functions that ask NVML about the GPU with that bus address.
GpuSources gpu_sources(const std::string& bus_place);

/// The share of the GPU's time, 0 to 1, that other processes used recently. NaN if this process is
/// not listed, so that it cannot be distinguished from others.
double used_by_others(const GpuSources& sources);

}  // namespace roofline
