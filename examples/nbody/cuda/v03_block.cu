// block: the threads of a block load a tile of positions together and read it from shared memory.
//
// Each thread loads one body of the tile, and all threads use the whole tile. Two barriers separate
// writes from reads.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/pull.cuh"

namespace gpp::nbody::cuda {

template <class Real, bool unrolled>
static __global__ void __launch_bounds__(threads_per_block) block_kernel(Arrays<Real> arrays) {
  __shared__ Vector4<Real> tile[threads_per_block];
  const int n = arrays.n, i = body_of_thread(), lane = static_cast<int>(threadIdx.x);

  // A thread without a body of its own helps to load tiles; its result is not stored.
  const Vector4<Real>& own = arrays.positions[min(i, n - 1)];
  Vector3<Real> force{};
  for (int first = 0; first < n; first += threads_per_block) {
    const int count = min(threads_per_block, n - first);
    if (lane < count) tile[lane] = arrays.positions[first + lane];
    __syncthreads();
    if (unrolled && count == threads_per_block) {  // the last tile may be shorter
#pragma unroll
      for (int j = 0; j < threads_per_block; ++j) add_pull(force, tile[j], own);
    } else {
      for (int j = 0; j < count; ++j) add_pull(force, tile[j], own);
    }
    __syncthreads();
  }
  if (i < n) move(arrays, i, force);
}

void block(const Bodies& bodies) {
  launch_for_bodies(block_kernel<double, false>, bodies.in_double);
}
GPP_VARIANT(block);

// block_float: block in single precision.
// Operations: 18 fp32 per pair; 64 bytes per body.
void block_float(const Bodies& bodies) {
  launch_for_bodies(block_kernel<float, false>, bodies.in_float);
}
GPP_VARIANT(block_float);

// pragma_unroll: the published step unroll, which is block with a pragma that unrolls the loop over
// a tile.
//
// Harris 2014, as in Lu and Wolfe 2022. Our own unroll, v4, also changes which pairs meet.
//
// Made from block.
// Operations: 18 fp64 per pair; 128 bytes per body.
void pragma_unroll(const Bodies& bodies) {
  launch_for_bodies(block_kernel<double, true>, bodies.in_double);
}
GPP_VARIANT(pragma_unroll);

// pragma_unroll_float: the published unroll in single precision.
//
// Made from block_float.
// Operations: 18 fp32 per pair; 64 bytes per body.
void pragma_unroll_float(const Bodies& bodies) {
  launch_for_bodies(block_kernel<float, true>, bodies.in_float);
}
GPP_VARIANT(pragma_unroll_float);

}  // namespace gpp::nbody::cuda
