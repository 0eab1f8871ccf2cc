// The addition operator for sums in Thrust.
#pragma once

#include "gpp/sums.h"

namespace GPP_THRUST_NAMESPACE {

struct Plus {
  template <int nfreq>
  GPP_HOST_DEVICE gpp::SumsOf<nfreq> operator()(gpp::SumsOf<nfreq> a,
                                                const gpp::SumsOf<nfreq>& b) const {
    return a += b;
  }
};

}  // namespace GPP_THRUST_NAMESPACE
