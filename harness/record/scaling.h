// The scaling of a calculation over ranks: details of one run with many ranks, and times by number
// of ranks. Part of a record if it was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// One step, in mean seconds of all timed runs. Gathering all bands first takes one step; a ring
/// takes as many steps as ranks.
struct ScalingStep {
  double compute = 0;    ///< compute time, mean of all ranks
  double slowest = 0;    ///< compute time of the slowest rank; 0 in older records
  int slowest_rank = 0;  ///< the number of the slowest rank
  double transfer = 0;   ///< transfer time of the rank that waited for nobody
  double late = 0;       ///< mean extra transfer time of other ranks: waits for ranks
  double wait = 0;       ///< mean transfer time that the computation did not hide
  double overlap = 1;    ///< 0..1: hidden share of the transfer
};

/// One rank's memory and time.
struct ScalingRank {
  std::string host;
  std::string device;
  int cores = 0;
  int own_g = 0;
  int bands = 0;
  long long predicted_bytes = 0;  ///< size of the arrays, from the dimensions
  long long measured_bytes = 0;   ///< increase of memory in the process or on the device
  double busy = 0;                ///< 0..1: share of the time spent computing
};

/// One number of ranks. Samples are in the order of the runs.
struct ScalingPoint {
  int ranks = 0;
  int states = 1;
  std::vector<double> samples;  ///< seconds of each run
  double wait = 0;              ///< mean share of the time that ranks waited for blocks
  std::string transport;        ///< transport of the blocks: "NCCL", "MPI", ...

  double seconds() const;  ///< the median time
};

struct ScalingRecord {
  int ranks = 1;
  int pools = 1;
  int states = 1;
  std::string exchange;   ///< "gather", "ring", "blocking"
  std::string transport;  ///< how blocks are passed: MPI, NCCL, ...
  /// The checked G', from 1; empty: all.
  std::vector<int> sample;
  JsonObject sums;  ///< {"asx", "ach"} of each state, summed over all G'
  std::vector<ScalingStep> steps;
  std::vector<ScalingRank> by_rank;
  std::vector<ScalingPoint> strong;  ///< equal work on growing numbers of ranks
  std::vector<ScalingPoint> weak;    ///< equal work per rank
};

/// The first point's time over another point's: the speedup relative to the first point's ranks.
double speedup_of(const std::vector<ScalingPoint>& points, std::size_t i);

/// The efficiency of one point. Strong: its speedup over the ratio of ranks. Weak: the first
/// point's time over its own.
double efficiency_of(const std::vector<ScalingPoint>& points, std::size_t i, bool strong);

}  // namespace gpp
