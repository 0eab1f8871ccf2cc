// The Sigma-GPP kernel as the harness studies it.
#pragma once

#include "gpp/variant.h"
#include "harness/kernel.h"

namespace gpp {

const Kernel& gpp_kernel();

/// Every variant of every model in the repository, built or not, in order of model and step.
const std::vector<Variant>& catalog();

template <class Function>
Call call_on_factored(Function function) {
  return [function](const void* problem, void* answer) {
    *static_cast<Sums*>(answer) = function(*static_cast<const FactoredProblem*>(problem));
  };
}

/// The call of a variant, whichever problem it takes: all get a FactoredProblem.
inline Call call_of(VariantFunction function) { return call_on_factored(function); }
inline Call call_of(FactoredVariantFunction function) { return call_on_factored(function); }

}  // namespace gpp
