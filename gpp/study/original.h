// The verdict of the original Fortran mini-app.
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
  double max_difference = 0;  ///< Ry, the larger of asx and ach; infinity for NaN
  bool correct = false;
};

/// Adds the sums to the input's records 15 and 16, as the original program does, and compares them
/// with records 17 and 18 by its rule: |difference at nstart| + |difference at nend| must be below
/// the tolerance, for asx and ach. So a single frequency counts twice, and the middle one of three
/// is ignored. Returns nothing if records 17 and 18 are zero, so that the input has no reference.
/// Source: the last lines of gpp.f90 of the published mini-app.
std::optional<OriginalVerdict> original_verdict(const Sums& sums, const Input& input);

/// Describes how the reference computed from an input differs from the input's own one, if that is
/// more than a plain sum's error; else returns "". A difference means that a number of the input is
/// damaged, or that another program made it. Allowed for each complex number is the error of a
/// plain sum of n terms, about sqrt(n) roundings of its terms, or the original program's tolerance
/// if that is larger.
std::string disagreement(const Reference& reference, const Input& input);

}  // namespace gpp
