// The threads of a program: the one that it starts with, and those of OpenMP.
#pragma once

namespace gpp {

/// Lets the calling thread run on every core that OpenMP may use. OMP_PROC_BIND ties a program's
/// first thread to one core, some runtimes before main(); everything outside OpenMP (the roofs, the
/// generator, the number of cores) would then know that core alone. OpenMP's own threads stay
/// where they were bound.
void free_first_thread();

/// Whether OpenMP ties its threads to cores: OMP_PROC_BIND, OMP_PLACES and the like.
bool threads_are_bound();

/// The threads of a parallel region of this program, as its runtime grants them: what
/// OMP_NUM_THREADS asks for, within its other limits. Counted inside a target region of the host,
/// as variants have them: GCC's runtime starts as many there as were asked for when the program
/// started, whatever omp_set_num_threads() was told since.
int openmp_threads();

/// Throws InputError where OMP_NUM_THREADS asks for more threads than any machine has cores and
/// than the OpenMP runtimes survive.
void require_possible_threads();

/// The seconds that the calling thread waits for a device. Where it waits by asking again and
/// again, what other programs took of the processor meanwhile does not count.
class WaitClock {
 public:
  WaitClock();
  double seconds() const;

 private:
  double wall_, cpu_;
};

/// The threads that OMP_NUM_THREADS asks for, or as many as cores without it. Starts none.
int wanted_openmp_threads();

}  // namespace gpp
