// Fused multiplications and additions. The compiler may fuse them in this file.
#include "roofline/ceilings/host/chains.h"

namespace roofline::host {
namespace {

/// The iteration tends to 1 from any start.
struct Fused {
  static constexpr float factor = 0.75;
  static constexpr float summand = 0.25;
  template <typename Vector>
  static Vector apply(Vector x, Vector a, Vector b) {
    return x * a + b;
  }
};

}  // namespace

std::vector<ArithmeticKernel> fused_kernels() {
  std::vector<ArithmeticKernel> kernels;
  add_widths<Fused>(kernels, Operation::fused);
  kernels.push_back(kernel_of<Fused, vector_bytes, float>(Operation::fused));
  return kernels;
}

}  // namespace roofline::host
