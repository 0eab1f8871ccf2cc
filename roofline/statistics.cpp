#include "roofline/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roofline {

Timing summarize(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::ranges::sort(samples);
  const auto count = static_cast<int>(samples.size());
  const auto ranked = [&samples, count](int rank) {  // from 1, held within the samples
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

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

namespace {

/// The share of all orders of n and m values in which at most `most` pairs are in one order.
double share_of_orders(std::size_t n, std::size_t m, double most) {
  // orders[i][u]: of the first i values of one side among those of the other, u pairs in order.
  std::vector<std::vector<double>> orders(n + 1, std::vector<double>(n * m + 1, 0));
  orders[0][0] = 1;
  for (std::size_t place = 1; place <= n + m; ++place)
    for (std::size_t i = std::min(n, place); i >= 1; --i) {
      const std::size_t before = place - i;  // values of the other side
      if (before > m) continue;
      for (std::size_t u = before; u <= n * m; ++u) orders[i][u] += orders[i - 1][u - before];
    }
  const std::vector<double>& all = orders[n];
  double below = 0;
  for (std::size_t u = 0; u <= n * m && static_cast<double>(u) <= most; ++u) below += all[u];
  return below / std::accumulate(all.begin(), all.end(), 0.0);
}

}  // namespace

double equal_ranks_probability(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return 1;
  std::vector<double> sorted = b;
  std::ranges::sort(sorted);
  double in_order = 0;
  for (const double x : a) {
    const auto equal = std::ranges::equal_range(sorted, x);
    in_order +=
        static_cast<double>(sorted.end() - equal.end()) + 0.5 * static_cast<double>(equal.size());
  }
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const double fewest = std::min(in_order, n * m - in_order);
  constexpr double most_exact = 400;
  if (n * m <= most_exact)
    return std::min(1.0, 2 * share_of_orders(a.size(), b.size(), std::ceil(fewest)));
  const double deviation = std::sqrt(n * m * (n + m + 1) / 12);
  return std::min(1.0, std::erfc((n * m / 2 - fewest - 0.5) / deviation / std::sqrt(2.0)));
}

std::vector<double> corrected_for_number(const std::vector<double>& probabilities) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return probabilities[i]; });
  std::vector<double> corrected(probabilities.size());
  double most = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto left = static_cast<double>(order.size() - place);
    most = std::max(most, std::min(1.0, left * probabilities[order[place]]));
    corrected[order[place]] = most;
  }
  return corrected;
}

}  // namespace roofline
