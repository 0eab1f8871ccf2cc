// Packs the bands of moments in the order of the tensor cores' operands.
//
// An instruction mma.m16n8k16 multiplies 16 x 16 by 16 x 8 doubles, and each lane of a warp holds
// its own elements of both (PTX ISA, matrix fragments for mma.m16n8k16 with .f64). In packed order,
// a lane loads two of them at once, and neighbouring lanes read neighbouring addresses.
#pragma once

#include "gpp/factored_problem.h"
#include "gpp/forms/moments.h"
#include "gpp/moments.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {

inline constexpr int tile_ig = 16;  ///< rows of an instruction's first operand
inline constexpr int tile_igp = 8;  ///< columns of its second operand

/// The tiles of a block of the sum are side by side.
inline constexpr int tiles_ig = 2;
inline constexpr int tiles_igp = 2;

/// The real parts for a complex product by three real ones: gpp/forms/moments.h.
inline constexpr int parts = product_parts;

/// aqsn of a block's ig for moment_step bands. With g = lane / 4 and t = lane % 4, a lane holds ig
/// g and g + 8 of a tile, for band t and every fourth band after it.
struct PackedAqsn {
  struct Tile {
    double2 part[parts][4][32];
  } tile[tiles_ig];
};

/// aqsm of a block's igp for moment_step bands. A lane holds igp g of a tile for bands t and t + 4,
/// and for t + 8 and t + 12.
struct PackedAqsm {
  struct Tile {
    double2 part[parts][2][32];
  } tile[tiles_igp];
};

/// The blocks of the sum: igp along x, ig along y.
inline dim3 blocks_of_sum(const Problem& problem) {
  return {blocks_for(problem.ngpown, tiles_igp * tile_igp),
          blocks_for(problem.ncouls, tiles_ig * tile_ig)};
}

/// The operands of consecutive groups of bands, packed on the device.
class PackedBands {
 public:
  /// Packs `steps` times moment_step bands. The arrays are on the device.
  PackedBands(const Problem& problem, const MomentBand* bands, int steps);

  /// The operands in a kernel's order: for each block, step after step.
  struct View {
    const PackedAqsn* aqsn;
    const PackedAqsm* aqsm;
    const MomentBand* bands;
    int steps;
  };
  View view() const { return {aqsn_.data(), aqsm_.data(), bands_, steps_}; }

  /// The bytes per band.
  static double bytes_per_band(const Problem& problem);

 private:
  const MomentBand* bands_;
  int steps_;
  DeviceArray<PackedAqsn> aqsn_;
  DeviceArray<PackedAqsm> aqsm_;
};

}  // namespace gpp::cuda
