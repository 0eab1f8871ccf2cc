// Cheat: has the compiler keep a list of a thousand million types, twice as long each time.
//
// Stopped by: the compiler's limits.
// Outcome: not compiled.

#include "gpp/variant.h"

namespace gpp::omp {

template <int n, class... Types>
struct Twice {
  static constexpr long value = Twice<n - 1, Types..., Types...>::value;
};
template <class... Types>
struct Twice<0, Types...> {
  static constexpr long value = sizeof...(Types);
};

Sums deep_templates(const Problem& /*problem*/) { return {{{Twice<30, int>::value, 0}}, {}}; }

}  // namespace gpp::omp
