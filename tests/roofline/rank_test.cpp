// Ranks: what mpirun and srun tell of them.
#include "roofline/inject/rank.h"

#include <gtest/gtest.h>

#include <map>

namespace roofline::inject {
namespace {

std::optional<Rank> rank_in(const std::map<std::string, std::string>& environment) {
  return rank_told_by([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Ranks, AreToldByLaunchers) {
  const auto open_mpi = rank_in({{"OMPI_COMM_WORLD_RANK", "3"},
                                 {"OMPI_COMM_WORLD_SIZE", "4"},
                                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}});
  ASSERT_TRUE(open_mpi);
  EXPECT_EQ(open_mpi->number, 3);
  EXPECT_FALSE(open_mpi->first_of_host);
  EXPECT_EQ(rank_in({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}})->number, 0);
  EXPECT_TRUE(
      rank_in({{"SLURM_PROCID", "8"}, {"SLURM_STEP_NUM_TASKS", "9"}, {"SLURM_LOCALID", "0"}})
          ->first_of_host);
  EXPECT_EQ(folder_of_rank("a/b", 3), "a/b/rank-3");
}

TEST(Ranks, AreNoneOfOneProcessNorOfNonsense) {
  EXPECT_FALSE(rank_in({}));
  EXPECT_FALSE(rank_in({{"SLURM_PROCID", "0"}})) << "a batch script";
  EXPECT_FALSE(rank_in({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
  for (const char* nonsense : {"", "-1", "1x", "../..", "99999999999999"})
    EXPECT_FALSE(rank_in({{"PMI_RANK", nonsense}, {"PMI_SIZE", "2"}})) << nonsense;
}

}  // namespace
}  // namespace roofline::inject
