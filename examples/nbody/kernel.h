// The nbody kernels for the harness. Sources of the kernels: Harris 2014, Lu and Wolfe 2022.
#pragma once

#include "examples/made_kernel.h"
#include "examples/nbody/bodies.h"

namespace gpp::nbody {

const Kernel& nbody_kernel();
const std::vector<Variant>& catalog();
KernelBuilt built();

/// The work per pair and the bytes per body that a variant's source states.
struct PairWork : examples::StatedWork {
  bool structures = false;  ///< true for the layout Body, false for Vector4
};

/// Returns nothing for other texts. The bytes determine the layout; unknown ones are refused.
std::optional<PairWork> work_of(std::string_view operations);

/// Makes an input of n bodies in host memory. `seed` determines all numbers.
std::unique_ptr<Subject> make_subject(std::string label, int n, std::uint64_t seed);

}  // namespace gpp::nbody
