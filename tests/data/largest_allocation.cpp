#include "tests/data/largest_allocation.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> largest{0};
}

namespace gpp::test {
void reset_largest_allocation() { largest = 0; }
std::size_t largest_allocation() { return largest; }
}  // namespace gpp::test

// The thread sanitizer brings operators of its own and leaves no room for these. The bound is
// tested in every other build.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GPP_OWN_OPERATOR_NEW 0
#endif
#endif
#ifndef GPP_OWN_OPERATOR_NEW
#define GPP_OWN_OPERATOR_NEW 1
#endif

#if GPP_OWN_OPERATOR_NEW
// All forms of new and delete without alignment end in these.
void* operator new(std::size_t bytes) {
  if (bytes > largest) largest = bytes;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif
