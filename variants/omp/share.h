// How much of the loops around the bands a thread of the factored steps (v11, v12) takes at once.
//
// A host's thread takes `lanes` G, one G' and one frequency: more would not fit its registers. A
// GPU's thread has one lane but registers in plenty: it takes several G' and all frequencies, so
// that what it loads of a band serves them all.
#pragma once

#include <type_traits>

namespace gpp::omp {

#if defined(GPP_OMP_GPU)
inline constexpr bool on_gpu = true;
#else
inline constexpr bool on_gpu = false;
#endif

/// Before a loop over bands: on a GPU, several bands at a time, so that a thread can ask for the
/// data of the next before it has used up that of the first. A host's core looks ahead by itself.
#if defined(GPP_OMP_GPU)
#define GPP_SEVERAL_BANDS_AT_A_TIME _Pragma("clang loop unroll_count(3)")
#else
#define GPP_SEVERAL_BANDS_AT_A_TIME
#endif

/// Calls body(count, first) for each group of frequencies that a thread takes at once: `count` of
/// them, known to the compiler, from `first` on.
template <class Body>
void for_frequencies(int nfreq, Body body) {
  using std::integral_constant;
  if constexpr (on_gpu) {
    if (nfreq == 1) body(integral_constant<int, 1>(), 0);
    if (nfreq == 2) body(integral_constant<int, 2>(), 0);
    if (nfreq == 3) body(integral_constant<int, 3>(), 0);
  } else {
    for (int iw = 0; iw < nfreq; ++iw) body(integral_constant<int, 1>(), iw);
  }
}

}  // namespace gpp::omp
