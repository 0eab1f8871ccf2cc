// Checks a variant's sums against the reference and the size of the added terms; the verdict of the
// original Fortran mini-app.
#pragma once

#include <optional>
#include <string>

#include "gpp/input.h"
#include "gpp/reference.h"
#include "gpp/sums.h"
#include "harness/kernel.h"

namespace gpp {

/// No correct double-precision sum, in any order, has a larger relative error per component.
inline constexpr double default_tolerance = 1e-11;

/// A component smaller than this share of sum |term| is judged relative to that share.
inline constexpr double cancellation_floor = 1e-3;

/// Compares every real component of asx and ach at every frequency:
///
///   error = (|computed - reference| - ties) / max(|reference|, cancellation_floor * magnitude)
///
/// and 0 if that is negative. magnitude is the modulus of (sum |Re term|, sum |Im term|), the size
/// of all added complex numbers, because rounding mixes the parts of a complex product. So 1e-11
/// means 1e-11 of the result or 1e-14 of the added terms, whichever is larger. ties are terms
/// within rounding of a limit of the definition (gpp/reference.h); counting them or not is not an
/// error. If the magnitude is exactly 0 (nothing was added), and beyond the problem's `nfreq`
/// frequencies, the sum must be exactly 0. NaN and infinities fail. `tolerance` is inclusive: 0
/// demands the bits of the reference.
Check check(const Sums& computed, const Reference& reference, int nfreq, double tolerance);

/// The largest modulus of a difference between components, over the largest modulus of a component
/// of `due`. 0 if all are equal; infinity if a number is not finite.
double difference(const Sums& sums, const Sums& due);

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
