// The threads of a program: its first one, and OpenMP's.
#pragma once

#include <sched.h>

#include <vector>

namespace gpp {

/// Lets the calling thread run on every core that OpenMP may use. OMP_PROC_BIND binds a program's
/// first thread to one core, in some runtimes before main(); code outside of OpenMP (the roofs, the
/// generator, the number of cores) would then use only that core. OpenMP's own threads remain
/// bound.
void free_first_thread();

/// Restricts the calling thread to these processors. An empty list, or an error, changes nothing.
void run_on(const std::vector<int>& processors);

/// The processors of OpenMP's first place; empty if threads are not bound.
std::vector<int> first_place();

/// During its lifetime, this thread and its new threads and processes run only on these processors.
/// An empty list changes nothing.
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

/// True if OpenMP binds threads to cores: OMP_PROC_BIND, OMP_PLACES and similar.
bool threads_are_bound();

/// Starts the threads that OpenMP keeps for the calling thread after a region, and returns their
/// number. GCC's runtime counts them in addition to those of target regions, which it starts each
/// time. If the total exceeds the cores, waiting threads sleep at once; else they spin for about 15
/// ms.
int start_kept_threads();

/// The number of threads in a parallel region of this program, as granted by its runtime:
/// OMP_NUM_THREADS within its other limits. It is counted inside a target region on the host, where
/// variants run: GCC's runtime uses the number requested at program start there, whatever
/// omp_set_num_threads() says later.
int openmp_threads();

/// Throws InputError if OMP_NUM_THREADS asks for more threads than machines have cores, which
/// OpenMP runtimes do not survive.
void require_possible_threads();

/// Measures the seconds that the calling thread waits for a device. Time that other programs took
/// on its processor is not counted.
class WaitClock {
 public:
  WaitClock();
  double seconds() const;

 private:
  double without_, wall_;
};

}  // namespace gpp
