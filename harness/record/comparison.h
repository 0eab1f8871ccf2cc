// Two studies, variant by variant, without mistaking noise for news.
//
// The rule: B is faster (or slower) than A where the 95% intervals of both medians (timing.h) do
// not overlap and the medians differ by more than 1%; else they are the same within noise. Fewer
// than 5 samples on either side decide nothing, but it is said whether all runs of one were shorter
// than all of the other. Times that others disturbed (timing.h) decide nothing, however many.
// Intervals know the noise within a study, not between two: the 1% stands for what differs from one
// start of a program to the next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

inline constexpr double least_difference = 0.01;
inline constexpr std::size_t least_samples = 5;

enum class Verdict { faster, slower, same, undecided, not_comparable };

/// One variant of one model in both studies.
struct Comparison {
  std::string model, kind, variant, step;
  Verdict verdict = Verdict::not_comparable;
  double rate_a = 0;  ///< terms/s; 0 where not timed
  double rate_b = 0;
  std::string remark = {};  ///< why not comparable or undecided
  /// How many times as fast B is at an equal clock; empty where a clock is not known.
  std::optional<double> factor_in_cycles = {};

  /// How many times as fast as A B is; 0 where either is not timed.
  double factor() const { return rate_a > 0 && rate_b > 0 ? rate_b / rate_a : 0.0; }
  /// By how much the times differ, 0.02 for 2%: at an equal clock where the clocks are known. Empty
  /// where either is not timed.
  std::optional<double> difference() const;
};

/// How a verdict is called: "faster", "same", ...
std::string name_of(Verdict verdict);

/// Times of B against A, both per term, so that inputs may differ.
Verdict compare_times(const std::vector<double>& samples_a, const std::vector<double>& samples_b,
                      double terms_a, double terms_b);

/// A verdict with a remark.
struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string remark;  ///< why undecided; else empty
};

/// Times of B against A, both timed, which the remark calls by these names.
Judgement judge_times(const Result& a, const std::string& name_a, double terms_a, const Result& b,
                      const std::string& name_b, double terms_b);

/// Throws InputError where the studies are of different kernels, or of different inputs and nobody
/// wants them compared all the same.
void require_comparable(const StudyRecord& a, const StudyRecord& b, bool any_input = false);

/// One variant in two studies, which the remark calls by these names; nullptr: it did not run
/// there.
Comparison compare_results(const StudyRecord& a, const Result* in_a, const std::string& name_a,
                           const StudyRecord& b, const Result* in_b, const std::string& name_b);

/// Every variant that ran in either study.
std::vector<Comparison> compare(const StudyRecord& a, const StudyRecord& b);

}  // namespace gpp
