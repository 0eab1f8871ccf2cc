// The transpose kernels for the harness. Source of the kernels: Ding and Williams 2019.
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
KernelBuilt built();

/// Makes a matrix in host memory. `seed` determines all numbers; `pitch` is as in Matrices.
std::unique_ptr<Subject> make_subject(std::string label, int rows, int columns, std::uint64_t seed,
                                      int pitch);
std::unique_ptr<Subject> make_subject(std::string label, int rows, int columns, std::uint64_t seed);

}  // namespace gpp::transpose
