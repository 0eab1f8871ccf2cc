// Functions of a real type that the forms need beyond arithmetic. A vector type, whose values are
// several numbers side by side, defines its own versions beside itself.
#pragma once

#include "gpp/markers.h"

namespace gpp {

/// Returns a where the condition holds, else b.
template <class Real>
GPP_HOST_DEVICE constexpr Real select(bool condition, Real a, Real b) {
  return condition ? a : b;
}

/// 1 / x.
template <class Real>
GPP_HOST_DEVICE constexpr Real inverse(Real x) {
  return Real(1) / x;
}

}  // namespace gpp
