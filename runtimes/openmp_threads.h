// How many threads OpenMP starts.
#pragma once

namespace gpp {

/// The threads of a parallel region of this program, as its runtime grants them: what
/// OMP_NUM_THREADS asks for, within its other limits. Counted inside a target region of the host,
/// as variants have them: GCC's runtime starts as many there as were asked for when the program
/// started, whatever omp_set_num_threads() was told since.
int openmp_threads();

/// How many OMP_NUM_THREADS asks for, or as many as cores without it. Starts none.
int wanted_openmp_threads();

}  // namespace gpp
