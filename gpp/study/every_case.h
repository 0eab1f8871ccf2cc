// Small problems that contain every case of the definition.
#pragma once

#include <vector>

#include "gpp/input.h"

namespace gpp {

/// Two problems that contain every case of the definition: all three branches, terms cut and not
/// cut at wx < 0, occupations 0, 1/2 and 1, wx = 0, a pole at exactly a wx of an occupied band,
/// poles at 0, tiny and invalid ones, G' without a place among the G, three frequencies, and odd
/// sizes that are multiples of nothing. In the first problem all poles are real, as by BerkeleyGW's
/// default; in the second some are complex or imaginary. Each case changes the sums by more than
/// the check's tolerance.
std::vector<Input> every_case();

}  // namespace gpp
