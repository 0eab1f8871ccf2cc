// Synthetic inputs whose statistics are those of real ones (data/silicon), at any size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpp/input.h"
#include "gpp/reference.h"

namespace gpp {

/// An input to generate: dimensions under the names of the gpp214 file, and the physics that
/// decides which branches the terms take. The crystal is a simple cubic cell of silicon's density.
struct Preset {
  std::string name;
  std::string description;  ///< one line, for people

  int ncouls = 0;       ///< G vectors: the shortest q+G of the cell
  int ngpown = 0;       ///< own G' vectors: what this one of `g_ranks` ranks gets
  int g_ranks = 1;      ///< ranks to which the G' are dealt round robin
  int first_own_g = 0;  ///< the first own G', from 0: the rank's number among them
  int sig_ntband = 0;   ///< bands of the whole calculation
  int ntband_dist = 0;  ///< bands of this rank, one after the other
  int first_band = 0;   ///< the first of them, from 0: the first rank has the lowest
  int nvband = 0;       ///< occupied bands of the whole calculation
  int nstart = 2;       ///< first frequency
  int nend = 3;         ///< last frequency

  double lattice = 0;            ///< edge of the cell, bohr
  double e_lk = 1.7;             ///< energy of state 0, above the valence band, eV
  int state = 0;                 ///< which one is looked at: each has its own energy and elements
  double invalid_poles = 0.361;  ///< share of wtilde that is marked invalid (1e12)
  double pole_scale = 1;         ///< factor on the off-diagonal pole energies of si8_medium
  bool complex_poles = false;    ///< the old option: imaginary poles instead of invalid marks
  double half_occupied = 0;      ///< depth below the Fermi energy to which bands are half full, eV
  bool offdiagonal = false;      ///< an off-diagonal matrix element: aqsm differs from aqsn

  int nfreq() const { return nend - nstart + 1; }
  /// Terms (n1, igp, ig, iw).
  std::int64_t terms() const { return std::int64_t{ncouls} * ngpown * ntband_dist * nfreq(); }
};

/// From one state of a preset to the next, eV.
inline constexpr double state_distance = 0.1;

/// All presets: those of growing size first, then the special ones.
const std::vector<Preset>& presets();

/// The preset of that name; nullptr where there is none.
const Preset* find_preset(std::string_view name);

inline constexpr std::uint64_t default_seed = 1;

/// Generates the preset's input on all cores. The same preset and seed give the same bits on every
/// machine, with every compiler and number of cores. Records 15 and 16 are 0. Records 17 and 18
/// hold the sums of the reference (data/kept_reference.h); `with_reference` = false leaves them 0
/// and saves its time. `progress` is called from the calling thread with the share of the work
/// done, 0..1. Throws InputError (roofline/base/error.h) where the preset contradicts itself or
/// memory does not suffice.
Input generate(const Preset& preset, std::uint64_t seed = default_seed, bool with_reference = true,
               const Progress& progress = {});

/// Puts the sums into the input as its reference.
void store(const Sums& sums, Input& input);

/// The arrays that differ from state to state, as generate() makes them: aqsntemp, and aqsmtemp
/// where that differs from it. The energy differs, too.
struct MatrixElements {
  std::vector<Complex> aqsntemp;  ///< (ncouls, ntband_dist)
  std::vector<Complex> aqsmtemp;  ///< the same; empty where it is equal
};

/// These alone.
MatrixElements generate_elements(const Preset& preset, std::uint64_t seed,
                                 const Progress& progress = {});

}  // namespace gpp
