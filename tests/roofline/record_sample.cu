// An ordinary CUDA program for recording, with exactly known work.
//
//   record_sample WHAT [COUNT]
//
// It is independent of roofline.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/barrier>
#include <string>
#include <thread>
#include <vector>

namespace sample {

constexpr int blocks = 132, threads = 256, repetitions = 100;

/// 2 FP64 operations per thread and repetition: 2 * 132 * 256 * 100 = 6758400 per launch.
__global__ void fma_kernel(double* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double value = x[i];
  for (int k = 0; k < repetitions; ++k) value = fma(value, 0.5, 1.0);
  x[i] = value;
}

/// One FP64 operation per thread; expf() has constants that compilers load with HFMA2.
__global__ void constants_kernel(double* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double sum = x[i] + 1;
  x[i] = expf(static_cast<float>(threadIdx.x)) < 0 ? 0 : sum;
}

/// 4 FP16 operations per thread and repetition.
__global__ void half_kernel(__half2* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 factor = x[i];
  __half2 value = factor;
  for (int k = 0; k < repetitions; ++k) value = __hfma2(value, factor, factor);
  x[i] = value;
}

/// One FP32 operation per thread.
__global__ void add_kernel(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }

/// Copies 32 KiB a block into shared memory in bulk, by the copy engine (compute capability 9.0).
constexpr unsigned tile = 32768;
__global__ void bulk_kernel(const char* from, char* to) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char buffer[];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  if (threadIdx.x != 0) return;
  init(&arrived, 1);
  cuda::device::memcpy_async_tx(buffer, from + std::size_t{tile} * blockIdx.x,
                                cuda::aligned_size_t<16>(tile), arrived);
  arrived.wait(cuda::device::barrier_arrive_tx(arrived, 1, tile));
  to[blockIdx.x] = buffer[blockIdx.x];
#endif
}

}  // namespace sample

namespace {

using namespace sample;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "record_sample: %s\n", cudaGetErrorString(status));
  std::exit(3);
}

struct Data {
  double* doubles = nullptr;
  float* floats = nullptr;

  Data() {
    check(cudaMalloc(&doubles, sizeof(double) * blocks * threads));
    check(cudaMalloc(&floats, sizeof(float) * blocks * threads));
    check(cudaMemset(doubles, 0, sizeof(double) * blocks * threads));
    check(cudaMemset(floats, 0, sizeof(float) * blocks * threads));
  }

  void launch_fma(cudaStream_t stream = nullptr) const {
    fma_kernel<<<blocks, threads, 0, stream>>>(doubles);
    check(cudaGetLastError());
  }
  void launch_add(cudaStream_t stream = nullptr) const {
    add_kernel<<<blocks, threads, 0, stream>>>(floats);
    check(cudaGetLastError());
  }
};

/// COUNT launches of one kernel, and one of the other.
void plain(int count) {
  const Data data;
  for (int i = 0; i < count; ++i) data.launch_fma();
  data.launch_add();
  check(cudaDeviceSynchronize());
  std::vector<double> back(1);
  check(cudaMemcpy(back.data(), data.doubles, sizeof(double), cudaMemcpyDeviceToHost));
  std::printf("x = %.6f\n", back[0]);
}

/// COUNT launches without FP16 work, and as many with it.
void halves(int count) {
  const Data data;
  for (int i = 0; i < count; ++i) {
    constants_kernel<<<blocks, threads>>>(data.doubles);
    half_kernel<<<blocks, threads>>>(reinterpret_cast<__half2*>(data.floats));
    check(cudaGetLastError());
  }
  check(cudaDeviceSynchronize());
}

/// COUNT launches on the first GPU, twice as many on the next, and so on.
void gpus(int count) {
  int all = 0;
  check(cudaGetDeviceCount(&all));
  for (int gpu = 0; gpu < all; ++gpu) {
    check(cudaSetDevice(gpu));
    const Data data;
    for (int i = 0; i < count * (gpu + 1); ++i) data.launch_fma();
    check(cudaDeviceSynchronize());
  }
}

/// Launches from several threads, each with its own stream and data.
void streams(int count) {
  std::vector<std::thread> all;
  for (int thread = 0; thread < 4; ++thread)
    all.emplace_back([count] {
      const Data data;
      cudaStream_t stream = nullptr;
      check(cudaStreamCreate(&stream));
      for (int i = 0; i < count; ++i) data.launch_fma(stream);
      check(cudaStreamSynchronize(stream));
    });
  for (std::thread& one : all) one.join();
}

/// Launches in the primary context and in a new one.
void contexts(int count) {
  plain(count);
  CUcontext context = nullptr;
#if CUDA_VERSION >= 13000
  if (cuCtxCreate(&context, nullptr, 0, 0) != CUDA_SUCCESS) std::exit(3);
#else
  if (cuCtxCreate(&context, 0, 0) != CUDA_SUCCESS) std::exit(3);
#endif
  plain(count);
  cuCtxDestroy(context);
}

/// Three launches of two kernels in a graph, which is launched COUNT times.
void graphs(int count) {
  const Data data;
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  data.launch_fma(stream);
  data.launch_add(stream);
  data.launch_fma(stream);
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t ready = nullptr;
  check(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < count; ++i) check(cudaGraphLaunch(ready, stream));
  check(cudaStreamSynchronize(stream));
}

/// COUNT launches that copy 1024 tiles in bulk.
void copies(int count) {
  constexpr int tiles = 1024;
  char* from = nullptr;
  check(cudaMalloc(&from, static_cast<std::size_t>(tiles) * tile + tiles));
  for (int i = 0; i < count; ++i)
    bulk_kernel<<<tiles, 32, tile>>>(from, from + static_cast<std::size_t>(tiles) * tile);
  check(cudaDeviceSynchronize());
}

/// Warm-up outside, COUNT launches inside of a range and of the profiler's start and stop.
void marks(int count) {
  const Data data;
  for (int i = 0; i < 5; ++i) data.launch_fma();
  cudaProfilerStart();
  nvtxRangePushA("timed part");
  for (int i = 0; i < count; ++i) data.launch_fma();
  nvtxRangePop();
  data.launch_add();
  cudaProfilerStop();
  for (int i = 0; i < 3; ++i) data.launch_add();
  check(cudaDeviceSynchronize());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string self = argv[0], what = argc > 1 ? argv[1] : "plain";
  const int count = argc > 2 ? std::atoi(argv[2]) : 3;
  if (what == "child")
    return WEXITSTATUS(std::system((self + " plain " + std::to_string(count)).c_str()));
  if (what == "halves") halves(count);
  if (what == "gpus") gpus(count);
  if (what == "streams") streams(count);
  if (what == "contexts") contexts(count);
  if (what == "marks") marks(count);
  if (what == "copies") copies(count);
  if (what == "plain" || what == "plain-and-graphs" || what == "exit" || what == "crash")
    plain(count);
  if (what == "plain-and-graphs") graphs(count);
  if (what == "exit") _exit(7);  // ends without any cleanup
  if (what == "crash") std::raise(SIGSEGV);
  return 0;
}
