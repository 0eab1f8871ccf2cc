// Small problems in which every case of the definition occurs.
#pragma once

#include <vector>

#include "gpp/input.h"

namespace gpp {

/// Two problems that hold every case of the definition: all three branches, terms cut and not cut
/// at wx < 0, occupations 0, 1/2 and 1, wx = 0, a pole at exactly a wx of an occupied band, poles
/// at 0, tiny and invalid ones, G' without a place among the G, three frequencies, and sizes that
/// are odd and no multiple of anything. In the first all poles are real, as BerkeleyGW's default
/// gives them; in the second some are complex or imaginary. Each case moves the sums by more than
/// the tolerance of the check.
std::vector<Input> every_case();

}  // namespace gpp
