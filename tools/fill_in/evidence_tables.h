// The tables of documents that are made from records: of docs/reproduction.md SC19's nine steps on
// a V100 beside ours on an H200, and of docs/advice.md advice beside what the ladder's next step
// really gained.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/advice.h"
#include "tools/fill_in/evidence.h"

namespace gpp {

/// The Markdown table of that name, blank lines around it:
///   times       time, speedup over v1, gain over the step before, registers and warps
///   operations  FP64 operations, their rate, % of peak and of the FMA-mix ceiling
///   counters    what the profiler counted on the H200, step by step; a sentence where it did not
///   ladder NAME a published ladder beside what was measured: of the record h200/ladders/NAME, or
///               where there is none as far as h200/gpp214 has its steps
///   ladder NAME MODEL   the same of a host: xeon-16-cores/ladders/NAME, xeon-16-cores/silicon8
///   advice      how often advice hit and missed, ladder by ladder
///   advice STUDY MODEL   what was advised on each step of a ladder, and what the next one gained
/// Throws std::runtime_error for another name, InputError for a record that cannot be read.
std::string evidence_table(const Evidence& evidence, std::string_view name);

/// The outcome of a piece of advice.
enum class AdviceOutcome {
  hit,         ///< the next step acts on what was named, and gained
  miss,        ///< it acts on it, and did not gain
  expected,    ///< it acts on something else, and did not gain
  unforeseen,  ///< it acts on something else, and gained
  silent       ///< nothing was named: too little was counted
};

/// "hit", "miss", "as expected", "unforeseen", "nothing named".
std::string_view name_of(AdviceOutcome outcome);

/// A step whose factor is at least this gained: times of one card and the next, and of one day and
/// the next, differ by up to roofline::tolerance.
inline constexpr double least_gain = 1.05;

/// A step, what was said of it, and the step behind it.
struct CheckedAdvice {
  const Result* step = nullptr;
  std::optional<LinkedAdvice> advice;
  const Result* next = nullptr;
  std::vector<std::string> acted_on;  ///< of the causes named, those that the next step is against
  double gain = 0;                    ///< time of the step over that of the next
  AdviceOutcome outcome = AdviceOutcome::silent;
};

/// Every step of the model that was timed and has a timed one behind it, in their order.
std::vector<CheckedAdvice> checked_advice(const StudyRecord& study, const std::string& model);

/// The geometric mean of the gains of next steps that act on what was named, or of those that do
/// not; empty where there is none.
std::optional<double> mean_gain(const std::vector<CheckedAdvice>& all, bool acted_on);

/// The Markdown table of checked_advice, blank lines around it.
std::string advice_check_table(const StudyRecord& study, const std::string& model);

/// A recorded ladder.
struct Ladder {
  std::string study;  ///< below results/
  std::string model;
};

/// The ladders in results/ of which something was counted.
const std::vector<Ladder>& checked_ladders();

}  // namespace gpp
