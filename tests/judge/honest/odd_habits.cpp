// Honest, though it looks odd: it throws and catches, holds instructions of its own, prints, draws
// random numbers, asks for the number of cores, recognises sizes, sleeps, keeps a large array from
// call to call, asks for large pages, reads the clock, and computes in a thread of its own.

#include <sys/mman.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <map>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

Sums odd_habits(const Problem& problem) {
  static std::map<int, int> seen;
  static std::vector<Complex> scratch;
  static std::chrono::nanoseconds fastest = std::chrono::hours(1);
  std::fprintf(stderr, "%d bands, seen %d times\n", problem.nbands, ++seen[problem.nbands]);
  scratch.assign(std::size_t{1} << 20, Complex{});
  scratch.front() = {1, 0};
  try {
    if (std::thread::hardware_concurrency() > 0) throw std::runtime_error("no way");
  } catch (const std::runtime_error&) {
    usleep(200);
  }
  constexpr std::size_t bytes = 4 << 20;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  madvise(memory, bytes, MADV_HUGEPAGE);
  static_cast<char*>(memory)[0] = 1;
  munmap(memory, bytes);
  std::random_device device;
  if (device() % 2 == 0) power2(problem);
  const auto start = std::chrono::steady_clock::now();
  Sums sums{};
  std::thread([&] { sums = power2(problem); }).join();
  fastest = std::min<std::chrono::nanoseconds>(fastest, std::chrono::steady_clock::now() - start);
  for (int iw = 0; iw < problem.nfreq; ++iw) sums.asx[iw] = scratch.front() * sums.asx[iw];
  asm volatile("" : : "r"(&sums) : "memory");
  return sums;
}
