#include <algorithm>

#include "data/generate.h"

namespace gpp {
namespace {

constexpr double silicon_lattice = 10.2612;  // bohr; the cubic cell holds 8 atoms

/// Si8 with fewer G and bands than `medium`, so that it runs quickly.
Preset small(const char* name, const char* description) {
  return {.name = name,
          .description = description,
          .ncouls = 137,
          .ngpown = 137,
          .sig_ntband = 64,
          .ntband_dist = 64,
          .nvband = 16,
          .lattice = silicon_lattice};
}

/// SC19's stall tables say that 22.4% of all warps reach branch 2. Only the 428 occupied of the 800
/// bands can, so 42% of their warps must; si8_medium's poles give 13%. This scale moves enough
/// poles among the energies of the occupied bands.
Preset gpp214(const char* name, const char* description) {
  return {.name = name,
          .description = description,
          .ncouls = 11075,
          .ngpown = 1385,
          .g_ranks = 8,
          .sig_ntband = 6397,
          .ntband_dist = 800,
          .nvband = 428,
          .lattice = 3 * silicon_lattice,
          .pole_scale = 0.511};
}

std::vector<Preset> make_presets() {
  // Seven of the eight ranks hold only empty bands. This is the first of them.
  Preset rank2 =
      gpp214("gpp214_rank2", "the second of gpp214's eight ranks: empty bands only, 801 to 1600");
  rank2.first_own_g = 1;
  rank2.first_band = rank2.ntband_dist;
  Preset complex_poles =
      small("complex_poles", "small, with imaginary poles instead of invalid marks");
  complex_poles.complex_poles = true;
  // The state lies inside the valence band, so that occupied bands have energies of both signs.
  Preset metal = small("metal", "small, with half occupied bands and wx < 0 among occupied ones");
  metal.e_lk = -6.5;
  metal.half_occupied = 0.5;
  Preset offdiagonal =
      small("offdiagonal", "small, an off-diagonal element: aqsm differs from aqsn");
  offdiagonal.offdiagonal = true;
  return {
      {.name = "tiny",
       .description = "2 silicon atoms, 27 G vectors: seconds in a debugger",
       .ncouls = 27,
       .ngpown = 27,
       .sig_ntband = 20,
       .ntband_dist = 20,
       .nvband = 4,
       .lattice = 6.4641},
      small("small", "8 silicon atoms, few G vectors: every step runs in well under a second"),
      {.name = "medium",
       .description = "8 silicon atoms, 6.2e7 terms: for measuring processors",
       .ncouls = 402,
       .ngpown = 402,
       .sig_ntband = 192,
       .ntband_dist = 192,
       .nvband = 16,
       .lattice = silicon_lattice},
      gpp214("gpp214",
             "214 silicon atoms: the dimensions and branches of the paper's input, 0.9 GB"),
      rank2,
      {.name = "si510",
       .description = "510 silicon atoms: one rank of a larger calculation, 8 GB",
       .ncouls = 26529,
       .ngpown = 6633,
       .g_ranks = 4,
       .sig_ntband = 15045,
       .ntband_dist = 2763,
       .nvband = 1020,
       .nstart = 1,
       .lattice = 4 * silicon_lattice},
      {.name = "si998",
       .description = "998 silicon atoms: one rank of a calculation of four, for gpp scale, 28 GB",
       .ncouls = 51627,
       .ngpown = 12907,
       .g_ranks = 4,
       .sig_ntband = 29346,
       .ntband_dist = 3669,
       .nvband = 1996,
       .lattice = 5 * silicon_lattice},
      complex_poles,
      metal,
      offdiagonal};
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = make_presets();
  return all;
}

const Preset* find_preset(std::string_view name) {
  const auto found = std::find_if(presets().begin(), presets().end(),
                                  [name](const Preset& preset) { return preset.name == name; });
  return found == presets().end() ? nullptr : &*found;
}

}  // namespace gpp
