// The terms that the factored sums leave out, summed one by one.
#pragma once

#include "gpp/factored_problem.h"
#include "gpp/sums.h"

namespace gpp::cuda {

/// The exceptional bands at every pole, and the occupied bands at tiny poles (is_tiny). Few on any
/// real input.
Sums sum_term_by_term(const FactoredProblem& problem);

}  // namespace gpp::cuda
