// Launches back to back: the processor puts the next one into the stream while the device works on
// those before, so that what is measured is the slower of the two.
#include "roofline/ceilings/cuda/launch.h"

#include <algorithm>
#include <string>
#include <vector>

namespace roofline::gpu {
namespace {

constexpr int launches = 500;  // fewer than a stream takes before it makes the processor wait
constexpr int runs = 41;

__global__ void do_nothing() {}

}  // namespace

LaunchCost measure_launch(Stopwatch& stopwatch) {
  const Launch launch = [](long long count, Board*) {
    for (long long i = 0; i < count; ++i) do_nothing<<<1, 32>>>();
  };
  std::vector<double> seconds;
  for (const double run : stopwatch.all_of(runs, launches, launch))
    seconds.push_back(run / launches);
  std::sort(seconds.begin(), seconds.end());
  return {
      seconds[runs / 2], seconds[runs / 4], seconds[runs - 1 - runs / 4],
      "An empty kernel, " + std::to_string(launches) +
          " times in one stream, back to back, by the device's events; median and quartiles of " +
          std::to_string(runs) + " such runs."};
}

}  // namespace roofline::gpu
