// A gnuplot script as gnuplot divides it: into strings and what stands between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::test {

/// The contents of its strings, in order; empty where the script holds what none of ours may: a
/// string that does not end on its line, a backtick or doubled quote inside one, a double-quoted
/// string other than "\n", or a backtick or macro outside.
inline std::optional<std::vector<std::string>> strings_of(std::string_view script) {
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (c == '`' || c == '@') return std::nullopt;
    if (c == '#') {  // a comment, to the end of its line: none may go on in the next
      while (i < script.size() && script[i] != '\n') ++i;
      if (script[i - 1] == '\\') return std::nullopt;
    } else if (c == '"') {
      if (script.substr(i, 4) != "\"\\n\"") return std::nullopt;
      strings.emplace_back("\n");
      i += 3;
    } else if (c == '\'') {
      std::string text;
      for (++i;; ++i) {
        if (i >= script.size() || script[i] == '\n' || script[i] == '`') return std::nullopt;
        if (script[i] == '\'') break;
        text += script[i];
      }
      if (i + 1 < script.size() && script[i + 1] == '\'') return std::nullopt;
      strings.push_back(std::move(text));
    }
  }
  return strings;
}

}  // namespace roofline::test
