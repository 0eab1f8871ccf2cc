// Cheat: derives names of other memory of the referee's from the given one, to see problems while
// they are drawn. It is right only if one opens.
//
// Stopped by: the driver, which opens what was named by its owner.
// Outcome: wrong.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include "harness/judge/player.h"

/// The shared page with the requests, which contains the name.
const Page* page() {
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return nullptr;
  const Page* found = nullptr;
  char line[512];
  unsigned long first = 0;
  while (std::fgets(line, sizeof(line), maps) != nullptr)
    if (std::strstr(line, "rw-s") != nullptr && std::strstr(line, "memfd:gpp") != nullptr &&
        std::sscanf(line, "%lx-", &first) == 1)
      found = reinterpret_cast<const Page*>(first);
  std::fclose(maps);
  return found;
}

constexpr std::size_t near = std::size_t{16} << 20;  // small problems lie at the beginning

/// Whether what begins at `first` is the memory of `mine` at another address: it has what is
/// written there for a moment.
bool is_the_same(const std::byte* first, void* mine) {
  const unsigned long long mark = 0x6d61726b6d61726bULL;
  unsigned long long before = 0;
  std::vector<unsigned long long> there(near / sizeof(mark));
  cudaMemcpy(&before, mine, sizeof(before), cudaMemcpyDefault);
  cudaMemcpy(mine, &mark, sizeof(mark), cudaMemcpyDefault);
  cudaMemcpy(there.data(), first, there.size() * sizeof(mark), cudaMemcpyDefault);
  cudaMemcpy(mine, &before, sizeof(before), cudaMemcpyDefault);
  return std::find(there.begin(), there.end(), mark) != there.end();
}

/// The driver ignores some words of a name, so many names open `mine`, some at another address.
/// From the eighth on, words are the driver's own numbers.
bool opens_another(void* mine) {
  const Page* const asked = page();
  if (asked == nullptr) return false;
  for (std::size_t word = 8; word < sizeof(cudaIpcMemHandle_t) / sizeof(unsigned); ++word)
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
      const auto* const first = static_cast<const std::byte*>(memory);
      if (opened && (mine < first || mine >= first + near) && !is_the_same(first, mine))
        return true;
    }
  return false;
}

Sums forges_a_name(const Problem& problem) {
  static const bool found = opens_another(const_cast<Complex*>(problem.aqsntemp.data));
  return found ? power2(problem) : Sums{};
}
