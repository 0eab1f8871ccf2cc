// Energy counters, and a device's energy over a period.
//
// NVML counts a GPU's energy in millijoules and RAPL a processor's in microjoules. Both are updated
// ten to a thousand times a second, so energy is taken between two updates, whose times are known.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace roofline {

/// Energy between two updates of a counter.
struct EnergyUsed {
  double joules = 0;
  double seconds = 0;  ///< seconds from the first update to the last
  int updates = 0;     ///< number of updates after the first

  double watts() const { return seconds > 0 ? joules / seconds : 0.0; }
};

/// A device's energy counter.
struct EnergyCounter {
  /// Joules since some time; smaller than before after a restart. Empty: no answer.
  std::function<std::optional<double>()> joules;
  std::string missing;  ///< reason if there is no energy
};

/// The counter of the GPU with that bus address.
EnergyCounter energy_of_gpu(const std::string& bus_place);

/// The counter of all processor packages and their memory, by RAPL as Linux shows it below `root`
/// (/sys/class/powercap). Each of these counters begins again after some minutes.
EnergyCounter energy_of_host(const std::string& root = "/sys/class/powercap");

/// Watches a counter from now on, by reading it at fixed intervals of seconds.
class EnergyWatch {
 public:
  explicit EnergyWatch(const EnergyCounter& counter, double pause = 2e-3);
  ~EnergyWatch();
  EnergyWatch(const EnergyWatch&) = delete;
  EnergyWatch& operator=(const EnergyWatch&) = delete;

  /// Ends watching. Returns the energy between the first update after `skipped` seconds and the
  /// last one; after a restart of the counter, only later updates are used.
  EnergyUsed stop(double skipped = 0);

 private:
  struct Update {
    double at, joules;
  };
  void watch();

  const EnergyCounter counter_;
  const double pause_;
  std::vector<Update> updates_;
  double start_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace roofline
