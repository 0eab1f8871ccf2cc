// The texts of `gpp explain` about a variant.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/program/source_diff.h"
#include "harness/teach/last_study.h"
#include "harness/teach/lessons.h"

namespace gpp {

struct Explanation {
  const Kernel* kernel = nullptr;
  const Variant* variant = nullptr;
  const Variant* before = nullptr;  ///< nullptr where it has no predecessor
  const Lesson* lesson = nullptr;   ///< nullptr for ideas of one's own
  std::vector<FileDiff> diffs;
  std::optional<LastStudy> last;
};

struct ExplanationStyle {
  std::size_t width = 100;
  bool colours = false;
};

/// Gathers what there is. `results`: the folder under which this machine's studies lie.
Explanation explain(const Kernel& kernel, const Variant& variant,
                    const std::filesystem::path& results);

/// What can be told before a prediction: the title, the idea, what changes with the diff, and what
/// to predict.
std::string before_the_answer(const Explanation& explanation, const ExplanationStyle& style);

/// And after it: the V100, the H200, this machine, what to try next.
std::string after_the_answer(const Explanation& explanation, const ExplanationStyle& style);

nlohmann::ordered_json explanation_json(const Explanation& explanation);

}  // namespace gpp
