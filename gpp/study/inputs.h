// Inputs of commands: from a file, from a preset, or the bundled one; parts of them, for counters
// that take too long on the whole; awkward ones for `gpp check`, with cases that others may lack.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/generate.h"
#include "harness/kernel.h"

namespace gpp {

/// The preset with this name. Throws InputError with the known names.
const Preset& preset_called(const std::string& name);

/// The file with this name, or the bundled input with this name if no such file exists. Throws
/// InputError with the bundled names if there is neither.
std::filesystem::path find_input(const std::filesystem::path& file);

/// Obtains the requested input, with progress on a terminal. `label` gets the text for
/// InputRecord::path. Throws InputError; too little memory is noticed before any allocation.
Input obtain_input(const SourceRequest& request, std::string& label);

/// The number of G' in a slice with at most `terms` terms: at least one, at most all.
int own_g_of_slice(const Input& input, std::int64_t terms);

/// The input with `ngpown` of its G', evenly spread, and with every G, band and frequency. A
/// variant does the same work per term in it.
Input slice_of(const Input& input, int ngpown);

/// A small input on which a careless variant fails.
struct AwkwardInput {
  std::string name;             ///< name in snake case
  std::string meaning;          ///< description of its awkward feature
  std::function<Input()> make;  ///< the same input every time
};

/// All awkward inputs: odd shapes (shapes.h), poles at a resonance, cancelling sums, and two with
/// every case of the definition at once: all three branches, terms cut and not cut at wx < 0,
/// occupations 0, 1/2 and 1, wx = 0, a pole at exactly a wx of an occupied band, poles at 0, tiny
/// and invalid ones, G' without a place among the G, three frequencies, and odd sizes that are
/// multiples of nothing.
std::vector<AwkwardInput> awkward_inputs();

}  // namespace gpp
