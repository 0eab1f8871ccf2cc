// Are the sums of a variant right? Judged against the reference and the size of the added terms.
#pragma once

#include "gpp/reference.h"
#include "gpp/sums.h"
#include "harness/kernel.h"

namespace gpp {

/// Relative error per component that a right double-precision sum stays below, in any order.
inline constexpr double default_tolerance = 1e-11;

/// A component that cancels below this share of sum |term| is judged against that share.
inline constexpr double cancellation_floor = 1e-3;

/// Compares every real component of asx and ach at every frequency:
///
///   error = (|computed - reference| - ties) / max(|reference|, cancellation_floor * magnitude)
///
/// and 0 where that is negative. magnitude is the modulus of (sum |Re term|, sum |Im term|): what
/// was added up, as complex numbers, because rounding mixes the parts of a complex product. So
/// 1e-11 means 1e-11 of the result or 1e-14 of what was added up, whichever is larger. ties are
/// terms that lie on a limit of the definition to within rounding (gpp/reference.h): whether they
/// count is not an error. Where the magnitude is exactly 0 (nothing was added), and beyond the
/// `nfreq` frequencies of the problem, the sum must be exactly 0. NaN and infinities fail.
/// `tolerance` is inclusive: 0 demands the reference bit for bit.
Check check(const Sums& computed, const Reference& reference, int nfreq, double tolerance);

/// The largest modulus of a difference of two components, over the largest modulus of a component
/// of `due`. 0 where they are equal; infinity where anything is not finite.
double difference(const Sums& sums, const Sums& due);

}  // namespace gpp
