// Known facts about the device: size, clocks, and operations of a multiprocessor per cycle.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace roofline::gpu {

/// Rates per multiprocessor (SM) and cycle. 0: unknown, or the device has none. Rates of tensor
/// cores are for dense matrices.
struct PerCycle {
  int fp64_fma = 0;
  int fp32_fma = 0;
  int fp16_fma = 0;  ///< packed pairs, counted as two
  int fp64_tensor_fma = 0;
  int fp16_tensor_fma = 0;  ///< FP16 or BF16, added up in FP32
  int tf32_tensor_fma = 0;
  int fp8_tensor_fma = 0;
  int int8_tensor_fma = 0;
  int issue = 0;     ///< threads of issued instructions, 32 each
  int alu = 0;       ///< threads of integer logic instructions
  int xu = 0;        ///< threads of transcendental instructions
  int l1_bytes = 0;  ///< L1 and shared memory together
  int l2_bytes = 0;  ///< bytes of L2, for the whole device
};

/// The rates of a compute capability, 90 for 9.0. Returns nothing for unknown ones; nothing is
/// guessed.
std::optional<PerCycle> per_cycle(int compute_capability);

struct Device {
  std::string name;
  std::string driver;
  std::string place;           ///< bus address: "0000:3b:00.0"
  int compute_capability = 0;  ///< compute capability: 90 for 9.0
  int multiprocessors = 0;     ///< number in the device, or in the current green context
  std::size_t memory_bytes = 0;
  double memory_bytes_per_s = 0;  ///< theoretical; 0 if CUDA does not report it
  std::optional<PerCycle> per_cycle;
};

/// The current device. Throws std::runtime_error.
Device current_device();

}  // namespace roofline::gpu
