// An OpenMP reduction for sums of threads: `reduction(+ : ...)` of Complex variables.
#pragma once

#include "gpp/complex.h"

namespace gpp::omp {

#pragma omp declare reduction(+ : gpp::Complex : omp_out += omp_in) \
    initializer(omp_priv = gpp::Complex{})

}  // namespace gpp::omp
