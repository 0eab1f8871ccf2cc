// The nbody kernels for the harness. Sources of the kernels: Harris 2014, Lu and Wolfe 2022.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "examples/nbody/bodies.h"
#include "harness/kernel.h"

namespace gpp::nbody {

const Kernel& nbody_kernel();

const std::vector<Variant>& catalog();
KernelBuilt built();

/// The work of a variant, as its source states it: "18 fp64 per pair; 128 bytes per body".
struct PairCost {
  double operations = 0;  ///< operations per pair
  bool in_double = false;
  bool structures = false;  ///< true for the layout Body, false for Vector4
  double bytes() const { return (structures ? 12 : 16) * (in_double ? 8 : 4); }  ///< bytes per body
};

/// Returns nothing for other texts. The bytes determine the layout; unknown ones are refused.
std::optional<PairCost> parse_cost(std::string_view line);

/// Makes an input of n bodies in host memory. `seed` determines all numbers.
std::unique_ptr<Subject> make_subject(std::string label, int n, std::uint64_t seed);

}  // namespace gpp::nbody
