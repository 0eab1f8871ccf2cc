// The verdict that the original Fortran mini-app prints.
#pragma once

#include <optional>
#include <string>

#include "gpp/input.h"
#include "gpp/reference.h"
#include "gpp/sums.h"

namespace gpp {

/// The limit of the differences, Ry, below which the original program prints "correct!".
inline constexpr double original_tolerance = 1e-12;

struct OriginalVerdict {
  double max_difference = 0;  ///< Ry, the larger of asx and ach; infinity where not a number
  bool correct = false;
};

/// Adds the sums to what the input's records 15 and 16 hold, as the original program does, and
/// compares with records 17 and 18 by its rule: |difference at nstart| + |difference at nend| must
/// stay below the tolerance, for asx and for ach. So a single frequency counts twice, and the
/// middle one of three is not looked at. None where the input carries no reference: records 17 and
/// 18 are zero. Source: gpp.f90 of the published mini-app, its last lines.
std::optional<OriginalVerdict> original_verdict(const Sums& sums, const Input& input);

/// A description of the difference where the reference computed from an input differs from the one
/// that it carries by more than plain sums do; else empty. One of the input's numbers is damaged
/// then, or it was made by another program. A plain sum of n terms errs by about sqrt(n) roundings
/// of its terms; that, or the original program's tolerance where it is larger, is allowed for each
/// complex number.
std::string disagreement(const Reference& reference, const Input& input);

}  // namespace gpp
