// Counters of energy, and what a device used while they were watched.
//
// NVML counts a GPU's millijoules and RAPL a processor's microjoules. Both move in steps, ten to a
// thousand a second, so that energy is taken between two moves: each lies at a known time.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace roofline {

/// Energy between two moves of a counter.
struct EnergyUsed {
  double joules = 0;
  double seconds = 0;  ///< from the first move to the last
  int updates = 0;     ///< moves after the first

  double watts() const { return seconds > 0 ? joules / seconds : 0.0; }
};

/// A device's counter of energy.
struct EnergyCounter {
  /// Joules since some time; less than before where it began anew. Empty: no answer.
  std::function<std::optional<double>()> joules;
  std::string missing;  ///< why there is none; empty where there is one
};

/// The counter of the GPU at that place on the bus.
EnergyCounter energy_of_gpu(const std::string& bus_place);

/// All packages of processors and their memory, by RAPL as Linux shows it below `root`
/// (/sys/class/powercap).
EnergyCounter energy_of_host(const std::string& root = "/sys/class/powercap");

/// Watches a counter from now on, by a look at it every so many seconds.
class EnergyWatch {
 public:
  explicit EnergyWatch(const EnergyCounter& counter, double pause = 2e-3);
  ~EnergyWatch();
  EnergyWatch(const EnergyWatch&) = delete;
  EnergyWatch& operator=(const EnergyWatch&) = delete;

  /// Ends watching. The energy between the first and the last move after `skipped` seconds; where
  /// the counter began anew, after that.
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
