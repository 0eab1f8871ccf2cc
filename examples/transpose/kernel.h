// The transpose kernels as the harness studies them. Source of the kernels: Ding and Williams 2019.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "examples/transpose/matrices.h"
#include "harness/kernel.h"

namespace gpp::transpose {

const Kernel& transpose_kernel();

const std::vector<Variant>& catalog();

/// A matrix in host memory. `seed` decides all numbers. `pitch`: as in Matrices.
std::unique_ptr<Subject> make_subject(std::string label, int rows, int columns, std::uint64_t seed,
                                      int pitch);
std::unique_ptr<Subject> make_subject(std::string label, int rows, int columns, std::uint64_t seed);

}  // namespace gpp::transpose
