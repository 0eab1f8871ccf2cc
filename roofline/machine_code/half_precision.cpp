#include "roofline/machine_code/half_precision.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "roofline/base/text.h"

namespace roofline {
namespace {

/// An instruction that counts as FP16 operations, for a range of architectures; later ones use the
/// number for another instruction.
struct Encoding {
  unsigned operation;  ///< lowest nine bits; the three above select a constant operand
  unsigned first, last;
  bool fused;
};

// These undocumented codes are the ones that nvcc 13.0 writes for sm_75 to sm_120.
constexpr unsigned newest = ~0U;
constexpr Encoding encodings[] = {{0x030, 75, newest, false},  // HADD2
                                  {0x031, 75, newest, true},   // HFMA2
                                  {0x032, 75, newest, false},  // HMUL2
                                  {0x035, 80, 99, true}};      // HFMA2.MMA

// HFMA2 loads a constant if its third operand is in the instruction word, both factors are the
// register RZ, the first one is negated (which keeps the constant's sign), and it does not
// saturate, round or select halves.
constexpr std::uint64_t form = 0xe00, third_in_word = 0x400;
constexpr std::uint64_t first_factor = 0xff000000, first_is_zero = 0xff000000;
constexpr std::uint64_t second_and_modifiers = (std::uint64_t{1} << 41) - 1,
                        second_is_zero = 0x1ff;  // above are scheduler bits

}  // namespace

HalfUse half_use(std::uint64_t low, std::uint64_t high, unsigned architecture) {
  const auto known = std::ranges::find_if(encodings, [&](const Encoding& one) {
    return (low & 0x1ff) == one.operation && architecture >= one.first && architecture <= one.last;
  });
  if (known == std::ranges::end(encodings)) return HalfUse::none;
  const bool loads = known->fused && (low & form) == third_in_word &&
                     (low & first_factor) == first_is_zero &&
                     (high & second_and_modifiers) == second_is_zero;
  return loads ? HalfUse::constants : HalfUse::arithmetic;
}

void HalfPrecision::read(const Cubin& cubin) {
  HalfUse called = HalfUse::none;
  const auto use_in = [&cubin](std::string_view code) {
    constexpr std::size_t instruction = 2 * sizeof(std::uint64_t);
    HalfUse use = HalfUse::none;
    for (; code.size() >= instruction; code.remove_prefix(instruction)) {
      std::uint64_t halves[2];
      std::memcpy(halves, code.data(), instruction);
      use = std::max(use, half_use(halves[0], halves[1], cubin.architecture));
    }
    return use;
  };
  for (const CodeFunction& function : cubin.functions)
    if (!function.kernel) called = std::max(called, use_in(function.code));
  for (const CodeFunction& function : cubin.functions) {
    if (!function.kernel) continue;
    HalfUse& known = kernels_[demangled(std::string(function.name))];
    known = std::max({known, called, use_in(function.code)});
  }
}

std::optional<double> HalfPrecision::constants(const std::vector<std::string>& kernels,
                                               double fused) const {
  if (fused == 0) return 0;
  const bool load = std::ranges::all_of(kernels, [this](const std::string& name) {
    const auto known = kernels_.find(name);
    return known != kernels_.end() && known->second != HalfUse::arithmetic;
  });
  return load && !kernels.empty() ? std::optional(fused) : std::nullopt;
}

}  // namespace roofline
