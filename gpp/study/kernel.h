// The Sigma-GPP kernel as the harness studies it.
#pragma once

#include "gpp/variant.h"
#include "harness/kernel.h"

namespace gpp {

const Kernel& gpp_kernel();

/// Every variant of every model in the repository, built or not, in order of model and step.
const std::vector<Variant>& catalog();

/// Calls a variant of this kernel, whichever of the two problems it takes.
Sums call_variant(const Call& variant, const FactoredProblem& problem);

}  // namespace gpp
