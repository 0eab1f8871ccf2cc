// Communication between ranks: the part of MPI and NCCL that they use, without their names.
//
// MPI and NCCL lie in libraries of their own beside the program (mpi.cpp, nccl.cpp): every other
// command starts without them, and runs where they are not installed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gpp::scale {

/// Memory that goes to another rank, or comes from it.
struct Message {
  void* data = nullptr;
  std::size_t bytes = 0;
  int rank = 0;  ///< the other one; it may be this rank itself
};

/// Messages on their way.
class Transfer {
 public:
  virtual ~Transfer() = default;
  /// Returns when all have arrived, and what was sent may be written again: the seconds that they
  /// were on their way, waits for late ranks included.
  virtual double wait() = 0;
};

/// What messages pass through.
class Links {
 public:
  virtual ~Links() = default;
  virtual std::string name() const = 0;  ///< "MPI", "NCCL"
  /// Starts messages in both directions. Two ranks name what passes between them in one order.
  virtual std::unique_ptr<Transfer> start(const std::vector<Message>& sent,
                                          const std::vector<Message>& received) = 0;
};

/// A group of ranks. Every rank of it calls the same functions in the same order, from one thread.
class Communicator : public Links {
 public:
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int local_rank() const = 0;  ///< among the ranks on this host
  virtual int local_size() const = 0;
  /// A communicator of the ranks that name the same colour, in the same order.
  virtual std::unique_ptr<Communicator> split(int colour) = 0;
  /// The texts of all ranks, in their order. Returns when all have come here.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// The sum over all ranks, on all of them.
  virtual std::vector<double> sum(const std::vector<double>& values) = 0;
  /// Ends the program on all ranks, whatever they do.
  virtual void end_all(int status) noexcept = 0;
};

/// The ranks that a launcher such as mpirun started together with this one. Throws
/// std::runtime_error: MPI was not found when this program was built, or its library cannot be
/// loaded.
std::unique_ptr<Communicator> all_ranks();

/// Between the GPUs of these ranks, of which `device` is this one's number. Throws
/// std::runtime_error where NCCL is not there or refuses. All ranks call it.
std::unique_ptr<Links> nccl_links(Communicator& ranks, int device);

/// Why this program was built without MPI, or without NCCL; empty where it was not.
std::string mpi_missing();
std::string nccl_missing();

/// Whether a launcher started this process, as the environment says: Open MPI's, or Slurm's.
bool started_by_launcher();

/// Does something on every rank. Where it throws on some, all throw InputError with the message of
/// the first of them.
void together(Communicator& all, const std::function<void()>& action);

/// Throws InputError on all ranks where one of them says another word than rank 0: it was started
/// by another command, is another build, or would run something else.
void require_the_same(Communicator& all, const std::string& word, const char* what);

}  // namespace gpp::scale
