// Sums the terms that the factored sums leave out, one by one.
#pragma once

#include "gpp/factored_problem.h"
#include "gpp/sums.h"

namespace gpp::cuda {

/// Sums the exceptional bands at every pole, and the occupied bands at tiny poles (is_tiny), which
/// are few in real inputs.
Sums sum_term_by_term(const FactoredProblem& problem);

}  // namespace gpp::cuda
