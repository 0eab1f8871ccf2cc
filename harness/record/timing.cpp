#include "harness/record/timing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpp {

Stop stop(const TimingRule& rule, const std::vector<double>& samples, double used, double share,
          int disturbed) {
  const auto count = static_cast<int>(samples.size());
  const int runs = count + disturbed;
  if (runs == 0) return Stop::none;
  if (rule.repeat > 0) return runs >= rule.repeat ? Stop::repeats : Stop::none;
  if (count >= rule.min_samples && summarize(samples).spread() <= rule.spread) return Stop::stable;
  if (count >= rule.max_samples || runs >= rule.most_runs) return Stop::most_samples;
  if (used >= share) return Stop::time_limit;
  return Stop::none;
}

bool LoadShare::known() const { return std::isfinite(others); }

double LoadShare::taken() const {
  return (std::isfinite(others) ? others : 0.0) + (std::isfinite(steal) ? steal : 0.0);
}

Trusted trusted(const std::vector<double>& samples, const std::vector<bool>& disturbed) {
  constexpr std::size_t enough = 5;
  std::vector<double> quiet;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (i >= disturbed.size() || !disturbed[i]) quiet.push_back(samples[i]);
  if (quiet.size() == samples.size()) return {samples, false};
  if (quiet.size() >= enough || 2 * quiet.size() >= samples.size()) return {quiet, false};
  return {samples, true};
}

std::vector<std::size_t> order_of_round(std::size_t count, std::mt19937_64& engine) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::shuffle(order, engine);
  return order;
}

int count_throttled(const std::vector<double>& clocks, double highest) {
  const double least = (1.0 - throttle_threshold) * highest;
  return static_cast<int>(
      std::ranges::count_if(clocks, [least](double mhz) { return mhz > 0 && mhz < least; }));
}

}  // namespace gpp
