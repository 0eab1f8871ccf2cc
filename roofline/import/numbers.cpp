#include "roofline/import/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

/// Blanks and apostrophes between digits go: they only group. Narrow and fixed blanks are UTF-8.
std::string without_blank_groups(std::string_view cell) {
  std::string text(trimmed(cell));
  for (const std::string_view group : {" ", "'", "\u00a0", "\u202f", "\u2019"})
    for (std::size_t at = 0; (at = text.find(group, at)) != std::string::npos;) {
      const bool between = at > 0 && is_digit(text[at - 1]) && at + group.size() < text.size() &&
                           is_digit(text[at + group.size()]);
      if (between)
        text.erase(at, group.size());
      else
        at += group.size();
    }
  return text;
}

/// Digits with marks, and perhaps a sign and a power of ten.
bool looks_like_a_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && (is_digit(text.front()) || text.front() == '.' || text.front() == ',') &&
         text.find_first_not_of("0123456789.,eE+-") == text.npos &&
         std::ranges::any_of(text, is_digit);
}

/// Whether every `mark` stands before a group of exactly three digits, with one to three before the
/// first of them.
bool may_group(std::string_view text, char mark) {
  const std::size_t begin = text.find_first_of("0123456789.,");
  const std::size_t first = text.find(mark);
  if (first == begin || first - begin > 3 || text[begin] == '0') return false;
  for (std::size_t at = first; at != text.npos; at = text.find(mark, at + 1)) {
    std::size_t digits = 0;
    while (at + 1 + digits < text.size() && is_digit(text[at + 1 + digits])) ++digits;
    if (digits != 3) return false;
  }
  return true;
}

/// The factor of a unit's prefix: "Mbyte" is 1e6 of "byte", "us" 1e-6 of "s".
std::optional<double> factor_of_part(std::string_view part) {
  constexpr std::array<std::string_view, 12> bases = {"byte",    "second", "s",      "hz",
                                                      "cycle",   "inst",   "warp",   "sector",
                                                      "request", "block",  "thread", "register"};
  constexpr std::array<std::pair<std::string_view, double>, 9> prefixes = {{{"", 1},
                                                                            {"K", 1e3},
                                                                            {"k", 1e3},
                                                                            {"M", 1e6},
                                                                            {"G", 1e9},
                                                                            {"T", 1e12},
                                                                            {"m", 1e-3},
                                                                            {"u", 1e-6},
                                                                            {"n", 1e-9}}};
  if (part.empty() || part == "%" || part == "1") return 1;
  for (const auto& [prefix, factor] : prefixes) {
    if (!part.starts_with(prefix)) continue;
    std::string base = in_lower_case(part.substr(prefix.size()));
    if (base != "s" && base.ends_with('s')) base.pop_back();
    if (std::ranges::find(bases, base) != bases.end()) return factor;
  }
  return std::nullopt;
}

}  // namespace

void StyleFinder::note(char decimal, std::string_view cell, std::size_t line) {
  Evidence& evidence = decimal == '.' ? for_point_ : for_comma_;
  if (evidence.line == 0) evidence = {line, std::string(cell)};
}

void StyleFinder::look_at(std::string_view cell, std::size_t line) {
  const std::string text = without_blank_groups(cell);
  if (!looks_like_a_number(text)) return;
  const std::size_t point = text.rfind('.'), comma = text.rfind(',');
  if (point == text.npos && comma == text.npos) return;
  if (point != text.npos && comma != text.npos) return note(point > comma ? '.' : ',', cell, line);
  const char mark = point != text.npos ? '.' : ',';
  const char other = mark == '.' ? ',' : '.';
  if (std::ranges::count(text, mark) > 1)
    note(other, cell, line);
  else if (!may_group(text, mark))
    note(mark, cell, line);
}

NumberStyle StyleFinder::style(std::string_view file) const {
  if (for_point_.line != 0 && for_comma_.line != 0)
    throw InputError(fmt::format(
        "{}: numbers are written in two ways: '{}' in line {}, '{}' in line {}; write the file in "
        "one locale: LC_ALL=C",
        visible(file), visible(for_point_.cell), for_point_.line, visible(for_comma_.cell),
        for_comma_.line));
  return {for_comma_.line != 0 ? ',' : '.'};
}

std::optional<double> number_in(std::string_view cell, NumberStyle style) {
  std::string text = without_blank_groups(cell);
  if (!looks_like_a_number(text)) return std::nullopt;
  const char group = style.decimal == '.' ? ',' : '.';
  if (text.find(group) != std::string::npos) {
    if (!may_group(text.substr(0, text.find(style.decimal)), group)) return std::nullopt;
    std::erase(text, group);
  }
  std::ranges::replace(text, ',', '.');
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<double> unit_factor(std::string_view unit) {
  unit = trimmed(unit);
  const std::size_t slash = unit.find('/');
  const auto above = factor_of_part(unit.substr(0, slash));
  if (!above || slash == unit.npos) return above;
  const auto below = factor_of_part(unit.substr(slash + 1));
  return below ? std::optional(*above / *below) : std::nullopt;
}

}  // namespace roofline
