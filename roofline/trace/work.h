// From the blocks that a trace counted to operations: what the instructions behind each do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace roofline {

/// Operations executed, a fused multiply-add being two.
struct TracedWork {
  double fp64_flop = 0;
  double fp32_flop = 0;
  double divisions = 0;  ///< of both precisions, among the above
  /// Calls of functions of libraries, by name. hypot counts as 4 operations, as gpp/counted_real.h
  /// has it, and sqrt as 1; the operations of others are not known and not counted.
  std::map<std::string, double> calls;
  std::string reason;  ///< why nothing is known; empty where something is
};

/// `blocks` as in Trace, of code in the file `library`. The instructions from the place behind one
/// call to the next are one block.
TracedWork work_of(const std::map<std::uint64_t, std::uint64_t>& blocks,
                   const std::filesystem::path& library);

}  // namespace roofline
