#include "roofline/ceilings/measure.h"

namespace roofline {

const Benchmarks* find_benchmarks(std::string_view kind) {
  if (kind == "host") return &host_benchmarks();
  if (kind == "gpu") return &gpu_benchmarks();
  return nullptr;
}

}  // namespace roofline
