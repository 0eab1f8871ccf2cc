// A triad, x = y + 3 z, under its roofs: measured by a GPU's counters, else on this processor.
#include <roofline/roofline.h>

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "triad.h"

std::string triad_on_host() {
  static std::vector<double> x(n), y(n, 1.0), z(n, 2.0);
  constexpr int slice = 1 << 15;
  roofline::parallel_for(n / slice, [](int s) {
    for (int i = s * slice; i < (s + 1) * slice; ++i) x[i] = y[i] + 3 * z[i];
  });
  return x[n - 1] == 7 ? "" : "wrong";
}

int main() {
  using namespace roofline;
  std::string wrong;
  Counted counted =
      count_by_hardware(cupti_recorder(), "triad",
                        {[&wrong] { wrong = triad_on_gpu(); }, [&wrong] { return wrong; }});
  const bool gpu = counted.source == CountedBy::cupti;
  if (!gpu) {
    std::cout << "No counters: " << counted.reason << ".\nAn element takes 2 FLOP and 24 B.\n\n";
    counted = stated({{"fp64_flop", 2.0 * n}, {"dram_bytes", 24.0 * n}});
  }
  const Ceilings roofs = ceilings_of(gpu ? "gpu" : "host");
  const auto triad = gpu ? triad_on_gpu : triad_on_host;
  triad();  // the first run is slower
  const auto start = std::chrono::steady_clock::now();
  wrong = triad();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (!wrong.empty()) {
    std::cerr << wrong << '\n';
    return 1;
  }
  for (const RooflinePoint& point : roofline_points(counted, taken.count(), roofs).points)
    if (const auto chart = make_chart(roofs, {{"triad", point}}, point.precision))
      std::cout << terminal_roofline(*chart, "triad, " + chart->model.title);
}
