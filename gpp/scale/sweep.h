// Scaling over the number of ranks: a launcher starts this program once for each number.
#pragma once

#include <string>
#include <vector>

#include "harness/record/record.h"

namespace gpp::scale {

struct SweepRequest {
  std::vector<int> strong;             ///< numbers of ranks, ascending
  std::vector<int> weak;               ///< the same; each with as many states a rank
  int states = 1;                      ///< of the strong runs; a rank's of the weak ones
  std::string launcher;                ///< words, in which {ranks} stands for the number
  std::vector<std::string> arguments;  ///< of `gpp scale`, without --states
};

inline constexpr const char* default_launcher = "mpirun -n {ranks} --bind-to none --oversubscribe";

/// The option of a rank that a sweep started: it prints its record and keeps none.
inline constexpr const char* sweep_option = "--of-sweep";

/// Throws InputError where it names numbers of ranks or a launcher that cannot be.
void require_sweep(const SweepRequest& request);

/// One record of all runs: that of the largest number of ranks, with the times of all. Each rank
/// gets as many cores in every run, or cores would be compared, not ranks. Throws InputError where
/// a run failed, with what it said.
StudyRecord run_sweep(const SweepRequest& request);

/// The words of a launcher's command line for so many ranks; no shell sees them.
std::vector<std::string> launcher_words(const std::string& launcher, int ranks);

/// Fails the result where a run gave other sums than the first: relative to their size by more
/// than the tolerance.
void compare_sums(const std::vector<StudyRecord>& runs, Result& result);

}  // namespace gpp::scale
