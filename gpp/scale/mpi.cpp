// The ranks of MPI, for gpp/scale/communicator.h. Whatever waits asks again and again with a short
// sleep between: MPI's own waits would take a core from the sum. Where MPI itself finds a fault, it
// says so and ends all ranks.
//
// Blocks pass from GPU to GPU by NCCL. MPI alone cannot: as packaged it knows nothing of GPUs, and
// between two of one host its way through their memory takes longer than the sum that should hide
// it (docs/scaling.md).

#include <mpi.h>
#ifdef GPP_NCCL
#include <cuda_runtime.h>
#include <nccl.h>
#endif

#include <chrono>
#include <stdexcept>
#include <thread>

#include "gpp/scale/communicator.h"

namespace gpp::scale {
namespace {

using Clock = std::chrono::steady_clock;
using Requests = std::vector<MPI_Request>;
using Start = std::function<Arrival(const Messages& sent, const Messages& received)>;

void wait_for(Requests& requests) {
  for (int done = 0;; std::this_thread::sleep_for(std::chrono::microseconds(100))) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return;
  }
}

#ifdef GPP_NCCL
void check(ncclResult_t status) {
  if (status != ncclSuccess && status != ncclInProgress)
    throw std::runtime_error(std::string("NCCL failed: ") + ncclGetErrorString(status));
}

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string("CUDA failed: ") + cudaGetErrorString(status));
}

/// An event of the stream, now. Who waits for it sleeps, and asks nothing again and again.
std::shared_ptr<CUevent_st> event_of(cudaStream_t stream) {
  cudaEvent_t event{};
  check(cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
  std::shared_ptr<CUevent_st> owned(event, cudaEventDestroy);
  check(cudaEventRecord(event, stream));
  return owned;
}

/// What starts messages between the GPUs of all ranks.
Start between_gpus(Communicator& all, int gpu) {
  check(cudaSetDevice(gpu));
  ncclUniqueId id{};
  if (all.rank() == 0) check(ncclGetUniqueId(&id));
  id = lists_of_all(all, std::vector{id}).front().front();
  // Its kernels go first: they take few multiprocessors, and the sum fills all.
  int least = 0, most = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &most));
  cudaStream_t stream{};
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, most));
  ncclComm_t made{};
  check(ncclCommInitRank(&made, all.size(), id, all.rank()));
  const std::shared_ptr<ncclComm> gpus(made, [stream](ncclComm_t ended) {
    ncclCommDestroy(ended);
    cudaStreamDestroy(stream);
  });
  return [gpus, stream](const Messages& sent, const Messages& received) {
    const auto begin = event_of(stream);
    check(ncclGroupStart());
    for (const Message& one : sent)
      check(
          ncclSend(one.data, std::size_t{2} * one.count, ncclDouble, one.rank, gpus.get(), stream));
    for (const Message& one : received)
      check(
          ncclRecv(one.data, std::size_t{2} * one.count, ncclDouble, one.rank, gpus.get(), stream));
    check(ncclGroupEnd());
    return std::async(std::launch::deferred, [begin, end = event_of(stream)] {
      float milliseconds = 0;
      check(cudaEventSynchronize(end.get()));
      check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
      return 1e-3 * milliseconds;
    });
  };
}
#else
Start between_gpus(Communicator& /*all*/, int /*gpu*/) {
  throw std::runtime_error(GPP_NCCL_MISSING);
}
#endif

/// The ranks of MPI, from its start to its end.
class MpiRanks : public Communicator {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { MPI_Finalize(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void pass_between_gpus(int gpu) override { start_ = between_gpus(*this, gpu); }
  void end_all(int status) noexcept override { MPI_Abort(MPI_COMM_WORLD, status); }

  std::vector<std::string> gather(const std::string& text) override {
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(static_cast<std::size_t>(size_)), firsts = {0};
    Requests request(1);
    MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD, request.data());
    wait_for(request);
    for (const int one : lengths) firsts.push_back(firsts.back() + one);
    std::string all(static_cast<std::size_t>(firsts.back()), '\0');
    MPI_Iallgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), firsts.data(),
                    MPI_CHAR, MPI_COMM_WORLD, request.data());
    wait_for(request);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      texts.emplace_back(all.data() + firsts[i], static_cast<std::size_t>(lengths[i]));
    return texts;
  }

  /// A thread of its own moves the messages on: MPI makes no progress unless somebody asks, and the
  /// rank's own thread sums.
  Arrival start(const Messages& sent, const Messages& received) override {
    if (start_) return start_(sent, received);
    Requests requests;
    for (const Message& one : received)
      MPI_Irecv(one.data, one.count, MPI_C_DOUBLE_COMPLEX, one.rank, 0, MPI_COMM_WORLD,
                &requests.emplace_back());
    for (const Message& one : sent)
      MPI_Isend(one.data, one.count, MPI_C_DOUBLE_COMPLEX, one.rank, 0, MPI_COMM_WORLD,
                &requests.emplace_back());
    return std::async(std::launch::async, [requests, begin = Clock::now()]() mutable {
      wait_for(requests);
      return std::chrono::duration<double>(Clock::now() - begin).count();
    });
  }

 private:
  int rank_ = 0, size_ = 1;
  Start start_;  ///< of messages between GPUs
};

}  // namespace
}  // namespace gpp::scale

/// The function that gpp/scale/calculation.cpp loads.
extern "C" __attribute__((visibility("default"))) gpp::scale::Communicator* gpp_all_ranks() {
  return new gpp::scale::MpiRanks;
}
