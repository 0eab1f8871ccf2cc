// Tests of permissions: driver parameters, capabilities; reasons; ranks of mpirun and
// srun.
#include "roofline/permission.h"

#include <fstream>
#include <map>
#include <utility>

#include "roofline/cuda_driver.h"
#include "roofline/inject/rank.h"
#include "roofline/recorder.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using gpp::test::contains;

class Permission : public testing::Test {
 protected:
  fs::path write(const fs::path& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  gpp::test::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(Permission, ReadsTheDriversParameters) {
  const auto restricted = [this](const char* text) {
    return counters_restricted(write("params", text));
  };
  EXPECT_EQ(restricted("ResmanDebugLevel: 42\nRmProfilingAdminOnly: 1\nTCEBypassMode: 0\n"), true);
  EXPECT_EQ(restricted("RmProfilingAdminOnly: 0\n"), false);
  for (const char* silent : {"TCEBypassMode: 0\n", "RmProfilingAdminOnly:\n"})
    EXPECT_EQ(restricted(silent), std::nullopt);
  EXPECT_EQ(counters_restricted(folder_ / "gone"), std::nullopt);
}

TEST_F(Permission, KnowsTheCapabilitiesThatLiftTheRestriction) {
  const std::pair<const char*, bool> processes[] = {
      {"Name:\tgpp\nCapEff:\t000001ffffffffff\n", true},
      {"CapEff:\t0000000000200000\n", true},   // CAP_SYS_ADMIN
      {"CapEff:\t0000004000000000\n", true},   // CAP_PERFMON
      {"CapEff:\t00000000a80425fb\n", false},  // usual in containers, also for root
      {"CapEff:\t0000000000000000\n", false},
      {"CapEff:\tnonsense\n", false}};
  for (const auto& [text, may] : processes) EXPECT_EQ(is_administrator(write("status", text)), may);
  EXPECT_FALSE(is_administrator(folder_ / "gone"));
}

TEST(Recorder, SaysWhyItCannotCountAndRefusesWithTheSameWords) {
  const std::string reason = cupti_recorder().unavailable();
  if (reason.empty()) GTEST_SKIP() << "this machine can count";
  EXPECT_NE(reason.find_first_of(";("), std::string::npos) << "no remedy: " << reason;
  bool ran = false;
  EXPECT_EQ(gpp::test::thrown<RecorderError>([&] {
              cupti_recorder().record({"dram__bytes.sum"}, {"work", [&] { ran = true; }});
            }),
            reason);
  EXPECT_FALSE(ran) << "ran work that could not be counted";
}

TEST(CudaDriver, DescribesADeviceOrSaysWhyThereIsNone) {
  CudaDriverDevice found;
  const std::string reason = ask_cuda_driver(0, found);
  if (cuda_driver_symbol("cuInit") == nullptr) {
    EXPECT_EQ(reason, no_cuda_driver());
    EXPECT_TRUE(reason.starts_with("there is no NVIDIA driver here (libcuda.so.1); "));
    EXPECT_TRUE(found.name.empty());
  } else if (reason.empty()) {
    EXPECT_FALSE(found.name.empty());
    EXPECT_GE(found.compute_capability, 50);
    EXPECT_GT(found.multiprocessors, 0);
    EXPECT_GT(found.memory_bytes, found.free_bytes);
    EXPECT_GE(found.cuda_version, 12000);
  }
  EXPECT_FALSE(ask_cuda_driver(-1, found).empty());
  EXPECT_EQ(cuda_driver_symbol("no_such_function"), nullptr);
}

std::optional<inject::Rank> rank_in(const std::map<std::string, std::string>& environment) {
  return inject::rank_told_by([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Ranks, AreToldByLaunchersOfSeveralProcesses) {
  const auto open_mpi = rank_in({{"OMPI_COMM_WORLD_RANK", "3"},
                                 {"OMPI_COMM_WORLD_SIZE", "4"},
                                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}});
  ASSERT_TRUE(open_mpi);
  EXPECT_EQ(open_mpi->number, 3);
  EXPECT_FALSE(open_mpi->first_of_host);
  EXPECT_EQ(rank_in({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}})->number, 0);
  const auto slurm =
      rank_in({{"SLURM_PROCID", "8"}, {"SLURM_STEP_NUM_TASKS", "9"}, {"SLURM_LOCALID", "0"}});
  EXPECT_TRUE(slurm->first_of_host);
  EXPECT_EQ(inject::folder_of_rank("a/b", 3), "a/b/rank-3");
  EXPECT_FALSE(rank_in({}));
  EXPECT_FALSE(rank_in({{"SLURM_PROCID", "0"}})) << "a batch script";
  EXPECT_FALSE(rank_in({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
  for (const char* nonsense : {"", "-1", "1x", "../..", "99999999999999"})
    EXPECT_FALSE(rank_in({{"PMI_RANK", nonsense}, {"PMI_SIZE", "2"}})) << nonsense;
}

}  // namespace
}  // namespace roofline
