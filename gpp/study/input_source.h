// The problem of a command: from a file, from a preset, or the bundled one.
#pragma once

#include <filesystem>
#include <string>

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

}  // namespace gpp
