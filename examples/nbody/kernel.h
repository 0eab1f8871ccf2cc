// The nbody kernels as the harness studies them. Source of the kernels: Harris 2014, Lu and Wolfe
// 2022.
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

/// The work of a variant as its source says: "18 fp64 per pair; 128 bytes per body".
struct PairCost {
  double operations = 0;  ///< of a pair
  bool in_double = false;
  bool structures = false;  ///< it reads and writes Body, else Vector4
  double bytes() const { return (structures ? 12 : 16) * (in_double ? 8 : 4); }  ///< of a body
};

/// Empty for anything else. The bytes tell the layout: those of no layout are refused.
std::optional<PairCost> parse_cost(std::string_view line);

/// An input of n bodies in host memory. `seed` decides all numbers.
std::unique_ptr<Subject> make_subject(std::string label, int n, std::uint64_t seed);

}  // namespace gpp::nbody
