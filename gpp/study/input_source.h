// The problem a command works on: from a file, from a preset, or the bundled one.
#pragma once

#include <filesystem>
#include <string>

#include "data/generate.h"
#include "harness/kernel.h"

namespace gpp {

/// The preset of that name. Throws InputError with the names there are.
const Preset& preset_called(const std::string& name);

/// The file as it is named, or the bundled input of that name where there is no such file.
std::filesystem::path find_input(const std::filesystem::path& file);

/// The input asked for, with progress on a terminal. `label` gets what InputRecord::path says of
/// it. Throws InputError, before it allocates where memory does not suffice.
Input obtain_input(const SourceRequest& request, std::string& label);

}  // namespace gpp
