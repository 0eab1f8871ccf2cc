// The ranks of MPI, for gpp/scale/communicator.h.
//
// Whatever waits asks again and again with a short sleep between: MPI's own waits would take a core
// from the sum. Where MPI itself finds a fault, it says so and ends all ranks.

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "gpp/scale/communicator.h"

namespace gpp::scale {
namespace {

using Clock = std::chrono::steady_clock;

/// A message holds at most so much, because MPI counts in int.
constexpr std::size_t message_bytes = std::size_t{1} << 28;
/// Ranks do equal work between two meetings, so that none needs much longer than this one did.
/// Launchers such as srun let the others wait for ever where one died.
constexpr auto patience = std::chrono::seconds(50);
constexpr auto nap = std::chrono::microseconds(100);

/// Whether all these messages are through.
bool all_done(std::vector<MPI_Request>& requests) {
  int done = 0;
  MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  return done != 0;
}

/// Returns when `done` says so. The rank did its own work since it last came here.
template <class Done>
void wait_until(const Done& done) {
  static Clock::time_point met = Clock::now();
  const Clock::time_point start = Clock::now();
  const auto most = patience + 3 * (start - met);
  for (; !done(); std::this_thread::sleep_for(nap))
    if (Clock::now() - start > most)
      throw std::runtime_error(
          "another rank did not come for " +
          std::to_string(std::chrono::duration_cast<std::chrono::seconds>(most).count()) +
          " s: it hangs, is stopped, or the network does not reach it");
  met = Clock::now();
}

/// Moves messages on in a thread of its own: MPI makes no progress unless somebody asks, and the
/// rank's own thread sums.
class Carrier {
 public:
  explicit Carrier(std::vector<MPI_Request> requests)
      : requests_(std::move(requests)),
        thread_([this](const std::stop_token& given_up) { carry(given_up); }) {}
  double wait() {
    wait_until([this] { return arrived_.load(); });
    return std::chrono::duration<double>(end_ - start_).count();
  }

 private:
  void carry(const std::stop_token& given_up) {
    while (!given_up.stop_requested() && !all_done(requests_)) std::this_thread::sleep_for(nap);
    end_ = Clock::now();
    arrived_ = true;
  }

  std::vector<MPI_Request> requests_;
  Clock::time_point start_ = Clock::now(), end_;
  std::atomic<bool> arrived_{false};
  std::jthread thread_;  // last: it uses all of the above
};

/// From MPI's start to its end.
class MpiRanks : public Communicator {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
      throw std::runtime_error(
          "this MPI lets only one thread of a process talk, and blocks pass beside the sum: "
          "install an MPI with MPI_THREAD_SERIALIZED, such as Debian's openmpi");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { MPI_Finalize(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  std::string name() const override { return "MPI"; }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void end_all(int status) noexcept override { MPI_Abort(MPI_COMM_WORLD, status); }

  std::vector<std::string> gather(const std::string& text) override {
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(static_cast<std::size_t>(size_)), firsts = {0};
    std::vector<MPI_Request> request(1);
    const auto wait = [&request] { wait_until([&] { return all_done(request); }); };
    MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD, request.data());
    wait();
    for (const int one : lengths) firsts.push_back(firsts.back() + one);
    std::string all(static_cast<std::size_t>(firsts.back()), '\0');
    MPI_Iallgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), firsts.data(),
                    MPI_CHAR, MPI_COMM_WORLD, request.data());
    wait();
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      texts.emplace_back(all.data() + firsts[i], static_cast<std::size_t>(lengths[i]));
    return texts;
  }

  Arrival start(const std::vector<Message>& sent, const std::vector<Message>& received) override {
    std::vector<MPI_Request> requests;
    const auto each = [&](const std::vector<Message>& messages, auto call) {
      for (const Message& message : messages)
        for (std::size_t first = 0; first < message.bytes; first += message_bytes)
          call(static_cast<char*>(message.data) + first,
               static_cast<int>(std::min(message_bytes, message.bytes - first)), MPI_BYTE,
               message.rank, 0, MPI_COMM_WORLD, &requests.emplace_back(MPI_REQUEST_NULL));
    };
    each(received, MPI_Irecv);
    each(sent, MPI_Isend);
    const auto carrier = std::make_shared<Carrier>(std::move(requests));
    return [carrier] { return carrier->wait(); };
  }

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace
}  // namespace gpp::scale

/// The function that gpp/scale/communicator.cpp loads.
extern "C" __attribute__((visibility("default"))) gpp::scale::Communicator* gpp_all_ranks() {
  return new gpp::scale::MpiRanks;
}
