// The stream kernels as the harness studies them. Source of the kernels: Lu and Wolfe 2022.
#pragma once

#include "examples/stream/arrays.h"
#include "harness/kernel.h"

namespace gpp::stream {

const Kernel& stream_kernel();

const std::vector<Variant>& catalog();

/// The work of a variant for one element, as its source says: "2 fp32 per element; 12 bytes".
struct ElementCost {
  double operations = 0;
  std::string precision;  ///< "fp32" or "fp64"
  double bytes = 0;
};

/// Empty for anything else.
std::optional<ElementCost> parse_cost(std::string_view line);

/// The computation of a variant. Its cost tells which: 1 operation and 12 bytes are those of add.
enum class Computation { add, mul, triad, chain };

/// Empty where none of this kernel costs so much.
std::optional<Computation> computation_of(const ElementCost& cost);

/// An input of n elements in host memory. `seed` decides all numbers.
std::unique_ptr<Subject> make_subject(std::string label, long long n, int lanes,
                                      std::uint64_t seed);

}  // namespace gpp::stream
