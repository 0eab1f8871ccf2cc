// Statistics of times without assumptions on their distribution.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// The statistics of one piece of work's times, in seconds; all 0 without samples. The interval is
/// the distribution-free 95% confidence interval of a median: for n sorted samples, from rank
/// floor((n - 1.96 sqrt n) / 2) to rank ceil(1 + (n + 1.96 sqrt n) / 2), counted from 1 (Conover
/// 1999, section 3.2; normal approximation to the binomial). For up to 5 samples that is the range
/// from the smallest to the largest.
struct Timing {
  double median = 0;
  double min = 0;
  double max = 0;
  double low = 0;  ///< 95% confidence interval of the median
  double high = 0;

  /// Half the interval relative to the median.
  double spread() const { return median > 0 ? 0.5 * (high - low) / median : 0.0; }
};

/// The middle value, or the upper one of two. There must be at least one value.
double middle_of(std::vector<double> values);

Timing summarize(std::vector<double> samples);

/// The limit of --within, with which both programs' `compare` fail where two values differ by more.
struct Within {
  double percent = 0;
  std::size_t compared = 0;
  std::vector<std::string> beyond = {};

  /// Compares by the ratio of two values, if both are known.
  void look_at(const std::string& what, std::optional<double> ratio);
  /// False also if nothing was compared.
  bool passes() const { return compared > 0 && beyond.empty(); }
  std::string text(const std::string& what) const;
};

}  // namespace roofline
