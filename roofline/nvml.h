// NVML (libnvidia-ml.so.1, part of the NVIDIA driver) tells of a GPU what CUDA does not: who else
// computes on it, its power, energy and temperature, and what holds its clock back. It needs no
// special rights. It is loaded when it is first asked for; nothing of it is needed to compile.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// Reasons why a GPU's clock is held back (NVML API reference, nvmlClocksEventReasons).
enum class ClockLimit {
  power,    ///< the card's power cap, or the machine's supply
  heat,     ///< its temperature
  hardware  ///< another protection of the hardware
};

/// "power", "heat", "hardware".
std::string name_of(ClockLimit limit);

/// One GPU, as NVML knows it. Every answer is empty where NVML does not give it.
class Nvml {
 public:
  /// The GPU at that place on the bus, as CUDA writes it: "0000:3b:00.0".
  explicit Nvml(const std::string& bus_place);

  /// Why nothing can be asked; empty where it can.
  const std::string& missing() const { return missing_; }
  /// Process ids of those that may compute on it: they have a context there. In a container they
  /// may be those of the host.
  std::optional<std::vector<int>> processes() const;
  /// The largest share of the multiprocessors' time that each process used in the last 1.5 s, by
  /// process id. NVML samples it a few times a second, and leaves out who used none.
  std::map<int, double> used_lately() const;
  std::optional<std::vector<ClockLimit>> clock_limits() const;
  std::optional<double> watts() const;
  std::optional<double> celsius() const;
  /// Used since the driver was loaded. The counter moves some 10 to 50 times a second.
  std::optional<double> joules() const;

 private:
  std::string missing_;
  void* device_ = nullptr;
};

/// The questions of a watch over a GPU; tests answer them.
struct GpuSources {
  std::function<std::optional<std::vector<int>>()> processes;
  std::function<std::map<int, double>()> used_lately;
  std::function<bool(int pid)> is_own;  ///< this process, or one that it started
  std::function<std::optional<std::vector<ClockLimit>>()> clock_limits;
};

/// Answers of NVML for the GPU at that place.
GpuSources gpu_sources(const std::string& bus_place);

/// The share of the GPU's time that processes of others used lately, 0 to 1. NaN where this process
/// is not listed, so that its own cannot be told from those of others.
double used_by_others(const GpuSources& sources);

}  // namespace roofline
