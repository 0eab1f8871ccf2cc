// Compares two studies, variant by variant, and separates changes from noise.
//
// The rule: B is faster (or slower) than A if the 95% intervals of both medians (timing.h) do not
// overlap and the medians differ by more than 1%; else they are the same within noise. Fewer than 5
// samples on either side give no verdict. Times that other programs disturbed (timing.h) give no
// verdict. Intervals cover the noise within a study; the 1% covers differences between two starts
// of a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

inline constexpr double least_difference = 0.01;
inline constexpr std::size_t least_samples = 5;

enum class Verdict { faster, slower, same, undecided, not_comparable };

/// The name of a verdict: "faster", "same", ...
std::string name_of(Verdict verdict);

/// Compares times of B with A.
Verdict compare_times(const std::vector<double>& samples_a, const std::vector<double>& samples_b);

/// A verdict with a remark.
struct Judgement {
  Verdict verdict = Verdict::not_comparable;
  std::string remark;  ///< reason for no verdict; else empty
};

/// Compares the times of B with A, both timed. The remark uses the given names.
Judgement judge_times(const Result& a, const std::string& name_a, const Result& b,
                      const std::string& name_b);

/// One variant of one model in two studies.
struct Comparison : Judgement {
  std::string model, kind, variant, step;
  std::optional<double> rate_a = {}, rate_b = {};  ///< terms/s; empty if not timed
  /// The speed ratio of B to A: in time, and at equal clocks; empty if it is unknown.
  std::optional<double> factor = {}, factor_in_cycles = {};
};

/// Compares every variant that ran in either study. Throws InputError if the studies have different
/// kernels or different inputs.
std::vector<Comparison> compare(const StudyRecord& a, const StudyRecord& b);

}  // namespace gpp
