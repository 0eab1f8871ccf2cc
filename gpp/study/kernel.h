// The Sigma-GPP kernel for the harness.
#pragma once

#include "gpp/variant.h"
#include "harness/kernel.h"

namespace gpp {

const Kernel& gpp_kernel();

/// Every variant of every model in the repository, built or not, sorted by model and step.
const std::vector<Variant>& catalog();
KernelBuilt built();

/// Calls a variant of this kernel with the problem type that it takes.
Sums call_variant(const Call& variant, const FactoredProblem& problem);

// Commands that only this kernel has.
Command add_inspect(CLI::App& program);
Command add_generate(CLI::App& program);
Command add_scale(CLI::App& program);  // in gpp/scale/

}  // namespace gpp
