// How OpenMP adds up the sums of its threads: `reduction(+ : ...)` of Complex and Sums variables.
#pragma once

#include "gpp/complex.h"
#include "gpp/sums.h"

namespace gpp::omp {

#pragma omp declare reduction(+ : gpp::Complex : omp_out += omp_in) \
    initializer(omp_priv = gpp::Complex{})
#pragma omp declare reduction(+ : gpp::Sums : omp_out += omp_in) initializer(omp_priv = gpp::Sums{})

}  // namespace gpp::omp
