#include "roofline/machine_code/half_precision.h"

#include <algorithm>

#include "roofline/base/text.h"
#include "roofline/machine_code/cubin.h"

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

std::map<std::string, HalfUse> half_use_of_kernels(std::string_view bytes) {
  const Cubin cubin(bytes, "machine code");
  std::map<std::string, HalfUse> kernels;
  HalfUse called = HalfUse::none;
  for (const CodeSymbol& function : cubin.functions()) {
    // A function without its own section lies in the calling kernel's section.
    auto code = cubin.section(".text." + std::string(function.name));
    if (!code) continue;
    HalfUse use = HalfUse::none;
    while (code->left() >= 2 * sizeof(std::uint64_t)) {
      const auto low = code->read<std::uint64_t>();
      use = std::max(use, half_use(low, code->read<std::uint64_t>(), cubin.architecture()));
    }
    if (function.kernel)
      kernels.emplace(function.name, use);
    else
      called = std::max(called, use);
  }
  for (auto& [name, use] : kernels) use = std::max(use, called);
  return kernels;
}

void HalfPrecision::read(std::string_view cubin) noexcept try {
  for (const auto& [symbol, use] : half_use_of_kernels(cubin)) {
    HalfUse& known = kernels_.try_emplace(demangled(symbol), use).first->second;
    known = std::max(known, use);
  }
} catch (...) {
  // Unreadable, or out of memory: counts are not corrected.
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
