// A runtime: a device under one programming model, on which variants run. It knows nothing of what
// they compute.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtimes/memory.h"

namespace gpp {

/// A device as it describes itself.
struct DeviceDescription {
  std::string name;  ///< "NVIDIA H200", "Intel(R) Xeon(R) Processor"
  std::string kind;  ///< "host" or "gpu"
  int units = 0;     ///< multiprocessors, or cores available to this process
  long long memory_bytes = 0;
  std::string architecture;  ///< "sm_90", "x86_64 avx512"
  std::string driver;        ///< driver version; empty on a host
};

/// One kernel (or parallel region) a variant started, as its runtime saw it.
struct Launch {
  std::string kernel;
  long long blocks = 0;
  int threads_per_block = 0;   ///< on a host: threads
  int registers = 0;           ///< per thread; 0 where not known
  long long shared_bytes = 0;  ///< per block, static and dynamic
  long long spill_bytes = 0;   ///< local memory per thread
  double occupancy = 0;        ///< theoretical, 0..1; 0 where not known
};

/// A kernel of 0.2 ms that counts clock cycles and does nothing else.
struct Pulse {
  double clock_mhz = 0;  ///< of the compute units meanwhile; 0 where it cannot be read
  /// From its start until the host knew that it was over, without what other programs took of the
  /// host meanwhile; 0 where nothing was started.
  double seconds = 0;
};

/// One kind of device under one programming model. Stateless; runtimes.h lists them.
class Runtime {
 public:
  virtual ~Runtime() = default;
  /// The number of devices of its kind that this process could use. Asking touches none.
  virtual int devices() const { return 1; }
  /// Makes that one, from 0, the device of the calling thread; before anything else is asked of it.
  virtual void use_device(int /*number*/) const {}
  /// A text that tells the device from all others of this machine: a GPU's place on the bus.
  virtual std::string device_place() const { return {}; }
  /// Empty when variants can run here, else the reason and its remedy.
  virtual std::string unavailable() const = 0;
  virtual DeviceDescription describe() const = 0;
  /// Bytes free on the device; 0 where that cannot be asked.
  virtual long long free_bytes() const = 0;
  virtual const DeviceMemory& memory() const = 0;
  /// Seconds that one call takes, on the device's own clock. Throws std::runtime_error.
  virtual double time(const std::function<void()>& call) const = 0;
  /// The launches of the last timed call.
  virtual std::vector<Launch> launches() const = 0;
  virtual Pulse pulse() const = 0;
  /// Before a run, and after it: the mean clock of the compute units from the one call to the
  /// other, in MHz, by their cycles. 0 where it cannot be read.
  virtual void begin_clock() const {}
  virtual double end_clock() const { return 0; }
};

/// Throws std::runtime_error, with both figures and a remedy, where a problem takes more than the
/// bytes that are free on the device (0: not known).
void require_device_memory(long long needed, long long free_bytes);

}  // namespace gpp
