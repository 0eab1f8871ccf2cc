#include "roofline/verify/host_loops.h"

#include <cstddef>
#include <vector>

#include "roofline/verify/known_answers.h"

namespace roofline::known {

void run_host_daxpy() {
  std::vector<double> x(host_streamed, 1), y(host_streamed, 2);
  const volatile double told = 1e-9;  // or the compiler would know it
  for (int time = 0; time < host_times; ++time) {
    const double a = told;
    for (std::size_t i = 0; i < host_streamed; ++i) y[i] += a * x[i];
  }
  volatile double kept = y[host_streamed / 2];
  static_cast<void>(kept);
}

}  // namespace roofline::known
