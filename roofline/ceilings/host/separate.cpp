// Multiplications and additions apart. Compiled so that the compiler must not fuse them.
#include "roofline/ceilings/host/arithmetic.h"
#include "roofline/ceilings/host/chains.h"

namespace roofline::host {
namespace {

struct Separate {
  template <typename Vector>
  static Vector apply(Vector x, Vector a, Vector b) {
    const Vector product = x * a;
    return product + b;
  }
};

constexpr ArithmeticKernel kernels[] = {
    {"fp64_no_fma", "FP64, no FMA",
     "Independent chains of y = x*a, x = y + b on the widest vectors, one thread per CPU.", false,
     8, run_chains<double, Separate>, 2 * chains* lanes<double>},
};

}  // namespace

std::span<const ArithmeticKernel> separate_kernels() { return kernels; }

}  // namespace roofline::host
