// The Sigma-GPP kernel as the harness studies it.
#pragma once

#include "gpp/variant.h"
#include "harness/kernel.h"

namespace gpp {

const Kernel& gpp_kernel();

/// Every variant of every model in the repository, built or not, in order of model and step.
const std::vector<Variant>& catalog();

/// The call of a variant, whichever problem it takes: all get a FactoredProblem.
Call call_of(VariantFunction function);
Call call_of(FactoredVariantFunction function);

}  // namespace gpp
