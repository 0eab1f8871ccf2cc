// Every step has its lesson, and none gives an outcome away.
#include "harness/teach/lessons.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>

#include "gpp/study/kernel.h"
#include "gpp/variant.h"
#include "harness/program/embedded.h"
#include "roofline/base/pattern.h"
#include "tests/text.h"

namespace gpp {
namespace {

std::string lesson_with(
    const std::string& quiz = "**Why?**\n\n- [ ] No\n- [x] Yes,\n  because\n\nWhy: so\nit is.\n") {
  return "# v7: seventh\n\n## Idea\n\nOne. Two.\n\n## What changes\n\nThis.\n\n## "
         "Predict\n\nThat.\n\n"
         "## On a V100\n\n0.66 s it took.\n\n## On an H200\n\nLess.\n\n"
         "## On a host\n\nSlower.\n\n## Next\n\nMore.\n\n## Quiz\n\n" +
         quiz;
}

/// The message of the error that parsing ends with.
std::string refusal_of_lesson(const std::string& markdown) {
  return test::thrown<std::runtime_error>([&] { parse_lessons(markdown, "lessons/x.md"); });
}

void expect_refusal(const std::string& markdown, const std::string& part) {
  const std::string message = refusal_of_lesson(markdown);
  EXPECT_NE(message.find("lessons/x.md: "), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
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
  ASSERT_EQ(lesson.quiz.size(), 1u);
  EXPECT_EQ(lesson.quiz[0].text, "Why?");
  EXPECT_EQ(lesson.quiz[0].choices, (std::vector<std::string>{"No", "Yes, because"}));
  EXPECT_EQ(lesson.quiz[0].right, 1u);
  EXPECT_EQ(lesson.quiz[0].why, "so it is.");
}

TEST(Lesson, TellsWhatWasPublishedOfAnyDevice) {
  const Lesson lesson =
      parse_lessons(with(lesson_with(), "## On a V100", "## On an MI250X"), "x").front();
  EXPECT_EQ(lesson.published_on, "On an MI250X");
  EXPECT_EQ(lesson.published, "0.66 s it took.");
}

TEST(Lesson, TellsOfAHostAndOfOpenMP) {
  const Lesson lesson =
      parse_lessons(with(lesson_with(), "## Next", "## In OpenMP\n\nFast.\n\n## Next"), "x")
          .front();
  EXPECT_EQ(lesson.on_host, "Slower.");
  EXPECT_EQ(lesson.openmp, "Fast.");
  expect_refusal(with(lesson_with(), "## On a host", "## In OpenMP\n\nFast.\n\n## On a host"),
                 "'## On a host' is missing or out of order");
}

TEST(Lesson, AsksAKindOfDeviceWhatItCanShow) {
  const std::string question = "**Why?**\n\nFor: gpu\n\n- [ ] No\n- [x] Yes\n\nWhy: so.\n\n";
  const std::vector<Question> quiz =
      parse_lessons(
          lesson_with(question + with(question, "gpu", "host") + with(question, "For: gpu", "")),
          "x")
          .front()
          .quiz;
  ASSERT_EQ(quiz.size(), 3u);
  EXPECT_EQ(quiz[0].only_on, "gpu");
  EXPECT_EQ(quiz[0].text, "Why?");
  EXPECT_EQ(quiz[1].only_on, "host");
  EXPECT_EQ(quiz[2].only_on, "");
  const auto kinds = [&quiz](const std::string& kind) {
    std::string list;
    for (const Question& one : questions_for(kind, quiz)) list += one.only_on + ",";
    return list;
  };
  EXPECT_EQ(kinds("gpu"), "gpu,,");
  EXPECT_EQ(kinds("host"), "host,,");
  expect_refusal(lesson_with(with(question, "gpu", "cuda")), "'For: cuda' is neither");
  expect_refusal(lesson_with("**Why?**\n\n- [ ] No\n- [x] Yes\n\nFor: gpu\n\nWhy: so.\n"),
                 "must stand before the choices");
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
  expect_refusal(lesson_with() + "\n## More\n\nText.\n", "'## More' is unknown or out of order");
  expect_refusal(lesson_with("**Why?**\n\n- [ ] No\n- [ ] Yes\n\nWhy: so.\n"), "one right choice");
  expect_refusal(lesson_with("**Why?**\n\n- [x] No\n- [x] Yes\n\nWhy: so.\n"), "one right choice");
  expect_refusal(lesson_with("**Why?**\n\n- [x] Yes\n\nWhy: so.\n"), "needs choices");
  expect_refusal(lesson_with("**Why?**\n\n- [x] Yes\n- [ ] No\n"), "'Why:'");
  expect_refusal(lesson_with("Why?\n"), "must begin with");
}

TEST(Lessons, ThereIsOneForEveryNumberedStep) {
  std::set<std::string> steps, told;
  for (const Variant& variant : catalog())
    if (variant.id != variant.step) steps.insert(variant.id + " " + variant.step);
  for (const Lesson& lesson : lessons_of(gpp_kernel())) told.insert(lesson.id + " " + lesson.step);
  EXPECT_GE(steps.size(), 14u);
  EXPECT_EQ(steps, told);
  EXPECT_EQ(lessons_of(gpp_kernel()).size(), told.size());
  for (int i = 1; i <= 14; ++i)
    EXPECT_EQ(lessons_of(gpp_kernel())[static_cast<std::size_t>(i - 1)].id, fmt::format("v{}", i));
}

TEST(Lessons, AreFoundByIdAndStep) {
  ASSERT_NE(find_lesson(gpp_kernel(), "v7"), nullptr);
  EXPECT_EQ(find_lesson(gpp_kernel(), "v7"), find_lesson(gpp_kernel(), "reciprocal"));
  EXPECT_EQ(find_lesson(gpp_kernel(), "v99"), nullptr);
}

std::size_t sentences_in(const std::string& text) {
  return roofline::Pattern(R"([.?!]["')]?(\s|$))").all(text).size();
}

TEST(Lessons, TellTheirIdeaInFiveSentences) {
  EXPECT_EQ(sentences_in("One, 1.5 or two. Is it? Yes."), 3u);
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    EXPECT_EQ(sentences_in(lesson.idea), 5u) << lesson.id;
}

/// Words of a GPU mean nothing to a reader who has none.
TEST(Lessons, TellHostsInWordsOfAHost) {
  const roofline::Pattern gpu(
      "occupancy|[Ww]arps?\\b|multiprocessor|launch_bounds|shared memory|SMs?\\b");
  for (const Lesson& lesson : lessons_of(gpp_kernel())) {
    if (lesson.id == "v10") continue;  // tells why a host has no such step
    const std::string predict = text_for("host", lesson.predict);
    EXPECT_FALSE(gpu.first(predict)) << lesson.id << ": " << predict;
    EXPECT_NE(text_for("gpu", lesson.predict), predict) << lesson.id;
    EXPECT_FALSE(questions_for("host", lesson.quiz).empty()) << lesson.id;
  }
}

/// No outcome is told before the prediction.
TEST(Lessons, GiveNoOutcomeAwayBeforeTheyAsk) {
  const roofline::Pattern outcome(
      "\\b(faster|slower|gains? of|loss|speedup|pays? for itself|occupancy "
      "(falls|rises|doubles))\\b");
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    for (const std::string& text : {lesson.idea, lesson.changes})
      for (const roofline::Match& found : outcome.all(text))
        ADD_FAILURE() << lesson.id << ": " << found[0];
}

TEST(Lessons, AskTwoOrThreeQuestions) {
  for (const Lesson& lesson : lessons_of(gpp_kernel())) {
    EXPECT_GE(lesson.quiz.size(), 2u) << lesson.id;
    EXPECT_LE(lesson.quiz.size(), 3u) << lesson.id;
    for (const Question& question : lesson.quiz) {
      EXPECT_LT(question.right, question.choices.size()) << question.text;
      EXPECT_GE(question.choices.size(), 2u) << question.text;
      const std::set<std::string> distinct(question.choices.begin(), question.choices.end());
      EXPECT_EQ(distinct.size(), question.choices.size()) << question.text;
    }
  }
}

TEST(Lessons, DoNotAlwaysHideTheRightAnswerInOnePlace) {
  std::map<std::size_t, int> places;
  int questions = 0;
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    for (const Question& question : lesson.quiz) ++places[question.right], ++questions;
  for (const auto& [place, times] : places) EXPECT_LT(times, questions * 2 / 3) << place;
}

/// A question that says what came of a step answers others, and what its reader was to predict.
bool tells_an_outcome(const std::string& question) {
  static const roofline::Pattern machine("V100|H200"), step(R"(\bv\d+\b)"),
      outcome(R"(\b(slower|faster|hardly|gains?|loses|registers|occupancy)\b)");
  return machine.first(question) || (step.first(question) && outcome.first(question));
}

TEST(Lessons, AskNoQuestionThatTellsAnOutcome) {
  EXPECT_TRUE(tells_an_outcome("v6 does fewer operations and is slower. Why?"));
  EXPECT_TRUE(tells_an_outcome("Why did it help on a V100?"));
  EXPECT_FALSE(tells_an_outcome("A change needs more registers. When is it slower?"));
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    for (const Question& question : lesson.quiz)
      EXPECT_FALSE(tells_an_outcome(question.text)) << lesson.id << ": " << question.text;
}

/// A question is asked before the next step is predicted.
TEST(Lessons, TellNoLaterStepsOutcomeInAQuiz) {
  const roofline::Pattern outcome(R"(\b(slower|faster|gains?|loses|wins|times as fast)\b)");
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    for (const Question& question : lesson.quiz) {
      std::string all = question.text + " " + question.why;
      for (const std::string& choice : question.choices) all += " " + choice;
      for (int later = std::stoi(lesson.id.substr(1)) + 1; later <= 14; ++later)
        EXPECT_FALSE(roofline::Pattern(fmt::format(R"(\bv{}\b)", later)).first(all) &&
                     outcome.first(all))
            << lesson.id << " tells of v" << later << ": " << all;
    }
}

}  // namespace
}  // namespace gpp
