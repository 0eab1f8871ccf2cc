// Functions of a real type that the forms need beyond arithmetic. A value of such a type may also
// be several numbers side by side: that type brings its own versions, found where it is defined.
#pragma once

#include "gpp/markers.h"

namespace gpp {

/// a where the condition holds, else b.
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
