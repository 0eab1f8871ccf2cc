// A quiz driven through a stream: every kind of answer, and the end of the input.
#include "harness/teach/quiz.h"

#include <sstream>

#include "harness/teach/markdown_text.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

std::vector<Question> sample() {
  return {{"Which is `first`?", {"this", "that"}, 0, "It is **this**."},
          {"And now?", {"a one", "a two", "a three"}, 2, "So it is."}};
}

struct Quizzed {
  Score score;
  std::string text;
};

Quizzed quizzed(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  const Score score = ask(sample(), in, out, {80, false});
  return {score, out.str()};
}

TEST(Quiz, CountsRightAnswersByLetterAndNumber) {
  for (const char* input : {"a\nc\n", "A\nC)\n", "1\n3\n", "  a \n3.\r\n", "a\nc"}) {
    const Quizzed told = quizzed(input);
    EXPECT_EQ(told.score.right, 2u) << input;
    EXPECT_EQ(told.score.answered, 2u) << input;
    EXPECT_TRUE(contains(told.text, "Right. It is this."));
  }
}

TEST(Quiz, TellsTheRightAnswerAndWhatItDoesNotUnderstand) {
  const struct {
    const char* input;
    std::size_t right, answered, asked;
    std::vector<std::string> said;
  } cases[] = {{"b\nc\n", 1, 2, 2, {"No: it is a. It is this."}},
               {"c\nperhaps\n0\n7\na\nc\n",
                2,
                2,
                2,
                {"'c' is none of them: a letter from a to b", "'perhaps' is none of them"}},
               {"\nc\n", 1, 1, 2, {"It is a. It is this."}},
               {"a\nwhat\n", 1, 1, 2, {"No more answers"}},
               {"a\n Q\na\n", 1, 1, 2, {"q) no more answers", "No more answers: the rest"}}};
  for (const auto& one : cases) {
    const auto [score, text] = quizzed(one.input);
    EXPECT_EQ(score.right, one.right) << one.input;
    EXPECT_EQ(score.answered, one.answered) << one.input;
    EXPECT_EQ(score.asked, one.asked) << one.input;
    EXPECT_TRUE(contains_all(text, one.said));
  }
}

TEST(Quiz, RevealsNothingBeforeTheAnswer) {
  const Quizzed told = quizzed("");
  EXPECT_TRUE(told.score.ended);
  EXPECT_FALSE(quizzed("a\nc\n").score.ended);
  EXPECT_TRUE(contains(told.text, "Which is first?"));
  EXPECT_FALSE(contains(told.text, "It is this"));
  EXPECT_FALSE(contains(told.text, "And now?"));
}

TEST(MarkdownText, IsPlainAndBrokenAtWords) {
  EXPECT_EQ(without_signs("**a** `b` [c](http://d) e"), "a b c e");
  EXPECT_EQ(markdown_text("one two\nthree four\n\n- five six\n- seven", 10),
            "one two\nthree four\n\n- five six\n- seven\n");
  EXPECT_EQ(markdown_text("1. one two three", 10), "1. one two\n   three\n");
}

}  // namespace
}  // namespace gpp::test
