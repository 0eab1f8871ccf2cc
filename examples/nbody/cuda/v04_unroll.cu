// unroll: each thread keeps five bodies in registers, and the loops over them and over the tile are
// unrolled.
//
// A body read from shared memory serves five independent pairs. There are five times fewer threads,
// so the force of each body is summed in parts: row y of the grid computes part y. A second kernel
// adds the parts and moves the bodies.
//
// Operations: 18 fp64 per pair; 128 bytes per body.

#include "examples/nbody/cuda/pull.cuh"

namespace gpp::nbody::cuda {
namespace {

constexpr int threads_of_tile = 128;
constexpr int bodies_per_thread = 5;
constexpr int bodies_per_block = threads_of_tile * bodies_per_thread;

/// The number of blocks per multiprocessor. It allows each thread 102 registers, and so many roots
/// in flight.
constexpr int blocks_at_once = 5;

/// Reads coordinates one by one. As a vector they would share register banks with those of the
/// tile, and a bank delivers one number per cycle.
template <class Real>
__device__ Vector3<Real> separately(const volatile Vector4<Real>& r) {
  return {r.x, r.y, r.z};
}

/// The number of bodies of a tile in one pass of the unrolled loop.
constexpr int unrolled = 8;

/// The first body of a part, or n for `parts`. Parts are multiples of the unrolled loop's length.
__device__ int first_of_part(int part, int n) {
  if (part == parts) return n;
  return static_cast<int>(static_cast<long long>(n) * part / parts) / unrolled * unrolled;
}

/// Partial sums of forces: block (x, y) sums part y for five bodies per thread.
template <class Real>
__global__ void __launch_bounds__(threads_of_tile, blocks_at_once)
    unroll_kernel(Arrays<Real> arrays) {
  __shared__ Vector4<Real> tile[threads_of_tile];
  const int n = arrays.n, lane = static_cast<int>(threadIdx.x);
  const int first_own = static_cast<int>(blockIdx.x) * bodies_per_block + lane;

  Vector3<Real> own[bodies_per_thread];
  Vector3<Real> force[bodies_per_thread] = {};
#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k)
    own[k] = separately(arrays.positions[min(first_own + k * threads_of_tile, n - 1)]);

  const int part = static_cast<int>(blockIdx.y), end = first_of_part(part + 1, n);
  for (int first = first_of_part(part, n); first < end; first += threads_of_tile) {
    const int count = min(threads_of_tile, end - first);
    if (lane < count) tile[lane] = arrays.positions[first + lane];
    __syncthreads();
#pragma unroll unrolled
    for (int j = 0; j < count; ++j) {
      const Vector4<Real> from = tile[j];
#pragma unroll
      for (int k = 0; k < bodies_per_thread; ++k) add_pull(force[k], from, own[k]);
    }
    __syncthreads();
  }

  Vector4<Real>* const sums = arrays.sums + static_cast<long long>(part) * n;
#pragma unroll
  for (int k = 0; k < bodies_per_thread; ++k)
    if (const int i = first_own + k * threads_of_tile; i < n)
      sums[i] = {force[k].x, force[k].y, force[k].z, 0};
}

/// Adds up the partial sums of each body's force and moves the body.
template <class Real>
__global__ void __launch_bounds__(threads_per_block) move_kernel(Arrays<Real> arrays) {
  const int i = body_of_thread();
  if (i >= arrays.n) return;
  Vector3<Real> force{};
  for (int part = 0; part < parts; ++part) {
    const Vector4<Real> sum = arrays.sums[static_cast<long long>(part) * arrays.n + i];
    force.x += sum.x;
    force.y += sum.y;
    force.z += sum.z;
  }
  move(arrays, i, force);
}

template <class Real>
void unroll_step(const Arrays<Real>& arrays) {
  using namespace gpp::cuda;
  launch(unroll_kernel<Real>,
         Shape{dim3(blocks_for(arrays.n, bodies_per_block), parts), threads_of_tile}, arrays);
  launch_for_bodies(move_kernel<Real>, arrays);
}

}  // namespace

void unroll(const Bodies& bodies) { unroll_step(bodies.in_double); }
GPP_VARIANT(unroll);

// unroll_float: unroll in single precision.
// Operations: 18 fp32 per pair; 64 bytes per body.
void unroll_float(const Bodies& bodies) { unroll_step(bodies.in_float); }
GPP_VARIANT(unroll_float);

}  // namespace gpp::nbody::cuda
