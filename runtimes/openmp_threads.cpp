#include "runtimes/openmp_threads.h"

#include <omp.h>

namespace gpp {

int openmp_threads() {
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

void use_openmp_threads(int threads) { omp_set_num_threads(threads); }

}  // namespace gpp
