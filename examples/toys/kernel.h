// The toys for the harness. Source of the kernels: the roofline-on-nvidia-gpus tutorial (NERSC
// 2020).
#pragma once

#include "examples/toys/numbers.h"
#include "harness/kernel.h"

namespace gpp::toys {

const Kernel& toys_kernel();
const std::vector<Variant>& catalog();
KernelBuilt built();
/// Makes an input of n elements, a multiple of `stride`. `seed` determines all numbers.
std::unique_ptr<Subject> make_subject(std::string label, long long n, std::uint64_t seed);

}  // namespace gpp::toys
