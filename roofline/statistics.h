// Statistics of times that assume nothing about how they are distributed.
#pragma once

#include <vector>

namespace roofline {

/// The statistics of one piece of work's times, in seconds. Everything is 0 where there are no
/// samples. The interval is the distribution-free 95% confidence interval of a median: for n
/// samples in order, from the one of rank floor((n - 1.96 sqrt n) / 2) to the one of rank
/// ceil(1 + (n + 1.96 sqrt n) / 2), counted from 1 (Conover 1999, section 3.2; normal approximation
/// to the binomial). Up to 5 samples that is the range from the smallest to the largest.
struct Timing {
  double median = 0;
  double min = 0;
  double max = 0;
  double low = 0;  ///< 95% confidence interval of the median
  double high = 0;

  /// Half the interval as a share of the median.
  double spread() const { return median > 0 ? 0.5 * (high - low) / median : 0.0; }
};

/// The value in the middle; of an even number the upper one. There must be any.
double middle_of(std::vector<double> values);

Timing summarize(std::vector<double> samples);

/// The value below which a share of the samples lies, between two of them in proportion. `sorted`
/// is in order and not empty: 0.25 gives the lower quartile.
double quantile(const std::vector<double>& sorted, double share);

}  // namespace roofline
