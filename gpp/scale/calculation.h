// The whole calculation, shared by all ranks: checked, then timed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpp/reference.h"
#include "gpp/scale/communicator.h"
#include "gpp/scale/ring.h"
#include "harness/kernel.h"
#include "harness/measure/selection.h"
#include "harness/record/scaling.h"

namespace gpp::scale {

enum class TransportWanted { any, nccl, mpi };

struct CalculationRequest {
  const Preset* preset = nullptr;  ///< a rank's; its whole is calculated
  std::uint64_t seed = default_seed;
  int states = 1;
  int pools = 1;  ///< groups of ranks that take different states
  ExchangeKind exchange = ExchangeKind::ring;
  TransportWanted transport = TransportWanted::any;
  Choice choice{};
  int device = 0;  ///< of this rank
  int cores = 1;   ///< of this rank; 0 where it is yet to be chosen
  double tolerance = 0;
  int repeat = 5;           ///< timed runs
  double time_limit = 100;  ///< seconds after which none begins
};

/// On rank 0; other ranks know the same but for `scaling.by_rank`.
struct CalculationResult {
  std::vector<double> samples;  ///< seconds of each timed run
  Check check;                  ///< the worst of all states and runs
  Sums sums;                    ///< of the sample's terms, first state: what was checked
  Reference reference;          ///< of these
  double reference_seconds = 0;
  ScalingRecord scaling;
};

/// Called by every rank of `all`. `progress` tells what is being done. Throws InputError on every
/// rank alike where the calculation cannot be shared so, and std::runtime_error where a rank fails.
CalculationResult calculate(Communicator& all, const CalculationRequest& request,
                            const std::function<void(std::string_view)>& progress);

/// Does something on every rank. Where it throws on some, all throw InputError with the message of
/// the first of them.
void together(Communicator& all, const std::function<void()>& action);

/// The own G' that are checked, ascending, by place: all where the whole has few terms, else one of
/// each rank at least, drawn with the seed.
std::vector<int> draw_sample(const PoolPart& pool);

}  // namespace gpp::scale
