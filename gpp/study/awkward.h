// Inputs that hold what the one studied may not: what `gpp check` runs a variant on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpp/input.h"

namespace gpp {

/// A small input that a careless variant gets wrong.
struct AwkwardInput {
  std::string name;             ///< in snake case
  std::string meaning;          ///< what is awkward about it, for people
  std::string hint;             ///< where a variant that fails on it should be looked at
  std::function<Input()> make;  ///< the same input every time
};

/// All of them: odd shapes (shapes.h), sums that cancel, poles at a resonance, every case at once
/// (every_case.h).
std::vector<AwkwardInput> awkward_inputs();

}  // namespace gpp
