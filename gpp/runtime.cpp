#include "gpp/runtime.h"

#include <stdexcept>

namespace gpp {
namespace {

std::string gigabytes(long long bytes) {
  const long long hundredths = bytes / 10'000'000;
  const std::string fraction = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (fraction.size() < 2 ? ".0" : ".") + fraction + " GB";
}

}  // namespace

long long bytes_of(const Problem& problem) {
  long long bytes = 0;
  relocate(problem, [&bytes](const char* /*name*/, auto array) {
    bytes += static_cast<long long>(array.count() * sizeof(*array.data));
    return array;
  });
  return bytes;
}

void require_device_memory(const Problem& problem, long long free_bytes) {
  const long long needed = bytes_of(problem);
  if (needed <= free_bytes) return;
  throw std::runtime_error("The problem takes " + gigabytes(needed) +
                           " of device memory, but only " + gigabytes(free_bytes) +
                           " are free. Choose a smaller input, or free the device "
                           "(nvidia-smi shows who uses it).");
}

}  // namespace gpp
