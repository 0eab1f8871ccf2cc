// The transpose kernels for the harness. Source of the kernels: Ding and Williams 2019.
#pragma once

#include "examples/made_kernel.h"
#include "examples/transpose/matrices.h"

namespace gpp::transpose {

const std::vector<Variant>& catalog();
KernelBuilt built();

struct Size {
  int rows, columns;
};

const examples::Example<Size>& example();

}  // namespace gpp::transpose
