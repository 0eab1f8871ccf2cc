// From the blocks that a trace counted to operations: what the instructions behind each do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "roofline/machine_code/disassembly.h"

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

/// The instrumented code in a program or library. What nm and objdump tell of it is read when it is
/// first asked for, and kept.
class TracedCode {
 public:
  explicit TracedCode(std::filesystem::path file) : file_(std::move(file)) {}

  /// `blocks` as in Trace, of this code. The instructions from the place behind one call to the
  /// next are one block.
  TracedWork work_of(const std::map<std::uint64_t, std::uint64_t>& blocks);

 private:
  void read_functions();
  const std::vector<Instruction>& instructions(const Function& function, std::string& problem);

  std::filesystem::path file_;
  std::vector<Function> functions_;
  std::set<std::string> own_;                                       ///< their symbols
  std::string problem_;                                             ///< why there are none
  std::map<std::uint64_t, std::vector<Instruction>> instructions_;  ///< by where a function begins
};

}  // namespace roofline
