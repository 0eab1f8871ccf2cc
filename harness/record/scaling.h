// How a calculation scaled over ranks: what one run of many ranks did, and the times over their
// number. Part of a record where it was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// A step, in seconds of all timed runs' mean. Gathering all bands first takes one step, a ring as
/// many as it has ranks.
struct ScalingStep {
  double compute = 0;    ///< mean of all ranks
  double slowest = 0;    ///< the same of the rank that computed longest; 0 in records before it
  int slowest_rank = 0;  ///< that rank
  double transfer = 0;   ///< of the rank whose blocks came fastest: it waited for nobody
  double late = 0;       ///< so much longer they took in the mean: waits, on the device, for ranks
  double wait = 0;       ///< of the transfer, what the computation did not hide: mean
  double overlap = 1;    ///< 0..1: the hidden share of the transfer
};

/// One rank.
struct ScalingRank {
  std::string host;
  std::string device;
  int cores = 0;
  int own_g = 0;
  int bands = 0;
  long long predicted_bytes = 0;  ///< of the arrays, from the dimensions
  long long measured_bytes = 0;   ///< that the process or the device holds more than before
  double busy = 0;                ///< 0..1: share of the time in which it computed
};

/// One number of ranks. The order of samples is that of the runs.
struct ScalingPoint {
  int ranks = 0;
  int states = 1;
  std::vector<double> samples;  ///< seconds
  double wait = 0;              ///< share of the time that ranks waited for blocks, their mean
  std::string transport;        ///< of the blocks: "NCCL", "MPI", ...

  double seconds() const;  ///< the median
};

struct ScalingRecord {
  int ranks = 1;
  int pools = 1;
  int states = 1;
  std::string exchange;   ///< "gather", "ring", "blocking"
  std::string transport;  ///< how blocks passed
  /// The G' that were checked, from 1; empty: all of them.
  std::vector<int> sample;
  JsonObject sums;  ///< {"asx", "ach"} of each state over all G'
  std::vector<ScalingStep> steps;
  std::vector<ScalingRank> by_rank;
  std::vector<ScalingPoint> strong;  ///< the same work on ever more ranks; ascending
  std::vector<ScalingPoint> weak;    ///< as much work for each rank
};

/// Time of the first point over that of another: its speedup against the first point's ranks.
double speedup_of(const std::vector<ScalingPoint>& points, std::size_t i);

/// Efficiency of one point. Strong: its speedup by the speedup that the ranks promise. Weak: the
/// first point's time by its own.
double strong_efficiency(const std::vector<ScalingPoint>& points, std::size_t i);
double weak_efficiency(const std::vector<ScalingPoint>& points, std::size_t i);

}  // namespace gpp
