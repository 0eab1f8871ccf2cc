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

}  // namespace
}  // namespace gpp
