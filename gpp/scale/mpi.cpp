// The ranks of MPI, for gpp/scale/communicator.h.
//
// Everything that waits is a non-blocking call, asked again and again with a short sleep between:
// MPI's own waits would take a core from the sum.

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
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
Clock::time_point met = Clock::now();

void check(int status, const char* doing) {
  if (status == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw std::runtime_error("MPI failed while " + std::string(doing) + ": " + text);
}

int as_int(std::size_t size) { return static_cast<int>(size); }

bool all_done(std::vector<MPI_Request>& requests, const char* doing) {
  int done = 0;
  check(MPI_Testall(as_int(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), doing);
  return done != 0;
}

/// Returns when `done` says so. The rank did its own work from `begin` until now.
template <class Done>
void wait_until(const Done& done, Clock::time_point begin, const char* doing) {
  const Clock::time_point start = Clock::now();
  const auto most = patience + 3 * (start - begin);
  while (!done()) {
    if (Clock::now() - start > most)
      throw std::runtime_error(
          "another rank did not come for " +
          std::to_string(std::chrono::duration_cast<std::chrono::seconds>(most).count()) +
          " s while " + doing + ": it hangs, is stopped, or the network does not reach it");
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  met = Clock::now();
}

void wait(std::vector<MPI_Request> requests, const char* doing) {
  wait_until([&] { return all_done(requests, doing); }, met, doing);
}

/// Moves messages on in a thread of its own: MPI makes no progress unless somebody asks, and the
/// rank's own thread sums. Patience counts from the end of that sum.
class MpiTransfer : public Transfer {
 public:
  explicit MpiTransfer(std::vector<MPI_Request> requests)
      : requests_(std::move(requests)),
        thread_([this](const std::stop_token& given_up) { carry(given_up); }) {}
  double wait() override {
    wait_until([this] { return arrived_.load(); }, start_, "passing a block");
    if (trouble_) std::rethrow_exception(trouble_);
    return std::chrono::duration<double>(end_ - start_).count();
  }

 private:
  void carry(const std::stop_token& given_up) {
    try {
      while (!given_up.stop_requested() && !all_done(requests_, "passing a block"))
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    } catch (...) {
      trouble_ = std::current_exception();
    }
    end_ = Clock::now();
    arrived_ = true;
  }

  std::vector<MPI_Request> requests_;
  Clock::time_point start_ = Clock::now(), end_;
  std::exception_ptr trouble_;
  std::atomic<bool> arrived_{false};
  std::jthread thread_;  // last: it uses all of the above
};

class MpiCommunicator : public Communicator {
 public:
  MpiCommunicator(MPI_Comm comm, bool owned) : comm_(comm), owned_(owned) {
    check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "preparing a group of ranks");
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm local = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local),
          "asking which ranks share this host");
    MPI_Comm_rank(local, &local_rank_);
    MPI_Comm_size(local, &local_size_);
    MPI_Comm_free(&local);
  }
  ~MpiCommunicator() override {
    if (owned_) MPI_Comm_free(&comm_);
  }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  std::string name() const override { return "MPI"; }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  std::unique_ptr<Communicator> split(int colour) override {
    MPI_Comm part = MPI_COMM_NULL;
    check(MPI_Comm_split(comm_, colour, rank_, &part), "dividing the ranks into pools");
    return std::make_unique<MpiCommunicator>(part, true);
  }

  std::vector<std::string> gather(const std::string& text) override {
    const auto ranks = static_cast<std::size_t>(size_);
    int length = as_int(text.size());
    std::vector<int> lengths(ranks), firsts(ranks, 0);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm_, &request),
          "gathering texts");
    wait({request}, "waiting for all ranks");
    for (std::size_t i = 1; i < ranks; ++i) firsts[i] = firsts[i - 1] + lengths[i - 1];
    std::string all(static_cast<std::size_t>(firsts.back() + lengths.back()), '\0');
    check(MPI_Iallgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), firsts.data(),
                          MPI_CHAR, comm_, &request),
          "gathering texts");
    wait({request}, "waiting for all ranks");
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < ranks; ++i)
      texts.push_back(
          all.substr(static_cast<std::size_t>(firsts[i]), static_cast<std::size_t>(lengths[i])));
    return texts;
  }

  std::vector<double> sum(const std::vector<double>& values) override {
    std::vector<double> sums(values.size());
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(values.data(), sums.data(), as_int(values.size()), MPI_DOUBLE, MPI_SUM,
                         comm_, &request),
          "adding the sums of all ranks");
    wait({request}, "adding the sums of all ranks");
    return sums;
  }

  std::unique_ptr<Transfer> start(const std::vector<Message>& sent,
                                  const std::vector<Message>& received) override {
    std::vector<MPI_Request> requests;
    const auto each = [&](const std::vector<Message>& messages, auto call, const char* doing) {
      for (const Message& message : messages)
        for (std::size_t first = 0; first < message.bytes; first += message_bytes)
          check(call(static_cast<char*>(message.data) + first,
                     as_int(std::min(message_bytes, message.bytes - first)), MPI_BYTE, message.rank,
                     0, comm_, &requests.emplace_back(MPI_REQUEST_NULL)),
                doing);
    };
    each(received, MPI_Irecv, "receiving a block");
    each(sent, MPI_Isend, "sending a block");
    return std::make_unique<MpiTransfer>(std::move(requests));
  }

  void end_all(int status) noexcept override { MPI_Abort(MPI_COMM_WORLD, status); }

 private:
  MPI_Comm comm_;
  bool owned_;
  int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;
};

/// From MPI's start to its end.
class Session {
 public:
  Session() {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "starting");
    if (provided < MPI_THREAD_SERIALIZED)
      throw std::runtime_error(
          "this MPI lets only one thread of a process talk, and blocks pass beside the sum: "
          "install an MPI with MPI_THREAD_SERIALIZED, such as Debian's openmpi");
  }
  ~Session() { MPI_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

}  // namespace
}  // namespace gpp::scale

/// The function that gpp/scale/communicator.cpp loads. MPI ends with the program.
extern "C" __attribute__((visibility("default"))) gpp::scale::Communicator* gpp_all_ranks() {
  static const gpp::scale::Session session;
  return new gpp::scale::MpiCommunicator(MPI_COMM_WORLD, false);
}
