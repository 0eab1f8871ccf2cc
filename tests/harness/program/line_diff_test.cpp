// Diffs that lead from one text to the other, and are as short as they can be.
#include "harness/program/line_diff.h"

#include <gtest/gtest.h>

#include "tests/harness/apply_diff.h"

namespace gpp {
namespace {

std::string numbered(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(LineDiff, SaysNothingWhereNothingChanged) {
  EXPECT_TRUE(unified_diff("a\nb\n", "a\nb\n").empty());
  EXPECT_TRUE(unified_diff("", "").empty());
}

TEST(LineDiff, ReadsLikeDiffU) {
  const std::vector<DiffLine> expected = {{'@', "@@ -2,7 +2,7 @@"},
                                          {' ', "2"},
                                          {' ', "3"},
                                          {' ', "4"},
                                          {'-', "5"},
                                          {'+', "five"},
                                          {' ', "6"},
                                          {' ', "7"},
                                          {' ', "8"}};
  std::string after = numbered(1, 9);
  after.replace(after.find('5'), 1, "five");
  EXPECT_EQ(unified_diff(numbered(1, 9), after), expected);
}

TEST(LineDiff, SplitsWhereTheContextsDoNotTouch) {
  const std::string before = numbered(1, 30);
  const auto headers = [&](const std::string& after) {
    std::string all;
    for (const DiffLine& line : unified_diff(before, after))
      if (line.kind == '@') all += line.text;
    return all;
  };
  EXPECT_EQ(headers(numbered(2, 29)), "@@ -1,4 +1,3 @@@@ -27,4 +26,3 @@");
  EXPECT_EQ(headers("0\n" + before), "@@ -1,3 +1,4 @@");
  EXPECT_EQ(headers(""), "@@ -1,30 +0,0 @@");
}

TEST(LineDiff, IsAsShortAsItCanBe) {
  const auto changed = [](std::string_view before, std::string_view after) {
    int count = 0;
    for (const DiffLine& line : unified_diff(before, after))
      count += line.kind == '-' || line.kind == '+';
    return count;
  };
  EXPECT_EQ(changed("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n"), 5);  // Myers' own example
  EXPECT_EQ(changed("{\nx\n}\n", "{\nx\n}\n{\ny\n}\n"), 3);
}

TEST(LineDiff, Applies) {
  const std::string before = numbered(1, 40);
  for (const std::string& after :
       {numbered(3, 41), numbered(1, 5) + "x\n" + numbered(6, 20) + numbered(25, 40),
        std::string("y\n"), std::string()}) {
    EXPECT_EQ(applied(unified_diff(before, after), before), after);
    EXPECT_EQ(applied(unified_diff(after, before), after), before);
  }
}

}  // namespace
}  // namespace gpp
