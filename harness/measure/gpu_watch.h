// A GPU while variants are timed on it: who else computes there, and what holds its clock back.
//
// NVML lists the processes that have a context on the GPU, and tells which of them used it lately.
// This program's own are this process and all that it started. Where the ids are those of another
// machine (in a container), this process is not in the list: then as many are this program's as it
// has contexts. A neighbour that no list shows is seen by the clock's kernel (Pulse): the GPU gives
// its time in slices of some 2 ms, and a kernel of 0.2 ms waits for the neighbour's to end.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "roofline/nvml.h"
#include "runtimes/runtime.h"

namespace gpp {

class GpuWatch {
 public:
  /// On the GPU at that place.
  explicit GpuWatch(const std::string& bus_place) : sources_(roofline::gpu_sources(bus_place)) {}
  explicit GpuWatch(roofline::GpuSources sources) : sources_(std::move(sources)) {}

  /// Ids of the other processes that have a context, or as many zeros where it is not known which
  /// those are. `contexts`: how many this program has.
  std::vector<int> others(int contexts) const;
  /// The share of the GPU's time that others had lately, and while the clock's kernel waited. NaN:
  /// nothing tells.
  double share_of_others(const Pulse& pulse) const;
  /// Reasons why the clock is held back now; empty where they are not known.
  std::vector<roofline::ClockLimit> clock_limits() const;

 private:
  roofline::GpuSources sources_;
};

/// "python3 (process 4711)"; "process 4711" where its name cannot be read.
std::string describe_process(int pid);

}  // namespace gpp
