// The loops of a function, from its instructions alone.
#pragma once

#include <cstddef>
#include <vector>

#include "roofline/machine_code/disassembly.h"

namespace roofline {

/// Places in the function's instructions that run between two passes through a loop's first one.
using Loop = std::vector<std::size_t>;

/// For each instruction the innermost loop that it belongs to: an index into `loops`, or none.
struct LoopNest {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<Loop> loops;  ///< each instruction is in the one that is innermost for it, only
  std::vector<std::size_t> innermost;
};

/// Natural loops: a jump back to a place that every way to the jump passes through, and all that
/// lies on ways from there to the jump. Code that a compiler moved behind the function's end
/// belongs to the loop that it serves.
LoopNest loops_of(const std::vector<Instruction>& code);

}  // namespace roofline
