#include "roofline/base/text.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <memory>
#include <numeric>

namespace roofline {
namespace {

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

/// The start of the UTF-8 character that contains the byte at this position.
std::size_t character_at(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

std::string replaced(std::string_view text, const std::map<char, std::string_view>& words) {
  std::string result;
  for (const char character : text) {
    const auto word = words.find(character);
    result += word == words.end() ? std::string_view(&character, 1) : word->second;
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view mark = "...";
  if (text.size() <= most) return std::string(text);
  return std::string(text.substr(0, character_at(text, most - mark.size()))).append(mark);
}

std::string shortened_inside(std::string_view text, std::size_t most, std::size_t tail) {
  constexpr std::string_view mark = "..";
  if (text.size() <= most) return std::string(text);
  const std::size_t head = character_at(text, most - tail - mark.size());
  const std::size_t last = character_at(text, text.size() - tail);
  return std::string(text.substr(0, head)).append(mark).append(text.substr(last));
}

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  const auto closer = [name](const std::string& a, const std::string& b) {
    return distance(name, a) < distance(name, b);
  };
  const auto best = std::ranges::min_element(known, closer);
  if (best == known.end()) return {};
  const std::size_t close_enough = std::max<std::size_t>(1, best->size() / 3);
  return distance(name, *best) <= close_enough ? *best : std::string{};
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& known) {
  const std::string meant = nearest(name, known);
  return fmt::format("unknown {} '{}'{} Known: {}.", kind, name,
                     meant.empty() ? "." : fmt::format("; did you mean '{}'?", meant),
                     fmt::join(known, ", "));
}

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "f" would be demangled as float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> words(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return words != nullptr ? words.get() : symbol;
}

}  // namespace roofline
