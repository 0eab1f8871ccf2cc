// Cheat: makes the compiler store a list of a thousand million types by doubling.
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
GPP_VARIANT(deep_templates);

}  // namespace gpp::omp
