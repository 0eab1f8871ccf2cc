// Values of options, for commands that have options of their own.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "harness/measure/trajectory.h"

namespace gpp {

/// The whole text as a number; false where it is none. Not as the parser, which wraps negative
/// numbers around and cuts large ones off.
template <class Number>
bool parse_whole(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stopped == end;
}

/// A number from low to high. CLI::Range lets NaN pass.
inline CLI::Validator between(double low, double high) {
  return {[low, high](const std::string& text) -> std::string {
            double value = 0;
            if (parse_whole(text, value) && value >= low && value <= high) return {};
            return fmt::format("{} is not a number from {} to {}", text, low, high);
          },
          "NUMBER"};
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

// ---- gpp trajectory -----------------------------------------------------------------------------

/// The sizes of these words: presets of the kernel, else files or names of bundled inputs. A file
/// is looked at, so that a mistake ends everything before anything starts; "" is the kernel's
/// default. Throws InputError, with the names there are.
std::vector<TrajectorySize> trajectory_sizes(const Kernel& kernel,
                                             const std::vector<std::string>& words,
                                             std::uint64_t seed);

/// Numbers of units as they were asked for, in order and each once. Throws InputError where one is
/// not a whole number from 1 to `all`. Without words: of multiprocessors 8, 16, 32, 48 and so on,
/// of cores 1, 2, 4, 8 and so on, and all of them.
std::vector<int> trajectory_units(const std::vector<std::string>& words, const std::string& kind,
                                  int all);

}  // namespace gpp
