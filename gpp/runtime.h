// Where variants run: places problems into a device's memory and times calls there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpp/placed_problem.h"
#include "gpp/variant.h"

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

/// What one call gave: its sums and its time.
struct Measurement {
  Sums sums{};
  double seconds = 0;
};

/// A problem placed in the memory of a device. Frees it in the end.
class Placement {
 public:
  virtual ~Placement() = default;
  /// What lies there.
  virtual PlacedProblem& problem() = 0;
  /// Runs the variant once, timed on the device's own clock. Throws std::runtime_error.
  virtual Measurement run(VariantFunction function) = 0;
  /// The launches of the last run.
  virtual std::vector<Launch> launches() const = 0;
  /// The clock of the compute units now, in MHz; 0 where it cannot be read.
  virtual double clock_mhz() const = 0;
};

/// One kind of device under one programming model. Stateless; see the runtimes in variants/.
class Runtime {
 public:
  virtual ~Runtime() = default;
  /// Empty when variants can run here, else the reason and its remedy.
  virtual std::string unavailable() const = 0;
  virtual DeviceDescription describe() const = 0;
  /// Bytes free on the device; compare with bytes_of().
  virtual long long free_bytes() const = 0;
  /// Copies the problem, which must outlive the placement. Throws std::runtime_error when the
  /// device has too little memory, saying how much is needed.
  virtual std::unique_ptr<Placement> place(const PreparedProblem& problem) const = 0;
};

/// Bytes of all arrays of a problem: what a placement on a device of its own takes.
long long bytes_of(const Problem& problem);

/// Throws std::runtime_error, with both figures and a remedy, where the problem takes more than the
/// bytes that are free on the device.
void require_device_memory(const Problem& problem, long long free_bytes);

}  // namespace gpp
