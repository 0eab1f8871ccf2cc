// Blocks from GPU to GPU by NCCL, for gpp/scale/communicator.h.
//
// MPI alone cannot: as packaged it knows nothing of GPUs, and between two of one host its way
// through their memory takes longer than the sum that should hide it (docs/scaling.md).

#include <cuda_runtime.h>
#include <nccl.h>

#include <stdexcept>

#include "gpp/scale/communicator.h"

namespace gpp::scale {
namespace {

void check(ncclResult_t status) {
  if (status != ncclSuccess && status != ncclInProgress)
    throw std::runtime_error(std::string("NCCL failed: ") + ncclGetErrorString(status));
}

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string("CUDA failed: ") + cudaGetErrorString(status));
}

using Event = std::shared_ptr<CUevent_st>;

/// An event of the stream, now. Who waits for it sleeps, and asks nothing again and again.
Event event_of(cudaStream_t stream) {
  cudaEvent_t event{};
  check(cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
  Event owned(event, cudaEventDestroy);
  check(cudaEventRecord(event, stream));
  return owned;
}

class NcclLinks : public Links {
 public:
  NcclLinks(Communicator& all, int device) {
    check(cudaSetDevice(device));
    ncclUniqueId id{};
    if (all.rank() == 0) check(ncclGetUniqueId(&id));
    id = lists_of_all(all, std::vector{id}).front().front();
    // Its kernels go first: they take few multiprocessors, and the sum fills all.
    int least = 0, most = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &most));
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, most));
    check(ncclCommInitRank(&ranks_, all.size(), id, all.rank()));
  }
  ~NcclLinks() override {
    ncclCommDestroy(ranks_);
    cudaStreamDestroy(stream_);
  }
  NcclLinks(const NcclLinks&) = delete;
  NcclLinks& operator=(const NcclLinks&) = delete;

  Arrival start(const std::vector<Message>& sent, const std::vector<Message>& received) override {
    const Event begin = event_of(stream_);
    check(ncclGroupStart());
    for (const Message& one : sent)
      check(ncclSend(one.data, one.bytes, ncclChar, one.rank, ranks_, stream_));
    for (const Message& one : received)
      check(ncclRecv(one.data, one.bytes, ncclChar, one.rank, ranks_, stream_));
    check(ncclGroupEnd());
    return [begin, end = event_of(stream_)] {
      float milliseconds = 0;
      check(cudaEventSynchronize(end.get()));
      check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
      return 1e-3 * milliseconds;
    };
  }

 private:
  ncclComm_t ranks_{};
  cudaStream_t stream_{};
};

}  // namespace
}  // namespace gpp::scale

/// The function that gpp/scale/communicator.cpp loads.
extern "C" __attribute__((visibility("default"))) gpp::scale::Links* gpp_nccl_links(
    gpp::scale::Communicator& all, int device) {
  return new gpp::scale::NcclLinks(all, device);
}
