// The problem of the epsilon kernels: one batch of the dielectric matrix, step by step.
//
// A wave function is a sum of plane waves, psi(r) = sum over G of psi(G) exp(i G r), with N_G^psi
// vectors G of whole numbers; the matrices take the N_G shortest of them. For one valence band v
// and N_c conduction bands c (Deslippe et al. 2012):
//
//   mtxel      M(c, G)         = sum over G1 of conj(psi_v(G1)) psi_c(G1 + G)
//   chi0       chi(G, G')      = sum over c of conj(M(c, G)) weight(c) M(c, G')
//   inversion  epsilon^-1, where epsilon(G, G') = delta(G, G') - coulomb(G) chi(G, G')
//
// Each step has an input of its own, so each is checked alone. Atomic units are left out: all
// numbers are random, except the vectors G.
#pragma once

namespace gpp::epsilon {

/// As all libraries lay it out.
struct alignas(16) Complex {
  double re, im;
};

/// A view of the arrays in the memory where variants run. Trivially copyable, so a kernel takes it
/// by value. The last index is the fastest.
struct Screening {
  int bands = 0;    ///< N_c: conduction bands of this batch, and so pairs
  int n_g = 0;      ///< N_G; at most n_g_psi
  int pitch = 0;    ///< numbers from a row of N_G to the next: whole lines of memory
  int n_g_psi = 0;  ///< N_G^psi
  int box = 0;      ///< points on each side of the box in which psi is transformed
  int points = 0;   ///< of the box: its cube

  const int* point = nullptr;      ///< (n_g_psi) where each G lies in the box; the shortest first
  const int* g_at = nullptr;       ///< (box, box, box) the G at each point; -1 where there is none
  const Complex* psi_v = nullptr;  ///< (n_g_psi)
  const Complex* psi_c = nullptr;  ///< (bands, n_g_psi)

  const Complex* m = nullptr;      ///< (bands, n_g), pitch: what chi0 sums
  const double* weight = nullptr;  ///< (bands) of each pair: occupation over the energy between

  const Complex* chi = nullptr;     ///< (n_g, n_g), pitch: what inversion inverts
  const double* coulomb = nullptr;  ///< (n_g)

  /// What a variant writes: M (bands, n_g), chi (n_g, n_g) or epsilon^-1 (n_g, n_g), pitch each.
  Complex* result = nullptr;
};

/// Names all arrays (Relocation of harness/variant.h).
void each_array(Screening& all, auto&& visit) {
  visit(all.point, all.g_at, all.psi_v, all.psi_c, all.m, all.weight, all.chi, all.coulomb,
        all.result);
}

}  // namespace gpp::epsilon
