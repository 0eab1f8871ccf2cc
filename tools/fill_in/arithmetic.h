// Numbers as texts write them: compared with values, found in lines, computed from others.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace gpp {

/// Whether the first number of `written`, as in "41.8 TFLOP/s" or "13%", is the value rounded to
/// the digits that are written. The value may also be in seconds for "5 ms", 0.13 for "13%".
bool rounds_to(double value, std::string_view written);

/// All numbers of the line, signs left out.
std::vector<double> numbers_in(std::string_view line);

/// The value of "(372 * 12 + {v1 time}) / 800"; `value_of` is asked for what stands in braces.
/// Throws std::runtime_error where it is no arithmetic.
double computed(std::string_view expression,
                const std::function<double(std::string_view)>& value_of);

}  // namespace gpp
