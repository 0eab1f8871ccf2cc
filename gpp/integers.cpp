#include "gpp/integers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gpp/forms/integers.h"

namespace gpp {
namespace {

double square(double x) { return x * x; }

/// The standard deviation of a digit, uniform in -128..127, in units of the next digit.
constexpr double digit_deviation = 74.0;

/// A group's contribution to sum and error at one frequency and one bin of poles.
struct Share {
  double term;   ///< weight of the poles over their distance
  double error;  ///< share of the squared error, weighted likewise
};

/// A group's contribution over all frequencies and bins: its weight, and its squared error.
Share share_of(const FactoredProblem& problem, const MomentGroup& group) {
  const PoleDistribution& poles = problem.poles;
  Share share{};
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    for (int bin = 0; bin < PoleDistribution::bins; ++bin) {
      if (poles.weight[bin] == 0.0) continue;
      const double distance = PoleDistribution::lower_edge(bin) - group.centre[iw];
      const double term = PoleDistribution::energy(bin) / distance * group.bands;
      const double u = group.half_width / distance;
      share.term += poles.weight[bin] * term;
      share.error += poles.square[bin] * square(term) *
                     (square(integer_truncation(u)) + square(digit_error(u, group.bands)));
    }
  }
  return share;
}

// The costs in a plan per pair of G and G', in the units of gpp/moments.cpp. They give 2.0 us for
// gpp214's pairs, as measured on an H200 (docs/cuda.md).
constexpr double cost_of_band = 2.7;
constexpr double cost_of_group = 95.0;
constexpr double cost_of_start = 250.0;  // packing, heavy G', two kernels
constexpr double cost_of_other = 5.2;    // band summed by v12, per frequency

/// All possible groups of bands, by their first and last step, and the cheapest choice of groups.
class Choice {
 public:
  explicit Choice(const FactoredProblem& problem) : problem_(problem), bands_(problem) {
    while (first_ < bands_.size() && !is_clear(problem, bands_.group_of({first_, 1}))) ++first_;
    steps_ = (bands_.size() - first_ + moment_step - 1) / moment_step;
    errors_.resize(static_cast<std::size_t>(steps_) * most_steps);
    double terms = 0;
    for (int begin = 0; begin < steps_; ++begin)
      terms += share_of(problem, bands_.group_of(run(begin, 1))).term;
    const double allowed = square(largest_estimate * terms);
    for (int begin = 0; begin < steps_; ++begin)
      for (int steps = 1; begin + steps <= steps_ && steps <= most_steps; ++steps)
        errors_[at(begin, steps)] =
            share_of(problem, bands_.group_of(run(begin, steps))).error / allowed;
  }

  /// Returns the cheapest groups if the square of the allowed error costs `price`.
  IntegerPlan cheapest(double price) const {
    std::vector<double> cost(static_cast<std::size_t>(steps_) + 1, 0.0);  // cost up to each step
    std::vector<int> last(cost.size(), 0);  // steps of the group that ends here; 0: left to v12
    for (int end = 1; end <= steps_; ++end) {
      const auto place = static_cast<std::size_t>(end);
      cost[place] = cost[place - 1] + cost_of_other * problem_.nfreq * moment_step;
      for (int steps = 1; steps <= std::min(end, most_steps); ++steps) {
        const double with_group = cost[place - static_cast<std::size_t>(steps)] + cost_of_group +
                                  cost_of_band * moment_step * steps +
                                  price * errors_[at(end - steps, steps)];
        if (!(with_group < cost[place])) continue;
        cost[place] = with_group;
        last[place] = steps;
      }
    }
    std::vector<Run> runs;
    for (int end = steps_; end > 0; end -= std::max(last[static_cast<std::size_t>(end)], 1)) {
      const int steps = last[static_cast<std::size_t>(end)];
      if (steps > 0) runs.push_back(run(end - steps, steps));
    }
    std::reverse(runs.begin(), runs.end());
    IntegerPlan plan{bands_.make(runs)};
    if (!runs.empty()) plan.estimate = estimated_error(problem_, plan.groups);
    return plan;
  }

 private:
  static constexpr int most_steps = most_group_bands / moment_step;

  Run run(int begin, int steps) const {
    const int first = first_ + begin * moment_step;
    return {first, std::min(steps * moment_step, bands_.size() - first)};
  }
  static std::size_t at(int begin, int steps) {
    return static_cast<std::size_t>(begin * most_steps + steps - 1);
  }

  const FactoredProblem& problem_;
  EmptyBands bands_;
  int first_ = 0;  ///< first band clear of all poles
  int steps_ = 0;
  std::vector<double> errors_;  ///< squared error per group, relative to the allowed one
};

double cost(const BandGroups& plan, int nfreq) {
  return cost_of_start + cost_of_band * static_cast<double>(plan.bands.size()) +
         cost_of_group * static_cast<double>(plan.groups.size()) +
         cost_of_other * nfreq * static_cast<double>(plan.other_bands.size());
}

}  // namespace

double integer_truncation(double u) {
  const double s = u / (1 + std::sqrt(1 - u * u));  // half of the form's s
  return 2 * std::pow(s, integer_moments) / (1 - s) + std::pow(u, 6) * (0.02 + u * u / 2) / (1 - u);
}

double digit_error(double u, int bands) {
  // The unit is a product of first digits. A component of a complex product contains two products
  // for each pair of digits.
  const double s = u / (1 + std::sqrt(1 - u * u));
  const double rounding = std::ldexp(1.0 / 12.0, -60);  // the squared rounding error
  double squares = 0, factor = 1;
  for (int k = 0; k < integer_moments; ++k) {
    const int digits = digits_of(k);
    const double dropped = 2.0 * digits * std::ldexp(square(square(digit_deviation)), -16 * digits);
    squares += square(factor) * (bands * dropped + (digits >= 5 ? rounding : 0.0));
    factor *= k == 0 ? 2 * s : s;
  }
  const double size = bands * top_aqsn * top_aqsm * scale_of_group(bands);
  return square(assumed_range(bands)) * std::sqrt(2 * squares) / size;
}

double estimated_error(const FactoredProblem& problem, const std::vector<MomentGroup>& groups) {
  Share all{};
  for (const MomentGroup& group : groups) {
    const Share share = share_of(problem, group);
    all.term += share.term;
    all.error += share.error;
  }
  return std::isfinite(all.term) ? std::sqrt(all.error) / all.term
                                 : std::numeric_limits<double>::infinity();
}

IntegerPlan plan_integers(const FactoredProblem& problem) {
  const Array1<const int>& empty = problem.empty_bands;
  IntegerPlan none;
  none.other_bands.assign(empty.data, empty.data + empty.size);
  if (!problem.real_poles || problem.poles.lowest < 0.0 || problem.ngpown <= heavy_igp) return none;
  const Choice choice(problem);
  // A higher price of errors gives more and narrower groups, so the lowest sufficient one is best.
  for (double price = 1.0; price < 1e12; price *= 1.25) {
    IntegerPlan plan = choice.cheapest(price);
    if (!(plan.estimate <= largest_estimate)) continue;
    return cost(plan, problem.nfreq) < cost_of_moments(problem) ? plan : none;
  }
  return none;
}

}  // namespace gpp
