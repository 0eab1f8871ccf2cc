// Tests of the occupancy calculator against CUDA's values for every launch in results/.
#include "roofline/occupancy.h"

#include <gtest/gtest.h>

#include "harness/record/record.h"
#include "tests/harness/kept_records.h"

namespace gpp {
namespace {

using roofline::occupancy;

TEST(Occupancy, IsWhatCudaSaidOfEachRecordedLaunch) {
  int launches = 0;
  for (const auto& record : test::kept_records()) {
    const StudyRecord study = read_record(record);
    const bool hopper =
        !study.machine.gpus.empty() && study.machine.gpus.front().architecture == "sm_90";
    for (const Result& result : study.results)
      for (const Launch& launch : result.launches) {
        if (!hopper || result.kind != "gpu" || !(launch.occupancy > 0)) continue;
        SCOPED_TRACE(record.string() + " " + result.variant + " " + launch.kernel);
        const auto found =
            occupancy(90, {launch.threads_per_block, launch.registers, launch.shared_bytes});
        ASSERT_TRUE(found);
        EXPECT_NEAR(found->share(), launch.occupancy, 1e-6);
        ++launches;
      }
  }
  EXPECT_GT(launches, 100);
}

/// Computed by hand from the Programming Guide's table, and equal to Nsight Compute's calculator.
TEST(Occupancy, KnownValues) {
  EXPECT_EQ(occupancy(70, {256, 32, 0})->share(), 1.0);
  EXPECT_EQ(occupancy(70, {512, 128, 0})->share(), 0.25) << "16 warps of 4096 registers each";
  EXPECT_EQ(occupancy(70, {512, 128, 0})->limiter(), "registers");
  EXPECT_EQ(occupancy(80, {128, 40, 0})->warps(), 48) << "12 warps in each part";
  EXPECT_EQ(occupancy(86, {128, 32, 0})->most_warps, 48);
  EXPECT_EQ(occupancy(90, {32, 16, 0})->limiter(), "blocks");
  EXPECT_EQ(occupancy(90, {32, 16, 0})->share(), 0.5);
  EXPECT_EQ(occupancy(90, {256, 32, 113 * 1024})->blocks(), 2) << "with a KiB reserved for each";
  EXPECT_EQ(occupancy(90, {256, 32, 114 * 1024})->blocks(), 1);
  EXPECT_EQ(occupancy(90, {1024, 255, 0})->blocks(), 0) << "it cannot be launched";
  EXPECT_FALSE(occupancy(61, {256, 32, 0}));
}

}  // namespace
}  // namespace gpp
