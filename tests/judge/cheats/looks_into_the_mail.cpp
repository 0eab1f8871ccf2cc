// Cheat: finds the page with the requests, and reports completion too early.
//
// Stopped by: answers taken once.
// Outcome: wrong.

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>

/// The writable shared memory that begins with the run's number.
std::uint32_t* page() {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return nullptr;
  unsigned long first = 0, last = 0;
  char rights[8] = {}, rest[512];
  std::uint32_t* found = nullptr;
  while (std::fscanf(maps, "%lx-%lx %7s%511[^\n]", &first, &last, rights, rest) == 4)
    if (rights[1] == 'w' && rights[3] == 's') found = reinterpret_cast<std::uint32_t*>(first);
  std::fclose(maps);
  return found;
}

Sums looks_into_the_mail(const Problem& problem) {
  std::uint32_t* const words = page();
  if (words == nullptr) return {};
  words[1] = words[0];  // pretends that the run is done
  syscall(SYS_futex, words + 1, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  return power2(problem);
}
