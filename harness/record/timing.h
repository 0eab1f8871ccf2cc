// When a variant has been timed often enough, and the statistics of its samples.
//
// The median speaks for a variant, with its 95% interval (roofline/statistics.h).
//
// The rule: a variant is timed until half its interval is at most `spread` of its median, with at
// least `min_samples`; or until its share of the time limit is used up, or `max_samples` are taken.
// Everybody gets one sample, however slow. A fixed `repeat` replaces the rule.
//
// A run is disturbed where others took more than `disturbed_threshold` of the processor meanwhile.
// Disturbed runs do not count towards a stable median, so the study goes on repeating within its
// limit. Where enough others are left, these alone speak for the variant; where not, all do, and
// the time is called disturbed. A study that is short on a quiet machine does not wait long for a
// quiet one: see `short_study`.
#pragma once

#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "roofline/statistics.h"

namespace gpp {

using roofline::summarize;
using roofline::Timing;

struct TimingRule {
  int repeat = 0;  ///< where not 0: exactly so many samples, whatever they say
  int min_samples = 5;
  int max_samples = 200;
  int most_runs = 1000;  ///< disturbed ones included
  double spread = 0.01;
  double time_limit = 30;  ///< seconds for all variants together, shared equally; first runs count
  /// Where runs are disturbed, a study whose timing would take less than `short_study` seconds on a
  /// quiet machine ends after `longest_wait`. Estimated by `quiet_runs` of each variant's fastest.
  double short_study = 10;
  double longest_wait = 30;
  int quiet_runs = 20;
};

/// Why timing ended.
enum class Stop { none, repeats, stable, most_samples, time_limit };

/// How a stop is called in records: "stable", "time limit", ...
std::string name_of(Stop stop);

/// Whether a variant with these undisturbed samples, and so many disturbed ones, is done, `used` of
/// its `share` of the time limit being gone (both in seconds).
Stop stop(const TimingRule& rule, const std::vector<double>& samples, double used, double share,
          int disturbed = 0);

/// Others took more of the processor than this during a timed run: the run is disturbed.
inline constexpr double disturbed_threshold = 0.05;

/// The processor time that others took while a run was timed, as shares of the time of all cores
/// that this program may use. NaN: not known.
struct LoadShare {
  double others = std::numeric_limits<double>::quiet_NaN();  ///< other programs
  /// The machine below a virtual one, or a quota of CPU time.
  double steal = std::numeric_limits<double>::quiet_NaN();
  /// The share of the GPU's time that other programs took during a run on it. Such a run does not
  /// wait for the host's cores.
  double gpu = std::numeric_limits<double>::quiet_NaN();

  bool known() const;
  /// The share of the processor that others took, both kinds together; unknown shares count as 0.
  double taken() const;
  bool disturbed() const { return taken() > disturbed_threshold; }
};

/// The samples that speak for a variant.
struct Trusted {
  std::vector<double> samples;
  bool disturbed = false;  ///< disturbed ones are among them
};

/// The undisturbed samples where they are enough: five, or half of all. Else all of them.
Trusted trusted(const std::vector<double>& samples, const std::vector<bool>& disturbed);

/// The order of `count` variants in a round, drawn anew for each: a run depends a little on the
/// heat and the caches that the one before leaves behind, and no variant may always follow the
/// same.
std::vector<std::size_t> order_of_round(std::size_t count, std::mt19937_64& engine);

/// Clocks this far below the highest seen are called throttled.
inline constexpr double throttle_threshold = 0.05;

/// How many of the clocks (MHz, 0 where unreadable) lie more than throttle_threshold below
/// `highest`.
int count_throttled(const std::vector<double>& clocks, double highest);

}  // namespace gpp
