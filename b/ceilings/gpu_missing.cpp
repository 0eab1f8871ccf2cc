// In the place of the GPU's benchmarks where CUDA was left out of the build: says why.
#include <stdexcept>

#include "roofline/ceilings/measure.h"

namespace roofline {
namespace {

constexpr const char* reason = "switched off when this program was built (ROOFLINE_CUDA=OFF)";

class NoBenchmarks : public Benchmarks {
 public:
  std::string unavailable() const override { return reason; }
  DeviceIdentity identity() const override { throw std::runtime_error(reason); }
  Ceilings measure(const Progress&) const override { throw std::runtime_error(reason); }
};

}  // namespace

const Benchmarks& gpu_benchmarks() {
  static const NoBenchmarks none;
  return none;
}

}  // namespace roofline
