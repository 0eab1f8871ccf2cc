// The options that several commands share, each defined once.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "harness/study/input_source.h"
#include "harness/study/selection.h"
#include "harness/study/study.h"

namespace gpp {

/// --input, --preset, --seed.
void add_source_options(CLI::App& command, SourceRequest& source);

/// --model, --device.
void add_model_options(CLI::App& command, Wanted& wanted);

/// --tolerance, --repeat, --time-limit.
void add_measuring_options(CLI::App& command, StudyOptions& options);

/// --counters, --ceilings.
void add_counting_options(CLI::App& command, CountingOptions& options);

/// -o, --output.
void add_output_option(CLI::App& command, std::filesystem::path& folder, const std::string& help);

/// --replace.
void add_replace_option(CLI::App& command, bool& replace);

/// --json.
void add_json_option(CLI::App& command, bool& json);

/// --seed.
void add_seed_option(CLI::App& command, std::uint64_t& seed);

/// The names of all presets, for help texts: "tiny, small, ...".
std::string preset_names();

/// "Examples:" and the lines, for the end of a help text.
std::string examples(std::initializer_list<const char*> lines);

}  // namespace gpp
