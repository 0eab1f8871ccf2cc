// The operations of steps whose terms have no branch (v11 and later): see operations.h.
#pragma once

#include <map>
#include <string>

#include "gpp/counted_real.h"
#include "gpp/factored_problem.h"

namespace gpp {

using WholeStep = Operations (*)(bool m_at_every_frequency, const FactoredProblem& problem);

/// Whole steps by the name of their form.
const std::map<std::string, WholeStep, std::less<>>& whole_steps();

}  // namespace gpp
