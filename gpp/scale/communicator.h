// Communication between ranks: the part of MPI and NCCL that they use, without their names.
//
// They lie in a library beside the program (mpi.cpp): every other command starts without them, and
// runs where they are not installed.
#pragma once

#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "gpp/complex.h"

namespace gpp::scale {

/// Numbers that go to another rank, or come from it.
struct Message {
  Complex* data = nullptr;
  int count = 0;
  int rank = 0;  ///< the other one; it may be this rank itself
};
using Messages = std::vector<Message>;

/// Ready when messages have arrived, and what was sent may be written again. The seconds that they
/// were on their way, waits for late ranks included.
using Arrival = std::future<double>;

/// All ranks. Each calls the same functions in the same order, from one thread; messages alone are
/// started where some pass.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// From now on messages pass between GPUs, of which this rank has that number, through NCCL.
  /// Throws std::runtime_error where NCCL is not there or refuses.
  virtual void pass_between_gpus(int gpu) = 0;
  /// The texts of all ranks, in their order. Returns when all have come here.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// Starts messages in both directions. Two ranks name what passes between them in one order.
  virtual Arrival start(const Messages& sent, const Messages& received) = 0;
  /// Ends the program on all ranks, whatever they do.
  virtual void end_all(int status) noexcept = 0;
};

/// The lists of all ranks, in their order, of a type that holds nothing but numbers.
template <class T>
std::vector<std::vector<T>> lists_of_all(Communicator& all, const std::vector<T>& own) {
  std::vector<std::vector<T>> lists;
  for (const std::string& bytes :
       all.gather({reinterpret_cast<const char*>(own.data()), own.size() * sizeof(T)})) {
    std::vector<T>& list = lists.emplace_back(bytes.size() / sizeof(T));
    if (!list.empty()) std::memcpy(static_cast<void*>(list.data()), bytes.data(), bytes.size());
  }
  return lists;
}

/// Each value of such a list, added up over all ranks.
template <class T>
std::vector<T> sum_of_all(Communicator& all, const std::vector<T>& own) {
  std::vector<T> sums(own.size());
  for (const std::vector<T>& list : lists_of_all(all, own))
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += list[i];
  return sums;
}

/// Why this program was built without MPI; empty where it was not.
std::string mpi_missing();

/// The ranks that a launcher such as mpirun started together with this one. Throws
/// std::runtime_error: MPI was not found when this program was built, or its library cannot be
/// loaded.
std::unique_ptr<Communicator> all_ranks();

/// Does something on every rank. Where it throws on some, all throw InputError with the message of
/// the first of them.
void together(Communicator& all, const std::function<void()>& action);

}  // namespace gpp::scale
