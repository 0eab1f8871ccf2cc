// The part of one rank of a pool, in the memory where variants run, and the problem that it makes
// with each block of bands.
#pragma once

#include <memory>
#include <vector>

#include "gpp/factored_problem.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/scale/communicator.h"
#include "gpp/scale/partition.h"
#include "runtimes/memory.h"

namespace gpp::scale {

/// The whole calculation as a pool of ranks sees it.
struct PoolPart {
  const Preset* preset = nullptr;  ///< lives longer
  std::uint64_t seed = default_seed;
  int rank = 0;
  int ranks = 1;
  std::vector<int> states;  ///< that this pool sums
  bool whole = true;        ///< all bands are summed at once, not block by block
};

/// G' that are checked.
struct Sample {
  std::vector<int> vectors;            ///< the G of each, from 0
  std::vector<double> vcoul;           ///< (sample)
  std::vector<Complex> wtilde, I_eps;  ///< (ncouls, sample)
};

class OwnPart {
 public:
  /// Generates the rank's own part. `sample`: places among its own G'. `memory` outlives this.
  OwnPart(const PoolPart& pool, const std::vector<int>& sample, const DeviceMemory& memory);

  int ngpown() const { return base_.ngpown; }
  /// The own block of the i-th state of the pool. A block is aqsntemp (ncouls, bands), and behind
  /// it aqsmtemp where that differs; it lies in the memory where variants run.
  void* own_block(int i) const { return states_[static_cast<std::size_t>(i)].own.data(); }
  /// Adds the pieces of a block of these bands, inside a block of others, for or
  /// from rank `rank`.
  void add_pieces(std::vector<Message>& messages, void* block, BandBlock of_block, BandBlock bands,
                  int rank) const;

  /// The problem of the own G' and a block of bands of the i-th state: that of rank `owner`, or all
  /// bands where the pool sums the whole. Gathers aqsm of the own G' from it; it holds until the
  /// next call.
  FactoredProblem problem(int i, int owner, const void* block) const;

  /// Makes it another problem: vcoul_loc(igp) times factors[igp].
  void reweight(const std::vector<double>& factors);

  const Sample& sample() const { return sample_; }
  /// The terms of a sample with the own bands of the i-th state, straight from the definition.
  Reference sample_reference(int i, const Sample& sample) const;

 private:
  struct Block {
    std::unique_ptr<PreparedBands> bands;  ///< in the host's memory
    FactoredProblem placed;                ///< its arrays by band, where variants run
  };
  struct State {
    DeviceBuffer own;
    std::unique_ptr<PreparedBands> own_bands;
    std::vector<Block> blocks;  ///< by rank; one where the pool sums the whole
  };

  void place_poles(Input& input, const std::vector<int>& sample);
  void place_state(const Input& input, double e_lk, const MatrixElements& elements,
                   const FactoredProblem& poles);
  Block place_bands(const Input& bands, const FactoredProblem& poles);

  const DeviceMemory& memory_;
  PoolPart pool_;
  BandBlock own_bands_;
  std::size_t matrices_;          ///< 1, or 2 where aqsm differs from aqsn
  FactoredProblem base_;          ///< poles and vcoul, where variants run
  std::vector<double> vcoul_;     ///< vcoul_loc as generated
  std::vector<int> own_vectors_;  ///< the G of each own G'
  DeviceBuffer wtilde_, I_eps_, vcoul_loc_, rows_, gathered_, gathered_t_;
  PlacedArrays by_band_;
  std::vector<State> states_;
  Sample sample_;
};

}  // namespace gpp::scale
