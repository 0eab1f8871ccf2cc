// A problem in the memory where variants run: copies of its arrays, guarded against variants.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gpp/prepare.h"

namespace gpp {

/// How the memory of a device is reached. Stateless. Each function but release throws
/// std::runtime_error, with a message for people, where the device refuses.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual void* allocate(std::size_t bytes) const = 0;
  virtual void release(void* memory) const noexcept = 0;
  virtual void write(void* device, const void* host, std::size_t bytes) const = 0;
  virtual void read(void* host, const void* device, std::size_t bytes) const = 0;
};

/// The memory of the host.
const DeviceMemory& host_memory();

/// What variants get to see of a problem: a copy of each array, on hosts too, so that a variant
/// that writes where it may only read spoils nothing for others. `problem` and `memory` outlive it.
class PlacedProblem {
 public:
  PlacedProblem(const PreparedProblem& problem, const DeviceMemory& memory);
  PlacedProblem(const PlacedProblem&) = delete;
  PlacedProblem& operator=(const PlacedProblem&) = delete;

  /// The view to call a variant with.
  const Problem& view() const { return view_; }

  /// Makes it another problem in the same memory: vcoul_loc(igp) times factors[igp]. Powers of two
  /// keep the products exact. See reweighted() in gpp/reference.h for its sums.
  void reweight(const std::vector<double>& factors);

  /// Reads back all arrays and puts back what is not as it was placed. Returns the name of the
  /// first such array; empty where all is well.
  std::string repair();

 private:
  struct Release {
    const DeviceMemory* memory;
    void operator()(void* pointer) const noexcept { memory->release(pointer); }
  };
  struct Copy {
    const char* name;
    const void* source;
    std::unique_ptr<void, Release> device;
    std::size_t bytes;
  };

  bool intact(const Copy& copy);

  const DeviceMemory& memory_;
  Array1<const double> vcoul_loc_;  // the problem's own
  std::vector<double> vcoul_;       // what was placed last
  std::vector<Copy> copies_;
  std::vector<std::byte> buffer_;
  Problem view_;
};

}  // namespace gpp
