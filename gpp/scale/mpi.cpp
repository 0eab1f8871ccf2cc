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

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "gpp/scale/communicator.h"

namespace gpp::scale {
namespace {

using Clock = std::chrono::steady_clock;
using Requests = std::vector<MPI_Request>;

/// A message holds at most so much, because MPI counts in int.
constexpr std::size_t message_bytes = std::size_t{1} << 28;
/// Ranks do equal work between two meetings, so that none needs much longer than this one did.
/// Launchers such as srun let the others wait for ever where one died.
constexpr auto patience = std::chrono::seconds(50);

/// Whether all these messages are through; else after a short sleep.
bool all_done(Requests& requests) {
  int done = 0;
  MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  if (done == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  return done != 0;
}

/// Moves messages on in a thread of its own: MPI makes no progress unless somebody asks, and the
/// rank's own thread sums.
struct Carrier {
  explicit Carrier(Requests all) : requests(std::move(all)) {}

  Requests requests;
  Clock::time_point start = Clock::now(), end;
  std::atomic<bool> arrived{false};
  std::jthread thread{[this](const std::stop_token& given_up) {
    while (!all_done(requests) && !given_up.stop_requested()) continue;
    end = Clock::now();
    arrived = true;
  }};
};

#ifdef GPP_NCCL
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

/// Between the GPUs of a group of ranks.
class Nccl {
 public:
  Nccl(Communicator& group, int device) {
    check(cudaSetDevice(device));
    ncclUniqueId id{};
    if (group.rank() == 0) check(ncclGetUniqueId(&id));
    id = lists_of_all(group, std::vector{id}).front().front();
    // Its kernels go first: they take few multiprocessors, and the sum fills all.
    int least = 0, most = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &most));
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, most));
    check(ncclCommInitRank(&group_, group.size(), id, group.rank()));
  }
  ~Nccl() {
    ncclCommDestroy(group_);
    cudaStreamDestroy(stream_);
  }
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  Arrival start(const std::vector<Message>& sent, const std::vector<Message>& received) {
    const Event begin = event_of(stream_);
    check(ncclGroupStart());
    for (const Message& one : sent)
      check(ncclSend(one.data, one.bytes, ncclChar, one.rank, group_, stream_));
    for (const Message& one : received)
      check(ncclRecv(one.data, one.bytes, ncclChar, one.rank, group_, stream_));
    check(ncclGroupEnd());
    return [begin, end = event_of(stream_)] {
      float milliseconds = 0;
      check(cudaEventSynchronize(end.get()));
      check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
      return 1e-3 * milliseconds;
    };
  }

 private:
  ncclComm_t group_{};
  cudaStream_t stream_{};
};
#else
struct Nccl {
  Nccl(Communicator& /*group*/, int /*device*/) { throw std::runtime_error(GPP_NCCL_MISSING); }
  Arrival start(const std::vector<Message>& /*sent*/, const std::vector<Message>& /*received*/) {
    return {};
  }
};
#endif

class MpiRanks : public Communicator {
 public:
  /// All ranks, from MPI's start to its end.
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
      throw std::runtime_error(
          "this MPI lets only one thread talk, and blocks pass beside the sum");
    ask();
  }
  explicit MpiRanks(MPI_Comm group) : group_(group) { ask(); }
  ~MpiRanks() override { is_all() ? MPI_Finalize() : MPI_Comm_free(&group_); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void end_all(int status) noexcept override { MPI_Abort(MPI_COMM_WORLD, status); }

  std::unique_ptr<Communicator> split(int colour, std::optional<int> gpu) override {
    MPI_Comm group = MPI_COMM_NULL;
    MPI_Comm_split(group_, colour < 0 ? MPI_UNDEFINED : colour, rank_, &group);
    if (group == MPI_COMM_NULL) return nullptr;
    auto ranks = std::make_unique<MpiRanks>(group);
    if (gpu) ranks->nccl_ = std::make_unique<Nccl>(*ranks, *gpu);
    return ranks;
  }

  std::vector<std::string> gather(const std::string& text) override {
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(static_cast<std::size_t>(size_)), firsts = {0};
    Requests request(1);
    MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, group_, request.data());
    wait_until([&] { return all_done(request); });
    for (const int one : lengths) firsts.push_back(firsts.back() + one);
    std::string all(static_cast<std::size_t>(firsts.back()), '\0');
    MPI_Iallgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), firsts.data(),
                    MPI_CHAR, group_, request.data());
    wait_until([&] { return all_done(request); });
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      texts.emplace_back(all.data() + firsts[i], static_cast<std::size_t>(lengths[i]));
    return texts;
  }

  Arrival start(const std::vector<Message>& sent, const std::vector<Message>& received) override {
    if (nccl_) return nccl_->start(sent, received);
    Requests requests;
    const auto each = [&](const std::vector<Message>& messages, auto call) {
      for (const Message& message : messages)
        for (std::size_t first = 0; first < message.bytes; first += message_bytes)
          call(static_cast<char*>(message.data) + first,
               static_cast<int>(std::min(message_bytes, message.bytes - first)), MPI_BYTE,
               message.rank, 0, group_, &requests.emplace_back(MPI_REQUEST_NULL));
    };
    each(received, MPI_Irecv);
    each(sent, MPI_Isend);
    return [this, carrier = std::make_shared<Carrier>(std::move(requests))] {
      wait_until([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        return carrier->arrived.load();
      });
      return std::chrono::duration<double>(carrier->end - carrier->start).count();
    };
  }

 private:
  bool is_all() const { return group_ == MPI_COMM_WORLD; }
  void ask() {
    MPI_Comm_rank(group_, &rank_);
    MPI_Comm_size(group_, &size_);
  }

  /// Returns when `done` says so. The rank did its own work since it last came here.
  template <class Done>
  void wait_until(const Done& done) {
    const Clock::time_point start = Clock::now();
    const auto most =
        std::chrono::duration_cast<std::chrono::seconds>(patience + 3 * (start - met_));
    while (!done())
      if (!is_all() && Clock::now() - start > most)
        throw std::runtime_error("another rank did not come for " + std::to_string(most.count()) +
                                 " s: it hangs, is stopped, or the network does not reach it");
    met_ = Clock::now();
  }

  MPI_Comm group_ = MPI_COMM_WORLD;
  int rank_ = 0, size_ = 1;
  Clock::time_point met_ = Clock::now();
  std::unique_ptr<Nccl> nccl_;  ///< passes the messages, where these are of GPUs
};

}  // namespace
}  // namespace gpp::scale

/// The function that gpp/scale/communicator.cpp loads.
extern "C" __attribute__((visibility("default"))) gpp::scale::Communicator* gpp_all_ranks() {
  return new gpp::scale::MpiRanks;
}
