// The interface of this kernel's variants: a function from a Problem to its Sums.
//
// A variant knows nothing of timing, checking or counters, and gives the same sums at every call.
// A line under the function registers it: runtimes/registration.h.
#pragma once

#include "gpp/factored_problem.h"
#include "gpp/problem.h"
#include "gpp/sums.h"

namespace gpp {

/// Computes the whole problem's sums. The arrays lie where the variant's runtime placed them.
/// Returns when done. Throws std::runtime_error with a readable message for a device error. Steps
/// that need the prepared data of the factored form take a FactoredProblem.
using VariantFunction = Sums (*)(const Problem& problem);

}  // namespace gpp
