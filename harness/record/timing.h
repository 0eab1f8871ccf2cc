// Decides when a variant has been timed often enough, and computes statistics of its samples.
//
// A variant's time is its median, with the 95% interval (roofline/statistics.h).
//
// The rule: a variant is timed until half its interval is at most `spread` of its median, with at
// least `min_samples`; or until its share of the time limit is used up, or `max_samples` are taken.
// Every variant gets at least one sample. A fixed `repeat` replaces the rule.
//
// A run is disturbed if other programs took more than `disturbed_threshold` of the processor
// meanwhile. Disturbed runs do not count towards a stable median, so the study repeats within its
// limit. If enough undisturbed runs remain, only these are used; if not, all are used and the time
// is marked as disturbed.
#pragma once

#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "roofline/statistics.h"

namespace gpp {

using roofline::summarize;
using roofline::Timing;

struct TimingRule {
  int repeat = 0;  ///< unless 0, the exact number of samples
  int min_samples = 5;
  int max_samples = 200;
  int most_runs = 1000;  ///< limit that includes disturbed runs
  double spread = 0.01;
  double time_limit = 30;  ///< seconds for all variants, shared equally; includes first runs
};

/// The reason why timing ended.
enum class Stop { none, repeats, stable, most_samples, time_limit };

/// Decides whether a variant with these undisturbed samples and this number of disturbed ones is
/// finished, after `used` of its `share` of the time limit (both in seconds).
Stop stop(const TimingRule& rule, const std::vector<double>& samples, double used, double share,
          int disturbed = 0);

/// A timed run is disturbed if others took more than this share of the processor.
inline constexpr double disturbed_threshold = 0.05;

/// The processor time that others took during a timed run, as shares of the time of all cores that
/// this program may use. NaN: unknown.
struct LoadShare {
  double others = std::numeric_limits<double>::quiet_NaN();  ///< share of other programs
  /// The hypervisor of a virtual machine.
  double steal = std::numeric_limits<double>::quiet_NaN();
  /// The share of the GPU's time that other programs took during a run on it. Such a run does not
  /// depend on the host's cores.
  double gpu = std::numeric_limits<double>::quiet_NaN();

  bool known() const;
  /// The share of the processor that others took in total; unknown shares count as 0.
  double taken() const;
  bool disturbed() const { return taken() > disturbed_threshold; }
};

/// The samples that represent a variant.
struct Trusted {
  std::vector<double> samples;
  bool disturbed = false;  ///< true if disturbed samples are included
};

/// The undisturbed samples if they are enough, at least five or half of all; else all samples.
Trusted trusted(const std::vector<double>& samples, const std::vector<bool>& disturbed);

/// A random order of `count` variants for one round. A run depends a little on the heat and the
/// caches that the previous variant leaves, so no variant may always follow the same one.
std::vector<std::size_t> order_of_round(std::size_t count, std::mt19937_64& engine);

/// Clocks this far below the highest one count as throttled.
inline constexpr double throttle_threshold = 0.05;

/// Counts the clocks (MHz, 0 if unreadable) more than throttle_threshold below `highest`.
int count_throttled(const std::vector<double>& clocks, double highest);

}  // namespace gpp
