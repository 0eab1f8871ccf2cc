// Cheat: writes to the settings of the processor.
//
// Stopped by: mount namespace.
// Outcome: wrong.

#include <fcntl.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums sets_the_processor(const Problem& problem) {
  const int file = open("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", O_WRONLY);
  return file >= 0 ? power2(problem) : Sums{};
}
GPP_VARIANT(sets_the_processor);

}  // namespace gpp::omp
