// The result of the kernel: two complex sums for each frequency.
#pragma once

#include "gpp/complex.h"
#include "gpp/markers.h"

namespace gpp {

/// asx and ach of `nfreq` frequencies, in Ry. Indexed by iw - nstart, that is 0..nfreq-1.
template <int nfreq>
struct SumsOf {
  Complex asx[nfreq];
  Complex ach[nfreq];
};

template <int nfreq>
GPP_HOST_DEVICE constexpr SumsOf<nfreq>& operator+=(SumsOf<nfreq>& a, const SumsOf<nfreq>& b) {
  for (int iw = 0; iw < nfreq; ++iw) {
    a.asx[iw] += b.asx[iw];
    a.ach[iw] += b.ach[iw];
  }
  return a;
}

inline constexpr int max_frequencies = 3;

/// The result of a variant. Entries beyond the problem's frequencies stay zero.
using Sums = SumsOf<max_frequencies>;

template <int nfreq>
constexpr Sums all_frequencies(const SumsOf<nfreq>& sums) {
  Sums all{};
  for (int iw = 0; iw < nfreq; ++iw) {
    all.asx[iw] = sums.asx[iw];
    all.ach[iw] = sums.ach[iw];
  }
  return all;
}

}  // namespace gpp
