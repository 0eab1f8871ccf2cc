// Finds this process's rank in a program that mpirun or srun started.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace roofline::inject {

struct Rank {
  int number = 0;
  bool first_of_host = true;
};

/// Reads the variables of Open MPI, of MPICH's and Intel's hydra, or of Slurm. Returns nothing
/// unless one shows several ranks with a valid number; a Slurm batch script is no rank. `variable`
/// returns an environment variable, or nullptr.
std::optional<Rank> rank_told_by(const std::function<const char*(const char*)>& variable);

/// Parses a number of a rank or of ranks; empty for other texts.
std::optional<int> rank_number(std::string_view text);

/// Returns "results/a/rank-3" for "results/a".
std::string folder_of_rank(const std::string& folder, int rank);

}  // namespace roofline::inject
