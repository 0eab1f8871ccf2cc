// Numbers and units as profilers print them.
#pragma once

#include <optional>
#include <string_view>

namespace roofline {

/// A finite number with a decimal point, whose digits commas may group: "1,234.5"; empty for "",
/// "n/a", "nan", "inf" and whatever else is none.
std::optional<double> number_in(std::string_view cell);

/// Whether it is a number of a locale with a decimal comma: "0,57", "1.234.567".
bool has_decimal_comma(std::string_view cell);

/// The factor by which a value in that unit becomes bytes, seconds, hertz, instructions, ...:
/// 1e-9 of "ns", 1e6 of "Mbyte", 1e9 of "cycle/nsecond", 0.01 of nothing: "%" is 1. Empty for a
/// unit that is not known.
std::optional<double> unit_factor(std::string_view unit);

}  // namespace roofline
