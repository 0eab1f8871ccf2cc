// Arithmetic that nothing limits but its pipe, or the reads of its operands.
#pragma once

#include <string>
#include <vector>

#include "roofline/ceilings/cuda/device.h"
#include "roofline/ceilings/cuda/timing.h"

namespace roofline::gpu {

/// A column of the table of devices.
using PipeRate = int PerCycle::*;

/// One benchmark.
struct ArithmeticKernel {
  const char* name;   ///< of the ceiling
  const char* label;  ///< for people
  std::string definition;
  const void* kernel;
  void (*launch)(int blocks, long long steps, Board* board);
  double flop_per_step;  ///< of a thread
  PipeRate fma;          ///< of its pipe
  double flop_per_fma;   ///< 2; 1 where multiplications and additions are apart
  int needs_code_of;     ///< least compute capability that the kernel must be compiled for
  const char* not_later = nullptr;  ///< why devices of later ones do not have it; nullptr: they do
};

inline constexpr int arithmetic_threads = 256;  // of a block

/// All of them. Of several with one name the fastest is the roof.
std::vector<ArithmeticKernel> arithmetic_kernels();

}  // namespace roofline::gpu
