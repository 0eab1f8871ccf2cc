// Which kernels compute in half precision, by their machine code. Compilers load constants with
// HFMA2, both factors being zero, and counters cannot tell that from arithmetic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The use that code makes of instructions that count as FP16 operations; of several the highest
/// holds.
enum class HalfUse {
  none,       ///< there are none
  constants,  ///< HFMA2 that loads a constant: -0 * 0 + the constant
  arithmetic  ///< additions, multiplications and conversions
};

/// The use by one instruction, from the halves of its 128 bits, for compute capability 9.0 as 90.
/// It is arithmetic unless it is surely the load of a constant.
HalfUse half_use(std::uint64_t low, std::uint64_t high, unsigned architecture);

/// The use by each kernel of a cubin, by symbol. Where a function that kernels may call computes,
/// so does each of them. Throws InputError where the bytes are no cubin.
std::map<std::string, HalfUse> half_use_of_kernels(std::string_view cubin);

/// The half precision of a process's kernels, by name for people. Two of one name are one.
class HalfPrecision {
 public:
  /// Looks through a cubin. The kernels of one that cannot be read stay unknown.
  void read(std::string_view cubin) noexcept;
  /// How many of `fused`, the threads' HFMA2 of all these kernels, load constants: none or all.
  /// Empty where code is not at hand, or loads and computes.
  std::optional<double> constants(const std::vector<std::string>& kernels, double fused) const;

 private:
  std::map<std::string, HalfUse> kernels_;
};

}  // namespace roofline
