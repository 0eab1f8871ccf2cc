// Tests that every step has a lesson, and that no lesson reveals its outcome early.
#include <fmt/format.h>
#include <iterator>
#include <set>

#include "gpp/study/kernel.h"
#include "gpp/variant.h"
#include "harness/program/embedded.h"
#include "harness/teach/lessons.h"
#include "roofline/base/pattern.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

std::string lesson_with() {
  return "# v7: seventh\n\n## Idea\n\nOne. Two.\n\n## What changes\n\nThis.\n\n## "
         "Predict\n\nThat.\n\n"
         "## On a V100\n\n0.66 s it took.\n\n## On an H200\n\nLess.\n\n"
         "## On a host\n\nSlower.\n\n## Next\n\nMore.\n";
}

void expect_refusal(const std::string& markdown, const std::string& part) {
  const std::string message =
      test::thrown<std::runtime_error>([&] { parse_lessons(markdown, "lessons/x.md"); });
  EXPECT_TRUE(test::contains_all(message, {"lessons/x.md: ", part}));
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Lesson, IsReadFromMarkdown) {
  const Lesson lesson = parse_lessons(lesson_with(), "x").front();
  EXPECT_EQ(lesson.id, "v7");
  EXPECT_EQ(lesson.step, "seventh");
  EXPECT_EQ(lesson.idea, "One. Two.");
  EXPECT_EQ(lesson.published, "0.66 s it took.");
  EXPECT_EQ(lesson.published_on, "On a V100");
  EXPECT_EQ(lesson.on_host, "Slower.");
  EXPECT_EQ(lesson.openmp, "");
  EXPECT_EQ(lesson.next, "More.");
  const Lesson other = parse_lessons(with(with(lesson_with(), "## On a V100", "## On an MI250X"),
                                          "## Next", "## In OpenMP\n\nFast.\n\n## Next"),
                                     "x")
                           .front();
  EXPECT_EQ(other.published_on, "On an MI250X");
  EXPECT_EQ(other.published, "0.66 s it took.");
  EXPECT_EQ(other.on_host, "Slower.");
  EXPECT_EQ(other.openmp, "Fast.");
}

TEST(Lesson, LeavesOutParagraphsForTheOtherKindOfDevice) {
  const std::string text =
      "For all,\non two lines.\n\nOn a GPU: count the warps.\n\nOn a host: count\nthe "
      "lanes.\n\nMore.";
  EXPECT_EQ(text_for("host", text), "For all,\non two lines.\n\nCount\nthe lanes.\n\nMore.");
  EXPECT_EQ(text_for("gpu", text), "For all,\non two lines.\n\nCount the warps.\n\nMore.");
  EXPECT_EQ(text_for("host", "On a GPU: count."), "");
}

TEST(Lesson, SaysWhatIsWrongWithIt) {
  expect_refusal(with(lesson_with(), "# v7: seventh", "# v7 seventh"),
                 "must begin with '# ID: STEP'");
  expect_refusal(with(lesson_with(), "## Predict", "## Predictions"), "'## Predict' is missing");
  expect_refusal(with(lesson_with(), "## On a host", "## On hosts"), "'## On a host' is missing");
  expect_refusal(with(lesson_with(), "This.", ""), "'## What changes' is empty");
  expect_refusal(with(lesson_with(), "## On a host", "## In OpenMP\n\nFast.\n\n## On a host"),
                 "'## On a host' is missing or out of order");
  expect_refusal(lesson_with() + "\n## More\n\nText.\n", "'## More' is unknown or out of order");
}

TEST(Lessons, ThereIsOneForEveryNumberedStep) {
  std::set<std::string> steps, told;
  for (const Variant& variant : catalog())
    if (variant.id != variant.step) steps.insert(variant.id + " " + variant.step);
  for (const Lesson& lesson : lessons_of(gpp_kernel())) told.insert(lesson.id + " " + lesson.step);
  EXPECT_GE(steps.size(), 14u);
  EXPECT_EQ(steps, told);
  EXPECT_EQ(lessons_of(gpp_kernel()).size(), told.size());
  ASSERT_NE(find_lesson(gpp_kernel(), "v7"), nullptr);
  EXPECT_EQ(find_lesson(gpp_kernel(), "v7"), find_lesson(gpp_kernel(), "reciprocal"));
  EXPECT_EQ(find_lesson(gpp_kernel(), "v99"), nullptr);
  for (int i = 1; i <= 14; ++i)
    EXPECT_EQ(lessons_of(gpp_kernel())[static_cast<std::size_t>(i - 1)].id, fmt::format("v{}", i));
}

std::size_t sentences_in(const std::string& text) {
  return roofline::Pattern(R"([.?!]["')]?(\s|$))").all(text).size();
}

/// A host's reader does not know GPU terms.
TEST(Lessons, TellTheirIdeaInFiveSentencesAndHostsInTheirWords) {
  const roofline::Pattern gpu(
      "occupancy|[Ww]arps?\\b|multiprocessor|launch_bounds|shared memory|SMs?\\b");
  for (const Lesson& lesson : lessons_of(gpp_kernel())) {
    if (lesson.id == "v10") continue;  // explains why hosts lack the step
    const std::string predict = text_for("host", lesson.predict);
    EXPECT_FALSE(gpu.first(predict)) << lesson.id << ": " << predict;
    EXPECT_NE(text_for("gpu", lesson.predict), predict) << lesson.id;
  }
  EXPECT_EQ(sentences_in("One, 1.5 or two. Is it? Yes."), 3u);
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    EXPECT_EQ(sentences_in(lesson.idea), 5u) << lesson.id;
}

/// No outcome may precede the question.
TEST(Lessons, GiveNoOutcomeAwayBeforeTheyAsk) {
  const roofline::Pattern outcome(
      "\\b(faster|slower|gains? of|loss|speedup|pays? for itself|occupancy "
      "(falls|rises|doubles))\\b");
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    for (const std::string& text : {lesson.idea, lesson.changes})
      for (const roofline::Match& found : outcome.all(text))
        ADD_FAILURE() << lesson.id << ": " << found[0];
}

}  // namespace
}  // namespace gpp::test
