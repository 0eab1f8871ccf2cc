// The threads of a program: the one that it starts with, and those of OpenMP.
#pragma once

#include <sched.h>

#include <vector>

namespace gpp {

/// Lets the calling thread run on every core that OpenMP may use. OMP_PROC_BIND ties a program's
/// first thread to one core, some runtimes before main(); everything outside OpenMP (the roofs, the
/// generator, the number of cores) would then know that core alone. OpenMP's own threads stay
/// where they were bound.
void free_first_thread();

/// Ties the calling thread, the program's first, to OpenMP's first place again, for a process that
/// does nothing but compute: beside it, another of its threads is tied to a core that it may be on.
void tie_first_thread();

/// Lets the calling thread run on these processors alone. None, or a refusal, leaves it where it
/// is.
void run_on(const std::vector<int>& processors);

/// The processors of OpenMP's first place; none where it ties no threads.
std::vector<int> first_place();

/// While it lives this thread, and every thread and process that it starts, has these processors
/// alone. None: it stays where it is.
class OnProcessors {
 public:
  explicit OnProcessors(const std::vector<int>& processors);
  ~OnProcessors();
  OnProcessors(const OnProcessors&) = delete;
  OnProcessors& operator=(const OnProcessors&) = delete;

 private:
  cpu_set_t before_{};
  bool known_ = false;
};

/// Whether OpenMP ties its threads to cores: OMP_PROC_BIND, OMP_PLACES and the like.
bool threads_are_bound();

/// Starts the threads that OpenMP keeps for the calling one from a region on, and returns their
/// number. GCC's runtime counts them beside those of target regions, which it starts anew each
/// time: where all are more than there are cores, a thread that waits for others sleeps at once,
/// and else it looks out for them for some 15 ms.
int start_kept_threads();

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
