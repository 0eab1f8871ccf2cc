#include "roofline/statistics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace roofline {

Timing summarize(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::ranges::sort(samples);
  const auto count = static_cast<int>(samples.size());
  const auto ranked = [&samples, count](int rank) {  // ranks from 1, limited to the samples
    const int index = std::clamp(rank, 1, count) - 1;
    return samples[static_cast<std::size_t>(index)];
  };
  const double reach = 1.96 * std::sqrt(static_cast<double>(count));
  Timing timing;
  timing.median = 0.5 * (ranked((count + 1) / 2) + ranked(count / 2 + 1));
  timing.min = samples.front();
  timing.max = samples.back();
  timing.low = ranked(static_cast<int>(std::floor((count - reach) / 2)));
  timing.high = ranked(static_cast<int>(std::ceil(1 + (count + reach) / 2)));
  return timing;
}

double middle_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

void Within::look_at(const std::string& what, std::optional<double> ratio) {
  if (!ratio || !(*ratio > 0)) return;
  ++compared;
  const double difference = 100 * (std::max(*ratio, 1 / *ratio) - 1);
  if (difference > percent) beyond.push_back(fmt::format("{} by {:.1f}%", what, difference));
}

std::string Within::text(const std::string& what) const {
  return fmt::format("{} of {} {} are within {}%{}{}\n", compared - beyond.size(), compared, what,
                     percent, beyond.empty() ? "" : "; beyond it: ", fmt::join(beyond, ", "));
}

}  // namespace roofline
