// The contract of this kernel's variants: a function from a Problem to its Sums.
//
// It knows the problem and nothing of timing, checking or counters. It gives the same sums however
// often it is called. The file's name registers it: harness/variant.h.
#pragma once

#include "gpp/factored_problem.h"
#include "gpp/problem.h"
#include "gpp/sums.h"

namespace gpp {

/// Sums the whole problem. The arrays lie where the variant's runtime placed them. Returns when the
/// sums are complete. Throws std::runtime_error with a message for people when the device refuses.
using VariantFunction = Sums (*)(const Problem& problem);

/// The function of a step that needs the prepared data of the factored form.
using FactoredVariantFunction = Sums (*)(const FactoredProblem& problem);

}  // namespace gpp
