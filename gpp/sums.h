// The result of the kernel: two complex sums for each frequency.
#pragma once

#include "gpp/complex.h"
#include "gpp/markers.h"

namespace gpp {

inline constexpr int max_frequencies = 3;

/// asx and ach of every frequency, in Ry. Indexed by iw - nstart, that is 0..nfreq-1: what lies
/// beyond the problem's frequencies stays zero.
struct Sums {
  Complex asx[max_frequencies];
  Complex ach[max_frequencies];
};

GPP_HOST_DEVICE constexpr Sums& operator+=(Sums& a, const Sums& b) {
  for (int iw = 0; iw < max_frequencies; ++iw) {
    a.asx[iw] += b.asx[iw];
    a.ach[iw] += b.ach[iw];
  }
  return a;
}

}  // namespace gpp
