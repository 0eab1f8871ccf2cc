// The rank that this process is of a program that mpirun or srun started.
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

/// By the variables of Open MPI, of MPICH's and Intel's hydra, or of Slurm. Empty where none of
/// them tells of several ranks, or one is no number: a batch script of Slurm is no rank.
/// `variable` gives a variable of the environment, or nullptr.
std::optional<Rank> rank_told_by(const std::function<const char*(const char*)>& variable);

/// The number of a rank or of ranks; empty where the text is nothing else.
std::optional<int> rank_number(std::string_view text);

/// "results/a/rank-3" of "results/a".
std::string folder_of_rank(const std::string& folder, int rank);

}  // namespace roofline::inject
