// The operator by which Thrust adds up sums.
#pragma once

#include "gpp/sums.h"

namespace GPP_THRUST_NAMESPACE {

struct Plus {
  GPP_HOST_DEVICE gpp::Sums operator()(gpp::Sums a, const gpp::Sums& b) const { return a += b; }
};

}  // namespace GPP_THRUST_NAMESPACE
