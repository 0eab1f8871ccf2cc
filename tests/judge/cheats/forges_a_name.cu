// Cheat: makes names of other memory of the referee's from the one it was given, to see problems
// while they are drawn. It is right only if one opens.
//
// Stopped by: the driver, which opens what was named by its owner.
// Outcome: wrong.

#include <cstdio>
#include <cstring>

#include "gpp/variant.h"
#include "harness/judge/page.h"
#include "variants/cuda/v08_power2.cu"

namespace gpp::cuda {

namespace {

/// The page by which it is asked: it holds the name.
const Page* page() {
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return nullptr;
  const Page* found = nullptr;
  char line[512];
  unsigned long first = 0;
  while (std::fgets(line, sizeof(line), maps) != nullptr)
    if (std::strstr(line, "memfd:page") != nullptr && std::sscanf(line, "%lx-", &first) == 1)
      found = reinterpret_cast<const Page*>(first);
  std::fclose(maps);
  return found;
}

bool opens_another() {
  const Page* const asked = page();
  if (asked == nullptr) return false;
  for (std::size_t word = 0; word < sizeof(cudaIpcMemHandle_t) / sizeof(unsigned); ++word)
    for (int change = -8; change <= 8; ++change) {
      if (change == 0) continue;
      cudaIpcMemHandle_t name;
      std::memcpy(&name, asked->arena_name.data(), sizeof(name));
      unsigned value = 0;
      char* const at = name.reserved + word * sizeof(value);
      std::memcpy(&value, at, sizeof(value));
      value += static_cast<unsigned>(change);
      std::memcpy(at, &value, sizeof(value));
      void* memory = nullptr;
      const bool opened =
          cudaIpcOpenMemHandle(&memory, name, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
      cudaGetLastError();
      if (opened) return true;
    }
  return false;
}

}  // namespace

Sums forges_a_name(const Problem& problem) {
  static const bool found = opens_another();
  return found ? power2(problem) : Sums{};
}

}  // namespace gpp::cuda
