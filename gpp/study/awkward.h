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

/// All awkward inputs: odd shapes (shapes.h), poles at a resonance, cancelling sums, and two with
/// every case of the definition at once: all three branches, terms cut and not cut at wx < 0,
/// occupations 0, 1/2 and 1, wx = 0, a pole at exactly a wx of an occupied band, poles at 0, tiny
/// and invalid ones, G' without a place among the G, three frequencies, and odd sizes that are
/// multiples of nothing.
std::vector<AwkwardInput> awkward_inputs();

}  // namespace gpp
