// Communication between ranks: the part of MPI that they use, without its names.
//
// MPI lies in a library of its own beside the program (mpi/communicator.cpp), as NCCL does
// (nccl/exchange.cpp): every other command starts without them, and runs where they are not
// installed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gpp::scale {

/// Data on its way.
class Transfer {
 public:
  virtual ~Transfer() = default;
  /// Whether all of it is there, and the source may be written again. Asking moves it on.
  virtual bool done() = 0;
};

/// Passes blocks between the ranks of a communicator. All sizes are bytes.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Sends a block to rank `to` and receives another from rank `from`. Empty blocks are not sent.
  virtual std::unique_ptr<Transfer> pass(const void* block, std::size_t size, int to,
                                         void* received, std::size_t received_size, int from) = 0;
  /// Sends the block of rank `root` to all others.
  virtual std::unique_ptr<Transfer> spread(void* block, std::size_t size, int root) = 0;
};

/// A group of ranks. Every rank of it calls the same functions in the same order, from one thread
/// at a time. Waiting gives the core away, so that more ranks than cores get on.
class Communicator : public Exchange {
 public:
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int local_rank() const = 0;  ///< among the ranks on this host
  virtual int local_size() const = 0;
  /// A communicator of the ranks that name the same colour, in the same order.
  virtual std::unique_ptr<Communicator> split(int colour) = 0;
  /// The texts of all ranks, in their order.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// The sum over all ranks, on all of them.
  virtual std::vector<double> sum(const std::vector<double>& values) = 0;
  /// Returns when all have come here.
  virtual void meet() = 0;
  /// Ends the program on all ranks, whatever they do.
  virtual void end_all(int status) noexcept = 0;
};

/// The ranks that a launcher such as mpirun started together with this one. Throws
/// std::runtime_error: MPI was not found when this program was built, its library cannot be loaded,
/// or no launcher started this process. Where a rank does not come within so many seconds, the
/// others name it and end; so they do in later calls.
std::unique_ptr<Communicator> all_ranks(double seconds);

/// Throws std::runtime_error where nccl_exchange() can not be called.
void require_nccl();

/// Between the GPUs of these ranks, each being its process's current device; `device` is that one's
/// number. Throws std::runtime_error where NCCL is not there or refuses. All ranks call it.
std::unique_ptr<Exchange> nccl_exchange(Communicator& ranks, int device);

/// Why this program was built without MPI; empty where it was not. The same of NCCL.
std::string mpi_missing();
std::string nccl_missing();

/// Whether a launcher started this process, as the environment tells: Open MPI's, or Slurm's.
bool started_by_launcher();

/// The number of ranks that it started on this host, as the environment tells; 1 where it does not.
/// On hosts of one Slurm job step: the largest number of them.
int ranks_on_this_host();

}  // namespace gpp::scale
