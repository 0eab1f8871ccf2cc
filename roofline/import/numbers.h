// Numbers and units as profilers print them, in any locale.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace roofline {

/// How a file writes numbers: "1,234.5", "1.234,5", "1 234,5", "1'234.5".
struct NumberStyle {
  char decimal = '.';  ///< '.' or ','; the other one, if it occurs, groups digits
};

/// Finds the style from all numbers of a file together. A cell that has both marks tells, and so
/// does one whose mark is not followed by groups of three digits. Without evidence '.' is decimal.
class StyleFinder {
 public:
  /// Takes a cell; texts that are no numbers say nothing.
  void look_at(std::string_view cell, std::size_t line);
  /// Throws InputError where two cells contradict each other; `file` is for the message.
  NumberStyle style(std::string_view file) const;

 private:
  struct Evidence {
    std::size_t line = 0;  ///< 0: none
    std::string cell;
  };
  void note(char decimal, std::string_view cell, std::size_t line);
  Evidence for_point_, for_comma_;
};

/// A finite number; empty for "", "n/a", "nan", "inf" and whatever else is none.
std::optional<double> number_in(std::string_view cell, NumberStyle style);

/// The factor by which a value in that unit becomes bytes, seconds, hertz, instructions, ...:
/// 1e-9 of "ns", 1e6 of "Mbyte", 1e9 of "cycle/nsecond", 0.01 of nothing: "%" is 1. Empty for a
/// unit that is not known.
std::optional<double> unit_factor(std::string_view unit);

}  // namespace roofline
