// The toys for the harness. Source of the kernels: the roofline-on-nvidia-gpus tutorial (NERSC
// 2020).
#pragma once

#include "examples/made_kernel.h"
#include "examples/toys/numbers.h"

namespace gpp::toys {

const std::vector<Variant>& catalog();
KernelBuilt built();

/// An input has n elements, a multiple of `stride`.
const examples::Example<long long>& example();

}  // namespace gpp::toys
