// The whole calculation behind a preset, shared by all ranks: planned; checked, then timed.
//
// G' are dealt to the ranks of a pool round robin; the bands lie in blocks, one a rank. Every rank
// sums its own G' over all bands, which it gathers before, or which pass it block by block in a
// ring, beside the sum or, blocking, behind it (docs/scaling.md).
#pragma once

#include <filesystem>

#include "data/generate.h"
#include "gpp/scale/communicator.h"
#include "gpp/study/check.h"
#include "harness/measure/study.h"
#include "harness/record/record.h"

namespace gpp::scale {

// ---- Who owns what ------------------------------------------------------------------------------

/// Bands, ranks or states that follow each other.
struct Block {
  int first = 0;  ///< from 0
  int count = 0;
};

/// The part of `all` that is due to one of so many. Parts differ by one at most.
Block block_of(int all, int one, int of);

/// One rank's part of a state: its own G' and its block of bands. Rank 0 of 1 has the whole. Throws
/// InputError where there are more ranks than bands or G'.
Preset part_of(const Preset& preset, int rank, int ranks, int state);

/// Bytes that a rank holds where variants run, as predicted from the dimensions.
struct Memory {
  std::int64_t poles = 0;     ///< wtilde_array and I_eps_array of the own G'
  std::int64_t own = 0;       ///< the own block of bands, of each state
  std::int64_t block = 0;     ///< the bands that are summed at once: all, or those of a rank
  std::int64_t gathered = 0;  ///< aqsm of the own G' and the bands that are summed at once, twice
  int buffers = 0;            ///< blocks that came or come: one where it is filled once

  std::int64_t placed() const { return poles + own + buffers * block + gathered; }
  /// With all bands once more, which some variants pack.
  std::int64_t packed() const { return placed() + own + block; }
};

/// The memory of rank 0 of a pool, which owns most. `whole`: it sums all bands at once.
Memory predict_memory(const Preset& preset, int ranks, int states, bool whole);

/// The G' that are checked, from 0: `first` and every `stride`-th behind it.
struct Sample {
  int first = 0, stride = 1, count = 0;
};

/// All G' where the whole has few terms; else some, each rank's among them, drawn with the seed.
Sample draw_sample(const Preset& preset, std::uint64_t seed, int ranks, int states);

// ---- Checked and timed --------------------------------------------------------------------------

struct CalculationRequest {
  const Preset* preset = nullptr;  ///< a rank's; its whole is calculated
  std::uint64_t seed = default_seed;
  int states = 1;
  int pools = 1;                  ///< groups of ranks that take different states
  std::string exchange = "auto";  ///< gather where all bands have room, else ring
  Choice choice = {};
  int gpu = 0;                ///< the number of this rank's, where it sums on one
  StudyOptions options = {};  ///< the tolerance, the number of timed runs, their time limit
  /// Numbers of ranks that share the states in turn, or so many states a rank; none: all ranks do.
  std::vector<int> strong = {}, weak = {};
  // Of a plan alone:
  std::string system = {};  ///< one of planned_systems()
  int gpus = 1, energies = 2;
  std::filesystem::path record = {};
  double terms_per_s = 0;  ///< 0: not given
};

/// Called by every rank. Adds to a study of one result what the last strong run finds, else the
/// last weak one, with the times of all. Throws InputError on all ranks where they cannot share the
/// states so, or one has no memory for it; std::runtime_error where one fails.
StudyRecord calculate(Communicator& all, const CalculationRequest& request,
                      const StudyRecord& study);

// ---- The cost before it runs --------------------------------------------------------------------
// The needs of a system are BerkeleyGW's as Del Ben et al. 2020 publish them (docs/scaling.md);
// memory and time of a run are those of this calculation.

std::vector<std::string> planned_systems();

/// {"systems": {"Si-2742": {"epsilon_pflop", ..., "published": {...}, "fewest_cards": {"gpus",
/// "seconds", ...}, "gpus", "seconds", ...}, ...}, "published_runs": [...], "terms_per_s",
/// "speed_from"}. The speed is the one given, or that of one rank of a record's variant, or that of
/// the best published run. Throws InputError where there are fewer GPUs than pools, or a record
/// tells no speed.
Json plan_json(const CalculationRequest& request);

/// The same as tables.
std::string plan_text(const CalculationRequest& request);

}  // namespace gpp::scale
