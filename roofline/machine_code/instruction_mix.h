// A function's floating-point instructions in machine code, counted statically.
#pragma once

#include <set>
#include <string>

namespace roofline {

/// Counts of x86-64 additions, multiplications, divisions, roots, and fused instructions.
struct InstructionMix {
  int scalar = 0;                                      ///< number of scalar instructions
  int packed_128 = 0, packed_256 = 0, packed_512 = 0;  ///< vector instructions by bits
  int divisions = 0, square_roots = 0;                 ///< divisions, roots; included above
  std::set<std::string> calls;                         ///< called library functions: "hypot"
  std::string reason;                                  ///< reason if nothing is known; else empty

  /// The share of scalar doubles among those in one pass through the code; -1 without doubles.
  double scalar_share() const;
};

/// Disassembles a function of this process with nm and objdump, together with its split-off parts
/// and the functions of its file that it calls.
InstructionMix instruction_mix(const void* function);

}  // namespace roofline
