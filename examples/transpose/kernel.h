// The transpose kernels for the harness. Source of the kernels: Ding and Williams 2019.
#pragma once

#include "examples/transpose/matrices.h"
#include "harness/kernel.h"

namespace gpp::transpose {

const Kernel& transpose_kernel();
const std::vector<Variant>& catalog();
KernelBuilt built();

struct Size {
  int rows, columns;
  int pitch = rows;  ///< as in Matrices
};

/// Makes a matrix in host memory. `seed` determines all numbers.
std::unique_ptr<Subject> make_subject(std::string label, const Size& size, std::uint64_t seed);

}  // namespace gpp::transpose
