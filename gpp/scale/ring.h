// The sum of a pool of ranks over all bands, whose blocks pass from rank to rank.
//
// In step s rank r sums its own G' over the block of rank r + s, sends that block to rank r - 1,
// and receives the next one from rank r + 1: after as many steps as there are ranks, each has seen
// all bands (Del Ben et al. 2020, "non-blocking cyclic communication").
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpp/scale/communicator.h"
#include "gpp/scale/own_part.h"
#include "gpp/sums.h"
#include "harness/record/scaling.h"
#include "harness/variant.h"
#include "runtimes/memory.h"

namespace gpp::scale {

/// A block of bands where it lies.
struct BlockPlace {
  void* placed = nullptr;   ///< in the memory where variants run
  void* staging = nullptr;  ///< the same in the host's pinned memory; nullptr where it isn't needed
};

class Transport {
 public:
  virtual ~Transport() = default;
  /// For people and records: "MPI", "MPI through pinned memory", "NCCL".
  virtual std::string name() const = 0;
  /// Whether blocks need their places in pinned memory.
  virtual bool staged() const { return false; }
  virtual std::unique_ptr<Transfer> pass(BlockPlace block, std::size_t size, int to,
                                         BlockPlace received, std::size_t received_size,
                                         int from) = 0;
  virtual std::unique_ptr<Transfer> spread(BlockPlace block, std::size_t size, int root,
                                           bool is_root) = 0;
};

/// Blocks go straight from one rank's memory to the other's: between hosts, or by NCCL. `exchange`
/// outlives it.
std::unique_ptr<Transport> direct_transport(Exchange& exchange, std::string name);

/// Through pinned memory of the hosts: what has arrived there is copied to the device, piece by
/// piece, while the rest is on its way. Both outlive it.
std::unique_ptr<Transport> staged_transport(Exchange& exchange, const DeviceMemory& memory);

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start);

/// When blocks pass.
enum class ExchangeKind {
  ring,        ///< to the next rank, while the present block is summed
  blocking,    ///< to the next rank, after it was summed
  collective,  ///< in each step from its owner to all, before it is summed
};

/// "ring", "blocking", "collective".
std::string name_of(ExchangeKind kind);

/// Waiting for a block longer than this, and three times the longest step so far, is given up.
inline constexpr double patience_s = 50;

class Ring {
 public:
  /// `use_device` is called in each thread that copies to the device. All outlive the ring.
  Ring(Communicator& pool, Transport& transport, const OwnPart& part, const DeviceMemory& memory,
       ExchangeKind kind, std::function<void()> use_device);

  /// Computes what one rank adds to the sums of the i-th state. Adds the times to `steps`, whose
  /// overlap stays as it is.
  Sums run(int i, const Call& variant, std::vector<ScalingStep>& steps);

 private:
  struct Held {
    BlockPlace place;
    int owner = 0;
  };

  Held own(int i);
  Sums sum_block(int i, const Held& held, const Call& variant);
  std::unique_ptr<Transfer> pass_on(const Held& held, const Held& next);
  Held spread_from(int i, int owner, ScalingStep& times);
  double bring(const std::function<std::unique_ptr<Transfer>()>& start,
               const std::function<void()>& meanwhile, ScalingStep& times) const;

  Communicator& pool_;
  Transport& transport_;
  const OwnPart& part_;
  const DeviceMemory& memory_;
  ExchangeKind kind_;
  std::function<void()> use_device_;
  struct Buffer {
    DeviceBuffer placed, staging;
    BlockPlace place() const { return {placed.data(), staging.data()}; }
  };
  std::array<Buffer, 2> passing_;
  std::vector<DeviceBuffer> own_staging_;  ///< of each state
  double longest_step_ = 0;
};

}  // namespace gpp::scale
