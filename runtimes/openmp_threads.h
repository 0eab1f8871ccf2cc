// How many threads OpenMP starts.
#pragma once

namespace gpp {

/// The threads of a parallel region of this program, as its runtime grants them: what
/// OMP_NUM_THREADS asks for, within its other limits.
int openmp_threads();

/// Lets the calling thread's parallel regions have so many.
void use_openmp_threads(int threads);

}  // namespace gpp
