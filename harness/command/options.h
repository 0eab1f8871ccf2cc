// The options that several commands share, each defined once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/measure/study.h"
#include "harness/program/selection.h"

namespace CLI {
class App;
}

namespace gpp {

/// --input, --preset, --seed.
void add_source_options(CLI::App& command, SourceRequest& source);

/// --model, --device.
void add_model_options(CLI::App& command, Wanted& wanted);

/// --ladder, if the kernel has ladders.
void add_ladder_option(CLI::App& command, std::string& name);

/// --tolerance.
void add_tolerance_option(CLI::App& command, std::optional<double>& tolerance);

/// --wait.
void add_energy_option(CLI::App& command, bool& energy);
void add_wait_option(CLI::App& command, double& seconds);

/// --tolerance, --repeat, --time-limit.
void add_measuring_options(CLI::App& command, StudyOptions& options);

/// --counters, --ceilings.
void add_counting_options(CLI::App& command, CountingOptions& options);

/// -o, --output.
void add_output_option(CLI::App& command, std::filesystem::path& folder, const std::string& help);

/// --replace.
void add_replace_option(CLI::App& command, bool& replace);

/// --details.
void add_details_option(CLI::App& command, bool& details);

/// --json.
void add_json_option(CLI::App& command, bool& json);

/// --seed.
void add_seed_option(CLI::App& command, std::uint64_t& seed);

/// The names of a kernel's presets, for help texts: "tiny, small, ...".
std::string preset_names(const Kernel& kernel);

/// Groups of the program's help, by the purpose of a command.
inline constexpr const char* to_learn = "Learn";
inline constexpr const char* to_measure = "Measure";
inline constexpr const char* to_compare = "Compare";
inline constexpr const char* to_write = "Write";
inline constexpr const char* for_few = "";  ///< gpp --help-all alone has them

/// Adds a command to a group of the program's help. In the program gpp its own help ends with
/// examples.
CLI::App* add_command(CLI::App& program, const char* group, const char* name, const char* purpose,
                      std::initializer_list<const char*> lines);

/// "Examples:" and the lines, for the end of a help text.
std::string examples(std::initializer_list<const char*> lines);

}  // namespace gpp
