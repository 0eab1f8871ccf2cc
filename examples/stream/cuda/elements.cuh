// Element-wise operations on a GPU: common code of add, mul and triad.
#pragma once

#include "examples/stream/arrays.h"
#include "runtimes/cuda/launch.h"

namespace gpp::stream::cuda {

inline constexpr int threads_per_block = 256;

/// c(i) = value(arrays, i) for every element: thread t takes the elements of lane t.
template <class Value>
__global__ void __launch_bounds__(threads_per_block) elements_kernel(Arrays arrays, Value value) {
  const int lane = static_cast<int>(blockIdx.x * threads_per_block + threadIdx.x);
  if (lane >= arrays.lanes) return;
  for (long long i = lane; i < arrays.n; i += arrays.lanes) arrays.c[i] = value(arrays, i);
}

template <class Value>
void for_each_element(const Arrays& arrays, Value value) {
  using namespace gpp::cuda;
  launch(elements_kernel<Value>,
         Shape{blocks_for(arrays.lanes, threads_per_block), threads_per_block}, arrays, value);
}

}  // namespace gpp::stream::cuda
