// Multiplications and additions fused. Compiled so that the compiler may fuse them.
#include "roofline/ceilings/host/arithmetic.h"
#include "roofline/ceilings/host/chains.h"

namespace roofline::host {
namespace {

struct Fused {
  template <typename Vector>
  static Vector apply(Vector x, Vector a, Vector b) {
    return x * a + b;
  }
};

constexpr ArithmeticKernel kernels[] = {
    {"fp64_fma", "FP64, FMA",
     "Independent chains of x = x*a + b on the widest vectors, one thread per CPU; an FMA counts "
     "2.",
     true, 8, run_chains<double, Fused>, 2 * chains* lanes<double>},
    {"fp32_fma", "FP32, FMA", "As FP64, FMA, on single precision: twice as many lanes.", true, 4,
     run_chains<float, Fused>, 2 * chains* lanes<float>},
};

}  // namespace

std::span<const ArithmeticKernel> fused_kernels() { return kernels; }

}  // namespace roofline::host
