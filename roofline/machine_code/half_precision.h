// Finds the kernels that compute in half precision, by their machine code. Compilers load constants
// with HFMA2 and two zero factors, which counters cannot distinguish from arithmetic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "roofline/machine_code/cubin.h"

namespace roofline {

/// How code uses instructions that count as FP16 operations; the highest use counts.
enum class HalfUse {
  none,       ///< no half precision instructions
  constants,  ///< only HFMA2 that loads a constant: -0 * 0 + the constant
  arithmetic  ///< additions, multiplications or conversions
};

/// The use in one instruction, given by the halves of its 128 bits, for a compute capability (90
/// for 9.0). It counts as arithmetic unless it certainly loads a constant.
HalfUse half_use(std::uint64_t low, std::uint64_t high, unsigned architecture);

/// The half precision use of a process's kernels, by demangled name; equal names are combined.
class HalfPrecision {
 public:
  /// Reads a cubin's code. If a callable function has arithmetic, so has every kernel.
  void read(const Cubin& cubin);
  /// How many of `fused`, the threads' HFMA2 in all these kernels, load constants: none or all.
  /// Empty if code is missing, or if it both loads constants and computes.
  std::optional<double> constants(const std::vector<std::string>& kernels, double fused) const;

 private:
  std::map<std::string, HalfUse> kernels_;
};

}  // namespace roofline
