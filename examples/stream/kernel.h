// The stream kernels for the harness. Source of the kernels: Lu and Wolfe 2022.
#pragma once

#include "examples/made_kernel.h"
#include "examples/stream/arrays.h"

namespace gpp::stream {

const std::vector<Variant>& catalog();
KernelBuilt built();

struct Size {
  long long n;
  int lanes;
};

const examples::Example<Size>& example();

}  // namespace gpp::stream
