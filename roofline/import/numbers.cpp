#include "roofline/import/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "roofline/base/text.h"

namespace roofline {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits with marks, and perhaps a sign and a power of ten.
bool looks_like_a_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && (is_digit(text.front()) || text.front() == '.' || text.front() == ',') &&
         text.find_first_not_of("0123456789.,eE+-") == text.npos &&
         std::ranges::any_of(text, is_digit);
}

/// Whether every comma stands before a group of exactly three digits, with one to three before the
/// first of them.
bool may_group(std::string_view text) {
  const std::size_t begin = text.find_first_of("0123456789,");
  const std::size_t first = text.find(',');
  if (first == begin || first - begin > 3 || text[begin] == '0') return false;
  for (std::size_t at = first; at != text.npos; at = text.find(',', at + 1)) {
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

std::optional<double> number_in(std::string_view cell) {
  std::string text(trimmed(cell));
  if (!looks_like_a_number(text)) return std::nullopt;
  if (text.find(',') != std::string::npos) {
    if (!may_group(text.substr(0, text.find('.')))) return std::nullopt;
    std::erase(text, ',');
  }
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

bool has_decimal_comma(std::string_view cell) {
  const std::string_view text = trimmed(cell);
  return looks_like_a_number(text) && !number_in(text) &&
         (text.find(',') != text.npos || std::ranges::count(text, '.') > 1);
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
