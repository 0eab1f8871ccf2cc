// A benchmark on each width of vector that this program was built for.
#pragma once

#include <string_view>
#include <vector>

#include "roofline/ceilings/host/arithmetic.h"
#include "roofline/ceilings/host/chains.h"

namespace roofline::host {

/// FP64 chains of Step on vectors of `bytes`, two operations of an element each.
template <typename Step, int bytes>
ArithmeticKernel fp64_kernel(std::string_view name, Operation operation) {
  return {
      name_of_width(bytes, name), operation, bytes, sizeof(double), run_chains<double, bytes, Step>,
      2 * elements<double, bytes>};
}

/// Widest first.
template <typename Step, int bytes = vector_bytes>
void add_widths(std::vector<ArithmeticKernel>& kernels, std::string_view name,
                Operation operation) {
  kernels.push_back(fp64_kernel<Step, bytes>(name, operation));
  if constexpr (bytes > static_cast<int>(sizeof(double)))
    add_widths<Step, bytes / 2>(kernels, name, operation);
}

}  // namespace roofline::host
