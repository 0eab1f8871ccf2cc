// Multiprocessors set aside, on a GPU: roofs and times follow their number, bytes are counted on
// each. Skips where green contexts cannot be had.
#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/study/kernel.h"
#include "harness/measure/selection.h"
#include "harness/record/trajectory_lines.h"
#include "runtimes/part_of_device.h"
#include "tests/finished.h"
#include "tests/gpp/subject.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

/// v9 of CUDA, which has more blocks than any GPU holds.
Choice chosen() { return select_one(catalog(), "v9", {{"cuda"}, {}, "gpu"}); }

class GpuTrajectory : public testing::Test {
 protected:
  void SetUp() override {
    if (chosen().build == nullptr) GTEST_SKIP() << chosen().reason;
  }
};

TEST_F(GpuTrajectory, ConfinesWorkAndRoofs) {
  const Runtime& runtime = *chosen().build->runtime;
  const auto& part = dynamic_cast<const PartOfDevice&>(runtime);
  const int all = runtime.describe().units;
  int few = 0;
  try {
    few = part.confine(16);
  } catch (const std::exception& error) {
    GTEST_SKIP() << error.what();
  }
  EXPECT_GE(few, 16);
  EXPECT_LT(few, all);
  EXPECT_EQ(runtime.describe().units, few);
  EXPECT_EQ(part.confine(0), all);
  EXPECT_EQ(runtime.describe().units, all);
}

TEST_F(GpuTrajectory, BlocksThatWaitHoldTheOthers) {
  const Choice choice = chosen();
  const Runtime& runtime = *choice.build->runtime;
  const auto& part = dynamic_cast<const PartOfDevice&>(runtime);
  const auto subject = test::subject_of(read_gpp214(bundled_input()));
  const auto placement = subject->place(runtime);
  const auto run = [&] {
    return runtime.time([&] { placement->run(*choice.variant, choice.build->call); });
  };
  run();
  const double whole = run();
  const int all = runtime.describe().units;
  double beside = 0;
  part.beside_waiting_blocks(16, 5, [&] { beside = run(); });
  EXPECT_TRUE(placement->check(1e-10).passed);
  EXPECT_GT(beside, 0.5 * all / 16 * whole) << "it ran on more than 16 multiprocessors";
  EXPECT_THROW(part.beside_waiting_blocks(16, 0.01,
                                          [&] {
                                            while (beside < 0.2) beside += run();
                                          }),
               std::runtime_error)
      << "the blocks had gone before the work ended";
}

TEST_F(GpuTrajectory, ThroughTheProgramIsCountedOnEachNumber) {
  const test::TemporaryFolder folder;
  const std::string output = (folder.path() / "t").string();
  succeeded(roofline::run_program({GPP_BINARY_DIR "/gpp", "trajectory", "v9", "--model", "cuda",
                                   "--device", "gpu", "--sizes", "silicon8", "--units", "16,64",
                                   "--repeat", "3", "--ceilings", "fresh", "-o", output}));
  const Trajectory trajectory = read_trajectory(output);
  const std::vector<TrajectoryLine> lines = lines_of(trajectory);
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_EQ(lines[0].stops.size(), 2u);
  const auto peak = [](const TrajectoryStop& stop) {
    return stop.point->study.ceilings.at(0).find("fp64_fma")->measured;
  };
  const TrajectoryStop &few = lines[0].stops[0], &more = lines[0].stops[1];
  EXPECT_NEAR(peak(more) / peak(few), 4, 0.4);
  EXPECT_GT(more.speedup, 2);
  for (const TrajectoryStop& stop : lines[0].stops) {
    ASSERT_NE(stop.find("l2"), nullptr);
    EXPECT_TRUE(stop.find("l2")->counted || !trajectory.lost.empty());
  }
}

}  // namespace
}  // namespace gpp
