// The stream kernels for the harness. Source of the kernels: Lu and Wolfe 2022.
#pragma once

#include "examples/stream/arrays.h"
#include "harness/kernel.h"

namespace gpp::stream {

const Kernel& stream_kernel();

const std::vector<Variant>& catalog();
KernelBuilt built();

/// The work per element, as a variant's source states it: "2 fp32 per element; 12 bytes".
struct ElementCost {
  double operations = 0;
  std::string precision;  ///< "fp32" or "fp64"
  double bytes = 0;
};

/// Returns nothing for other texts.
std::optional<ElementCost> parse_cost(std::string_view line);

/// The computation of a variant. Its cost identifies it: 1 operation and 12 bytes mean add.
enum class Computation { add, mul, triad, chain };

/// Returns nothing if no computation of this kernel has this cost.
std::optional<Computation> computation_of(const ElementCost& cost);

/// Makes an input of n elements in host memory. `seed` determines all numbers.
std::unique_ptr<Subject> make_subject(std::string label, long long n, int lanes,
                                      std::uint64_t seed);

}  // namespace gpp::stream
