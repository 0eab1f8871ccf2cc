// The ranks of MPI, for gpp/scale/communicator.h.
//
// Everything that waits is a non-blocking call, asked again and again with a short sleep between:
// MPI's own waits would take a core from the sum.

#include "gpp/scale/communicator.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>

#include "gpp/scale/late_ranks.h"

namespace gpp::scale {
namespace {

/// A message holds at most so much, because MPI counts in int.
constexpr std::size_t message_bytes = std::size_t{1} << 28;
constexpr auto pause = std::chrono::microseconds(50);
constexpr auto patience = std::chrono::seconds(50);
/// Seconds that calls may take which MPI knows in a waiting form alone; set when MPI starts.
double longest_call = 0;

void check(int status, const char* doing) {
  if (status == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw std::runtime_error("MPI failed while " + std::string(doing) + ": " + text);
}

int as_int(std::size_t size) { return static_cast<int>(size); }

class MpiTransfer : public Transfer {
 public:
  MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  bool done() override {
    int all = 0;
    check(MPI_Testall(as_int(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE),
          "passing a block");
    return all != 0;
  }

 private:
  std::vector<MPI_Request> requests_;
};

/// The end of a large array goes in messages of its own.
template <class Message>
void in_messages(std::size_t size, const Message& message) {
  for (std::size_t first = 0; first < size; first += message_bytes)
    message(first, as_int(std::min(message_bytes, size - first)));
}

/// Ranks do equal work between two meetings: none needs much longer than this one did. Launchers
/// such as srun let the others wait for ever where one died.
void wait(MPI_Request request, const char* doing) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point met = Clock::now();
  const Clock::time_point start = Clock::now();
  const auto most = patience + 3 * (start - met);
  for (int done = 0; done == 0;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), doing);
    if (done != 0) break;
    if (Clock::now() - start > most)
      throw std::runtime_error(not_come(std::chrono::duration<double>(most).count(), doing));
    std::this_thread::sleep_for(pause);
  }
  met = Clock::now();
}

class MpiCommunicator : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm comm, bool owned) : comm_(comm), owned_(owned) {
    check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "preparing a group of ranks");
    check(MPI_Comm_rank(comm_, &rank_), "asking for the rank");
    check(MPI_Comm_size(comm_, &size_), "asking for the number of ranks");
    const Deadline deadline(longest_call, "asking which ranks share a host");
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

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  std::unique_ptr<Communicator> split(int colour) override {
    const Deadline deadline(longest_call, "dividing the ranks into pools");
    MPI_Comm part = MPI_COMM_NULL;
    check(MPI_Comm_split(comm_, colour, rank_, &part), "dividing the ranks into pools");
    return std::make_unique<MpiCommunicator>(part, true);
  }

  std::vector<std::string> gather(const std::string& text) override {
    const auto ranks = static_cast<std::size_t>(size_);
    int length = as_int(text.size());
    std::vector<int> lengths(ranks);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm_, &request),
          "gathering texts");
    wait(request, "gathering texts");
    std::vector<int> firsts(ranks, 0);
    for (std::size_t i = 1; i < ranks; ++i) firsts[i] = firsts[i - 1] + lengths[i - 1];
    std::string all(static_cast<std::size_t>(firsts.back() + lengths.back()), '\0');
    check(MPI_Iallgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), firsts.data(),
                          MPI_CHAR, comm_, &request),
          "gathering texts");
    wait(request, "gathering texts");
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
    wait(request, "adding the sums of all ranks");
    return sums;
  }

  void meet() override {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(comm_, &request), "waiting for all ranks");
    wait(request, "waiting for all ranks");
  }

  std::unique_ptr<Transfer> pass(const void* block, std::size_t size, int to, void* received,
                                 std::size_t received_size, int from) override {
    auto transfer = std::make_unique<MpiTransfer>();
    in_messages(received_size, [&](std::size_t first, int count) {
      check(MPI_Irecv(static_cast<char*>(received) + first, count, MPI_BYTE, from, 0, comm_,
                      transfer->add()),
            "receiving a block");
    });
    in_messages(size, [&](std::size_t first, int count) {
      check(MPI_Isend(static_cast<const char*>(block) + first, count, MPI_BYTE, to, 0, comm_,
                      transfer->add()),
            "sending a block");
    });
    return transfer;
  }

  std::unique_ptr<Transfer> spread(void* block, std::size_t size, int root) override {
    auto transfer = std::make_unique<MpiTransfer>();
    in_messages(size, [&](std::size_t first, int count) {
      check(MPI_Ibcast(static_cast<char*>(block) + first, count, MPI_BYTE, root, comm_,
                       transfer->add()),
            "spreading a block");
    });
    return transfer;
  }

  void end_all(int status) noexcept override { MPI_Abort(MPI_COMM_WORLD, status); }

 private:
  MPI_Comm comm_;
  bool owned_;
  int rank_ = 0;
  int size_ = 1;
  int local_rank_ = 0;
  int local_size_ = 1;
};

/// From MPI's start to its end. What ends a program early ends MPI as well, without a word of its.
class Session {
 public:
  Session() {
    const Deadline deadline(longest_call, "starting");
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "starting");
    if (provided < MPI_THREAD_SERIALIZED)
      throw std::runtime_error(
          "this MPI lets only one thread of a process talk, and blocks pass beside the sum: "
          "install an MPI with MPI_THREAD_SERIALIZED, such as Debian's openmpi");
  }
  /// The first rank writes charts and pages meanwhile.
  ~Session() {
    const Deadline deadline(longest_call + 300, "ending");
    MPI_Finalize();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

}  // namespace
}  // namespace gpp::scale

/// The function that gpp/scale/communicator.cpp loads. MPI ends with the program.
extern "C" __attribute__((visibility("default"))) gpp::scale::Communicator* gpp_all_ranks(
    double seconds) {
  gpp::scale::longest_call = seconds;
  static const gpp::scale::Session session;
  return new gpp::scale::MpiCommunicator(MPI_COMM_WORLD, false);
}
