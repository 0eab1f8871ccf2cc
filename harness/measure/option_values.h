// Values of options, for commands that have options of their own.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <map>
#include <string>

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

}  // namespace gpp
