// The problem of the epsilon kernels: one batch of the dielectric matrix, in three steps.
//
// A wave function is a sum of plane waves, psi(r) = sum over G of psi(G) exp(i G r), with N_G^psi
// integer vectors G; the matrices use the N_G shortest ones. For one valence band v and N_c
// conduction bands c (Deslippe et al. 2012):
//
//   mtxel      M(c, G)         = sum over G1 of conj(psi_v(G1)) psi_c(G1 + G)
//   chi0       chi(G, G')      = sum over c of conj(M(c, G)) weight(c) M(c, G')
//   inversion  epsilon^-1, where epsilon(G, G') = delta(G, G') - coulomb(G) chi(G, G')
//
// Each step has an input of its own, so it is checked independently. Units are omitted, because all
// numbers except the vectors G are random.
#pragma once

#include "runtimes/registration.h"

namespace gpp::epsilon {

/// A complex number in the memory layout of all libraries.
struct alignas(16) Complex {
  double re, im;
};

/// A view of the arrays in the memory where variants run. Trivially copyable, so a kernel takes it
/// by value. The last index is the fastest.
struct Screening {
  int bands = 0;    ///< N_c: conduction bands of this batch, which is the number of pairs
  int n_g = 0;      ///< N_G, number of G, at most n_g_psi
  int pitch = 0;    ///< distance between rows of N_G numbers, in whole memory lines
  int n_g_psi = 0;  ///< N_G^psi: plane waves of a wave function
  int box = 0;      ///< points along each side of the box in which psi is transformed
  int points = 0;   ///< points of the box, its cube

  const int* point = nullptr;      ///< (n_g_psi) point of each G in the box; the shortest G first
  const int* g_at = nullptr;       ///< (box, box, box) the G at each point, or -1
  const Complex* psi_v = nullptr;  ///< (n_g_psi)
  const Complex* psi_c = nullptr;  ///< (bands, n_g_psi)

  const Complex* m = nullptr;      ///< (bands, n_g), pitch: input of chi0
  const double* weight = nullptr;  ///< (bands) weight of each pair: occupation / energy difference

  const Complex* chi = nullptr;     ///< (n_g, n_g), pitch: input of inversion
  const double* coulomb = nullptr;  ///< (n_g)

  /// The output of a variant: M (bands, n_g), chi (n_g, n_g) or epsilon^-1 (n_g, n_g), with pitch.
  Complex* result = nullptr;
};

/// Names all arrays (Relocation of runtimes/registration.h).
void each_array(Screening& all, auto&& visit) {
  visit(all.point, all.g_at, all.psi_v, all.psi_c, all.m, all.weight, all.chi, all.coulomb,
        all.result);
}

}  // namespace gpp::epsilon
