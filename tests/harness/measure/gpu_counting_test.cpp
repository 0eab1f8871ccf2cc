// Counting on a GPU: on a slice, the scaled FLOPs must be those of the whole; the process that
// counts several variants samples each. Skips where nothing can be counted.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "gpp/study/slice.h"
#include "harness/measure/counting.h"
#include "harness/measure/selection.h"
#include "roofline/base/process.h"
#include "tests/gpp/subject.h"
#include "tests/roofline/withheld.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

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

struct Counting {
  std::string model;
  std::string id;
};

class GpuCounting : public testing::TestWithParam<Counting> {
 protected:
  void SetUp() override {
    const std::string reason = roofline::cupti_recorder().unavailable();
    if (!reason.empty()) GTEST_SKIP() << reason;
    choice = select_one(catalog(), GetParam().id, {{GetParam().model}, {}, "gpu"});
    if (choice.build == nullptr) GTEST_SKIP() << choice.reason;
  }

  Choice choice;
};

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
  // Counters that the machine withholds are no failure; anything else is.
  if (roofline::test::is_withheld(exact.reason)) GTEST_SKIP() << exact.reason;
  const roofline::Counted scaled = roofline::count_by_hardware(
      recorder, "slice", whole.run(), roofline::SliceRun{"a tenth", part.run()});
  for (const roofline::Counted* counted : {&exact, &scaled}) {
    ASSERT_EQ(counted->source, roofline::CountedBy::cupti) << counted->reason;
    EXPECT_TRUE(counted->defects.empty()) << counted->defects.front();
  }
  const double flop = exact.metrics.at("fp64_flop");
  const double estimate = scaled.metrics.at("fp64_flop");
  std::printf("%s %s: %.10g FLOP, on a slice %.10g (%+.4f%%), scale %.6g\n",
              GetParam().model.c_str(), GetParam().id.c_str(), flop, estimate,
              100 * (estimate / flop - 1), scaled.slice->scale);
  ASSERT_GT(flop, 0);
  EXPECT_NEAR(estimate, flop, 0.01 * flop);
}

INSTANTIATE_TEST_SUITE_P(Variants, GpuCounting,
                         testing::Values(Counting{"cuda", "v2"}, Counting{"cuda", "v9"},
                                         Counting{"cuda", "v12"}, Counting{"omp", "v2"},
                                         Counting{"omp", "v9"}, Counting{"omp", "v12"}),
                         [](const auto& tested) {
                           return tested.param.model + "_" + tested.param.id;
                         });

TEST(GpuStudy, SamplesEachVariantThatOneProcessCounts) {
  const std::string reason = roofline::cupti_recorder().unavailable();
  if (!reason.empty()) GTEST_SKIP() << reason;
  const test::TemporaryFolder folder;
  const std::string record = folder.path() / "study";
  const roofline::Finished done = roofline::run_program(
      {GPP_BINARY_DIR "/gpp", "study", "--only", "v1,v2,v9", "--model", "cuda", "--no-build",
       "--ceilings", "off", "--time-limit", "2", "-o", record});
  ASSERT_EQ(done.status, 0) << done.errors;
  std::ifstream file(record + "/study.json");
  for (const nlohmann::json& result : nlohmann::json::parse(file).at("results")) {
    if (result.at("status") != "passed") continue;
    const nlohmann::json& counting = result.at("counting");
    if (roofline::test::is_withheld(counting.at("reason"))) GTEST_SKIP() << counting;
    EXPECT_TRUE(result.at("counters").contains("smsp__pcsamp_warps_issue_stalled_long_scoreboard"))
        << result.at("variant") << ": " << counting.at("missing");
  }
}

}  // namespace
}  // namespace gpp
