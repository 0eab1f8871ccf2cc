// Kernels whose counts follow from their sizes, described once: the small program
// roofline-known-answers launches them, `roofline verify` and the tests hold counts against them.
#pragma once

#include <cstddef>
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

// The sizes that the program launches with: every file of another profiler is of these.
inline constexpr Chain chain = {64, 256, 4096};
/// Doubles in an array that is streamed, 2 GiB: what an L2 keeps of it is next to nothing.
inline constexpr std::size_t streamed = std::size_t{1} << 28;
inline constexpr int strided_blocks = 512, strided_threads = 256;
inline constexpr int column_blocks = 64, column_loads = 1000;

/// The value that a metric must have after one launch.
struct Answer {
  std::string metric;    ///< of the table of metrics, such as "dram_bytes"
  double value = 0;      ///< in the metric's unit
  double tolerance = 0;  ///< as a share of the value; 0: counted exactly
};

struct Kernel {
  std::string name;  ///< of the function, as profilers show it among other words
  std::string does;  ///< in a few words, for people
  std::vector<Answer> answers;
};

/// Known kernels of GPUs.
const std::vector<Kernel>& kernels();

/// The kernel of that name. Throws std::out_of_range where there is none.
const Kernel& kernel_called(std::string_view name);

}  // namespace roofline::known
