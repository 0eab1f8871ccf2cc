// Who owns what, for gpp/scale/calculation.h.

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "gpp/scale/calculation.h"
#include "roofline/base/error.h"

namespace gpp::scale {

Block block_of(int all, int one, int of) {
  const int more = all % of;
  return {all / of * one + std::min(one, more), all / of + (one < more ? 1 : 0)};
}

Preset part_of(const Preset& preset, int rank, int ranks, int state) {
  if (ranks > preset.ncouls || ranks > preset.sig_ntband)
    throw roofline::InputError(fmt::format(
        "{} ranks share preset {}, which has {} G' and {} bands: each rank needs one of both. "
        "Start fewer ranks, make pools (--pools), or name a larger preset",
        ranks, preset.name, preset.ncouls, preset.sig_ntband));
  const Block bands = block_of(preset.sig_ntband, rank, ranks);
  Preset part = preset;
  part.g_ranks = ranks;
  part.first_own_g = rank;
  part.ngpown = block_of(preset.ncouls, rank, ranks).count;
  part.first_band = bands.first;
  part.ntband_dist = bands.count;
  part.state = state;
  return part;
}

Memory predict_memory(const Preset& preset, int ranks, int states, bool whole) {
  constexpr std::int64_t element = sizeof(Complex);
  const std::int64_t a_band = (preset.offdiagonal ? 2 : 1) * element * preset.ncouls;
  const std::int64_t ngpown = block_of(preset.ncouls, 0, ranks).count;
  const std::int64_t bands = block_of(preset.sig_ntband, 0, ranks).count;
  const std::int64_t at_once = whole ? preset.sig_ntband : bands;
  return {.poles = 2 * element * preset.ncouls * ngpown,
          .own = a_band * bands * states,
          .block = a_band * at_once,
          .gathered = 2 * element * ngpown * at_once,
          .buffers = ranks == 1             ? 0
                     : whole && states == 1 ? 1
                                            : 2};
}

Sample draw_sample(const Preset& preset, std::uint64_t seed, int ranks, int states) {
  constexpr double most_checked = 1e8, sampled = 5e8;  // terms
  const double terms_of_a_g = 1.0 * preset.ncouls * preset.sig_ntband * preset.nfreq();
  if (terms_of_a_g * preset.ncouls <= most_checked) return {0, 1, preset.ncouls};
  const int count =
      std::clamp(static_cast<int>(sampled / terms_of_a_g / states), ranks, preset.ncouls);
  // Neighbours in the sample belong to neighbouring ranks.
  const int stride = (preset.ncouls / count - 1) / ranks * ranks + 1;
  std::mt19937_64 engine(seed);
  return {static_cast<int>(engine() % static_cast<std::uint64_t>(stride)), stride, count};
}

}  // namespace gpp::scale
