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

template <int bytes>
ArithmeticKernel kernel(const char* name) {
  return {name,
          Operation::division,
          bytes,
          sizeof(double),
          run_chains<double, bytes, Divided>,
          elements<double, bytes>};
}

}  // namespace

std::vector<ArithmeticKernel> separate_kernels() {
  std::vector<ArithmeticKernel> kernels;
  add_widths<Separate>(kernels, "no_fma", Operation::separate);
  return kernels;
}

std::vector<ArithmeticKernel> division_kernels() {
  return {kernel<vector_bytes>("fp64_div"), kernel<sizeof(double)>("fp64_div_scalar")};
}

}  // namespace roofline::host
