// Synthetic inputs whose statistics are those of real ones (data/silicon), at any size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpp/input.h"
#include "gpp/reference.h"

namespace gpp {

/// An input to generate: its dimensions, named as in the gpp214 file, and the physics that decides
/// the terms' branches. The crystal is a simple cubic cell with silicon's density.
struct Preset {
  std::string name;
  std::string description;  ///< a description of one line

  int ncouls = 0;       ///< number of G vectors: the shortest q+G of the cell
  int ngpown = 0;       ///< number of own G': the share of one of `g_ranks` ranks
  int g_ranks = 1;      ///< number of ranks that share the G', dealt round robin
  int first_own_g = 0;  ///< the first own G', from 0: the rank's number
  int sig_ntband = 0;   ///< number of bands of the whole calculation
  int ntband_dist = 0;  ///< number of this rank's bands, which are contiguous
  int first_band = 0;   ///< this rank's first band, from 0; the first rank has the lowest
  int nvband = 0;       ///< number of occupied bands of the whole calculation
  int nstart = 2;       ///< number of the first frequency
  int nend = 3;         ///< number of the last frequency

  double lattice = 0;            ///< edge of the cell, bohr
  double e_lk = 1.7;             ///< energy of state 0, above the valence band, eV
  int state = 0;                 ///< number of the state; each has its own energy and elements
  double invalid_poles = 0.361;  ///< share of poles wtilde that are marked invalid (1e12)
  double pole_scale = 1;         ///< factor for the off-diagonal pole energies of si8_medium
  bool complex_poles = false;    ///< the older option: imaginary poles instead of invalid marks
  double half_occupied = 0;      ///< bands less than this below the Fermi energy are half full, eV
  bool offdiagonal = false;      ///< an off-diagonal matrix element, where aqsm differs from aqsn

  int nfreq() const { return nend - nstart + 1; }
  /// The number of terms (n1, igp, ig, iw).
  std::int64_t terms() const { return std::int64_t{ncouls} * ngpown * ntband_dist * nfreq(); }
};

/// The energy between neighbouring states of a preset, eV.
inline constexpr double state_distance = 0.1;

/// All presets: first the general ones by size, then the special ones.
const std::vector<Preset>& presets();

/// Returns the preset with this name, or nullptr.
const Preset* find_preset(std::string_view name);

inline constexpr std::uint64_t default_seed = 1;

/// Generates the preset's input on all cores. The same preset and seed give the same bits on every
/// machine, with every compiler and number of cores. Records 15 and 16 are 0. Records 17 and 18
/// hold the sums of the reference (data/kept_reference.h); with `with_reference` = false they are
/// 0, which saves time. The calling thread calls `progress` with the finished share, 0..1. Throws
/// InputError (roofline/base/text.h) for too little memory.
Input generate(const Preset& preset, std::uint64_t seed = default_seed, bool with_reference = true,
               const Progress& progress = {});

/// Stores the sums in the input as its reference.
void store(const Sums& sums, Input& input);

/// The arrays that differ between states, as generate() makes them: aqsntemp, and aqsmtemp if it
/// differs from aqsntemp. The states' energies differ as well.
struct MatrixElements {
  std::vector<Complex> aqsntemp;  ///< (ncouls, ntband_dist)
  std::vector<Complex> aqsmtemp;  ///< same shape; empty if equal to aqsntemp
};

/// Generates only the arrays of matrix elements.
MatrixElements generate_elements(const Preset& preset, std::uint64_t seed,
                                 const Progress& progress = {});

}  // namespace gpp
