#include "roofline/ceilings/host/clock.h"

#include <chrono>

namespace roofline::host {

double core_clock_mhz() {
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr int blocks = 2048;
  constexpr int additions = 64;  // in a block: the loop around it costs nothing beside them
  long long sum = 0;
  // In a register, for processors that add constants before they execute.
  long long summand = 3;
  asm volatile("" : "+r"(summand));
  const auto start = std::chrono::steady_clock::now();
  for (int block = 0; block < blocks; ++block) {
#if defined(__x86_64__)
    asm volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(summand));
#else
    asm volatile(".rept 64\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(summand));
#endif
  }
  const auto stop = std::chrono::steady_clock::now();
  const double microseconds = std::chrono::duration<double, std::micro>(stop - start).count();
  return blocks * additions / microseconds;
#else
  return 0;
#endif
}

}  // namespace roofline::host
