#include "runtimes/cuda/confine.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "roofline/ceilings/cuda/watch.cuh"
#include "roofline/cuda_driver.h"
#include "runtimes/cuda/launch.h"

namespace gpp::cuda {
namespace {

// The library's copy of this type must have the driver's size.
static_assert(sizeof(roofline::CudaDriverResource) == sizeof(CUdevResource));
static_assert(offsetof(roofline::CudaDriverResource, multiprocessors) ==
              offsetof(CUdevResource, sm));
static_assert(roofline::cuda_driver_multiprocessors == CU_DEV_RESOURCE_TYPE_SM);

/// Calls a driver function, found at run time, so that the program starts without a driver.
template <class Function, class... Arguments>
void call(const char* name, Arguments... arguments) {
  Function* function = nullptr;
  if (!roofline::find_cuda_driver_function(name, function))
    throw std::runtime_error(
        "The NVIDIA driver knows no green contexts, which confine work to a part of the "
        "multiprocessors: they came with driver 550. Update the driver.");
  const CUresult status = function(arguments...);
  if (status == CUDA_SUCCESS) return;
  const char* words = nullptr;
  roofline::call_cuda_driver("cuGetErrorString", status, &words);
  std::string message = std::string(
                            "The driver does not confine work to a part of the "
                            "multiprocessors: ") +
                        name + ": " + (words == nullptr ? "unknown error" : words) + ".";
  if (status == CUDA_ERROR_NOT_SUPPORTED)
    message += " It refuses where CUPTI has counted in the same process, and on GPUs under MIG.";
  throw std::runtime_error(message);
}

// The header may map a name to a later version of the function. Both the type and the name that is
// searched are then those of that version.
#define GPP_TEXT(name) #name
#define GPP_CALL(function, ...) call<decltype(::function)>(GPP_TEXT(function), __VA_ARGS__)

struct Green {
  CUcontext context = nullptr;
  int multiprocessors = 0;
};

Green make_green(CUdevice device, CUdevResource& all, int multiprocessors) {
  CUdevResource part{};
  CUdevResource rest{};
  unsigned groups = 1;
  GPP_CALL(cuDevSmResourceSplitByCount, &part, &groups, &all, &rest, 0,
           static_cast<unsigned>(multiprocessors));
  if (groups != 1) throw std::runtime_error("The driver gave no group of multiprocessors.");
  CUdevResourceDesc description = nullptr;
  GPP_CALL(cuDevResourceGenerateDesc, &description, &part, 1);
  CUgreenCtx green = nullptr;
  GPP_CALL(cuGreenCtxCreate, &green, description, device, CU_GREEN_CTX_DEFAULT_STREAM);
  Green made;
  GPP_CALL(cuCtxFromGreenCtx, &made.context, green);
  made.multiprocessors = static_cast<int>(part.sm.smCount);
  return made;
}

// ---- Blocks that hold multiprocessors and wait --------------------------------------------------

constexpr int most_blocks = 1024;  // more than the multiprocessors of any device
constexpr int threads = 32;        // per block; one of them polls
constexpr unsigned nap = 100'000;  // nanoseconds between polls, which saves bandwidth

/// The messages between the host and the blocks, in host memory visible to both.
struct Board {
  int release = 0;              ///< set by the host: end now
  int out_of_time = 0;          ///< set by a block that ended before its release
  int place[most_blocks] = {};  ///< set by a block at its start: multiprocessor + 1
};

__global__ void __launch_bounds__(threads) wait_there(volatile Board* board, long long most) {
  if (threadIdx.x != 0) return;
  const long long start = roofline::gpu::read_clock().nanoseconds;
  int multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  board->place[blockIdx.x] = multiprocessor + 1;
  __threadfence_system();
  while (board->release == 0) {
    if (roofline::gpu::read_clock().nanoseconds - start > most) {
      board->out_of_time = 1;
      __threadfence_system();
      return;
    }
    __nanosleep(nap);
  }
}

/// The shared memory in bytes with which one block fills a multiprocessor. Every other block needs
/// at least the system's part.
int all_shared_memory() {
  const int block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const int reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
  const int whole = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  if (reserved <= 0 || block + reserved < whole)
    throw std::runtime_error(
        "One block cannot take all shared memory of a multiprocessor of this GPU, so none can be "
        "held: that needs compute capability 8.0.");
  return block;
}

/// The waiting blocks, from launch to end.
class WaitingBlocks {
 public:
  WaitingBlocks() {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(Board), cudaHostAllocMapped),
          "allocating memory that the host and the device see");
    board_ = new (memory) Board;
  }
  ~WaitingBlocks() {
    release();
    if (stream_ != nullptr) {
      cudaStreamSynchronize(stream_);
      cudaStreamDestroy(stream_);
    }
    cudaFreeHost(const_cast<Board*>(board_));
  }
  WaitingBlocks(const WaitingBlocks&) = delete;
  WaitingBlocks& operator=(const WaitingBlocks&) = delete;

  /// Returns when each block has its own multiprocessor. Throws if one has none.
  void start(int count, double seconds) {
    const int shared = all_shared_memory();
    check(cudaFuncSetAttribute(wait_there, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
          "asking for shared memory");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    wait_there<<<static_cast<unsigned>(count), threads, static_cast<std::size_t>(shared),
                 stream_>>>(board_, static_cast<long long>(1e9 * seconds));
    check(cudaGetLastError(), "starting blocks that wait");
    wait_for(count);
  }

  /// Releases the blocks. Throws if one had ended before.
  void let_go() {
    release();
    check(cudaStreamSynchronize(stream_), "waiting for blocks that wait");
    if (board_->out_of_time != 0)
      throw std::runtime_error(
          "The work did not end while the other multiprocessors were held: it waits for the "
          "whole device, or takes much longer than it should.");
  }

 private:
  void release() { board_->release = 1; }

  void wait_for(int count) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(2);
    std::set<int> places;
    for (int i = 0; i < count; ++i) {
      while (board_->place[i] == 0) {
        if (Clock::now() > end)
          throw std::runtime_error(
              "The blocks that hold the other multiprocessors did not all start within 2 s: "
              "something else runs on this GPU.");
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
      places.insert(static_cast<int>(board_->place[i]));
    }
    if (static_cast<int>(places.size()) != count)
      throw std::runtime_error("Two blocks that wait share a multiprocessor, so none is held.");
  }

  volatile Board* board_ = nullptr;  ///< at the same address on the device
  cudaStream_t stream_ = nullptr;
};

}  // namespace

int ConfinableRuntime::confine(int multiprocessors) const {
  const int ordinal = current_device();
  check(cudaFree(nullptr), "starting up the device");
  CUdevice device = 0;
  GPP_CALL(cuDeviceGet, &device, ordinal);
  CUdevResource all{};
  GPP_CALL(cuDeviceGetDevResource, device, &all, CU_DEV_RESOURCE_TYPE_SM);
  Green made{nullptr, static_cast<int>(all.sm.smCount)};
  if (multiprocessors > 0 && multiprocessors < made.multiprocessors)
    made = make_green(device, all, multiprocessors);
  else
    GPP_CALL(cuDevicePrimaryCtxRetain, &made.context, device);
  check(cudaDeviceSynchronize(), "waiting for the device");
  GPP_CALL(cuCtxSetCurrent, made.context);
  return made.multiprocessors;
}

void ConfinableRuntime::beside_waiting_blocks(int multiprocessors, double seconds,
                                              const std::function<void()>& work) const {
  const int others = attribute(cudaDevAttrMultiProcessorCount) - multiprocessors;
  if (others <= 0) return work();
  if (others > most_blocks)
    throw std::runtime_error("This GPU has more multiprocessors than can be held.");
  WaitingBlocks blocks;
  blocks.start(others, seconds);
  work();
  blocks.let_go();
}

}  // namespace gpp::cuda
