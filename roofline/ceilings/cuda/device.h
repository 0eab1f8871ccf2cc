// Known facts of the device: its size, its clocks, and the operations of a multiprocessor per
// cycle.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace roofline::gpu {

/// Per multiprocessor (SM) and cycle. 0: not known, or the device has none. Tensor cores: of dense
/// matrices.
struct PerCycle {
  int fp64_fma = 0;
  int fp32_fma = 0;
  int fp16_fma = 0;  ///< of packed pairs, each of the two counted
  int fp64_tensor_fma = 0;
  int fp16_tensor_fma = 0;  ///< of FP16 and of BF16, added up in FP32
  int tf32_tensor_fma = 0;
  int fp8_tensor_fma = 0;
  int int8_tensor_fma = 0;
  int issue = 0;     ///< threads whose instructions the schedulers issue: 32 each
  int alu = 0;       ///< threads of whole numbers' logic
  int xu = 0;        ///< threads of the transcendental functions
  int l1_bytes = 0;  ///< L1 and shared memory, which are one
  int l2_bytes = 0;  ///< of the whole device
};

/// The rates of a compute capability, 90 for 9.0. Empty for one that is not in the table: nothing
/// is guessed.
std::optional<PerCycle> per_cycle(int compute_capability);

struct Device {
  std::string name;
  std::string driver;
  std::string place;           ///< on the bus: "0000:3b:00.0"
  int compute_capability = 0;  ///< 90 for 9.0
  int multiprocessors = 0;     ///< of the device, or of the green context that is current
  std::size_t memory_bytes = 0;
  double memory_bytes_per_s = 0;  ///< theoretical; 0 where CUDA does not tell
  std::optional<PerCycle> per_cycle;
};

/// The current one. Throws std::runtime_error.
Device current_device();

}  // namespace roofline::gpu
