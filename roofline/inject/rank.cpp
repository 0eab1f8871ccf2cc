#include "roofline/inject/rank.h"

#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>

namespace roofline::inject {
namespace {

struct RankVariables {
  const char *rank, *ranks, *of_host;
};

constexpr std::array<RankVariables, 3> launchers = {
    RankVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    RankVariables{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    RankVariables{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"}};

}  // namespace

std::optional<int> rank_number(std::string_view text) {
  constexpr int most = 10'000'000;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return number >= 0 && number < most ? std::optional(number) : std::nullopt;
}

std::optional<Rank> rank_told_by(const std::function<const char*(const char*)>& variable) {
  const auto number_in = [&variable](const char* name) {
    const char* text = variable(name);
    return text == nullptr ? std::nullopt : rank_number(text);
  };
  for (const RankVariables& launcher : launchers) {
    const std::optional<int> rank = number_in(launcher.rank);
    if (rank && number_in(launcher.ranks).value_or(1) > 1)
      return Rank{*rank, number_in(launcher.of_host).value_or(0) == 0};
  }
  return std::nullopt;
}

std::string folder_of_rank(const std::string& folder, int rank) {
  return (std::filesystem::path(folder) / ("rank-" + std::to_string(rank))).string();
}

}  // namespace roofline::inject
