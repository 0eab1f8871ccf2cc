// Bandwidth over working set: all cores read at once, each its own memory, as fast as it can.
#pragma once

#include <cstddef>
#include <vector>

#include "roofline/ceilings/host/processor.h"
#include "roofline/ceilings/measure.h"

namespace roofline::host {

/// Working sets are multiples of this.
inline constexpr std::size_t read_granule = 1024;

/// Memory of one thread, in large pages where the system gives them. Untouched.
class Buffer {
 public:
  /// Throws std::runtime_error when there is not enough.
  explicit Buffer(std::size_t bytes);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Writes every page: the memory becomes this thread's, on its own NUMA node.
  void touch() const;

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Loads the first `bytes` of the data, `passes` times over, with full vectors, as four streams
/// side by side. Each vector is ORed into one of eight registers, which no processor does slower
/// than it loads.
void read_passes(const std::byte* data, std::size_t bytes, long long passes);

struct Sweep {
  std::vector<SweepPoint> points;  ///< bytes of one core, B/s of all
  double clock_mhz = 0;
};

/// The working sets to try, of one core: from 8 KiB up in four steps an octave, to four times what
/// the core has of the last cache (512 MB for all cores where that is not known, or is more), but
/// not more than `memory` for all cores together.
std::vector<std::size_t> working_sets(const Processor& processor, std::size_t cpus, double memory);

/// Measures them all; progress goes from `begin` to 1.
Sweep measure_sweep(const std::vector<int>& cpus, const std::vector<std::size_t>& sets,
                    const Progress& progress, double begin);

double free_memory();

}  // namespace roofline::host
