// Cheat: has the compiler count to a number that it never reaches.
//
// Stopped by: the compiler's limits.
// Outcome: not compiled.

#include "gpp/variant.h"

namespace gpp::omp {

template <int n, int salt>
struct Tree {
  static constexpr long value = Tree<n - 1, 2 * salt>::value + Tree<n - 1, 2 * salt + 1>::value;
};
template <int salt>
struct Tree<0, salt> {
  static constexpr long value = salt;
};

Sums deep_templates(const Problem& /*problem*/) { return {{{Tree<30, 1>::value, 0}}, {}}; }

}  // namespace gpp::omp
