// The whole calculation behind a preset, and what each of its ranks owns.
//
// A preset describes one rank of a calculation. The whole has all of its bands and all of its G'.
// G' are dealt to the ranks round robin; the bands lie in blocks, one a rank, that differ by one
// band at most.
#pragma once

#include <cstdint>
#include <vector>

#include "data/generate.h"

namespace gpp::scale {

/// A number of bands that follow each other.
struct BandBlock {
  int first = 0;  ///< from 0
  int bands = 0;
};

/// The block of rank `rank`, or the bands that it owns.
BandBlock block_of(int bands, int rank, int ranks);

/// Own G' of a rank.
int own_g_of(int ncouls, int rank, int ranks);

/// The preset with all its bands and all its G' for one rank.
Preset whole_of(const Preset& preset);

/// Cuts one rank's part of a state out of the whole: its own G' and its block of bands. Throws
/// InputError where there are more ranks than bands or G'.
Preset part_of(const Preset& preset, int rank, int ranks, int state);

/// The states that a pool takes: `pool`, pool + pools, ...
std::vector<int> states_of(int states, int pool, int pools);

/// Bytes that a rank holds where variants run, as predicted from the dimensions.
struct Memory {
  std::int64_t poles = 0;     ///< wtilde_array and I_eps_array of the own G'
  std::int64_t own = 0;       ///< the own block of bands, of each state
  std::int64_t passing = 0;   ///< all bands of one or two states, or two blocks of the ring
  std::int64_t gathered = 0;  ///< aqsm of the own G' and the bands that are summed at once, twice

  std::int64_t placed() const { return poles + own + passing + gathered; }
};

/// The memory of rank 0 of a pool, which owns most. `whole`: it sums all bands at once.
Memory predict_memory(const Preset& preset, int ranks, int states, bool whole);

}  // namespace gpp::scale
