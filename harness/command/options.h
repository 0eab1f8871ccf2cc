// The options that several commands share, each defined once, and what they take.
#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/measure.h"
#include "harness/measure/trajectory.h"
#include "harness/program/selection.h"

namespace gpp {

/// A number from low to high. CLI::Range lets NaN pass.
CLI::Validator between(double low, double high);

/// What happens to a study.
struct ResultOptions {
  std::filesystem::path output;
  bool replace = false, no_build = false, details = false, json = false;
};

// Each adds these options to the command.
void add_source_options(CLI::App& command, SourceRequest& source);  ///< --input, --preset, --seed
void add_seed_option(CLI::App& command, std::uint64_t& seed);       ///< --seed
void add_model_option(CLI::App& command, Wanted& wanted);           ///< --model
void add_model_options(CLI::App& command, Wanted& wanted);          ///< --model, --device
void add_tolerance_option(CLI::App& command, std::optional<double>& tolerance);  ///< --tolerance
/// --tolerance, --repeat, --time-limit
void add_measuring_options(CLI::App& command, StudyOptions& options);
void add_counting_options(CLI::App& command, CountingOptions& options);  ///< --counters, --ceilings
void add_wait_option(CLI::App& command, double& seconds);                ///< --wait
/// All of these but the models, and --energy
void add_study_options(CLI::App& command, MeasureRequest& request);
void add_output_option(CLI::App& command, std::filesystem::path& folder,
                       const std::string& help);            ///< -o, --output
void add_replace_option(CLI::App& command, bool& replace);  ///< --replace
void add_build_options(CLI::App& command, bool& no_build);  ///< --no-build
void add_json_option(CLI::App& command, bool& json);        ///< --json
/// -o with its help, --replace, --no-build, --details, --json
void add_result_options(CLI::App& command, ResultOptions& options, const std::string& output);

/// The names of a kernel's presets, for help texts: "tiny, small, ...".
std::string preset_names(const Kernel& kernel);

/// Groups of the program's help, by the purpose of a command.
inline constexpr const char* to_learn = "Learn";
inline constexpr const char* to_measure = "Measure";
inline constexpr const char* to_compare = "Compare";
inline constexpr const char* to_write = "Write";

/// Adds a command to a group of the program's help. In the program gpp its own help ends with
/// examples.
CLI::App* add_command(CLI::App& program, const char* group, const char* name, const char* purpose,
                      std::initializer_list<const char*> lines);

/// "Examples:" and the lines, for the end of a help text.
std::string examples(std::initializer_list<const char*> lines);

// ---- gpp trajectory -----------------------------------------------------------------------------

/// The sizes of these words: presets of the kernel, else files or names of bundled inputs. A file
/// is looked at, so that a mistake ends everything before anything starts; without words it is the
/// kernel's default. Throws InputError.
std::vector<TrajectorySize> trajectory_sizes(const Kernel& kernel,
                                             const std::vector<std::string>& words,
                                             std::uint64_t seed);

/// Numbers of units as they were asked for, in order and each once. Throws InputError where one is
/// not a whole number from 1 to `all`. Without words: of multiprocessors 8, 16, 32, 48 and so on,
/// of cores 1, 2, 4, 8 and so on, and all of them.
std::vector<int> trajectory_units(const std::vector<std::string>& words, const std::string& kind,
                                  int all);

}  // namespace gpp
