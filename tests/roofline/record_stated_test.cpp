// What `roofline record` keeps without counting: forms of launches, GPUs and ranks apart, work that
// formulas state. On the fakes of record_test.cpp.
#include <nlohmann/json.hpp>

#include <fstream>

#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;

class RecordStated : public testing::Test, protected Recorded {};
using nlohmann::json;

TEST_F(RecordStated, TellsHowKernelsAreLaunched) {
  const Finished done = succeeded(run({"launch=k|k3*2", "launch=k|k5"}, {"--details"}));
  const json kernel = kernel_in(profile(), "k");
  ASSERT_EQ(kernel["forms"].size(), 2u);
  EXPECT_EQ(kernel["forms"][0]["form"]["grid"], json({3, 1, 1})) << "most time first";
  EXPECT_EQ(kernel["forms"][0]["launches"], 2);
  EXPECT_EQ(kernel["forms"][0]["form"]["registers"], 64);
  EXPECT_EQ(kernel["occupancy"]["share"], 0.5) << kernel["occupancy"];
  EXPECT_TRUE(contains_all(
      done.output, {"How kernels are launched", "256x1x1", "50%", "registers", "other forms"}));
}

TEST_F(RecordStated, KeepsGpusApart) {
  environment = {"FAKE_CUDA_GPUS=2"};
  const Words words = {"launch=k3*2", "context=1", "launch=k3*5", "launch=only3"};
  const Finished done = succeeded(run(words));
  const json kept = profile();
  ASSERT_EQ(kept["gpus"].size(), 2u);
  ASSERT_EQ(kept["kernels"].size(), 3u);
  const json& first = kept["kernels"][0];
  EXPECT_EQ(first["gpu"], 1);
  EXPECT_EQ(first["launches"], 5);
  EXPECT_EQ(first["counters"]["dram__bytes.sum"], 5 * 3 * 6400);
  EXPECT_EQ(kernel_in(kept, "only3")["gpu"], 1);
  EXPECT_TRUE(contains(done.output, "k3 on GPU 0"));
}

TEST_F(RecordStated, StatesWorkBesideTheCounts) {
  std::ofstream(file("work.txt")) << "kernel k\n  fp64 4220 * gx\n  dram 6400 * gx\n"
                                     "kernel none\n  fp64 1\n";
  const Finished done = succeeded(run({"launch=k3*5"}, {"--work", "work.txt", "--details"}));
  EXPECT_TRUE(contains(done.errors, "work.txt: no kernel fits 'none'"));
  const json kernel = kernel_in(profile(), "k3");
  EXPECT_EQ(kernel["stated"]["amounts"]["fp64"], 5 * 3 * 4220);
  EXPECT_EQ(kernel["work"]["fp64"], 5 * 3 * 2110) << "what was counted stays what it is";
  EXPECT_TRUE(kernel["formula_rooflines"]["fp64"].is_object());
  EXPECT_TRUE(
      contains_all(done.output, {"Work by formula", "+100%", "+0%", "by formula, not counted"}));
  EXPECT_TRUE(contains(file_text(folder() / "roofline-fake_program/report.html"), "by formula"));
}

TEST_F(RecordStated, KeepsTheRanksOfALauncherApart) {
  const auto rank = [](const char* number, const char* kernel) {
    return std::string("PMI_SIZE=2 PMI_RANK=") + number + " " + FAKE_PROGRAM + " " + kernel;
  };
  const Words launcher = {
      "sh", "-c", rank("0", "launch=k1*2 launch=k2") + " & " + rank("1", "launch=k1*3") + "; wait"};
  const Finished done = succeeded(record({"-o", "ranks"}, launcher));
  expect_exact(profile("ranks/rank-0"), "k1", 2);
  expect_exact(profile("ranks/rank-0"), "k2", 1);
  expect_exact(profile("ranks/rank-1"), "k1", 3);
  EXPECT_EQ(profile("ranks/rank-1")["kernels"].size(), 1u);
  EXPECT_TRUE(contains(done.output, "imbalance"));
  EXPECT_FALSE(fs::exists(folder() / "ranks/profile.json"));
  EXPECT_EQ(record({"-o", "ranks"}, launcher).status, 2) << "it is there already";
  const Words alone = {"sh", "-c", rank("1", "launch=k1")};
  EXPECT_EQ(record({"-o", "ranks", "--replace"}, alone).status, 0);
  EXPECT_FALSE(fs::exists(folder() / "ranks/rank-0")) << "a rank of the earlier record";
}

TEST_F(RecordStated, FormulasNeedNoRight) {
  environment = {"FAKE_CUPTI_REFUSES=cuptiProfilerInitialize"};
  std::ofstream(file("work.txt")) << "kernel k\n  fp64 200 * gx\n  dram 100 * gx\n";
  const Finished done = run({"launch=k3*3"}, {"--work", "work.txt", "-o", "record"});
  EXPECT_EQ(done.status, 0) << "there is something to show: " << done.errors;
  EXPECT_TRUE(contains(done.output, "DRAM, by formula"));
  EXPECT_TRUE(fs::exists(folder() / "record/roofline-fp64.svg"));
  const json kernel = kernel_in(profile("record"), "k3");
  EXPECT_TRUE(kernel["rooflines"].empty());
  EXPECT_EQ(kernel["forms"][0]["form"]["registers"], 64);
  std::ofstream(file("wrong.txt")) << "kernel k\n  fp64 200 * gx /\n";
  refused(run({"note=runs"}, {"--work", "wrong.txt", "-o", "wrong"}), {"wrong.txt:2:"});
  EXPECT_TRUE(lines("runs").empty()) << "a mistake must cost nothing";
}

}  // namespace
}  // namespace roofline::test
