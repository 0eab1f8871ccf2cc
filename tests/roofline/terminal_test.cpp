// The time that work still takes, in words.
#include "roofline/base/terminal.h"

#include <gtest/gtest.h>

namespace roofline {
namespace {

TEST(TimeToGo, FollowsFromTheShareAndTheTimeItTook) {
  EXPECT_EQ(time_to_go(0.5, 12), "about 12 s to go");
  EXPECT_EQ(time_to_go(0.25, 100), "about 5 min to go");
  EXPECT_EQ(time_to_go(0.1, 3600), "about 9 h to go");
  EXPECT_EQ(time_to_go(0.999, 100), "about 1 s to go");
}

TEST(TimeToGo, SaysNothingWhereThatCannotBeTold) {
  EXPECT_EQ(time_to_go(-1, 100), "");
  EXPECT_EQ(time_to_go(0, 100), "");
  EXPECT_EQ(time_to_go(0.01, 100), "") << "too little is done";
  EXPECT_EQ(time_to_go(0.5, 0.1), "") << "too short a time";
  EXPECT_EQ(time_to_go(1, 100), "");
}

}  // namespace
}  // namespace roofline
