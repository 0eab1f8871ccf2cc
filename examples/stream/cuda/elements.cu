// Element-wise operations on a GPU.

#include "examples/stream/arrays.h"
#include "runtimes/cuda/launch.h"

namespace gpp::stream::cuda {

constexpr int threads_per_block = 256;

/// c(i) = value(arrays, i) for every element: thread t takes the elements of lane t.
template <float (*value)(const Arrays&, long long)>
static __global__ void __launch_bounds__(threads_per_block) elements_kernel(Arrays arrays) {
  const int lane = static_cast<int>(blockIdx.x * threads_per_block + threadIdx.x);
  if (lane >= arrays.lanes) return;
  for (long long i = lane; i < arrays.n; i += arrays.lanes) arrays.c[i] = value(arrays, i);
}

template <float (*value)(const Arrays&, long long)>
static void for_each_element(const Arrays& arrays) {
  gpp::cuda::launch_for(arrays.lanes, threads_per_block, elements_kernel<value>, arrays);
}

// add: c = a + b: two numbers read and one written for one addition.
//
// Operations: 1 fp32 per element; 12 bytes.
static __device__ float sum(const Arrays& all, long long i) { return all.a[i] + all.b[i]; }
void add(const Arrays& arrays) { for_each_element<sum>(arrays); }
GPP_VARIANT(add);

// mul: c = s b: reads one number less than add, for one multiplication.
//
// Made from add.
// Operations: 1 fp32 per element; 8 bytes.
static __device__ float scaled(const Arrays& all, long long i) { return factor * all.b[i]; }
void mul(const Arrays& arrays) { for_each_element<scaled>(arrays); }
GPP_VARIANT(mul);

// triad: c = b + s a: two operations for the three numbers of add.
//
// Made from mul.
// Operations: 2 fp32 per element; 12 bytes.
static __device__ float both(const Arrays& all, long long i) {
  return all.b[i] + factor * all.a[i];
}
void triad(const Arrays& arrays) { for_each_element<both>(arrays); }
GPP_VARIANT(triad);

}  // namespace gpp::stream::cuda
