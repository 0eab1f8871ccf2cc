// Floating-point instructions that the compiler made of a function, each counted once in its text.
#pragma once

#include <set>
#include <string>

namespace roofline {

/// Additions, multiplications, divisions, roots, and what is fused of them, of x86-64.
struct InstructionMix {
  int scalar = 0;                                      ///< on one number
  int packed_128 = 0, packed_256 = 0, packed_512 = 0;  ///< by bits of the vectors
  int divisions = 0, square_roots = 0;                 ///< among the above
  std::set<std::string> calls;                         ///< of libraries: "hypot"
  std::string reason;  ///< why nothing is known; empty where something is

  /// Of the doubles that a pass through the text works on, the share of scalar ones; -1: of none.
  double scalar_share() const;
};

/// Reads a function of this process with nm and objdump, and with it what the compiler split off
/// and the functions of its file that it calls.
InstructionMix instruction_mix(const void* function);

}  // namespace roofline
