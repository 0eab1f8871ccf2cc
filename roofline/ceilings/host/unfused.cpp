// Separate multiplications and additions, which the compiler must not fuse here, and divisions.
#include "roofline/ceilings/host/chains.h"

namespace roofline::host {
namespace {

/// The iteration tends to 1 from any start.
struct Separate {
  static constexpr double factor = 0.75;
  static constexpr double summand = 0.25;
  template <typename Vector>
  static Vector apply(Vector x, Vector a, Vector b) {
    const Vector product = x * a;
    return product + b;
  }
};

/// Alternates between a/x and x in all 53 bits; some processors divide short numbers faster.
struct Divided {
  static constexpr double factor = 0.7310585786300049;
  static constexpr double summand = 0;
  template <typename Vector>
  static Vector apply(Vector x, Vector a, Vector) {
    return a / x;
  }
};

}  // namespace

std::vector<ArithmeticKernel> unfused_kernels() {
  std::vector<ArithmeticKernel> kernels;
  add_widths<Separate>(kernels, Operation::separate);
  kernels.push_back(kernel_of<Divided>(Operation::division));
  kernels.push_back(kernel_of<Divided, sizeof(double)>(Operation::division));
  return kernels;
}

}  // namespace roofline::host
