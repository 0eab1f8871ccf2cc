#include "roofline/ceilings/host/team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

namespace roofline::host {
namespace {

using Clock = std::chrono::steady_clock;

struct Span {
  Clock::time_point start;
  Clock::time_point stop;
  double clock_mhz = 0;
};

/// Binds the thread to a CPU. If that is refused, the system places the thread.
void bind_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

/// A barrier that all threads leave within nanoseconds: they wait actively and yield to other
/// programs only after a while. Threads that sleep in std::barrier wake up at different times,
/// which would count as work.
class StartLine {
 public:
  explicit StartLine(std::size_t threads) : threads_(threads) {}

  void arrive_and_wait() {
    const std::size_t round = round_.load();
    if (arrived_.fetch_add(1) + 1 == threads_) {
      arrived_.store(0);
      round_.store(round + 1);
      return;
    }
    for (int looks = 0; round_.load() == round; ++looks)
      if (looks > 20'000) std::this_thread::yield();
  }

 private:
  std::size_t threads_;
  std::atomic<std::size_t> arrived_{0};
  std::atomic<std::size_t> round_{0};
};

}  // namespace

double core_clock_mhz() {
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr int blocks = 2048;
  constexpr int additions = 64;  // additions per block, so that the loop costs nothing
  long long sum = 0;
  // The summand is in a register, for processors that add constants before execution.
  long long summand = 3;
  asm volatile("" : "+r"(summand));
  const auto start = std::chrono::steady_clock::now();
  for (int block = 0; block < blocks; ++block) {
#if defined(__x86_64__)
    asm volatile(".rept 64\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(summand));
#else
    asm volatile(".rept 64\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(summand));
#endif
  }
  const auto stop = std::chrono::steady_clock::now();
  const double microseconds = std::chrono::duration<double, std::micro>(stop - start).count();
  return blocks * additions / microseconds;
#else
  return 0;
#endif
}

Best best_of(const std::vector<int>& cpus, int repetitions,
             const std::function<void(std::size_t thread)>& work) {
  const auto rounds = static_cast<std::size_t>(repetitions);
  std::vector<std::vector<Span>> spans(cpus.size(), std::vector<Span>(rounds));
  StartLine together(cpus.size());
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < cpus.size(); ++thread)
    threads.emplace_back([&, thread] {
      bind_to(cpus[thread]);
      for (Span& span : spans[thread]) {
        together.arrive_and_wait();
        span.start = Clock::now();
        work(thread);
        span.stop = Clock::now();
        span.clock_mhz = core_clock_mhz();
      }
    });
  for (std::thread& thread : threads) thread.join();

  Best best{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t round = 0; round < rounds; ++round) {
    Span all = spans[0][round];
    for (const std::vector<Span>& own : spans) {
      all.start = std::min(all.start, own[round].start);
      all.stop = std::max(all.stop, own[round].stop);
      all.clock_mhz = std::max(all.clock_mhz, own[round].clock_mhz);
    }
    const double seconds = std::chrono::duration<double>(all.stop - all.start).count();
    if (seconds < best.seconds) best = {seconds, all.clock_mhz};
  }
  return best;
}

}  // namespace roofline::host
