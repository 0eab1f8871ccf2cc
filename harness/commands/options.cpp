#include "harness/commands/options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <map>
#include <system_error>

#include "data/error.h"
#include "harness/program/build_info.h"
#include "harness/study/provenance.h"

namespace gpp {
namespace {

/// The whole text as a number.
template <class Number>
bool parse(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stopped == end;
}

/// CLI::NonNegativeNumber lets NaN pass.
std::string finite_and_not_negative(const std::string& text) {
  double value = 0;
  if (parse(text, value) && std::isfinite(value) && value >= 0) return {};
  return fmt::format("{} is not a number from 0 on", text);
}

/// The parser wraps negative numbers around and cuts large ones off.
std::string fits_a_seed(const std::string& text) {
  std::uint64_t seed = 0;
  if (parse(text, seed)) return {};
  return fmt::format("{} is not a whole number from 0 to 2^64 - 1", text);
}

/// One of these words, as the value that stands for it. An option without a word is "" or
/// "true", whichever the parser's version makes of it.
template <class Value>
void add_choice(CLI::App& command, const std::string& name, const std::string& words,
                const std::map<std::string, Value>& values, Value& value, const std::string& help) {
  command
      .add_option_function<std::string>(
          name,
          [name, words, values, &value](const std::string& word) {
            const auto found = values.find(word);
            if (found == values.end())
              throw CLI::ValidationError(name, fmt::format("{} is none of {}", word, words));
            value = found->second;
          },
          help)
      ->type_name(words);
}

bool can_write(const std::filesystem::path& folder) {
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

void add_seed_option(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "Seed of the generated numbers")
      ->check(fits_a_seed)
      ->capture_default_str();
}

void add_source_options(CLI::App& command, SourceRequest& source) {
  auto* file = command.add_option("--input", source.file,
                                  "gpp214 file, or the name of a bundled one (default: the bundled "
                                  "real silicon input)");
  command.add_option("--preset", source.preset, "Generate the input: " + preset_names())
      ->excludes(file);
  add_seed_option(command, source.seed);
}

void add_model_options(CLI::App& command, Wanted& wanted) {
  command.add_option("--model", wanted.model, "Programming model: cuda, omp, thrust or serial");
  command
      .add_option("--device", wanted.device,
                  "host or gpu (default: the GPU where a variant can use it, else the host)")
      ->check(CLI::IsMember({"host", "gpu"}));
}

void add_measuring_options(CLI::App& command, StudyOptions& options) {
  command
      .add_option("--tolerance", options.tolerance,
                  "Largest relative error of a component that passes")
      ->check(finite_and_not_negative)
      ->capture_default_str();
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
  add_choice<Counters>(
      command, "--counters", "auto|source|off",
      {{"auto", Counters::automatic}, {"source", Counters::source}, {"off", Counters::off}},
      options.counters,
      "Count operations and bytes, after timing: auto (default) by a GPU's own counters where they "
      "can be read, else from the source; source never asks the hardware");
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
  command.add_option("-o,--output", folder, help);
}

void add_json_option(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print JSON for scripts instead of text");
}

std::string preset_names() {
  std::string names;
  for (const Preset& preset : presets()) names += (names.empty() ? "" : ", ") + preset.name;
  return names;
}

std::string examples(std::initializer_list<const char*> lines) {
  std::string text = "Examples:";
  for (const char* line : lines) text += fmt::format("\n  {}", line);
  return text;
}

std::filesystem::path results_folder(const std::filesystem::path& named) {
  std::filesystem::path folder = named;
  if (folder.empty()) {
    const std::filesystem::path results = std::filesystem::path(build_info::source_dir) / "results";
    folder = can_write(results) ? results / folder_name() : std::filesystem::path(folder_name());
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder) || !can_write(folder))
    throw InputError(fmt::format("-o {}: not a folder that can be written{}; choose another",
                                 folder.string(), error ? ": " + error.message() : ""));
  return folder;
}

}  // namespace gpp
