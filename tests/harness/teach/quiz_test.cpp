// A quiz driven through a stream: every kind of answer, and the end of the input.
#include "harness/teach/quiz.h"

#include <gtest/gtest.h>

#include <sstream>

#include "harness/teach/markdown_text.h"
#include "tests/text.h"

namespace gpp {
namespace {

using test::contains;

std::vector<Question> sample() {
  return {{"Which is `first`?", {"this", "that"}, 0, "It is **this**."},
          {"And now?", {"a one", "a two", "a three"}, 2, "So it is."}};
}

struct Told {
  Score score;
  std::string text;
};

Told answered(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  const Score score = ask(sample(), in, out, {80, false});
  return {score, out.str()};
}

TEST(Quiz, CountsRightAnswersByLetterAndNumber) {
  for (const char* input : {"a\nc\n", "A\nC)\n", "1\n3\n", "  a \n3.\r\n", "a\nc"}) {
    const Told told = answered(input);
    EXPECT_EQ(told.score.right, 2u) << input;
    EXPECT_EQ(told.score.answered, 2u) << input;
    EXPECT_TRUE(contains(told.text, "Right. It is this."));
  }
}

TEST(Quiz, TellsTheRightAnswerAfterAWrongOne) {
  const Told told = answered("b\nc\n");
  EXPECT_EQ(told.score.right, 1u);
  EXPECT_EQ(told.score.answered, 2u);
  EXPECT_TRUE(contains(told.text, "No: it is a. It is this."));
}

TEST(Quiz, RevealsNothingBeforeTheAnswer) {
  const Told told = answered("");
  EXPECT_TRUE(contains(told.text, "Which is first?"));
  EXPECT_FALSE(contains(told.text, "It is this"));
  EXPECT_FALSE(contains(told.text, "And now?"));
}

TEST(Quiz, AsksAgainWhatItDoesNotUnderstand) {
  const Told told = answered("c\nperhaps\n0\n7\na\nc\n");
  EXPECT_EQ(told.score.right, 2u);
  EXPECT_TRUE(contains(told.text, "'c' is none of them: a letter from a to b"));
  EXPECT_TRUE(contains(told.text, "'perhaps' is none of them"));
}

TEST(Quiz, LetsPass) {
  const Told told = answered("\nc\n");
  EXPECT_EQ(told.score.right, 1u);
  EXPECT_EQ(told.score.answered, 1u);
  EXPECT_TRUE(contains(told.text, "It is a. It is this."));
}

TEST(Quiz, EndsWithItsInput) {
  const Told told = answered("a\nwhat\n");
  EXPECT_EQ(told.score.right, 1u);
  EXPECT_EQ(told.score.answered, 1u);
  EXPECT_EQ(told.score.asked, 2u);
  EXPECT_TRUE(contains(told.text, "No more answers"));
}

TEST(MarkdownText, IsPlainAndBrokenAtWords) {
  EXPECT_EQ(without_signs("**a** `b` [c](http://d) e"), "a b c e");
  EXPECT_EQ(markdown_text("one two\nthree four\n\n- five six\n- seven", 10),
            "one two\nthree four\n\n- five six\n- seven\n");
  EXPECT_EQ(markdown_text("1. one two three", 10), "1. one two\n   three\n");
}

}  // namespace
}  // namespace gpp
