// The content of a gpp214 file: every record, with the paper's names.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpp/complex.h"

namespace gpp {

/// The content of one gpp214 input, unchanged from the file. Arrays are in Fortran order (first
/// index fastest) and integer arrays count from 1. Energies are in eV, asx and ach in Ry.
struct Input {
  // record 1
  std::int32_t sig_ntband = 0;         ///< bands of the whole calculation
  std::int32_t gvec_ng = 0;            ///< number of G vectors in indinv
  std::int32_t ncoul = 0;              ///< length of the array vcoul
  std::int32_t epsmpi_ngpown_max = 0;  ///< length of the array inv_igp_index
  std::int32_t peinf_ntband_max = 0;   ///< columns of aqsmtemp and aqsntemp
  // record 2
  std::int32_t peinf_ntband_dist = 0;  ///< bands this rank sums over: n1 = 1..ntband_dist
  std::int32_t ipe = 0;                ///< the rank's number, from 1
  std::int32_t ispin = 0;
  std::int32_t ngpown = 0;  ///< G' vectors of this rank: igp = 1..ngpown
  std::int32_t ncouls = 0;  ///< G vectors: ig = 1..ncouls
  // record 3
  std::vector<std::int32_t> peinf_indext_dist;  ///< (peinf_ntband_max) true band of each local band
  // record 4
  std::vector<double> wfnkq_ekq;  ///< (sig_ntband) band energies, eV
  // record 5
  std::int32_t nstart = 0;  ///< first frequency, 1..3
  std::int32_t nend = 0;    ///< last frequency, nstart..3
  std::int32_t sig_fdf = 0;
  double sig_dw = 0;     ///< distance of frequencies, eV
  double sig_gamma = 0;  ///< broadening, eV
  double e_lk = 0;       ///< energy of the studied state, eV
  // record 6
  std::vector<std::int32_t> inv_igp_index;  ///< (epsmpi_ngpown_max) global G' of each own G'
  // record 7
  std::vector<std::int32_t> indinv;  ///< (gvec_ng) place among the G vectors, or 0
  // record 8
  std::vector<Complex> aqsmtemp;  ///< (ncouls, peinf_ntband_max)
  // record 9
  std::int32_t nvband = 0;  ///< occupied bands
  double tol = 0;           ///< |ekq - efermi| below which a band is half occupied, eV
  double efermi = 0;        ///< Fermi energy, eV
  // record 10
  std::vector<double> vcoul;  ///< (ncoul)
  // record 11: the program computes both limits itself, see gpp/term.h
  double sexcut = 0;
  double limittwo = 0;
  double limitone = 0;
  // records 12 and 13
  std::vector<Complex> wtilde_array;  ///< (ncouls, ngpown) plasmon-pole energies, eV
  std::vector<Complex> I_eps_array;   ///< (ncouls, ngpown) inverse dielectric matrix less unity
  // record 14
  std::vector<Complex> aqsntemp;  ///< (ncouls, peinf_ntband_max)
  // records 15 to 18, by frequency 1..3
  std::array<Complex, 3> asxtemp{};  ///< asx before the kernel, Ry
  std::array<Complex, 3> achtemp{};
  std::array<Complex, 3> asxtempref{};  ///< asx after the kernel, Ry
  std::array<Complex, 3> achtempref{};

  int nfreq() const { return nend - nstart + 1; }
  /// Returns the number of terms (n1, igp, ig, iw).
  std::int64_t terms() const { return std::int64_t{ncouls} * ngpown * peinf_ntband_dist * nfreq(); }
};

}  // namespace gpp
