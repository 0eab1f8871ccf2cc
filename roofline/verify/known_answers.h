// Kernels whose counts follow from their sizes. The small program roofline-known-answers launches
// them; `roofline verify` and the tests compare measured counts with them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::known {

/// `length` dependent instructions in each of blocks * threads threads, and no others of that kind.
struct Chain {
  int blocks;
  int threads;
  int length;
  constexpr double instructions() const { return 1.0 * blocks * threads * length; }
  constexpr double warp_instructions() const { return instructions() / 32; }
};

// The sizes that the program uses; other profilers' files must have the same.
inline constexpr Chain chain = {64, 256, 4096};
/// Doubles in a streamed array, 2 GiB, of which an L2 cache keeps almost nothing.
inline constexpr std::size_t streamed = std::size_t{1} << 28;
inline constexpr int strided_blocks = 512, strided_threads = 256;
inline constexpr int column_blocks = 64, column_loads = 1000;

/// The known value of a metric after one launch.
struct Answer {
  std::string metric;    ///< name in the table of metrics, such as "dram_bytes"
  double value = 0;      ///< expected value in the metric's unit
  double tolerance = 0;  ///< relative; 0: must be exact
};

struct Kernel {
  std::string name;  ///< name of the function, which profilers show among other words
  std::string does;  ///< a short description of its work
  std::vector<Answer> answers;
};

/// The known kernels for GPUs.
const std::vector<Kernel>& kernels();

/// The kernel with that name. Throws std::out_of_range if there is none.
const Kernel& kernel_called(std::string_view name);

// These launch kernels on the current CUDA device, and are in programs built with CUDA alone.

/// The reason why the device cannot run one of kernels(); else empty.
std::string cannot_run(std::string_view kernel);

/// Takes memory for one of kernels(), filled with zeros. Each call of the result launches it once,
/// with the sizes for its known counts, and waits for it. Both throw std::runtime_error for CUDA
/// errors.
std::function<void()> prepared(std::string_view kernel);

}  // namespace roofline::known
