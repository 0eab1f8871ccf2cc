#include "roofline/ceilings/host/team.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>

#include "roofline/ceilings/host/chains.h"
#include "roofline/statistics.h"

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

constexpr std::size_t smallest_set = 8 << 10;
constexpr double largest_total = 512e6;      // limit for all cores, unless the last cache is larger
constexpr double seconds_per_read = 0.4e-3;  // minimum time of one repetition
constexpr double seconds_per_set = 0.02;     // minimum time per set and round
constexpr double bytes_per_read = 32 << 20;  // limit for one repetition's traffic
constexpr int rounds = 3;                    // rounds through all working sets

/// One thread's memory, and its reading position.
struct Reader {
  std::shared_ptr<std::byte> memory;
  std::size_t next = 0;

  /// Reads `bytes` of a working set, `passes` times. If only a part of the set is read, the next
  /// call continues after it, so that the same bytes come again only after all others.
  void read(std::size_t set, std::size_t bytes, long long passes) {
    if (bytes == set || next + bytes > set) next = 0;
    read_passes(memory.get() + next, bytes, passes);
    next += bytes;
  }
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
  const auto runs = static_cast<std::size_t>(repetitions);
  std::vector<std::vector<Span>> spans(cpus.size(), std::vector<Span>(runs));
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
  for (std::size_t round = 0; round < runs; ++round) {
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

std::shared_ptr<std::byte> untouched_memory(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error(fmt::format(
        "There is too little memory for the bandwidth sweep: {} bytes could not be had.", bytes));
  madvise(memory, bytes, MADV_HUGEPAGE);  // a hint for large pages with fewer TLB misses
  return {static_cast<std::byte*>(memory), [bytes](std::byte* data) { munmap(data, bytes); }};
}

void read_passes(const std::byte* data, std::size_t bytes, long long passes) {
  using Vector = VectorOf<long long>::type;
  constexpr std::size_t registers = 8;
  constexpr std::size_t loads = read_granule / sizeof(Vector);
  // Prefetchers run a little ahead in each stream; one stream does not fill the channels.
  constexpr std::size_t streams = 4;
  constexpr std::size_t of_stream = loads / streams;
  const std::size_t part = bytes / sizeof(Vector) / streams;
  [=]<std::size_t... i>(std::index_sequence<i...>) mutable {
    std::array<Vector, registers> seen{};
    for (long long pass = 0; pass < passes; ++pass) {
      asm volatile("" : "+r"(data));  // keeps the compiler from merging passes
      const auto* vectors = reinterpret_cast<const Vector*>(data);
      const auto* end = vectors + part;
      for (; vectors != end; vectors += of_stream)
        ((seen[i % registers] |= vectors[i / of_stream * part + i % of_stream]), ...);
    }
    volatile long long sink = 0;
    for (const Vector& one : seen) sink = sink | one[0];
  }
  (std::make_index_sequence<loads>{});
}

std::vector<std::size_t> working_sets(const Processor& processor, std::size_t cpus, double memory) {
  const auto threads = static_cast<double>(cpus);
  double largest = largest_total / threads;
  if (!processor.caches.empty()) {
    const Cache& last = processor.caches.back();
    // The largest set is far above the cache, because somewhat larger sets still partly hit it.
    largest = std::max(largest, 16 * last.bytes / last.cpus);
  }
  largest = std::min(largest, memory / threads);
  std::vector<std::size_t> sets;
  for (int step = 0;; ++step) {
    const double bytes = static_cast<double>(smallest_set) * std::pow(2.0, 0.25 * step);
    if (bytes > 1.01 * largest) return sets;
    sets.push_back(static_cast<std::size_t>(bytes) / read_granule * read_granule);
  }
}

Sweep measure_sweep(const std::vector<int>& cpus, const std::vector<std::size_t>& sets,
                    const Progress& progress, double begin) {
  Sweep sweep;
  if (sets.empty()) return sweep;
  std::vector<Reader> readers;
  for (std::size_t i = 0; i < cpus.size(); ++i) readers.push_back({untouched_memory(sets.back())});
  // Each thread writes to every page, which places the memory on its NUMA node.
  best_of(cpus, 1,
          [&](std::size_t thread) { std::memset(readers[thread].memory.get(), 1, sets.back()); });

  // Measures all sets in several rounds, because a disturbance of a second affects only one.
  const auto threads = static_cast<double>(cpus.size());
  for (const std::size_t set : sets) sweep.points.push_back({static_cast<double>(set), 0});
  std::vector<double> clocks;
  double rate = 1e9;  // B/s of one core; a low first guess, which takes little time
  for (std::size_t step = 0; step < rounds * sets.size(); ++step) {
    SweepPoint& point = sweep.points[step % sets.size()];
    const double share = static_cast<double>(step) / static_cast<double>(rounds * sets.size());
    if (progress) progress("memory bandwidth", begin + (1 - begin) * share);
    const double once = std::min(point.bytes, bytes_per_read);
    const double passes = std::max(1.0, std::round(seconds_per_read * rate / once));
    const double volume = passes * once;
    // Many short repetitions are better than few long ones: one of them should be undisturbed.
    const double repetitions = std::clamp(seconds_per_set * rate / volume, 1.0, 10.0);
    const Best best = best_of(cpus, static_cast<int>(repetitions), [&](std::size_t thread) {
      readers[thread].read(static_cast<std::size_t>(point.bytes), static_cast<std::size_t>(once),
                           static_cast<long long>(passes));
    });
    rate = volume / best.seconds;
    point.rate = std::max(point.rate, threads * rate);
    clocks.push_back(best.clock_mhz);
  }
  sweep.clock_mhz = middle_of(std::move(clocks));
  return sweep;
}

}  // namespace roofline::host
