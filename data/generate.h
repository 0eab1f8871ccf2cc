// Synthetic inputs whose statistics are those of real ones (data/silicon), at any size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpp/input.h"
#include "gpp/reference.h"

namespace gpp {

/// What to generate: dimensions under the names of the gpp214 file, and the physics that decides
/// which branches the terms take.
struct Preset {
  std::string name;
  std::string description;  ///< one line, for people

  int ncouls = 0;       ///< G vectors
  int ngpown = 0;       ///< own G' vectors: the share of the first of `g_ranks` ranks
  int g_ranks = 1;      ///< ranks the G' are dealt to, round robin
  int sig_ntband = 0;   ///< bands of the whole calculation
  int ntband_dist = 0;  ///< bands of this rank: the lowest ones, as the first rank has them
  int nvband = 0;       ///< occupied bands of the whole calculation
  int nstart = 2;       ///< first frequency
  int nend = 3;         ///< last frequency

  double volume = 0;           ///< of the cell, bohr^3
  double e_lk = 0;             ///< energy of the state looked at above the highest occupied one, eV
  double invalid_poles = 0;    ///< share of wtilde marked invalid (1e12)
  bool complex_poles = false;  ///< BerkeleyGW's old option: some poles are purely imaginary
  bool half_occupied = false;  ///< a metal: the bands at the Fermi energy count half
  bool offdiagonal = false;    ///< an off-diagonal matrix element: aqsm differs from aqsn

  int nfreq() const { return nend - nstart + 1; }
  /// Terms (n1, igp, ig, iw).
  std::int64_t terms() const { return std::int64_t{ncouls} * ngpown * ntband_dist * nfreq(); }
};

/// All presets, smallest first of those everyone needs: tiny, small, medium, gpp214, si510; then
/// the special ones.
const std::vector<Preset>& presets();

/// The preset of that name; nullptr where there is none.
const Preset* find_preset(std::string_view name);

inline constexpr std::uint64_t default_seed = 1;

/// Generates the preset's input on all cores. The same preset and seed give the same records 1 to
/// 16 bit for bit on every machine, with every compiler and number of cores. Records 17 and 18 hold
/// compute_reference's sums; `with_reference` = false leaves them 0 and saves the time that takes.
/// `progress` is called from the calling thread with the share of the work done, 0..1.
Input generate(const Preset& preset, std::uint64_t seed = default_seed, bool with_reference = true,
               const Progress& progress = {});

}  // namespace gpp
