// What a step did, as far as its record shows it: what predictions are held against.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "harness/record/record.h"

namespace gpp {

/// What a student can predict of a step.
enum class Asked {
  speedup,        ///< time of the step before over the step's own
  flop_per_term,  ///< operations for each piece of work (Kernel::work); an FMA is two
  registers,      ///< per thread, of the kernel that takes most
  bound_by        ///< the verdict's word (roofline/verdict.h)
};
inline constexpr std::array all_asked = {Asked::speedup, Asked::flop_per_term, Asked::registers,
                                         Asked::bound_by};

/// As it stands in files: "flop_per_term".
std::string name_of(Asked asked);
std::optional<Asked> asked_called(std::string_view name);

/// A number, or the word of Asked::bound_by.
using Guess = std::variant<double, std::string>;

/// Why that cannot be predicted of a step on that kind of device, "host" or "gpu"; empty where it
/// can. `has_before`: there is a step before it.
std::string not_askable(Asked asked, const std::string& kind, bool has_before);

/// Facts about one step, each there or with the reason why not.
struct Outcome {
  std::string kernel, variant, step, model, kind, device;
  std::string before;  ///< what the speedup is over; empty where there is none
  std::map<Asked, Guess> known;
  std::map<Asked, std::string> lacking;
  std::pair<double, double> speedup_range = {};  ///< by both medians' 95% intervals; 0: not known
  bool disturbed = false;                        ///< the speedup, by others
};

/// What the record shows of a result, against `before` of the same study (nullptr: none). Of a step
/// that failed or was not timed it shows nothing.
Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before);

/// The launch that takes most registers: the step's own kernel. nullptr where none are known.
const Launch* largest_launch(const Result& result);

}  // namespace gpp
