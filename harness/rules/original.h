// The verdict that the original Fortran mini-app prints.
#pragma once

#include <optional>

#include "gpp/input.h"
#include "gpp/sums.h"

namespace gpp {

/// Largest absolute difference, in Ry, at which the original program prints "correct!".
inline constexpr double original_tolerance = 1e-12;

struct OriginalVerdict {
  double max_difference = 0;  ///< Ry; infinity where a sum is not a finite number
  bool correct = false;
};

/// Adds the sums to what the input's records 15 and 16 hold, as the original program does, and
/// compares with records 17 and 18, each complex number by its absolute difference. None where the
/// input carries no reference: records 17 and 18 are zero.
std::optional<OriginalVerdict> original_verdict(const Sums& sums, const Input& input);

}  // namespace gpp
