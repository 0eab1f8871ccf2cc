// The roofs of a device: the maximum rates of its arithmetic and of each memory level.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/counters.h"

namespace roofline {

/// One step of a sweep: the rate measured at one working set.
struct SweepPoint {
  /// GPU: working set of all SMs together; up to 1 MiB, each SM reads all of it. Host: working set
  /// of each core.
  double bytes = 0;
  double rate = 0;  ///< B/s of the whole device
};

enum class CeilingKind { compute, bandwidth };

/// One roof.
struct Ceiling {
  std::string name;  ///< "fp64_fma", "fp64_no_fma", "fp64_operands_3", "shared", "l1", "l2", "dram"
  std::string label;  ///< label for people: "FP64, FMA"
  CeilingKind kind = CeilingKind::compute;
  double measured = 0;                ///< FLOP/s, or B/s: rate_unit in model.h
  std::optional<double> theoretical;  ///< theoretical value at `clock_mhz`; empty if unknown
  double clock_mhz = 0;               ///< clock in the measurement; 0 if unreadable
  std::string definition;             ///< the benchmark, and the formula of the theoretical value
  /// For bandwidths, the part of the sweep that begins with this level's sets. All levels' sweeps
  /// in order make up the whole sweep.
  std::vector<SweepPoint> sweep;
};

/// The time to launch a kernel, whatever it computes.
struct LaunchCost {
  double seconds = 0;      ///< time per launch in a long sequence, median of the runs
  double low = 0;          ///< a quarter of the runs took less
  double high = 0;         ///< a quarter of the runs took more
  std::string definition;  ///< description of the benchmark
};

/// All roofs of one device.
struct Ceilings {
  std::string device;   ///< "NVIDIA H200"
  std::string kind;     ///< "gpu" or "host"
  std::string driver;   ///< driver version; empty on a host
  std::string created;  ///< ISO 8601, UTC
  double seconds = 0;   ///< total measuring time
  std::vector<Ceiling> list;
  std::vector<Missing> missing = {};      ///< ceilings that this device lacks, with reasons
  std::optional<LaunchCost> launch = {};  ///< GPUs only; empty in older records
  std::string from = {};  ///< file or record that the roofs come from; empty: measured

  const Ceiling* find(const std::string& name) const {
    for (const Ceiling& ceiling : list)
      if (ceiling.name == name) return &ceiling;
    return nullptr;
  }
};

}  // namespace roofline
