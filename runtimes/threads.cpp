#include "runtimes/threads.h"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "roofline/base/error.h"

namespace gpp {

namespace {

/// Lets the calling thread run on the cores of the first so many places. Without places nothing was
/// bound. A refusal leaves the thread where it is.
void run_on_places(int places) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (int place = 0; place < places; ++place) {
    std::vector<int> numbers(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, numbers.data());
    for (const int number : numbers)
      if (number < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(number), &cores);
  }
  if (CPU_COUNT(&cores) > 0) sched_setaffinity(0, sizeof(cores), &cores);
}

}  // namespace

void free_first_thread() {
  // The first region of a thread ties it to its place: before it is freed, and not after.
  if (omp_get_num_places() > 0) {
#pragma omp parallel num_threads(1)
    {}
  }
  run_on_places(omp_get_num_places());
}

void tie_first_thread() { run_on_places(std::min(1, omp_get_num_places())); }

bool threads_are_bound() { return omp_get_num_places() > 0; }

int start_kept_threads() {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  ++threads;
  return threads;
}

int openmp_threads() {
  int threads = 1;
#pragma omp target device(omp_get_initial_device()) map(tofrom : threads)
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

void require_possible_threads() {
  constexpr int most = 4096;
  if (wanted_openmp_threads() > most)
    throw roofline::InputError(fmt::format(
        "OMP_NUM_THREADS asks for {} threads, and more than {} are refused: set it to the number "
        "of cores, {}, or unset it",
        wanted_openmp_threads(), most, omp_get_num_procs()));
}

int wanted_openmp_threads() { return omp_get_max_threads(); }

namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

WaitClock::WaitClock()
    : wall_(seconds_of(CLOCK_MONOTONIC)), cpu_(seconds_of(CLOCK_THREAD_CPUTIME_ID)) {}

double WaitClock::seconds() const {
  constexpr double least = 0.15e-3;  // a thread that sleeps meanwhile uses less
  const double cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_;
  return cpu >= least ? cpu : seconds_of(CLOCK_MONOTONIC) - wall_;
}

}  // namespace gpp
