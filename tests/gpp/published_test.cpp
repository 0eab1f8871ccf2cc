// The published times, as they were published.
#include "gpp/study/published.h"

#include <gtest/gtest.h>

namespace gpp {
namespace {

TEST(Published, SpeedupsFollowFromTheTimes) {
  EXPECT_DOUBLE_EQ(*published_v100().speedup("v1"), 1.0);
  EXPECT_DOUBLE_EQ(*published_v100().speedup("v2"), 1.63 / 1.73);
  EXPECT_DOUBLE_EQ(*published_v100().speedup("v9"), 1.63 / 0.57);
}

TEST(Published, LaterStepsHaveNone) {
  EXPECT_FALSE(published_v100().speedup("v10").has_value());
  EXPECT_FALSE(published_v100().speedup("v").has_value());
}

/// Figures of the slides' source views. A line's boxes can't list more than its samples.
TEST(Published, LinesAreThoseOfTheSlides) {
  const auto line_at = [](const char* version, int line) {
    for (const PublishedLine& one : published_v100().lines)
      if (one.version == version && one.line == line) return one;
    return PublishedLine{};
  };
  EXPECT_EQ(line_at("v7", 313).stalls.at("wait"), 217938U);
  EXPECT_NEAR(217938.0 / double(line_at("v7", 313).samples), 0.466, 0.0005);
  EXPECT_NEAR(10739.0 / double(line_at("v8", 315).samples), 0.237, 0.0005);
  EXPECT_NEAR(double(line_at("v8", 286).stalls.at("long_scoreboard")) /
                  double(line_at("v8", 286).not_issued),
              0.939, 0.0005);
  EXPECT_NEAR(double(line_at("v9", 290).stalls.at("long_scoreboard")) /
                  double(line_at("v9", 290).not_issued),
              0.738, 0.0005);
  for (const PublishedLine& one : published_v100().lines) {
    std::uint64_t sum = 0;
    for (const auto& [reason, samples] : one.stalls) sum += samples;
    EXPECT_LE(sum, one.stalls_of == "not_issued" ? one.not_issued : one.samples) << one.source;
    EXPECT_EQ(one.stalls.empty(), one.stalls_of.empty()) << one.source;
  }
  // Four instructions of each warp, and one and a half: results/published/README.md.
  EXPECT_EQ(line_at("v8", 286).warp_instructions, 4 * 766'944'000U);
  EXPECT_EQ(line_at("v9", 290).warp_instructions, 4 * 768'952'000U);
  EXPECT_EQ(2 * line_at("v8", 315).warp_instructions, 3 * 766'944'000U);
}

}  // namespace
}  // namespace gpp
