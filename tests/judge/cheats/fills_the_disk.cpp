// Cheat: writes until the disk is full.
//
// Stopped by: resources.
// Outcome: wrong.

#include <cstdio>
#include <vector>

Sums fills_the_disk(const Problem& problem) {
  const std::vector<char> block(1 << 20, 'x');
  std::FILE* const file = std::fopen("/tmp/large", "wb");
  if (file == nullptr) return {};
  for (int megabytes = 0; megabytes < 20000; ++megabytes)
    if (std::fwrite(block.data(), block.size(), 1, file) != 1) return {};
  return power2(problem);
}
