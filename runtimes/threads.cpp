#include "runtimes/threads.h"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace gpp {

namespace {

/// The processors of OpenMP's first places, up to this number.
std::vector<int> processors_of(int places) {
  std::vector<int> all;
  for (int place = 0; place < places; ++place) {
    std::vector<int> numbers(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, numbers.data());
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

/// The seconds that the calling thread was ready to run and had no processor; 0 if the kernel does
/// not tell (proc(5), schedstat).
double seconds_without_processor() {
  std::ifstream file("/proc/thread-self/schedstat");
  long long running = 0;
  long long waiting = 0;
  return file >> running >> waiting ? 1e-9 * static_cast<double>(waiting) : 0;
}

}  // namespace

void run_on(const std::vector<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors)
    if (processor < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(processor), &set);
  if (CPU_COUNT(&set) > 0) sched_setaffinity(0, sizeof(set), &set);
}

void free_first_thread() {
  // A thread's first parallel region binds it, so this comes before the thread's release.
  if (omp_get_num_places() > 0) {
#pragma omp parallel num_threads(1)
    {}
  }
  run_on(processors_of(omp_get_num_places()));
}

std::vector<int> first_place() { return processors_of(std::min(1, omp_get_num_places())); }

OnProcessors::OnProcessors(const std::vector<int>& processors)
    : known_(sched_getaffinity(0, sizeof(before_), &before_) == 0) {
  if (known_) run_on(processors);
}

OnProcessors::~OnProcessors() {
  if (known_) sched_setaffinity(0, sizeof(before_), &before_);
}

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
  const int wanted = omp_get_max_threads();
  if (wanted > most)
    throw roofline::InputError(fmt::format(
        "OMP_NUM_THREADS asks for {} threads, and more than {} are refused: set it to the number "
        "of cores, {}, or unset it",
        wanted, most, omp_get_num_procs()));
}

WaitClock::WaitClock() : without_(seconds_without_processor()), wall_(roofline::steady_seconds()) {}

double WaitClock::seconds() const {
  const double wall = roofline::steady_seconds() - wall_;
  return std::max(0.0, wall - (seconds_without_processor() - without_));
}

}  // namespace gpp
