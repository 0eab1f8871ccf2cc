// Tests on a GPU: counts on a slice give the whole's FLOPs, and one process samples each counted
// variant; evidence per source line; roofs and times for parts of the device. Skipped without a GPU
// or counters.
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/study/check.h"
#include "gpp/study/inputs.h"
#include "gpp/study/kernel.h"
#include "harness/measure/study.h"
#include "harness/program/selection.h"
#include "harness/record/trajectory.h"
#include "roofline/base/machine.h"
#include "roofline/record/lines.h"
#include "roofline/recorder.h"
#include "tests/finished.h"
#include "tests/gpp/subject.h"
#include "tests/roofline/withheld.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

using nlohmann::json;

/// A problem and its place on a device.
struct Placed {
  Placed(Input&& input, const Choice& chosen)
      : choice(chosen),
        subject(test::subject_of(std::move(input))),
        placement(subject->place(*choice.build->runtime)) {}

  roofline::CheckedRun run() {
    return {[this] {
              choice.build->runtime->time(
                  [this] { placement->run(*choice.variant, choice.build->call); });
            },
            [this] { return placement->check(default_tolerance).reason; }};
  }

  Choice choice;
  std::unique_ptr<GppSubject> subject;
  std::unique_ptr<Placement> placement;
};

/// A variant of a model.
class OnGpu : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  void SetUp() override {
    const std::string reason = roofline::cupti_recorder().unavailable();
    if (!reason.empty()) GTEST_SKIP() << reason;
    std::tie(model, id) = GetParam();
    choice = select_one(catalog(), id, {{model}, {}, "gpu"});
    if (choice.build == nullptr) GTEST_SKIP() << choice.reason;
  }

  const char *model = nullptr, *id = nullptr;
  Choice choice;
};

using GpuCounting = OnGpu;
using GpuLines = OnGpu;

TEST_P(GpuCounting, ASliceGivesTheFlopsOfTheWhole) {
  const roofline::Recorder& recorder = roofline::cupti_recorder();
  Placed whole(read_gpp214(bundled_input()), choice);
  const Input& input = whole.subject->problem().input();
  Placed part(slice_of(input, input.ngpown / 10), choice);
  for (Placed* placed : {&whole, &part}) {
    placed->run().run();
    ASSERT_EQ(placed->run().check(), "") << "as a warm-up";
  }
  const roofline::Counted exact = roofline::count_by_hardware(recorder, "whole", whole.run());
  // Counters without permission are no failure; other errors are.
  if (roofline::test::is_withheld(exact.reason)) GTEST_SKIP() << exact.reason;
  const roofline::Counted scaled = roofline::count_by_hardware(
      recorder, "slice", whole.run(), roofline::SliceRun{"a tenth", part.run()});
  for (const roofline::Counted* counted : {&exact, &scaled}) {
    ASSERT_EQ(counted->source, roofline::CountedBy::cupti) << counted->reason;
    EXPECT_TRUE(counted->defects.empty()) << counted->defects.front();
  }
  const double flop = exact.metrics.at("fp64_flop");
  const double estimate = scaled.metrics.at("fp64_flop");
  std::printf("%s %s: %.10g FLOP, on a slice %.10g (%+.4f%%), scale %.6g\n", model, id, flop,
              estimate, 100 * (estimate / flop - 1), scaled.slice->scale);
  ASSERT_GT(flop, 0);
  EXPECT_NEAR(estimate, flop, 0.01 * flop);
}

TEST(GpuStudy, SamplesEachVariantThatOneProcessCounts) {
  const std::string reason = roofline::cupti_recorder().unavailable();
  if (!reason.empty()) GTEST_SKIP() << reason;
  const test::TemporaryFolder folder;
  const std::string record = folder.path() / "study";
  const roofline::Finished done =
      test::run_gpp({"study", "--only", "v1,v2,v9", "--model", "cuda", "--no-build", "--ceilings",
                     "off", "--time-limit", "2", "-o", record});
  ASSERT_EQ(done.status, 0) << done.errors;
  std::ifstream file(record + "/study.json");
  for (const json& result : json::parse(file).at("results")) {
    if (result.at("status") != "passed") continue;
    const json& counting = result.at("counting");
    if (roofline::test::is_withheld(counting.at("reason"))) GTEST_SKIP() << counting;
    EXPECT_TRUE(result.at("counters").contains("smsp__pcsamp_warps_issue_stalled_long_scoreboard"))
        << result.at("variant") << ": " << counting.at("missing");
  }
}

// ---- Lines --------------------------------------------------------------------------------------

TEST_P(GpuLines, SamplesAndCountsWithNothingLost) {
  const roofline::Finished done =
      test::run_gpp({"lines", id, "--model", "cuda", "--no-build", "--json"});
  ASSERT_NE(done.output, "") << done.errors;
  const json lines = json::parse(done.output);
  for (const json& lost : lines.at("lost"))
    if (roofline::test::is_withheld(lost)) GTEST_SKIP() << lost;
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(lines.at("lost").empty()) << lines.at("lost");
  EXPECT_GT(lines.at("samples"), 10'000);
  EXPECT_EQ(lines.at("part"), "") << "the bundled input is small";
  std::uint64_t inlined = 0, own = 0;
  for (const json& line : lines.at("lines")) {
    const std::uint64_t count = line.at("warp_instructions");
    if (!line.at("called_from").is_null())
      inlined += count;
    else if (line.at("file").get<std::string>().starts_with("variants/cuda/v"))
      own += count;
  }
  EXPECT_GT(inlined, 0u) << "the forms are inlined";
  EXPECT_GT(own, 0u);
}

using testing::Combine, testing::Values;
INSTANTIATE_TEST_SUITE_P(Variants, GpuCounting,
                         Combine(Values("cuda", "omp"), Values("v2", "v9", "v12")));
INSTANTIATE_TEST_SUITE_P(Variants, GpuLines, Combine(Values("cuda"), Values("v2", "v9", "v12")));

// ---- Multiprocessors set aside ------------------------------------------------------------------

/// v9 of CUDA, which has more blocks than any GPU holds at once.
Choice chosen() { return select_one(catalog(), "v9", {{"cuda"}, {}, "gpu"}); }

class GpuTrajectory : public testing::Test {
 protected:
  void SetUp() override {
    if (chosen().build == nullptr) GTEST_SKIP() << chosen().reason;
  }
};

TEST_F(GpuTrajectory, ConfinesWorkAndRoofs) {
  const Runtime& runtime = *chosen().build->runtime;
  const int all = runtime.describe().units;
  int few = 0;
  try {
    few = runtime.confine(16);
  } catch (const std::exception& error) {
    GTEST_SKIP() << error.what();
  }
  EXPECT_GE(few, 16);
  EXPECT_LT(few, all);
  EXPECT_EQ(runtime.describe().units, few);
  EXPECT_EQ(runtime.confine(0), all);
  EXPECT_EQ(runtime.describe().units, all);
}

TEST_F(GpuTrajectory, BlocksThatWaitHoldTheOthers) {
  const Choice choice = chosen();
  const Runtime& runtime = *choice.build->runtime;
  const auto subject = test::subject_of(read_gpp214(bundled_input()));
  const auto placement = subject->place(runtime);
  const auto run = [&] {
    return runtime.time([&] { placement->run(*choice.variant, choice.build->call); });
  };
  run();
  const double whole = run();
  const int all = runtime.describe().units;
  double beside = 0;
  runtime.beside_waiting_blocks(16, 5, [&] { beside = run(); });
  EXPECT_TRUE(placement->check(1e-10).passed);
  EXPECT_GT(beside, 0.5 * all / 16 * whole) << "it ran on more than 16 multiprocessors";
  EXPECT_THROW(runtime.beside_waiting_blocks(16, 0.01,
                                             [&] {
                                               while (beside < 0.2) beside += run();
                                             }),
               std::runtime_error)
      << "the blocks had gone before the work ended";
}

TEST_F(GpuTrajectory, ThroughTheProgramIsCountedOnEachNumber) {
  const test::TemporaryFolder folder;
  const std::string output = (folder.path() / "t").string();
  succeeded(test::run_gpp({"trajectory", "v9", "--model", "cuda", "--device", "gpu", "--sizes",
                           "silicon8", "--units", "16,64", "--repeat", "3", "--ceilings", "fresh",
                           "-o", output}));
  const Trajectory trajectory = read_trajectory(output);
  ASSERT_EQ(trajectory.points.size(), 2u);
  const StudyRecord &few = trajectory.points[0].study, &more = trajectory.points[1].study;
  const auto peak = [](const StudyRecord& study) {
    return study.ceilings.at(0).find("fp64_fma")->measured;
  };
  EXPECT_NEAR(peak(more) / peak(few), 4, 0.4);
  EXPECT_GT(few.results.at(0).timing().median, 2 * more.results.at(0).timing().median);
  for (const TrajectoryPoint& point : trajectory.points) {
    const roofline::RooflinePoint* place = point.study.results.at(0).roofline();
    ASSERT_NE(place, nullptr);
    EXPECT_TRUE(place->find_level("l2") != nullptr || !trajectory.lost.empty());
  }
}

}  // namespace
}  // namespace gpp
