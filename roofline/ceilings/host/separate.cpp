// Multiplications and additions apart. Compiled so that the compiler must not fuse them.
#include "roofline/ceilings/host/widths.h"

namespace roofline::host {
namespace {

/// Tends to 1 from anywhere.
struct Separate {
  static constexpr double factor = 0.75;
  static constexpr double summand = 0.25;
  template <typename Vector>
  static Vector apply(Vector x, Vector a, Vector b) {
    const Vector product = x * a;
    return product + b;
  }
};

}  // namespace

std::vector<ArithmeticKernel> separate_kernels() {
  std::vector<ArithmeticKernel> kernels;
  add_widths<Separate>(kernels, "no_fma", Operation::separate);
  return kernels;
}

}  // namespace roofline::host
