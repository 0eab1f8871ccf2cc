// In the place of the GPU's benchmarks where CUDA was left out of the build: says why.
#include <stdexcept>

#include "roofline/ceilings/measure.h"

namespace gpp::roofline {
namespace {

class NoBenchmarks : public Benchmarks {
 public:
  std::string unavailable() const override { return GPP_CUDA_MISSING; }
  DeviceIdentity identity() const override { throw std::runtime_error(GPP_CUDA_MISSING); }
  Ceilings measure(const Progress&) const override { throw std::runtime_error(GPP_CUDA_MISSING); }
};

}  // namespace

const Benchmarks& gpu_benchmarks() {
  static const NoBenchmarks none;
  return none;
}

}  // namespace gpp::roofline
