// The time of processors, and of a GPU, that others take while a variant is timed.
//
// Read before and after each timed run: the time that the processors which this process may use
// were busy, and the time that a hypervisor took from them (/proc/stat); the CPU time of this
// process, and of those of its variants while they are asked for something (apart.h). Others' share
// is what the processors were busy beyond this process's own time, over all that they had.
//
// The kernel counts in ticks of 10 ms. A run shorter than `least_window` is therefore judged by a
// window of at least that length which ends with it and reaches back before its start. Until the
// meter is that old, nothing is known. Nor is anything where files are missing, make no sense, or
// account for less than this process used.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "harness/record/timing.h"
#include "roofline/base/machine.h"
#include "roofline/nvml.h"
#include "runtimes/runtime.h"

namespace gpp {

/// Half a second: a tick more or less on each processor is 2% of it.
inline constexpr double least_window = 0.5;

/// The sources that a meter reads; tests name their own.
struct LoadSources {
  std::filesystem::path root = "/";
  std::function<double()> clock;  ///< seconds; the steady clock where empty
  std::function<double()> own;    ///< CPU seconds of this process; the system's where empty
};

using roofline::steady_seconds;

class LoadMeter {
 public:
  /// Takes the first reading.
  explicit LoadMeter(LoadSources sources = {});

  /// From now on the CPU seconds that this tells are this program's own, too; empty: no longer.
  void own_too(std::function<double()> cpu_seconds) { own_too_ = std::move(cpu_seconds); }
  void begin();      ///< right before a timed run
  LoadShare end();   ///< right after it
  LoadShare last();  ///< of a window that ends now

 private:
  /// All in seconds; processors' times are sums.
  struct Reading {
    double at = 0;
    double own = 0;
    int processors = 0;  ///< those that are counted; 0: not known
    double busy = 0;
    double stolen = 0;
  };
  Reading read() const;
  LoadShare between(const Reading& first, const Reading& second) const;
  LoadShare until(const Reading& now, double start) const;
  void keep(const Reading& reading);

  LoadSources sources_;
  std::function<double()> own_too_;
  std::vector<int> processors_;
  std::deque<Reading> readings_;  // the last of them at least least_window old, and all since
  double start_ = 0;              // of the run being timed
};

/// The share of a GPU's time that others had lately, as NVML tells, and while the clock's kernel
/// waited: the GPU gives its time in slices of some 2 ms, and a kernel of 0.2 ms waits for a
/// neighbour's to end, whom no list may show. NaN: nothing tells.
double share_of_others(const roofline::GpuSources& gpu, const Pulse& pulse);

}  // namespace gpp
