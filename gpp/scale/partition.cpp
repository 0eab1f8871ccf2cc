#include "gpp/scale/partition.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpp/complex.h"
#include "roofline/base/error.h"

namespace gpp::scale {

BandBlock block_of(int bands, int rank, int ranks) {
  const int least = bands / ranks;
  const int more = bands % ranks;
  return {rank * least + std::min(rank, more), least + (rank < more ? 1 : 0)};
}

int own_g_of(int ncouls, int rank, int ranks) { return (ncouls - rank + ranks - 1) / ranks; }

Preset whole_of(const Preset& preset) { return part_of(preset, 0, 1, 0); }

Preset part_of(const Preset& preset, int rank, int ranks, int state) {
  if (ranks > preset.ncouls || ranks > preset.sig_ntband)
    throw roofline::InputError(fmt::format(
        "{} ranks share preset {}, which has {} G' and {} bands: each rank needs one of both. "
        "Start fewer ranks, make pools (--pools), or name a larger preset",
        ranks, preset.name, preset.ncouls, preset.sig_ntband));
  const BandBlock block = block_of(preset.sig_ntband, rank, ranks);
  Preset part = preset;
  part.g_ranks = ranks;
  part.first_own_g = rank;
  part.ngpown = own_g_of(preset.ncouls, rank, ranks);
  part.first_band = block.first;
  part.ntband_dist = block.bands;
  part.state = state;
  return part;
}

std::vector<int> states_of(int states, int pool, int pools) {
  std::vector<int> own;
  for (int state = pool; state < states; state += pools) own.push_back(state);
  return own;
}

Memory predict_memory(const Preset& preset, int ranks, int states, bool whole) {
  constexpr std::int64_t element = sizeof(Complex);
  const std::int64_t a_band = (preset.offdiagonal ? 2 : 1) * element * preset.ncouls;
  const std::int64_t ngpown = own_g_of(preset.ncouls, 0, ranks);
  const std::int64_t bands = block_of(preset.sig_ntband, 0, ranks).bands;
  const std::int64_t at_once = whole ? preset.sig_ntband : bands;
  return {2 * element * preset.ncouls * ngpown, a_band * bands * states,
          ranks == 1 ? 0 : a_band * at_once * (whole && states == 1 ? 1 : 2),
          2 * element * ngpown * at_once};
}

}  // namespace gpp::scale
