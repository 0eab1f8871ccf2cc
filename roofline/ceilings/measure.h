// Measures the roofs of a device.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings.h"

namespace roofline {

/// Goes up by one whenever a benchmark changes, so that older results are measured anew.
inline constexpr int benchmarks_revision = 6;

/// Called with the present measurement and the share of the work done, 0..1.
using Progress = std::function<void(std::string_view what, double share)>;

/// A device as far as its roofs may depend on it: equal descriptions, equal roofs.
struct DeviceIdentity {
  std::string name;    ///< "NVIDIA H200"
  std::string kind;    ///< "gpu" or "host"
  std::string driver;  ///< driver version; empty on a host
  std::string detail;  ///< "132 SMs", "2 threads, 512-bit vectors"
};

/// The benchmarks of one kind of device. Stateless.
class Benchmarks {
 public:
  virtual ~Benchmarks() = default;
  /// Empty when the roofs can be measured here, else the reason and its remedy.
  virtual std::string unavailable() const = 0;
  /// The device that would be measured. Throws std::runtime_error, as measure() does.
  virtual DeviceIdentity identity() const = 0;
  /// Runs all benchmarks: seconds. Leaves `created` empty.
  virtual Ceilings measure(const Progress& progress) const = 0;
  /// The device's place on the bus, where programs take turns on it and NVML knows it; else empty.
  virtual std::string device_place() const { return {}; }
  /// The share of the device's time that other programs used lately; NaN where nothing tells.
  virtual double used_by_others() const;
  /// Two of the roofs, of arithmetic and of a memory, measured in well below a second: a look at
  /// whether roofs that were kept can be this device's.
  virtual std::vector<Ceiling> look() const = 0;
};

/// All cores that this process may use.
const Benchmarks& host_benchmarks();

/// The current CUDA device; unavailable, with the reason, where CUDA was left out of the build.
const Benchmarks& gpu_benchmarks();

/// The benchmarks of "host" or "gpu"; nullptr for any other kind.
const Benchmarks* find_benchmarks(std::string_view kind);

}  // namespace roofline
