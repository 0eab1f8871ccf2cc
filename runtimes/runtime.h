// A runtime: a device under one programming model, on which variants run. It does not know what
// they compute.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtimes/memory.h"

namespace gpp {

/// A device's description of itself.
struct DeviceDescription {
  std::string name;  ///< "NVIDIA H200", "Intel(R) Xeon(R) Processor"
  std::string kind;  ///< "host" or "gpu"
  int units = 0;     ///< multiprocessors, or cores available to this process
  long long memory_bytes = 0;
  std::string architecture;  ///< "sm_90", "x86_64 avx512"
  std::string driver;        ///< driver version; empty on a host
};

/// A kernel (or parallel region) that a variant started, as the runtime reports it.
struct Launch {
  std::string kernel;
  long long blocks = 0;
  int threads_per_block = 0;   ///< threads per block, or of a host
  int registers = 0;           ///< registers per thread; 0 if unknown
  long long shared_bytes = 0;  ///< shared memory per block, static and dynamic
  long long spill_bytes = 0;   ///< bytes of local memory per thread
  double occupancy = 0;        ///< theoretical, 0..1; 0 if unknown
};

/// A kernel of 0.2 ms that only counts clock cycles.
struct Pulse {
  double clock_mhz = 0;  ///< clock of the compute units; 0 if unreadable
  /// From its start until the host noticed its end, without time that other programs took on the
  /// host; 0 if nothing was started.
  double seconds = 0;
};

/// The pulse that tells a device's clock. It does not heat or delay what is measured beside it.
inline constexpr double brief_pulse = 200e-6;  // seconds

/// One kind of device under one programming model, without state. The defaults are a host's.
class Runtime {
 public:
  virtual ~Runtime() = default;
  /// The number of devices of its kind that this process could use. This initialises none of them.
  virtual int devices() const { return 1; }
  /// Selects a device, numbered from 0, for the calling thread. Call this before other functions.
  virtual void use_device(int /*number*/) const {}
  /// A text that identifies the device on this machine: a GPU's bus address.
  virtual std::string device_place() const { return {}; }
  /// The reason why variants cannot run here, with a remedy; empty if they can.
  virtual std::string unavailable() const { return {}; }
  virtual DeviceDescription describe() const = 0;
  /// Free bytes on the device; 0 if unknown.
  virtual long long free_bytes() const = 0;
  /// Leaves a device that takes one process at a time to another process. Returns false, and does
  /// nothing, if the device takes several.
  virtual bool make_way() const { return false; }
  virtual const DeviceMemory& memory() const = 0;
  /// The seconds of one call, by the device's clock, or by the steady clock where it has none.
  /// Throws std::runtime_error.
  virtual double time(const std::function<void()>& call) const;
  /// The launches of the last timed call; empty: not reported.
  virtual std::vector<Launch> launches() const { return {}; }
  /// Runs a kernel of one thread for so many seconds.
  virtual Pulse pulse(double seconds) const = 0;
  /// Called before and after a run: the mean clock of the compute units between both calls, in MHz,
  /// from their cycle counters. 0 if unreadable.
  virtual void begin_clock() const {}
  virtual double end_clock() const { return 0; }
  /// Restricts this thread's later work to that many units (DeviceDescription); 0: all. Returns how
  /// many it got, because devices give them in groups. Throws std::runtime_error with the reason if
  /// that is impossible, and then changes nothing.
  virtual int confine(int units) const;
  /// Calls `work` while waiting blocks occupy all but that many units. Unlike confine() it does not
  /// change the context, so hardware counters work, but times are meaningless. Throws
  /// std::runtime_error if the units were not held from start to end, or if the work took longer
  /// than `seconds`; it may then have used more units.
  virtual void beside_waiting_blocks(int units, double seconds,
                                     const std::function<void()>& work) const;
};

// The runtimes of variants. The catalogs determine which of them are linked.
const Runtime& host_runtime();     ///< this process's cores and memory
const Runtime& cuda_runtime();     ///< the current CUDA device, for CUDA and Thrust
const Runtime& omp_gpu_runtime();  ///< OpenMP's default device, which must be a GPU

/// The text of the driver's number for a version of CUDA: 12040 is "CUDA 12.4".
std::string cuda_version_text(int version);

/// Throws std::runtime_error with both sizes and a remedy if a problem needs more than the device's
/// free bytes (0: unknown).
void require_device_memory(long long needed, long long free_bytes);

}  // namespace gpp
