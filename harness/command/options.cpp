#include "harness/command/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "roofline/base/text.h"

namespace gpp {
namespace {

/// The whole text as a number; false where it is none. Not as the parser, which wraps negative
/// numbers around and cuts large ones off.
template <class Number>
bool parse_whole(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stopped == end;
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

constexpr double longest = 1e9;  // seconds, and the largest tolerance

}  // namespace

CLI::Validator between(double low, double high) {
  return {[low, high](const std::string& text) -> std::string {
            double value = 0;
            if (parse_whole(text, value) && value >= low && value <= high) return {};
            return fmt::format("{} is not a number from {} to {}", text, low, high);
          },
          "NUMBER"};
}

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

void add_model_option(CLI::App& command, Wanted& wanted) {
  command
      .add_option("--model", wanted.models,
                  "Programming models: cuda, omp, thrust or serial; or several: cuda,omp")
      ->delimiter(',')
      ->allow_extra_args(false);  // else it takes what follows it, too
}

void add_model_options(CLI::App& command, Wanted& wanted) {
  add_model_option(command, wanted);
  command
      .add_option("--device", wanted.kind,
                  "host or gpu (default: the GPU where a variant can use it, else the host)")
      ->check(CLI::IsMember({"host", "gpu"}));
}

void add_tolerance_option(CLI::App& command, std::optional<double>& tolerance) {
  command
      .add_option("--tolerance", tolerance,
                  "Largest relative error that passes (default: the kernel's)")
      ->check(between(0, longest));
}

void add_wait_option(CLI::App& command, double& seconds) {
  command
      .add_option("--wait", seconds, "Seconds to wait while another program measures on the GPU")
      ->check(between(0, longest))
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
      ->check(between(0, longest))
      ->capture_default_str();
}

void add_counting_options(CLI::App& command, CountingOptions& options) {
  static const std::map<std::string, CountersWanted> counters = {
      {"auto", CountersWanted::automatic},
      {"all", CountersWanted::all},
      {"source", CountersWanted::source},
      {"off", CountersWanted::off}};
  static const std::map<std::string, CeilingsWanted> ceilings = {
      {"auto", CeilingsWanted::automatic},
      {"off", CeilingsWanted::off},
      {"fresh", CeilingsWanted::fresh}};
  command
      .add_option_function<std::string>(
          "--counters",
          [&options](const std::string& word) { options.counters = counters.at(word); },
          "Count operations and bytes, after timing: auto (default) by the hardware's own counters "
          "where they can be read, else from the source; all also counts what takes runs of its "
          "own (how busy memory is); source never asks the hardware")
      ->check(CLI::IsMember(counters));
  command
      .add_option_function<std::string>(
          "--ceilings",
          [&options](const std::string& word) { options.ceilings = ceilings.at(word); },
          "Roofs of the device: auto (default) measures them once and keeps them; fresh measures "
          "again")
      ->check(CLI::IsMember(ceilings));
}

void add_study_options(CLI::App& command, MeasureRequest& request) {
  add_source_options(command, request.source);
  add_measuring_options(command, request.options);
  command.add_flag("--energy", request.energy,
                   "Measure power and energy of each variant, too: some 3 to 12 s more for each");
  add_wait_option(command, request.longest_wait);
  add_counting_options(command, request.options.counting);
}

void add_output_option(CLI::App& command, std::filesystem::path& folder, const std::string& help) {
  command.add_option("-o,--output", folder, help)->check(not_empty);
}

void add_replace_option(CLI::App& command, bool& replace) {
  command.add_flag("--replace", replace,
                   "Replace the study in that folder as soon as the new one has a result");
}

void add_build_options(CLI::App& command, bool& no_build) {
  command.add_flag("--no-build", no_build,
                   "Compile nothing: refuse variants whose source was edited");
}

void add_json_option(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print JSON for scripts instead of text");
}

void add_result_options(CLI::App& command, ResultOptions& options, const std::string& output) {
  add_output_option(command, options.output, output);
  add_replace_option(command, options.replace);
  add_build_options(command, options.no_build);
  command.add_flag("--details", options.details,
                   "Print all tables and charts, not one table and what was learnt");
  add_json_option(command, options.json);
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

// ---- gpp trajectory -----------------------------------------------------------------------------

std::vector<TrajectorySize> trajectory_sizes(const Kernel& kernel,
                                             const std::vector<std::string>& words,
                                             std::uint64_t seed) {
  if (words.empty()) return {{"default", {{}, "", seed, 0}}};
  std::vector<TrajectorySize> sizes;
  for (const std::string& word : words) {
    if (word.empty() || std::ranges::find(sizes, word, &TrajectorySize::name) != sizes.end())
      throw roofline::InputError(
          fmt::format("--sizes: '{}' is empty or named twice", roofline::visible(word)));
    TrajectorySize size{word, {{}, "", seed, 0}};
    if (std::ranges::find(kernel.presets, word, &PresetName::name) != kernel.presets.end()) {
      size.source.preset = word;
    } else {
      size.source.file = word;
      SourceRequest look = size.source;
      look.most_judged = 1;  // without its reference, which takes its time
      kernel.obtain(look);
    }
    sizes.push_back(std::move(size));
  }
  return sizes;
}

std::vector<int> trajectory_units(const std::vector<std::string>& words, const std::string& kind,
                                  int all) {
  std::set<int> units;
  for (const std::string& word : words) {
    int number = 0;
    if (!parse_whole(word, number) || number < 1 || number > all)
      throw roofline::InputError(fmt::format(
          "--units: '{}' is not a whole number from 1 to {}, the {} that there are here",
          roofline::visible(word), all, units_name(kind)));
    units.insert(number);
  }
  if (!words.empty()) return {units.begin(), units.end()};
  if (kind == "gpu") {
    units.insert(std::min(8, all));
    for (int number = 16; number < all - 8; number += 16) units.insert(number);
  } else {
    for (int number = 1; number < all; number *= 2) units.insert(number);
  }
  units.insert(all);
  return {units.begin(), units.end()};
}

}  // namespace gpp
