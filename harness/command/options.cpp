#include "harness/command/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

#include "harness/command/option_values.h"
#include "harness/plugin/plugin.h"
#include "roofline/base/error.h"

namespace gpp {
namespace {

/// CLI::NonNegativeNumber lets NaN pass.
std::string finite_and_not_negative(const std::string& text) {
  double value = 0;
  if (parse_whole(text, value) && std::isfinite(value) && value >= 0) return {};
  return fmt::format("{} is not a number from 0 on", text);
}

std::string fits_a_seed(const std::string& text) {
  std::uint64_t seed = 0;
  if (parse_whole(text, seed)) return {};
  return fmt::format("{} is not a whole number from 0 to 2^64 - 1", text);
}

/// A path or a name that a script left empty is not the same as none.
std::string not_empty(const std::string& text) {
  return text.empty() ? "is empty; name something, or leave the option out" : "";
}

}  // namespace

void add_seed_option(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "Seed of the generated numbers")
      ->check(fits_a_seed)
      ->capture_default_str();
}

void add_source_options(CLI::App& command, SourceRequest& source) {
  const Kernel& kernel = *kernels().front();
  auto* file = command
                   .add_option("--input", source.file,
                               fmt::format("A file, or the name of a bundled one (default: {})",
                                           kernel.default_input))
                   ->check(not_empty);
  command.add_option("--preset", source.preset, "Generate the input: " + preset_names(kernel))
      ->check(not_empty)
      ->excludes(file);
  add_seed_option(command, source.seed);
}

void add_model_options(CLI::App& command, Wanted& wanted) {
  command
      .add_option("--model", wanted.models,
                  "Programming models: cuda, omp, thrust or serial; or several: cuda,omp")
      ->delimiter(',')
      ->allow_extra_args(false);  // else it takes what follows it, too
  command
      .add_option("--device", wanted.kind,
                  "host or gpu (default: the GPU where a variant can use it, else the host)")
      ->check(CLI::IsMember({"host", "gpu"}));
}

void add_ladder_option(CLI::App& command, std::string& name) {
  std::string names;
  for (const PublishedLadder& ladder : ladders_of(*kernels().front()))
    names += (names.empty() ? "" : ", ") + ladder.name;
  if (names.empty()) return;
  command
      .add_option("--ladder", name,
                  fmt::format("The steps of a ladder, its baseline first, beside what was "
                              "published of it: {} (gpp explain NAME tells it)",
                              names))
      ->check(not_empty);
}

void add_tolerance_option(CLI::App& command, std::optional<double>& tolerance) {
  command
      .add_option("--tolerance", tolerance,
                  "Largest relative error that passes (default: the kernel's)")
      ->check(finite_and_not_negative);
}

void add_energy_option(CLI::App& command, bool& energy) {
  command.add_flag("--energy", energy,
                   "Measure power and energy of each variant, too: some 3 to 12 s more for each");
}

void add_wait_option(CLI::App& command, double& seconds) {
  command
      .add_option("--wait", seconds, "Seconds to wait while another program measures on the GPU")
      ->check(finite_and_not_negative)
      ->capture_default_str();
}

void add_measuring_options(CLI::App& command, StudyOptions& options) {
  add_tolerance_option(command, options.tolerance);
  command
      .add_option("--repeat", options.timing.repeat,
                  "Time each variant exactly so often (default: until its median is stable)")
      ->check(CLI::Range(1, 1000000));
  command
      .add_option("--time-limit", options.timing.time_limit,
                  "Seconds that timing may take, shared by the variants; each runs at least once")
      ->check(finite_and_not_negative)
      ->capture_default_str();
}

void add_counting_options(CLI::App& command, CountingOptions& options) {
  add_choice<CountersWanted>(command, "--counters", "auto|all|source|off",
                             {{"auto", CountersWanted::automatic},
                              {"all", CountersWanted::all},
                              {"source", CountersWanted::source},
                              {"off", CountersWanted::off}},
                             options.counters,
                             "Count operations and bytes, after timing: auto (default) by the "
                             "hardware's own counters where they can be read, else from the "
                             "source; all also counts what takes runs of its own (how busy memory "
                             "is); source never asks the hardware");
  add_choice<CeilingsWanted>(
      command, "--ceilings", "auto|off|fresh",
      {{"auto", CeilingsWanted::automatic},
       {"off", CeilingsWanted::off},
       {"fresh", CeilingsWanted::fresh}},
      options.ceilings,
      "Roofs of the device: auto (default) measures them once and keeps them; "
      "fresh measures again");
}

void add_output_option(CLI::App& command, std::filesystem::path& folder, const std::string& help) {
  command.add_option("-o,--output", folder, help)->check(not_empty);
}

void add_replace_option(CLI::App& command, bool& replace) {
  command.add_flag("--replace", replace,
                   "Replace the study in that folder, once the new one is complete");
}

void add_details_option(CLI::App& command, bool& details) {
  command.add_flag("--details", details,
                   "Print all tables and charts, not one table and what was learnt");
}

void add_json_option(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print JSON for scripts instead of text");
}

std::string preset_names(const Kernel& kernel) {
  std::string names;
  for (const PresetName& preset : kernel.presets)
    names += (names.empty() ? "" : ", ") + preset.name;
  return names;
}

CLI::App* add_command(CLI::App& program, const char* group, const char* name, const char* purpose,
                      std::initializer_list<const char*> lines) {
  CLI::App* command = program.add_subcommand(name, purpose)->group(group);
  if (program_name() == "gpp") command->footer(examples(lines));  // they name its steps
  return command;
}

std::string examples(std::initializer_list<const char*> lines) {
  std::string text = "Examples:";
  for (const char* line : lines) text += fmt::format("\n  {}", line);
  return text;
}

}  // namespace gpp
