// The process that runs a submission and nothing else: this program, started anew in a sandbox.
//
// It maps what it is given, starts its device and its threads, takes from itself all that
// limits.h takes, and only then loads the submission, whose constructors run at this moment. Then
// it computes when the referee says go (page.h). It holds no reference, no key, no other
// descriptors, and is stopped whenever it is not asked for anything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/judge/limits.h"
#include "harness/kernel.h"

namespace gpp {

/// The program that a player runs: a step of the tree, or a library (harness/plugin).
struct PlayerProgram {
  /// Without a variant it does nothing when asked for 0, and a pulse when asked for another number.
  std::string kernel, variant, model, kind;
  std::filesystem::path library = {};  ///< empty: the program's own step
};

/// The files and memory that the referee hands to a player.
struct PlayerHands {
  int page = -1, inputs = -1, outputs = -1;  ///< descriptors; the latter two on a host
  std::size_t inputs_bytes = 0, outputs_bytes = 0;
  ProcessLimits limits;
};

/// Of a step of the tree. Throws std::runtime_error.
Call call_of_step(const PlayerProgram& program);

/// The arguments of this program that say so, without its name.
std::vector<std::string> arguments_of(const PlayerProgram& program, const PlayerHands& hands);

/// The runtime on which variants of that model run. Throws std::runtime_error.
const Runtime& runtime_of(const Kernel& kernel, const std::string& model, const std::string& kind);

/// Plays, where the arguments are those of a player. Returns whether they were.
bool play_if_asked(int argc, const char* const* argv);

}  // namespace gpp
