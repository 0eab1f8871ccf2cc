// Cheat: takes all memory of the machine.
//
// Stopped by: resources.
// Outcome: ends.

#include <vector>

Sums fills_memory(const Problem& problem) {
  static std::vector<std::vector<char>> taken;
  for (;;) taken.emplace_back(std::size_t{1} << 34, 'x');
}
