// Advice held against what the ladder's next step really gained.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/advice.h"

namespace gpp {

/// What came of a piece of advice.
enum class AdviceOutcome {
  hit,         ///< the next step acts on what was named, and gained
  miss,        ///< it acts on it, and did not gain
  expected,    ///< it acts on something else, and did not gain
  unforeseen,  ///< it acts on something else, and gained
  silent       ///< nothing was named: too little was counted
};

/// "hit", "miss", "as expected", "unforeseen", "nothing named".
std::string_view name_of(AdviceOutcome outcome);

/// From this factor a step gained: times of one card and the next, and of one day and the next,
/// differ by up to roofline::tolerance.
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
