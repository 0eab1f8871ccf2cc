// The part of one rank of a pool, in the memory where variants run, and the problem that it makes
// with each block of bands.
#pragma once

#include <memory>
#include <vector>

#include "gpp/factored_problem.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
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
};

class OwnPart {
 public:
  /// Generates the rank's own part. `sample`: places among its own G', whose poles are also kept on
  /// the host, for the reference. `memory` outlives this.
  OwnPart(const PoolPart& pool, const std::vector<int>& sample, const DeviceMemory& memory,
          const Progress& progress);

  int states() const { return static_cast<int>(states_.size()); }
  int ngpown() const { return base_.ngpown; }
  /// Bytes of the largest block of bands, and of that of a rank: aqsntemp, and behind it aqsmtemp
  /// where that differs.
  std::size_t block_bytes(int rank) const;
  std::size_t largest_block_bytes() const { return block_bytes(0); }
  /// The own block of the i-th state of the pool, in the memory where variants run.
  void* own_block(int i) const { return states_[static_cast<std::size_t>(i)].own.data(); }

  /// The problem of the own G' and the block of bands of rank `owner`, of the i-th state. `block`
  /// lies where variants run. Gathers aqsm of the own G' from it; it holds until the next call.
  FactoredProblem problem(int i, int owner, const void* block) const;

  /// Makes it another problem: vcoul_loc(igp) times factors[igp].
  void reweight(const std::vector<double>& factors);

  /// The sum of the sample's terms with that block, straight from the definition.
  Reference sample_reference(int i, int owner, const std::vector<Complex>& block) const;

 private:
  struct Block {
    std::unique_ptr<PreparedBands> bands;  ///< in the host's memory
    FactoredProblem placed;                ///< its arrays by band, where variants run
  };
  struct State {
    DeviceBuffer own;
    std::vector<Block> blocks;  ///< by rank
  };

  void place_poles(Input& input, const std::vector<int>& sample);
  /// `e_lk`: the energy of that state.
  void place_state(const Input& input, double e_lk, const MatrixElements& elements,
                   const FactoredProblem& poles);
  Block place_bands(const Input& bands, const FactoredProblem& poles);

  const DeviceMemory& memory_;
  int ranks_;
  int sig_ntband_;
  bool two_matrices_;
  FactoredProblem base_;          ///< poles and vcoul, where variants run
  std::vector<double> vcoul_;     ///< vcoul_loc as generated
  std::vector<int> own_vectors_;  ///< the G of each own G'
  DeviceBuffer wtilde_, I_eps_, vcoul_loc_, rows_, gathered_, gathered_t_;
  PlacedArrays by_band_;
  std::vector<State> states_;
  // The sample, on the host.
  std::vector<int> sample_vectors_;
  std::vector<double> sample_vcoul_;
  std::vector<Complex> sample_wtilde_, sample_I_eps_;
};

}  // namespace gpp::scale
