// The roofs of a device: the highest rates of its arithmetic and of each level of its memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/counters.h"

namespace roofline {

/// One step of a sweep: the rate measured at one working set.
struct SweepPoint {
  /// GPU: working set of all SMs together, of which each reads the whole where it is up to 1 MiB;
  /// host: that each core has to itself.
  double bytes = 0;
  double rate = 0;  ///< B/s of the whole device
};

enum class CeilingKind { compute, bandwidth };

/// One roof.
struct Ceiling {
  std::string name;  ///< "fp64_fma", "fp64_no_fma", "fp64_operands_3", "shared", "l1", "l2", "dram"
  std::string label;  ///< for people: "FP64, FMA"
  CeilingKind kind = CeilingKind::compute;
  double measured = 0;                ///< FLOP/s, or B/s: rate_unit in model.h
  std::optional<double> theoretical;  ///< at `clock_mhz`; empty where it cannot be known
  double clock_mhz = 0;               ///< seen while measuring; 0 where it cannot be read
  std::string definition;             ///< what was run, and how the theoretical value follows
  /// Bandwidths: the part of the sweep that ends with this level's plateau. The sweeps of all
  /// levels in their order are the whole sweep.
  std::vector<SweepPoint> sweep;
};

/// The cost of launching a kernel, whatever it computes.
struct LaunchCost {
  double seconds = 0;      ///< of one launch among many, back to back: median of the runs
  double low = 0;          ///< a quarter of the runs took less
  double high = 0;         ///< a quarter of the runs took more
  std::string definition;  ///< what was run
};

/// All roofs of one device.
struct Ceilings {
  std::string device;   ///< "NVIDIA H200"
  std::string kind;     ///< "gpu" or "host"
  std::string driver;   ///< driver version; empty on a host
  std::string created;  ///< ISO 8601, UTC
  double seconds = 0;   ///< that measuring took
  std::vector<Ceiling> list;
  std::vector<Missing> missing = {};      ///< ceilings that this device does not have, and why
  std::optional<LaunchCost> launch = {};  ///< GPUs; empty in records made before it was measured
  std::string from = {};  ///< file or record that they were taken from; empty: measured for this

  const Ceiling* find(const std::string& name) const {
    for (const Ceiling& ceiling : list)
      if (ceiling.name == name) return &ceiling;
    return nullptr;
  }
};

}  // namespace roofline
