// The texts of `gpp explain` about a variant.
#pragma once

#include <nlohmann/json_fwd.hpp>
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
  std::string kind;                 ///< of device that is told of first: "host" or "gpu"
  std::string cannot_run;           ///< why, where it does not run here
  std::string model_remark;  ///< how the model came to be chosen, and how to see another; or empty
  std::vector<FileDiff> diffs;
  std::optional<LastStudy> last;
  std::optional<LastStudy> other_host;  ///< of a host, where `last` does not tell of its loops
  std::optional<LastStudy> elsewhere;   ///< whose lines are told of where `last` has none
};

struct ExplanationStyle {
  std::size_t width = 100;
  bool colours = false;
  bool whole_diffs = false;  ///< else the end of a long one is left out
  bool words = true;         ///< of the glossary, explained below each section
};

/// The reader's choices.
struct Asker {
  bool chose_model = false;  ///< else the model is the one that runs here
};

/// Gathers what there is. `results`: the folder under which this machine's studies lie. The kind of
/// device is the one that the variant runs on here; where it cannot run here it is a GPU if the
/// reader chose the model, else the best that the machine has.
Explanation explain(const Kernel& kernel, const Variant& variant,
                    const std::filesystem::path& results, const Asker& asker = {});

enum class Diffs { shown, kept_back };

/// The part that may be told before a prediction: the title, the idea, what changes and what to
/// predict. The diffs show more of the answer than who is asked may see: they can be kept back.
std::string before_the_answer(const Explanation& explanation, const ExplanationStyle& style,
                              Diffs diffs = Diffs::shown);

/// The outcome: on this machine, then on other devices of its kind, then on others.
std::string outcomes_text(const Explanation& explanation, const ExplanationStyle& style);

/// The suggestions of what to try next.
std::string next_text(const Explanation& explanation, const ExplanationStyle& style);

/// The title and the diffs alone.
std::string diffs_alone(const Explanation& explanation, const ExplanationStyle& style);

/// `gpp explain` for this variant with `options`: " --diff".
std::string explain_command(const Explanation& explanation, const std::string& options);

nlohmann::ordered_json explanation_json(const Explanation& explanation);

}  // namespace gpp
