// Numbers and units as profilers print them, in any locale.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

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
  static constexpr std::string_view bases =
      " byte second s hz cycle inst warp sector request block thread register ";
  constexpr std::string_view prefixes = "KkMGTmun";
  constexpr std::array factors = {1e3, 1e3, 1e6, 1e9, 1e12, 1e-3, 1e-6, 1e-9};
  if (part.empty() || part == "%" || part == "1") return 1;
  const auto known = [](std::string_view unit) {
    std::string base = in_lower_case(unit);
    if (base != "s" && base.ends_with('s')) base.pop_back();
    return !base.empty() && bases.find(" " + base + " ") != bases.npos;
  };
  if (known(part)) return 1;
  const std::size_t prefix = prefixes.find(part.front());
  if (prefix == prefixes.npos || !known(part.substr(1))) return std::nullopt;
  return factors[prefix];
}

}  // namespace

void StyleFinder::look_at(std::string_view cell, std::size_t line) {
  const std::string_view text = trimmed(cell);
  if (!looks_like_a_number(text)) return;
  const std::size_t point = text.rfind('.'), comma = text.rfind(',');
  if (point == comma) return;  // neither
  char decimal = point != text.npos && (comma == text.npos || point > comma) ? '.' : ',';
  if (point == text.npos || comma == text.npos) {
    const bool twice = std::ranges::count(text, decimal) > 1;
    if (!twice && may_group(text, decimal)) return;
    if (twice) decimal = decimal == '.' ? ',' : '.';
  }
  std::string& evidence = decimal == '.' ? for_point_ : for_comma_;
  if (evidence.empty()) evidence = fmt::format("'{}' in line {}", visible(cell), line);
}

char StyleFinder::decimal(std::string_view file) const {
  if (!for_point_.empty() && !for_comma_.empty())
    refuse_file(file, fmt::format("numbers are written in two ways: {}, {}; write the file in one "
                                  "locale: LC_ALL=C",
                                  for_point_, for_comma_));
  return for_comma_.empty() ? '.' : ',';
}

std::optional<double> number_in(std::string_view cell, char decimal) {
  std::string text(trimmed(cell));
  if (!looks_like_a_number(text)) return std::nullopt;
  const char group = decimal == '.' ? ',' : '.';
  if (text.find(group) != std::string::npos) {
    if (!may_group(text.substr(0, text.find(decimal)), group)) return std::nullopt;
    std::erase(text, group);
  }
  std::ranges::replace(text, ',', '.');
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* const end = text.data() + text.size();
  double value = 0;
  const auto [stopped, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stopped != end || !std::isfinite(value)) return std::nullopt;
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
