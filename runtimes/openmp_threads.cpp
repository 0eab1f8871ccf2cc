#include "runtimes/openmp_threads.h"

#include <omp.h>

namespace gpp {

int openmp_threads() {
  int threads = 1;
#pragma omp target device(omp_get_initial_device()) map(tofrom : threads)
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

int wanted_openmp_threads() { return omp_get_max_threads(); }

}  // namespace gpp
