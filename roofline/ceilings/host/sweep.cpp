#include "roofline/ceilings/host/sweep.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "roofline/ceilings/host/arithmetic.h"
#include "roofline/ceilings/host/team.h"
#include "roofline/statistics.h"

namespace roofline::host {
namespace {

constexpr std::size_t smallest_set = 8 << 10;
constexpr double largest_total = 512e6;      // limit for all cores, unless the last cache is larger
constexpr double seconds_per_read = 0.4e-3;  // minimum time of one repetition
constexpr double seconds_per_set = 0.02;     // minimum time per set and round
constexpr double bytes_per_read = 32 << 20;  // limit for one repetition's traffic
constexpr int rounds = 3;                    // rounds through all working sets

/// Many short repetitions are better than few long ones, because one of them should be undisturbed.
int repetitions(double seconds) {
  return static_cast<int>(std::clamp(seconds_per_set / seconds, 1.0, 10.0));
}

/// One thread's memory, and its reading position.
class Reader {
 public:
  explicit Reader(std::size_t bytes) : memory_(untouched_memory(bytes)), bytes_(bytes) {}
  /// Writes to every page, which places the memory on this thread's NUMA node.
  void touch() const { std::memset(memory_.get(), 1, bytes_); }

  /// Reads `bytes` of a working set, `passes` times. If only a part of the set is read, the next
  /// call continues after it, so that the same bytes come again only after all others.
  void read(std::size_t set, std::size_t bytes, long long passes) {
    if (bytes == set) return read_passes(memory_.get(), set, passes);
    if (next_ + bytes > set) next_ = 0;
    read_passes(memory_.get() + next_, bytes, passes);
    next_ += bytes;
  }

 private:
  std::shared_ptr<std::byte> memory_;
  std::size_t bytes_;
  std::size_t next_ = 0;
};

}  // namespace

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
  for (std::size_t i = 0; i < cpus.size(); ++i) readers.emplace_back(sets.back());
  best_of(cpus, 1, [&readers](std::size_t thread) { readers[thread].touch(); });

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
    const Best best = best_of(cpus, repetitions(volume / rate), [&](std::size_t thread) {
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

double free_memory() {
  return static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace roofline::host
