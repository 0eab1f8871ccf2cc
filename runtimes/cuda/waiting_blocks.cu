// Blocks that hold multiprocessors and wait.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>

#include "runtimes/cuda/confine.h"
#include "runtimes/cuda/error.h"

namespace gpp::cuda {
namespace {

constexpr int most_blocks = 1024;  // more than any device has multiprocessors
constexpr int threads = 32;        // of a block, of which one looks
constexpr unsigned nap = 100'000;  // nanoseconds between two looks: they cost no bandwidth

/// The messages between the host and the blocks, in the host's memory, which all of them see.
struct Board {
  int release = 0;                    ///< the host: go
  int place[most_blocks] = {};        ///< block: its multiprocessor + 1, once it is there
  int out_of_time[most_blocks] = {};  ///< block: it went before it was let go
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

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&value, which, device), "asking for the device's attributes");
  return value;
}

/// Shared memory for one block, bytes, with which it fills a multiprocessor: every other block
/// needs at least what the system keeps of it.
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

/// The blocks, from their launch to their end.
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

  /// Lets them go. Throws where one had gone before.
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

  /// Every block on a multiprocessor of its own, or none is held.
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
