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

using Event = std::shared_ptr<CUevent_st>;

/// An event of the stream, now. Who waits for it sleeps, and asks nothing again and again.
Event event_of(cudaStream_t stream) {
  cudaEvent_t event{};
  check(cudaEventCreateWithFlags(&event, cudaEventBlockingSync), "creating an event");
  Event owned(event, cudaEventDestroy);
  check(cudaEventRecord(event, stream), "recording an event");
  return owned;
}

class NcclLinks : public Links {
 public:
  NcclLinks(Communicator& all, int device) {
    check(cudaSetDevice(device), "choosing the device");
    ncclUniqueId id{};
    if (all.rank() == 0) check(ncclGetUniqueId(&id), "starting");
    id = lists_of_all(all, std::vector{id}).front().front();
    // Its kernels go first: they take few multiprocessors, and the sum fills all.
    int least = 0, most = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &most), "asking for priorities");
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, most), "creating a stream");
    check(ncclCommInitRank(&ranks_, all.size(), id, all.rank()), "starting");
  }
  ~NcclLinks() override {
    ncclCommDestroy(ranks_);
    cudaStreamDestroy(stream_);
  }
  NcclLinks(const NcclLinks&) = delete;
  NcclLinks& operator=(const NcclLinks&) = delete;

  std::string name() const override { return "NCCL"; }
  Arrival start(const std::vector<Message>& sent, const std::vector<Message>& received) override {
    const Event begin = event_of(stream_);
    check(ncclGroupStart(), "passing a block");
    for (const Message& one : sent)
      check(ncclSend(one.data, one.bytes, ncclChar, one.rank, ranks_, stream_), "sending a block");
    for (const Message& one : received)
      check(ncclRecv(one.data, one.bytes, ncclChar, one.rank, ranks_, stream_),
            "receiving a block");
    check(ncclGroupEnd(), "passing a block");
    return [begin, end = event_of(stream_)] {
      float milliseconds = 0;
      check(cudaEventSynchronize(end.get()), "passing a block");
      check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "passing a block");
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
