// Guesses at mistyped names.
#include "roofline/base/text.h"

#include <gtest/gtest.h>

namespace roofline {
namespace {

const std::vector<std::string> names = {"v1", "v12", "reciprocal", "cache_blocking", "study"};

TEST(Nearest, FindsWhatWasMeant) {
  EXPECT_EQ(nearest("reciprcal", names), "reciprocal");
  EXPECT_EQ(nearest("cache-blocking", names), "cache_blocking");
  EXPECT_EQ(nearest("stduy", {"study", "run"}), "") << "two letters in five are too many";
  EXPECT_EQ(nearest("sudy", names), "study");
  EXPECT_EQ(nearest("v13", names), "v1");
}

TEST(Nearest, DoesNotGuessWildly) {
  EXPECT_EQ(nearest("banana", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(Nearest, TheMessageListsWhatThereIs) {
  EXPECT_EQ(unknown_name("preset", "smal", {"tiny", "small"}),
            "unknown preset 'smal'; did you mean 'small'? Known: tiny, small.");
  EXPECT_EQ(unknown_name("preset", "huge", {"tiny", "small"}),
            "unknown preset 'huge'. Known: tiny, small.");
}

}  // namespace
}  // namespace roofline
