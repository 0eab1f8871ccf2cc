#include "runtimes/runtime.h"

#include <stdexcept>

#include "roofline/base/units.h"

namespace gpp {

void require_device_memory(long long needed, long long free_bytes) {
  if (free_bytes <= 0 || needed <= free_bytes) return;
  throw std::runtime_error("The problem takes " + roofline::describe_bytes(needed) +
                           " of device memory, but only " + roofline::describe_bytes(free_bytes) +
                           " are free. Choose a smaller input, or free the device "
                           "(nvidia-smi shows who uses it).");
}

}  // namespace gpp
