// Small things that readers of texts share.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace roofline {

/// The part of the text that has no blank and no line end at either side.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// ASCII letters in lower case, all else as it is.
inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char letter) {
    return static_cast<char>(letter < 0x80 ? std::tolower(letter) : letter);
  });
  return lower;
}

}  // namespace roofline
