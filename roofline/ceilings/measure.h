// Measures the roofs of a device. Those of this machine are stored in
// ${XDG_CACHE_HOME:-~/.cache}/roofline, one file per device, driver and revision of the benchmarks.
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/ceilings.h"

namespace roofline {

/// The version of the benchmarks. Stored results of another version are measured again.
inline constexpr int benchmarks_revision = 7;

/// A callback that gets the current measurement and the finished share, 0..1.
using Progress = std::function<void(std::string_view what, double share)>;

/// The fastest of several runs.
struct Best {
  double seconds = 0;
  double clock_mhz = 0;  ///< clock in that run; 0: unknown
};

/// A roof without its rates.
Ceiling unmeasured_roof(std::string name, std::string label, std::string definition,
                        CeilingKind kind = CeilingKind::compute);

/// A measured rate.
struct Rate {
  double per_s = 0;      ///< operations or bytes
  double clock_mhz = 0;  ///< 0: unknown
};

/// A roof that is measured by itself, not by a sweep.
struct RoofBenchmark {
  Ceiling roof;          ///< without its rates and clock
  double per_cycle = 0;  ///< operations or bytes of the whole device in theory; 0: unknown
  std::string lacks;     ///< why this device has no such roof; else empty
  std::function<Rate()> measure;
};

/// Measures these roofs and adds them. Of several with the same name, the fastest counts. Progress
/// goes from 0 to `share`.
void add_roofs(Ceilings& ceilings, const std::vector<RoofBenchmark>& benchmarks,
               const Progress& progress, double share);

/// A level of memory, as it is known before the sweep.
struct LevelDescription {
  std::string name;   ///< "l1"
  std::string label;  ///< "L1"
  double from = 0;    ///< the smallest working set in bytes that no nearer level serves
  double until = std::numeric_limits<double>::infinity();  ///< the largest set that surely fits
  std::optional<double> theoretical = {};                  ///< B/s
};

/// Adds the bandwidths of levels, nearest first: of each, the median rate of its own sets. Within a
/// level the rate does not depend on the set, and devices or parts of one are compared by the same
/// sets. A level is missing where it has fewer than `fewest_sets`, or is not faster than the next
/// one by `smallest_fall`. Each point of the sweep belongs to the last level that begins before it.
inline constexpr std::size_t fewest_sets = 3;
inline constexpr double smallest_fall = 1.12;
void add_bandwidths(Ceilings& ceilings, const std::vector<SweepPoint>& sweep,
                    const std::vector<LevelDescription>& levels, double clock_mhz,
                    const std::string& definition);

/// A device described by everything that its roofs depend on: equal descriptions mean equal roofs.
struct DeviceIdentity {
  std::string name;    ///< "NVIDIA H200"
  std::string kind;    ///< "gpu" or "host"
  std::string driver;  ///< driver version; empty on a host
  std::string detail;  ///< "132 SMs", "2 threads, 512-bit vectors"

  bool operator==(const DeviceIdentity&) const = default;
};

/// The benchmarks for one kind of device.
struct Benchmarks {
  /// The reason why roofs cannot be measured here, with a remedy; empty if they can.
  std::function<std::string()> unavailable;
  /// The device to be measured. Throws std::runtime_error, as the next does.
  std::function<DeviceIdentity()> identity;
  /// Adds everything that is measured to the ceilings of the device.
  std::function<void(Ceilings& ceilings, const Progress& progress)> add_ceilings;
  /// The device's bus address, used for turns; empty if it has none.
  std::function<std::string()> device_place = [] { return std::string(); };
  /// The recent share of the device's time that other programs used; NaN if unknown.
  std::function<double()> used_by_others = [] { return std::numeric_limits<double>::quiet_NaN(); };

  /// Runs all benchmarks, which takes seconds. Leaves `created` empty.
  Ceilings measure(const Progress& progress) const;
};

/// The benchmarks on all cores that this process may use.
const Benchmarks& host_benchmarks();

/// The benchmarks of the current CUDA device; unavailable, with the reason, in builds without CUDA.
const Benchmarks& gpu_benchmarks();

/// The benchmarks of "host" or "gpu"; nullptr for other names.
const Benchmarks* find_benchmarks(std::string_view kind);

/// The folder of the cache; empty if neither XDG_CACHE_HOME nor HOME is an absolute path.
std::filesystem::path cache_folder();

/// The roofs of the benchmarks' device, from `folder` unless `fresh`. They are measured again if
/// the file is unreadable or belongs to another device, driver or revision. A folder that cannot be
/// written is told on standard error. Throws std::runtime_error if measuring fails or another
/// program used the device meanwhile; nothing is stored then.
Ceilings known_ceilings(const Benchmarks& benchmarks, const std::filesystem::path& folder,
                        bool fresh, const Progress& progress = {});

/// Returns why the roofs of a "host" or "gpu" cannot be obtained here, or "".
std::string ceilings_unavailable(const std::string& kind);

/// The roofs of this machine's device of that kind, from the cache unless `fresh`. Throws
/// std::runtime_error with the reason if they cannot be obtained.
Ceilings ceilings_of(const std::string& kind, bool fresh = false, const Progress& progress = {});

}  // namespace roofline
