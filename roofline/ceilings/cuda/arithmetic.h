// Arithmetic benchmarks that only their pipe, or the reading of operands, limits.
#pragma once

#include <string>
#include <vector>

#include "roofline/ceilings/cuda/device.h"
#include "roofline/ceilings/cuda/timing.h"

namespace roofline::gpu {

/// A column in the table of devices.
using PipeRate = int PerCycle::*;

/// One benchmark.
struct ArithmeticKernel {
  const char* name;   ///< name of its ceiling
  const char* label;  ///< label for people
  std::string definition;
  const void* kernel;
  void (*launch)(int blocks, long long steps, Board* board);
  double flop_per_step;             ///< operations of a thread per step
  PipeRate fma;                     ///< column with its pipe's rate
  double flop_per_fma;              ///< 2; 1 for separate multiplications and additions
  int needs_code_of;                ///< minimum compute capability for compiling the kernel
  const char* not_later = nullptr;  ///< reason why later devices lack it; nullptr: they have it
};

inline constexpr int arithmetic_threads = 256;  // threads per block

/// All kernels. Of several with the same name, the fastest gives the roof.
std::vector<ArithmeticKernel> arithmetic_kernels();

}  // namespace roofline::gpu
