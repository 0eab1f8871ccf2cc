#include "variants/cuda/support/packed_digits.cuh"

#include "gpp/integers.h"

namespace gpp::cuda {
namespace {

constexpr int threads = 128;

__device__ double larger_component(Complex z) { return fmax(fabs(z.re), fabs(z.im)); }

/// An element of a band's column; 0 outside of the problem.
__device__ Complex element(Array2<const Complex> matrix, int row, int rows, int n1) {
  return row < rows && n1 >= 0 ? matrix(row, n1) : Complex{};
}

/// The rows of a block in one group of bands.
template <int size>
struct Rows {
  static constexpr int parts = threads / size;
  struct Seen {
    double largest, sum;  ///< largest and sum of the bands' larger components
    int bands;            ///< number of bands without padding
  } seen[parts][size];

  /// The whole block examines `bands` bands from `band` on.
  __device__ void look(Array2<const Complex> matrix, int first_row, int rows,
                       const MomentBand* band, int bands) {
    const int own = static_cast<int>(threadIdx.x) % size;
    const int part = static_cast<int>(threadIdx.x) / size;
    Seen all{};
    for (int i = part; i < bands; i += parts) {
      const double one = larger_component(element(matrix, first_row + own, rows, band[i].n1));
      all = {fmax(all.largest, one), all.sum + one, all.bands + (band[i].n1 >= 0)};
    }
    seen[part][own] = all;
    __syncthreads();
    if (part == 0) {
      for (int i = 1; i < parts; ++i) {
        const Seen& other = seen[i][own];
        all = {fmax(all.largest, other.largest), all.sum + other.sum, all.bands + other.bands};
      }
      seen[0][own] = all;
    }
    __syncthreads();
  }
  __device__ double largest(int row) const { return seen[0][row].largest; }

  /// Stores the ranges for all groups. Rows of zeros have none.
  __device__ void store_ranges(int bands, bool is_aqsn, RangeSums* ranges) const {
    double square = 0.0, count = 0.0;
    if (threadIdx.x < size && largest(threadIdx.x) > 0) {
      const Seen& own = seen[0][threadIdx.x];
      const double range = own.largest * own.bands / own.sum / assumed_range(bands);
      square = range * range;
      count = 1.0;
    }
    store_block_sum(
        is_aqsn ? RangeSums{square, count, 0.0, 0.0} : RangeSums{0.0, 0.0, square, count}, ranges);
  }
};

/// Digit p of four numbers, in an instruction's format.
__device__ unsigned bytes_of(const Digits& a, const Digits& b, const Digits& c, const Digits& d,
                             int p) {
  return a.byte(p) | b.byte(p) << 8 | c.byte(p) << 16 | d.byte(p) << 24;
}

/// A block packs 64 ig of a group of bands.
__global__ void __launch_bounds__(threads)
    pack_aqsn(Problem problem, __grid_constant__ const DigitGroups groups, AqsnDigits* packed,
              RangeSums* ranges) {
  const int g = static_cast<int>(blockIdx.y), first = groups.first(g), end = groups.group[g].end;
  const int first_row = static_cast<int>(blockIdx.x) * rows_ig;
  const int bands = (end - first) * moment_step;
  __shared__ Rows<rows_ig> rows;
  rows.look(problem.aqsntemp, first_row, problem.ncouls, groups.bands + first * moment_step, bands);
  rows.store_ranges(bands, true, ranges);

  const double top = top_aqsn * scale_of_group(bands);
  const int thread = static_cast<int>(threadIdx.x);
  for (int step = first; step < end; ++step) {
    AqsnDigits& to = packed[static_cast<std::size_t>(blockIdx.x) * groups.steps() + step];
    unsigned word[most_digits][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int row = thread / 32 * 16 + thread % 32 / 4 + i % 2 * 8;
      const double scale = rows.largest(row) > 0 ? top / rows.largest(row) : 0.0;
      const MomentBand* const own = groups.bands + step * moment_step + i / 2 * 8 + thread % 4 * 2;
      const Complex a = element(problem.aqsntemp, first_row + row, problem.ncouls, own[0].n1);
      const Complex b = element(problem.aqsntemp, first_row + row, problem.ncouls, own[1].n1);
      const Digits digits[4] = {{a.re * scale, most_digits},
                                {a.im * scale, most_digits},
                                {b.re * scale, most_digits},
                                {b.im * scale, most_digits}};
#pragma unroll
      for (int p = 0; p < most_digits; ++p)
        word[p][i] = bytes_of(digits[0], digits[1], digits[2], digits[3], p);
    }
#pragma unroll
    for (int p = 0; p < most_digits; ++p)
      *reinterpret_cast<uint4*>(to.digit[p][thread]) =
          uint4{word[p][0], word[p][1], word[p][2], word[p][3]};
    if (thread < rows_ig) to.scale[thread] = rows.largest(thread) / top;
  }
}

/// The columns of aqsm that a thread packs: one igp for eight bands, in the real or the imaginary
/// part.
struct Column {
  int half = static_cast<int>(threadIdx.x) / 16 % 2;
  int band_half = static_cast<int>(threadIdx.x) / 8 % 2;
  int column = static_cast<int>(threadIdx.x) % 8;

  __device__ int igp() const { return half * 4 + column / 2; }
  /// Stores the digits of moment k, which are moments_before steps apart.
  template <int k>
  __device__ void pack(const Complex (&aqsm)[8], const double (&y)[8], AqsmDigits& to) const {
    constexpr int digits = digits_of(k);
    unsigned word[digits][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const Complex a = chebyshev(k, y[2 * i]) * aqsm[2 * i];
      const Complex b = chebyshev(k, y[2 * i + 1]) * aqsm[2 * i + 1];
      const bool imaginary = column % 2 == 1;  // conj(aqsm) aqsn = re re + im im, re im - im re
      const Digits four[4] = {{imaginary ? -a.im : a.re, digits},
                              {imaginary ? a.re : a.im, digits},
                              {imaginary ? -b.im : b.re, digits},
                              {imaginary ? b.re : b.im, digits}};
#pragma unroll
      for (int p = 0; p < digits; ++p) word[p][i] = bytes_of(four[0], four[1], four[2], four[3], p);
    }
#pragma unroll
    for (int p = 0; p < digits; ++p)
      *reinterpret_cast<uint4*>(to.column[moments_before(p) + k][half][band_half][column]) =
          uint4{word[p][0], word[p][1], word[p][2], word[p][3]};
  }
};

/// A block packs 8 igp of a group of bands; each warp packs about a quarter of the digits.
__global__ void __launch_bounds__(threads)
    pack_aqsm(Problem problem, __grid_constant__ const DigitGroups groups, AqsmDigits* packed,
              RangeSums* ranges) {
  const int g = static_cast<int>(blockIdx.y), first = groups.first(g), end = groups.group[g].end;
  const int first_row = static_cast<int>(blockIdx.x) * block_igp;
  const int bands = (end - first) * moment_step;
  __shared__ Rows<block_igp> rows;
  rows.look(problem.aqsmtemp_local, first_row, problem.ngpown, groups.bands + first * moment_step,
            bands);
  rows.store_ranges(bands, false, ranges);

  const Column own;
  const double largest = rows.largest(own.igp());
  const double scale = largest > 0 ? top_aqsm / largest : 0.0;
  const double half_width = groups.group[g].half_width;
  const double inverse_width = half_width > 0 ? 1.0 / half_width : 0.0;
  for (int step = first; step < end; ++step) {
    AqsmDigits& to = packed[static_cast<std::size_t>(blockIdx.x) * groups.steps() + step];
    const MomentBand* const band = groups.bands + step * moment_step + own.band_half * 8;
    Complex aqsm[8];
    double y[8];
    for (int i = 0; i < 8; ++i) {
      aqsm[i] = scale *
                element(problem.aqsmtemp_local, first_row + own.igp(), problem.ngpown, band[i].n1);
      y[i] = band[i].t * inverse_width;
    }
    switch (threadIdx.x / 32) {
      case 0:
        own.pack<0>(aqsm, y, to);
        break;
      case 1:
        own.pack<1>(aqsm, y, to);
        own.pack<5>(aqsm, y, to);
        break;
      case 2:
        own.pack<2>(aqsm, y, to);
        break;
      default:
        own.pack<3>(aqsm, y, to);
        own.pack<4>(aqsm, y, to);
    }
    if (threadIdx.x < block_igp) to.scale[threadIdx.x] = rows.largest(threadIdx.x) / top_aqsm;
  }
}

}  // namespace

PackedDigits::PackedDigits(const Problem& problem, const DigitGroups& groups)
    : aqsn_blocks_(2 * blocks_for(problem.ncouls, block_ig), static_cast<unsigned>(groups.count)),
      aqsm_blocks_(blocks_for(problem.ngpown, block_igp), static_cast<unsigned>(groups.count)),
      aqsn_(static_cast<std::size_t>(aqsn_blocks_.x) * groups.steps()),
      aqsm_(static_cast<std::size_t>(aqsm_blocks_.x) * groups.steps()),
      ranges_(dim3(aqsn_blocks_.x + aqsm_blocks_.x, static_cast<unsigned>(groups.count))) {
  launch(pack_aqsn, {aqsn_blocks_, threads}, problem, groups, aqsn_.data(), ranges_.data());
  launch(pack_aqsm, {aqsm_blocks_, threads}, problem, groups, aqsm_.data(),
         ranges_.data() + static_cast<std::size_t>(aqsn_blocks_.x) * aqsn_blocks_.y);
}

double PackedDigits::bytes_per_band(const Problem& problem) {
  return (1.0 * sizeof(AqsnDigits) * problem.ncouls / rows_ig +
          1.0 * sizeof(AqsmDigits) * problem.ngpown / block_igp) /
         moment_step;
}

}  // namespace gpp::cuda
