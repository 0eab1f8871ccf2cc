// The texts of `gpp explain` and `gpp learn` for a variant.
#pragma once

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
  const Variant* before = nullptr;  ///< the predecessor; may be nullptr
  const Lesson* lesson = nullptr;   ///< nullptr for a user's own variant
  std::string kind;                 ///< kind of device to describe: "host" or "gpu"
  std::string cannot_run;           ///< reason if it does not run here
  std::vector<FileDiff> diffs;
  std::optional<LastStudy> last;       ///< of this machine, or of one like it
  std::optional<LastStudy> elsewhere;  ///< the quoted one, if `last` has no lines
};

struct ExplanationStyle {
  std::size_t width = 100;
  bool colours = false;
  bool whole_diffs = false;  ///< false: long diffs are shortened
  bool words = true;         ///< explain glossary words below each section
};

/// Gathers the available material. `results` is the folder of this machine's studies. The kind of
/// device is the one on which the variant runs here, or a GPU if it cannot: others run everywhere.
Explanation explain(const Kernel& kernel, const Variant& variant,
                    const std::filesystem::path& results);

enum class Diffs { shown, kept_back };

/// The part to show before a prediction: the title, the idea, the changes and the question. Diffs
/// reveal much of the answer and can be hidden.
std::string before_the_answer(const Explanation& explanation, const ExplanationStyle& style,
                              Diffs diffs = Diffs::shown);

/// The outcome on this machine and on other devices of its kind, and what to try next.
std::string after_the_answer(const Explanation& explanation, const ExplanationStyle& style);

/// Only the title and the diffs.
std::string diffs_alone(const Explanation& explanation, const ExplanationStyle& style);

/// The command `gpp explain` for this variant with `options`: " --diff".
std::string explain_command(const Explanation& explanation, const std::string& options);

}  // namespace gpp
