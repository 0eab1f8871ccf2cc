#include "runtimes/cuda/confine.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "roofline/cuda_driver.h"
#include "runtimes/cuda/launch.h"

namespace gpp::cuda {

#if CUDA_VERSION >= 12040

namespace {

// The library's copy of this type must have the driver's size.
static_assert(sizeof(roofline::CudaDriverResource) == sizeof(CUdevResource));
static_assert(offsetof(roofline::CudaDriverResource, multiprocessors) ==
              offsetof(CUdevResource, sm));
static_assert(roofline::cuda_driver_multiprocessors == CU_DEV_RESOURCE_TYPE_SM);

/// Driver functions, found at run time, so that the program starts without a driver.
struct Driver {
  decltype(&cuGetErrorString) error_string = nullptr;
  decltype(&cuDeviceGet) device = nullptr;
  decltype(&cuDevicePrimaryCtxRetain) primary_context = nullptr;
  decltype(&cuCtxSetCurrent) set_current = nullptr;
  decltype(&cuDeviceGetDevResource) resource = nullptr;
  decltype(&cuDevSmResourceSplitByCount) split = nullptr;
  decltype(&cuDevResourceGenerateDesc) describe = nullptr;
  decltype(&cuGreenCtxCreate) create = nullptr;
  decltype(&cuCtxFromGreenCtx) context_of = nullptr;
};

// The header may map a name to a later version of the function, so the name that is searched must
// be the declared version's.
#define GPP_TEXT(name) #name
#define GPP_DRIVER_NAME(function) GPP_TEXT(function)
#define GPP_FIND(member, function) \
  roofline::find_cuda_driver_function(GPP_DRIVER_NAME(function), found.member)

const Driver& driver() {
  static const Driver all = [] {
    Driver found;
    const bool complete =
        GPP_FIND(error_string, cuGetErrorString) && GPP_FIND(device, cuDeviceGet) &&
        GPP_FIND(primary_context, cuDevicePrimaryCtxRetain) &&
        GPP_FIND(set_current, cuCtxSetCurrent) && GPP_FIND(resource, cuDeviceGetDevResource) &&
        GPP_FIND(split, cuDevSmResourceSplitByCount) &&
        GPP_FIND(describe, cuDevResourceGenerateDesc) && GPP_FIND(create, cuGreenCtxCreate) &&
        GPP_FIND(context_of, cuCtxFromGreenCtx);
    if (!complete)
      throw std::runtime_error(
          "The NVIDIA driver knows no green contexts, which confine work to a part of the "
          "multiprocessors: they came with driver 550. Update the driver.");
    return found;
  }();
  return all;
}

#undef GPP_FIND
#undef GPP_DRIVER_NAME
#undef GPP_TEXT

void expect(CUresult status, const char* function) {
  if (status == CUDA_SUCCESS) return;
  const char* words = nullptr;
  driver().error_string(status, &words);
  std::string message = std::string(
                            "The driver does not confine work to a part of the "
                            "multiprocessors: ") +
                        function + ": " + (words == nullptr ? "unknown error" : words) + ".";
  if (status == CUDA_ERROR_NOT_SUPPORTED)
    message += " It refuses where CUPTI has counted in the same process, and on GPUs under MIG.";
  throw std::runtime_error(message);
}

struct Green {
  CUcontext context = nullptr;
  int multiprocessors = 0;
};

Green make_green(CUdevice device, CUdevResource& all, int multiprocessors) {
  CUdevResource part{};
  CUdevResource rest{};
  unsigned groups = 1;
  expect(driver().split(&part, &groups, &all, &rest, 0, static_cast<unsigned>(multiprocessors)),
         "cuDevSmResourceSplitByCount");
  if (groups != 1) throw std::runtime_error("The driver gave no group of multiprocessors.");
  CUdevResourceDesc description = nullptr;
  expect(driver().describe(&description, &part, 1), "cuDevResourceGenerateDesc");
  CUgreenCtx green = nullptr;
  expect(driver().create(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM),
         "cuGreenCtxCreate");
  Green made;
  expect(driver().context_of(&made.context, green), "cuCtxFromGreenCtx");
  made.multiprocessors = static_cast<int>(part.sm.smCount);
  return made;
}

}  // namespace

int confine(int multiprocessors) {
  static std::map<int, Green> contexts;  // contexts by the requested number
  const int ordinal = current_device();
  check(cudaFree(nullptr), "starting up the device");
  CUdevice device = 0;
  expect(driver().device(&device, ordinal), "cuDeviceGet");
  CUdevResource all{};
  expect(driver().resource(device, &all, CU_DEV_RESOURCE_TYPE_SM), "cuDeviceGetDevResource");
  const int there = static_cast<int>(all.sm.smCount);
  if (multiprocessors <= 0 || multiprocessors >= there) multiprocessors = there;
  auto known = contexts.find(multiprocessors);
  if (known == contexts.end()) {
    Green made{nullptr, there};
    if (multiprocessors == there)
      expect(driver().primary_context(&made.context, device), "cuDevicePrimaryCtxRetain");
    else
      made = make_green(device, all, multiprocessors);
    known = contexts.emplace(multiprocessors, made).first;
  }
  check(cudaDeviceSynchronize(), "waiting for the device");
  expect(driver().set_current(known->second.context), "cuCtxSetCurrent");
  return known->second.multiprocessors;
}

#else

int confine(int /*multiprocessors*/) {
  throw std::runtime_error(
      "This program was built with a CUDA Toolkit that knows no green contexts. Build it with the "
      "CUDA Toolkit 12.6 or later to confine work to a part of the multiprocessors.");
}

#endif

// ---- Blocks that hold multiprocessors and wait
// ---------------------------------------------------

namespace {

constexpr int most_blocks = 1024;  // more than the multiprocessors of any device
constexpr int threads = 32;        // per block; one of them polls
constexpr unsigned nap = 100'000;  // nanoseconds between polls, which saves bandwidth

/// The messages between the host and the blocks, in host memory visible to both.
struct Board {
  int release = 0;                    ///< set by the host: end now
  int place[most_blocks] = {};        ///< set by a block at its start: multiprocessor + 1
  int out_of_time[most_blocks] = {};  ///< set by a block that ended before its release
};

__device__ long long nanoseconds_now() {
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void __launch_bounds__(threads) wait_there(volatile Board* board, long long most) {
  if (threadIdx.x != 0) return;
  const long long start = nanoseconds_now();
  int multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  board->place[blockIdx.x] = multiprocessor + 1;
  __threadfence_system();
  while (board->release == 0) {
    if (nanoseconds_now() - start > most) {
      board->out_of_time[blockIdx.x] = 1;
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
  WaitingBlocks(int count, double seconds) : count_(count) {
    const int shared = all_shared_memory();
    check(cudaFuncSetAttribute(wait_there, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
          "asking for shared memory");
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(Board), cudaHostAllocMapped),
          "allocating memory that the host and the device see");
    board_ = new (memory) Board;
    try {
      check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
      void* seen = nullptr;
      check(cudaHostGetDevicePointer(&seen, board_, 0), "asking for a place in memory");
      wait_there<<<static_cast<unsigned>(count), threads, static_cast<std::size_t>(shared),
                   stream_>>>(static_cast<Board*>(seen), static_cast<long long>(1e9 * seconds));
      check(cudaGetLastError(), "starting blocks that wait");
      wait_until_there();
    } catch (...) {
      clear();
      throw;
    }
  }
  ~WaitingBlocks() { clear(); }
  WaitingBlocks(const WaitingBlocks&) = delete;
  WaitingBlocks& operator=(const WaitingBlocks&) = delete;

  /// Releases the blocks. Throws if one had ended before.
  void let_go() {
    release();
    check(cudaStreamSynchronize(stream_), "waiting for blocks that wait");
    const volatile Board& board = *board_;
    for (int i = 0; i < count_; ++i)
      if (board.out_of_time[i] != 0)
        throw std::runtime_error(
            "The work did not end while the other multiprocessors were held: it waits for the "
            "whole device, or takes much longer than it should.");
  }

 private:
  void release() { static_cast<volatile Board*>(board_)->release = 1; }

  /// Waits until every block has its own multiprocessor; otherwise none is held.
  void wait_until_there() {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(2);
    const volatile Board& board = *board_;
    std::set<int> places;
    for (int i = 0; i < count_; ++i) {
      while (board.place[i] == 0) {
        if (Clock::now() > end)
          throw std::runtime_error(
              "The blocks that hold the other multiprocessors did not all start within 2 s: "
              "something else runs on this GPU.");
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
      places.insert(static_cast<int>(board.place[i]));
    }
    if (static_cast<int>(places.size()) != count_)
      throw std::runtime_error("Two blocks that wait share a multiprocessor, so none is held.");
  }

  void clear() {
    release();
    if (stream_ != nullptr) {
      cudaStreamSynchronize(stream_);
      cudaStreamDestroy(stream_);
    }
    cudaFreeHost(board_);
    stream_ = nullptr;
    board_ = nullptr;
  }

  int count_;
  Board* board_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace

void beside_waiting_blocks(int multiprocessors, double seconds, const std::function<void()>& work) {
  const int others = attribute(cudaDevAttrMultiProcessorCount) - multiprocessors;
  if (others <= 0) return work();
  if (others > most_blocks)
    throw std::runtime_error("This GPU has more multiprocessors than can be held.");
  WaitingBlocks blocks(others, seconds);
  work();
  blocks.let_go();
}

}  // namespace gpp::cuda
