// The sum of a pool of ranks over all bands, whose blocks pass from rank to rank.
//
// In step s rank r sums its own G' over the block of rank r + s, sends that block to rank r - 1,
// and receives the next one from rank r + 1: after as many steps as there are ranks, each has seen
// all bands (Del Ben et al. 2020, "non-blocking cyclic communication").
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "gpp/scale/own_part.h"
#include "gpp/scale/transport.h"
#include "gpp/sums.h"
#include "harness/variant.h"

namespace gpp::scale {

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

/// Seconds of one step on one rank.
struct StepTimes {
  double compute = 0;   ///< the variant's call, and the gathering of aqsm before it
  double transfer = 0;  ///< from the start of passing blocks to their arrival
  double wait = 0;      ///< of the transfer, what the sum did not hide

  /// The hidden share of the transfer; 1 where nothing was passed.
  double overlap() const;
};

/// Waiting for a block longer than this, and three times the longest step so far, is given up.
inline constexpr double patience_s = 50;

class Ring {
 public:
  /// `use_device` is called in each thread that copies to the device. All outlive the ring.
  Ring(Communicator& pool, Transport& transport, const OwnPart& part, const DeviceMemory& memory,
       ExchangeKind kind, std::function<void()> use_device);

  /// Computes what one rank adds to the sums of the i-th state. Adds the times to `steps`.
  Sums run(int i, const Call& variant, std::vector<StepTimes>& steps);

 private:
  struct Held {
    BlockPlace place;
    int owner = 0;
  };

  Held own(int i);
  Sums sum_block(int i, const Held& held, const Call& variant);
  std::unique_ptr<Transfer> pass_on(const Held& held, const Held& next);
  Held spread_from(int i, int owner, StepTimes& times);
  double bring(const std::function<std::unique_ptr<Transfer>()>& start,
               const std::function<void()>& meanwhile, StepTimes& times) const;

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
