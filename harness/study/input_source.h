// The problem a command works on: from a file, from a preset, or the bundled one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "data/generate.h"
#include "gpp/prepare.h"
#include "harness/record/record.h"

namespace gpp {

/// What --input, --preset and --seed ask for. With neither file nor preset it is the bundled real
/// input.
struct SourceRequest {
  std::filesystem::path file;
  std::string preset;
  std::uint64_t seed = default_seed;
};

/// A problem ready to be summed, with its reference.
struct Subject {
  InputRecord record;
  std::unique_ptr<PreparedProblem> problem;
  ReferenceRecord reference;
};

/// Loads or generates the input and computes its reference, with progress on a terminal. Throws
/// InputError, before it allocates where memory does not suffice.
Subject obtain_subject(const SourceRequest& request);

/// The preset of that name. Throws InputError with the names there are.
const Preset& preset_called(const std::string& name);

/// The file as it is named, or the bundled input of that name where there is no such file.
std::filesystem::path find_input(const std::filesystem::path& file);

/// The input alone. `label` gets what InputRecord::path says of it.
Input obtain_input(const SourceRequest& request, std::string& label);

}  // namespace gpp
