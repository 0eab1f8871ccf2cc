// Texts that would have an effect wherever they are not quoted.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::test {

/// Random pieces that matter to XML, shells, terminals and UTF-8, and random bytes.
inline std::string hostile_text(std::mt19937& random) {
  static const std::vector<std::string> pieces = [] {
    std::vector<std::string> all = {"''", "%d", "\x1b[2J", "\2332J", "\xc2\x9b", "\u202e",     "–",
                                    "µ",  "é",  "&amp;",   "\\n",    "\\\\\\\n", "system('x')"};
    for (const char one : std::string_view("'\"`\\\n\r@%${}#;\x07\t\x7f\xc2\xff\na|< ^_)("))
      all.emplace_back(1, one);
    return all;
  }();
  std::string text;
  for (auto count = random() % 12; count > 0; --count)
    text += random() % 8 == 0 ? std::string(1, static_cast<char>(random()))
                              : pieces[random() % pieces.size()];
  return text;
}

}  // namespace roofline::test
