// Texts and names: trimmed, shortened, in lower case, demangled, and the known name nearest to a
// mistyped one.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The part of the text that has no blank and no line end at either side.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

inline bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// ASCII letters in lower case, all else as it is.
inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(letter < 0x80 ? std::tolower(letter) : letter);
  });
  return lower;
}

/// Each character that is a key of `words`, replaced by its word.
std::string replaced(std::string_view text, const std::map<char, std::string_view>& words);

/// The text in at most so many bytes: whole, or its beginning and "...". It is cut between
/// characters of UTF-8.
std::string shortened(std::string_view text, std::size_t most);

/// Puts ".." in place of the middle, because long names often differ at their ends. About `tail`
/// bytes of the end stay.
std::string shortened_inside(std::string_view text, std::size_t most, std::size_t tail);

/// The known name closest to a mistyped one (fewest characters inserted, removed or replaced), or
/// empty where none is close enough to be meant: within a third of its length, at least 1.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

/// "unknown preset 'smal'; did you mean 'small'? Known: tiny, small, medium."
std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& known);

/// "f(int)" of "_Z1fi" (Itanium C++ ABI); any other text as it is.
std::string demangled(const std::string& symbol);

}  // namespace roofline
