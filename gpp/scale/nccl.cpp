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

/// Two events of the stream, before and behind the messages. Waiting for the second blocks the
/// thread: nobody asks again and again.
class NcclTransfer : public Transfer {
 public:
  explicit NcclTransfer(cudaStream_t stream) : stream_(stream) {
    for (cudaEvent_t* event : {&begin_, &end_})
      check(cudaEventCreateWithFlags(event, cudaEventBlockingSync), "creating an event");
    check(cudaEventRecord(begin_, stream_), "recording an event");
  }
  ~NcclTransfer() override {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  NcclTransfer(const NcclTransfer&) = delete;
  NcclTransfer& operator=(const NcclTransfer&) = delete;

  void started() { check(cudaEventRecord(end_, stream_), "recording an event"); }
  double wait() override {
    float milliseconds = 0;
    check(cudaEventSynchronize(end_), "passing a block");
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "passing a block");
    return 1e-3 * milliseconds;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_{}, end_{};
};

class NcclLinks : public Links {
 public:
  NcclLinks(Communicator& ranks, int device) {
    check(cudaSetDevice(device), "choosing the device");
    ncclUniqueId id{};
    if (ranks.rank() == 0) check(ncclGetUniqueId(&id), "starting");
    const std::string of_first = ranks.gather(std::string(id.internal, sizeof(id.internal)))[0];
    std::memcpy(id.internal, of_first.data(), sizeof(id.internal));
    // Its kernels go first: they take few multiprocessors, and the sum fills all.
    int least = 0, most = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &most), "asking for priorities");
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, most), "creating a stream");
    check(ncclCommInitRank(&ranks_, ranks.size(), id, ranks.rank()), "starting");
  }
  ~NcclLinks() override {
    ncclCommDestroy(ranks_);
    cudaStreamDestroy(stream_);
  }
  NcclLinks(const NcclLinks&) = delete;
  NcclLinks& operator=(const NcclLinks&) = delete;

  std::string name() const override { return "NCCL"; }
  std::unique_ptr<Transfer> start(const std::vector<Message>& sent,
                                  const std::vector<Message>& received) override {
    auto transfer = std::make_unique<NcclTransfer>(stream_);
    check(ncclGroupStart(), "passing a block");
    for (const Message& one : sent)
      check(ncclSend(one.data, one.bytes, ncclChar, one.rank, ranks_, stream_), "sending a block");
    for (const Message& one : received)
      check(ncclRecv(one.data, one.bytes, ncclChar, one.rank, ranks_, stream_),
            "receiving a block");
    check(ncclGroupEnd(), "passing a block");
    transfer->started();
    return transfer;
  }

 private:
  ncclComm_t ranks_{};
  cudaStream_t stream_{};
};

}  // namespace
}  // namespace gpp::scale

/// The function that gpp/scale/communicator.cpp loads.
extern "C" __attribute__((visibility("default"))) gpp::scale::Links* gpp_nccl_links(
    gpp::scale::Communicator& ranks, int device) {
  return new gpp::scale::NcclLinks(ranks, device);
}
