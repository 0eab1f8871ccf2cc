// What the compiler made of the loops in which a piece of work spends its time.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "roofline/machine_code/sampler.h"

namespace roofline {

/// Floating-point instructions of one precision in a loop's text, each counted once. Moves,
/// comparisons and conversions are none of them.
struct InstructionMix {
  int scalar = 0;
  int packed_128 = 0;
  int packed_256 = 0;
  int packed_512 = 0;
  int divisions = 0;     ///< among the above
  int square_roots = 0;  ///< among the above
  int flop = 0;          ///< of one pass: lanes count, and a fused multiply-add is two a lane

  int packed() const { return packed_128 + packed_256 + packed_512; }
  int all() const { return scalar + packed(); }
};

/// Its counts by the names that records have.
inline constexpr std::array<std::pair<const char*, int InstructionMix::*>, 7> instruction_counts = {
    {{"scalar", &InstructionMix::scalar},
     {"packed_128", &InstructionMix::packed_128},
     {"packed_256", &InstructionMix::packed_256},
     {"packed_512", &InstructionMix::packed_512},
     {"divisions", &InstructionMix::divisions},
     {"square_roots", &InstructionMix::square_roots},
     {"flop", &InstructionMix::flop}}};

/// An innermost loop.
struct HotLoop {
  std::string function;  ///< "gpp::omp::reciprocal"
  std::string file;      ///< of the source, without folders; empty where the program does not tell
  int line = 0;
  double share = 0;      ///< of all samples, 0..1
  int instructions = 0;  ///< of every kind
  InstructionMix fp64, fp32;
  std::vector<std::string> calls;  ///< functions that it calls: "hypot"
};

/// Time spent in a library: "libm.so.6".
struct LibraryShare {
  std::string name;
  double share = 0;
};

struct HotCode {
  int samples = 0;
  std::vector<HotLoop> loops;           ///< hottest first; each with at least a twentieth
  std::vector<LibraryShare> libraries;  ///< hottest first; each with at least a twentieth
  std::string reason;                   ///< why nothing is known; empty where something is

  const HotLoop* hottest() const { return loops.empty() ? nullptr : &loops.front(); }
  /// All of them as one: instructions and shares added up, named after the hottest.
  HotLoop all_loops() const;
  /// Over all hot loops, by their shares: of the instructions of the leading precision those that
  /// work on one number alone, 0..1; -1 where there are none.
  double scalar_share() const;
};

/// Finds the loops of the samples in the machine code of this program. Samples in other modules
/// count as libraries.
HotCode hot_code(const std::vector<SampledAddress>& samples);

}  // namespace roofline
