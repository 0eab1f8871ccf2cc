// Blocks from GPU to GPU by NCCL, for gpp/scale/communicator.h.
//
// MPI alone cannot: as packaged it knows nothing of GPUs, and between two of one host its way
// through their memory takes longer than the sum that should hide it (docs/scaling.md).

#include <cuda_runtime.h>
#include <nccl.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "gpp/scale/communicator.h"

namespace gpp::scale {
namespace {

void check(ncclResult_t status, const char* doing) {
  if (status == ncclSuccess || status == ncclInProgress) return;
  throw std::runtime_error("NCCL failed while " + std::string(doing) + ": " +
                           ncclGetErrorString(status));
}

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  throw std::runtime_error("CUDA failed while " + std::string(doing) + ": " +
                           cudaGetErrorString(status));
}

/// Done when the stream has come past an event behind the transfer.
class NcclTransfer : public Transfer {
 public:
  NcclTransfer(cudaStream_t stream, ncclComm_t ranks, int device) : ranks_(ranks), device_(device) {
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event");
    check(cudaEventRecord(event_, stream), "recording an event");
  }
  ~NcclTransfer() override { cudaEventDestroy(event_); }
  NcclTransfer(const NcclTransfer&) = delete;
  NcclTransfer& operator=(const NcclTransfer&) = delete;

  bool done() override {
    check(cudaSetDevice(device_), "choosing the device");
    const cudaError_t status = cudaEventQuery(event_);
    if (status != cudaErrorNotReady) {
      check(status, "passing a block");
      return true;
    }
    ncclResult_t trouble = ncclSuccess;
    check(ncclCommGetAsyncError(ranks_, &trouble), "asking for errors");
    check(trouble, "passing a block");
    return false;
  }

 private:
  cudaEvent_t event_{};
  ncclComm_t ranks_;
  int device_;
};

class NcclExchange : public Exchange {
 public:
  NcclExchange(Communicator& ranks, int device) : device_(device) {
    check(cudaSetDevice(device), "choosing the device");
    ncclUniqueId id{};
    if (ranks.rank() == 0) check(ncclGetUniqueId(&id), "starting");
    const std::string of_first = ranks.gather(std::string(id.internal, sizeof(id.internal)))[0];
    std::memcpy(id.internal, of_first.data(), sizeof(id.internal));
    // Its kernels go first: they take few multiprocessors, and the sum fills all.
    int least = 0;
    int most = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &most), "asking for priorities");
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, most), "creating a stream");
    check(ncclCommInitRank(&ranks_, ranks.size(), id, ranks.rank()), "starting");
  }
  ~NcclExchange() override {
    ncclCommDestroy(ranks_);
    cudaStreamDestroy(stream_);
  }
  NcclExchange(const NcclExchange&) = delete;
  NcclExchange& operator=(const NcclExchange&) = delete;

  std::unique_ptr<Transfer> pass(const void* block, std::size_t size, int to, void* received,
                                 std::size_t received_size, int from) override {
    check(ncclGroupStart(), "passing a block");
    check(ncclSend(block, size, ncclChar, to, ranks_, stream_), "sending a block");
    check(ncclRecv(received, received_size, ncclChar, from, ranks_, stream_), "receiving a block");
    check(ncclGroupEnd(), "passing a block");
    return std::make_unique<NcclTransfer>(stream_, ranks_, device_);
  }

  std::unique_ptr<Transfer> spread(void* block, std::size_t size, int root) override {
    check(ncclBroadcast(block, block, size, ncclChar, root, ranks_, stream_), "spreading a block");
    return std::make_unique<NcclTransfer>(stream_, ranks_, device_);
  }

 private:
  ncclComm_t ranks_{};
  cudaStream_t stream_{};
  int device_;
};

}  // namespace
}  // namespace gpp::scale

/// The function that gpp/scale/communicator.cpp loads.
extern "C" __attribute__((visibility("default"))) gpp::scale::Exchange* gpp_nccl_exchange(
    gpp::scale::Communicator& ranks, int device) {
  return new gpp::scale::NcclExchange(ranks, device);
}
