// Awkward inputs for `gpp check`, with cases that the studied input may lack.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpp/input.h"

namespace gpp {

/// A small input on which a careless variant fails.
struct AwkwardInput {
  std::string name;             ///< name in snake case
  std::string meaning;          ///< description of its awkward feature
  std::string hint;             ///< advice for a variant that fails on it
  std::function<Input()> make;  ///< the same input every time
};

/// All awkward inputs: odd shapes (shapes.h), cancelling sums, poles at a resonance, every case at
/// once (every_case.h).
std::vector<AwkwardInput> awkward_inputs();

}  // namespace gpp
