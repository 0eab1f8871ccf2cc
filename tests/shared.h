// Values that a test has in common with the processes that it forks.
#pragma once

#include <sys/mman.h>

#include <new>

/// A new value, which stays until the program ends.
template <class T>
T& shared() {
  return *new (mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
      T();
}
