// Tests of glossary words and links to them; of Markdown on a terminal and on a page; of lessons:
// every step has one, and none reveals its outcome early.
#include <fmt/format.h>
#include <set>

#include "gpp/study/kernel.h"
#include "gpp/variant.h"
#include "harness/kernel.h"
#include "harness/program/embedded.h"
#include "harness/teach/lessons.h"
#include "harness/teach/markdown_text.h"
#include "roofline/base/text.h"
#include "roofline/metrics.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

TEST(Glossary, IsReadFromMarkdown) {
  const std::vector<Word> words = parse_glossary(
      "# G\n\nText.\n\n## Part\n\n### G'\n\nOne.\nTwo.\n\nAlso: igp,\nother one.\n\n"
      "## Next\n\nNot of it.\n\n### register spill\n\nOut.\n");
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[0].names, (std::vector<std::string>{"G'", "igp", "other one"}));
  EXPECT_EQ(words[0].meaning, "One.\nTwo.");
  EXPECT_EQ(words[1].names, std::vector<std::string>{"register spill"});
  EXPECT_EQ(words[1].meaning, "Out.");
}

/// The last words of the list are ones that students asked for.
TEST(Glossary, TellsEveryWordOnceInOneToThreeSentencesAndFindsItByAnyName) {
  const roofline::Pattern end(R"([.?!](\s|$))");
  EXPECT_GE(glossary().size(), 40u);
  for (const Word& word : glossary()) {
    for (const std::string& name : word.names) EXPECT_EQ(find_word(name), &word) << name;
    const std::size_t sentences = end.all(word.meaning).size();
    EXPECT_TRUE(sentences >= 1 && sentences <= 3) << word.names.front();
  }
  for (const char* name : {"SM", "sm", "streaming multiprocessor", "multiprocessor"})
    EXPECT_EQ(find_word(name), find_word("multiprocessor")) << name;
  for (const char* none : {"multiproc", ""}) EXPECT_EQ(find_word(none), nullptr) << none;
  for (const char* word : {"median", "ceiling", "hypot", "SIMD", "GFLOP/s", "speedup", "disturbed",
                           "omp", "thrust", "preset", "ladder", "peak", "Ry", "BerkeleyGW", "GW"})
    EXPECT_NE(find_word(word), nullptr) << word;
}

// ---------------------------------------------------------------- links

/// Lessons, each by itself, and pages; by path.
std::vector<std::pair<std::string, std::string>> linking_texts() {
  std::vector<std::pair<std::string, std::string>> texts;
  const embedded::File& primer = embedded::roofline_primer().front();
  texts.emplace_back(primer.path, primer.text);
  for (const Kernel* kernel : kernels()) {
    for (const embedded::File& file : kernel->lessons) {
      const roofline::Pattern title("(^|\n)# ");
      std::istringstream lessons(title.replaced(std::string(file.text), "\f"));
      for (std::string lesson; std::getline(lessons, lesson, '\f');)
        texts.emplace_back(file.path, lesson);
    }
    if (kernel->page != nullptr) texts.emplace_back(kernel->page().path, kernel->page().text);
  }
  return texts;
}

/// A text links a word only at its first use (tests/docs_test.py follows all links). Names of
/// stalls in `code` must be glossary words.
TEST(Glossary, WordsAreLinkedOnceAndEveryStallIsOne) {
  static const roofline::Pattern link(R"(\]\(([^)#]*glossary\.md)#([^)]*)\))"), code("`([a-z_]+)`");
  std::size_t links = 0, stalls = 0;
  for (const auto& [path, text] : linking_texts()) {
    std::set<std::string> linked;
    for (const roofline::Match& found : link.all(text)) {
      ++links;
      EXPECT_TRUE(linked.insert(found[2]).second || !path.starts_with("lessons")) << path;
    }
    for (const roofline::Match& found : code.all(text)) {
      if (roofline::find_metric("stall_" + found[1]) == nullptr) continue;
      ++stalls;
      EXPECT_NE(find_word(found[1]), nullptr) << path << ": `" << found[1] << "`";
    }
  }
  EXPECT_GE(links, 50u);
  EXPECT_GE(stalls, 5u);
}

// ---- Markdown -----------------------------------------------------------------------------------

TEST(MarkdownText, IsThatOfATerminal) {
  struct Case {
    std::string text;
    std::size_t width;
    std::string expected;
  };
  const std::string table = "| a | long title |\n| --- | ---: |\n| `x`   y | 1 |\n";
  for (const Case& one :
       {Case{"One **two**\n[three](x.md) `four`.\n\n- five six\n  seven\n", 12,
             "One two\nthree four.\n\n- five six\n  seven\n"},
        {"# Top\n\na [b] `c[0]` **d `e`** [`f`\ng](h.md) ** ` i", 40,
         "# Top\n\na [b] c[0] d e f g ** ` i\n"},
        {"```\na = [b]  **c\n\n  # d | e\n```\n\nText.", 8, "a = [b]  **c\n\n  # d | e\n\nText.\n"},
        {table, 8, table},
        {"| [one](two.md) | three |", 8, "| one | three |\n"},
        {"![The box](images/a.svg)\n", 8, "![The box](images/a.svg)\n"}})
    EXPECT_EQ(markdown_text(one.text, one.width), one.expected);
  for (const char* text : {"|", "||", "|\n|\n", "```", "![", "![a](", "#", "1", "1. ", "](", "- "})
    for (const std::size_t width : {0u, 1u, 10u})
      EXPECT_LE(markdown_text(text, width).size(), 12u) << text;
}

// ---- Lessons ------------------------------------------------------------------------------------

std::string lesson_with() {
  return "# v7: seventh\n\n## Idea\n\nOne. Two.\n\n## What changes\n\nThis.\n\n## "
         "Predict\n\nThat.\n\n"
         "## On a V100\n\n0.66 s it took.\n\n## On an H200\n\nLess.\n\n"
         "## On a host\n\nSlower.\n\n## Next\n\nMore.\n";
}

TEST(Lesson, IsReadFromMarkdown) {
  const Lesson lesson = only(parse_lessons(lesson_with()));
  EXPECT_EQ(lesson.id, "v7");
  EXPECT_EQ(lesson.step, "seventh");
  EXPECT_EQ(lesson.text("Idea"), "One. Two.");
  EXPECT_EQ(lesson.text("On a V100"), "0.66 s it took.");
  EXPECT_EQ(lesson.text("In OpenMP"), "");
  EXPECT_EQ(lesson.sections.back().title, "Next");
  EXPECT_EQ(lesson.sections.back().text, "More.");
  const std::vector<Lesson> two =
      parse_lessons(lesson_with() + "\n<!-- not this -->\n" + lesson_with());
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].sections.size(), lesson.sections.size());
  for (const char* nothing : {"", "#", "# ", "# v7", "## Idea\n\nText.", "text"})
    EXPECT_NO_THROW(parse_lessons(nothing));
}

TEST(Lesson, LeavesOutParagraphsForTheOtherKindOfDevice) {
  const std::string text =
      "For all,\non two lines.\n\nOn a GPU: count the warps.\n\nOn a host: count\nthe "
      "lanes.\n\nMore.";
  EXPECT_EQ(text_for("host", text), "For all,\non two lines.\n\nCount\nthe lanes.\n\nMore.");
  EXPECT_EQ(text_for("gpu", text), "For all,\non two lines.\n\nCount the warps.\n\nMore.");
  EXPECT_EQ(text_for("host", "On a GPU: count."), "");
}

/// lessons/README.md names the sections and their order.
TEST(Lessons, HaveTheirSectionsInOrder) {
  const roofline::Pattern order(
      "Idea,What changes,Predict,(On an? (?!host|H[12]00)\\w+,)?(On an H[12]00,)?On a host,"
      "(In OpenMP,)?Next,");
  for (const Kernel* kernel : kernels()) {
    EXPECT_FALSE(lessons_of(*kernel).empty()) << kernel->name;
    for (const Lesson& lesson : lessons_of(*kernel)) {
      std::string titles;
      for (const auto& [title, text] : lesson.sections) {
        titles += title + ",";
        EXPECT_NE(text, "") << kernel->name << " " << lesson.id;
      }
      EXPECT_TRUE(order.whole(titles)) << kernel->name << " " << lesson.id << ": " << titles;
    }
  }
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
    const std::string predict = text_for("host", lesson.text("Predict"));
    EXPECT_FALSE(gpu.first(predict)) << lesson.id << ": " << predict;
    EXPECT_NE(text_for("gpu", lesson.text("Predict")), predict) << lesson.id;
  }
  EXPECT_EQ(sentences_in("One, 1.5 or two. Is it? Yes."), 3u);
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    EXPECT_EQ(sentences_in(lesson.text("Idea")), 5u) << lesson.id;
}

/// No outcome may precede the question.
TEST(Lessons, GiveNoOutcomeAwayBeforeTheyAsk) {
  const roofline::Pattern outcome(
      "\\b(faster|slower|gains? of|loss|speedup|pays? for itself|occupancy "
      "(falls|rises|doubles))\\b");
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    for (const std::string& text : {lesson.text("Idea"), lesson.text("What changes")})
      for (const roofline::Match& found : outcome.all(text))
        ADD_FAILURE() << lesson.id << ": " << found[0];
}

}  // namespace
}  // namespace gpp::test
