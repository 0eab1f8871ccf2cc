// The whole calculation, shared by all ranks: checked, then timed.
//
// Every rank of a pool sums its own G' over all bands, which lie in blocks, one a rank:
//
//   gather    all blocks of a state pass to all ranks, those of a later state while the one before
//   is
//             summed; then each rank sums all bands at once. One block has the occupied bands,
//             which cost most: so all ranks sum them in the same step.
//   ring      in step s rank r sums the block of rank r + s; meanwhile it sends that to rank r - 1
//             and receives the next one from rank r + 1 (Del Ben et al. 2020, "non-blocking cyclic
//             communication"). For memory in which not all bands have room.
//   blocking  the same, but a block passes when its sum is done.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpp/reference.h"
#include "gpp/scale/communicator.h"
#include "gpp/scale/own_part.h"
#include "harness/kernel.h"
#include "harness/measure/selection.h"
#include "harness/record/scaling.h"

namespace gpp::scale {

/// `any`: gather where all bands have room, else the ring.
enum class Exchange { any, gather, ring, blocking };

std::string name_of(Exchange exchange);

struct CalculationRequest {
  const Preset* preset = nullptr;  ///< a rank's; its whole is calculated
  std::uint64_t seed = default_seed;
  int states = 1;
  int pools = 1;  ///< groups of ranks that take different states
  Exchange exchange = Exchange::any;
  Choice choice{};
  int device = 0;  ///< of this rank
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

/// Whether a rank has room for what it holds when all bands are gathered, and for all bands once
/// more, which some variants pack.
bool all_bands_have_room(const Memory& whole, long long free_bytes);

/// Called by every rank of `all`. `progress` tells what is being done. Throws InputError on every
/// rank alike where the calculation cannot be shared so, and std::runtime_error where a rank fails.
CalculationResult calculate(Communicator& all, const CalculationRequest& request,
                            const std::function<void(std::string_view)>& progress);

/// The own G' that are checked, ascending, by place: all where the whole has few terms, else one of
/// each rank at least, drawn with the seed.
std::vector<int> draw_sample(const PoolPart& pool);

}  // namespace gpp::scale
