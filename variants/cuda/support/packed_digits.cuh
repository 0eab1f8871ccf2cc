// Cuts the bands of integer moments into digits, in the order of the tensor cores' operands, and
// packs them.
//
// An instruction wgmma.m64nNk32 multiplies 64 x 32 by 32 x N bytes, where the 32 are the real and
// imaginary parts of moment_step bands. A row of the first operand is aqsn of an ig. Two columns of
// the second are aqsm of an igp times T_k of the band: one gives the product's real part, the other
// its imaginary part.
#pragma once

#include <cstdint>

#include "gpp/forms/integers.h"
#include "gpp/moments.h"
#include "variants/cuda/support/reduction.cuh"

namespace gpp::cuda {

inline constexpr int rows_ig = 64;            ///< ig per wgmma instruction
inline constexpr int block_ig = 2 * rows_ig;  ///< per block of the sum: two warp groups
inline constexpr int block_igp = 8;

/// aqsn of 64 ig for moment_step bands. A thread of a warp group finds its part of an instruction's
/// first operand in one piece. With g and t as in packed_bands.cuh, these are rows g and g + 8 of
/// its warp's 16, for bands 2t and 2t + 1, and 2t + 8 and 2t + 9.
struct AqsnDigits {
  std::int8_t digit[most_digits][128][16];
  double scale[rows_ig];  ///< scale of each row in this group of bands
};

/// aqsm of 8 igp for moment_step bands and all moments. The columns of digit p of moment k begin at
/// moments_before(p) + k.
struct AqsmDigits {
  std::int8_t column[all_diagonals][2][2][8][16];  ///< by igp half, band half, column, byte
  double scale[block_igp];
};

/// Sums of squared range ratios of rows (actual to assumed), and their number: gpp/integers.h.
struct RangeSums {
  double aqsn, aqsn_rows;
  double aqsm, aqsm_rows;

  /// The root mean square of the product.
  double product() const {
    return sqrt(aqsn * aqsm / (fmax(aqsn_rows, 1.0) * fmax(aqsm_rows, 1.0)));
  }
};

/// Consecutive groups that one launch sums.
struct DigitGroups {
  static constexpr int most = 64;
  struct Group {
    double centre[max_frequencies];
    double half_width;
    int end;  ///< one after its last step
  } group[most];
  int count;
  const MomentBand* bands;

  __host__ __device__ int first(int g) const { return g == 0 ? 0 : group[g - 1].end; }
  __host__ __device__ int steps() const { return group[count - 1].end; }
};

/// The operands of some groups, packed on the device.
class PackedDigits {
 public:
  PackedDigits(const Problem& problem, const DigitGroups& groups);

  /// The operands in a kernel's order: for each 64 ig and each 8 igp, step after step.
  struct View {
    const AqsnDigits* aqsn;
    const AqsmDigits* aqsm;
  };
  View view() const { return {aqsn_.data(), aqsm_.data()}; }
  /// Waits for the device.
  RangeSums ranges() const { return ranges_.total(); }

  static double bytes_per_band(const Problem& problem);

 private:
  dim3 aqsn_blocks_, aqsm_blocks_;
  DeviceArray<AqsnDigits> aqsn_;
  DeviceArray<AqsmDigits> aqsm_;
  BlockSums<RangeSums> ranges_;
};

}  // namespace gpp::cuda
