// Tests of glossary words and links to them; of Markdown on a terminal and on a page; of lessons:
// every step has one, and none reveals its outcome early.
#include <fmt/format.h>
#include <set>

#include "gpp/study/kernel.h"
#include "gpp/variant.h"
#include "harness/kernel.h"
#include "harness/program/embedded.h"
#include "harness/teach/glossary.h"
#include "harness/teach/lessons.h"
#include "harness/teach/markdown_text.h"
#include "roofline/base/pattern.h"
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
  EXPECT_EQ(words[0].name, "G'");
  EXPECT_EQ(words[0].anchor, "g");
  EXPECT_EQ(words[0].meaning, "One.\nTwo.");
  EXPECT_EQ(words[0].synonyms, (std::vector<std::string>{"igp", "other one"}));
  EXPECT_EQ(words[1].anchor, "register-spill");
  EXPECT_EQ(words[1].meaning, "Out.");
}

/// The last two words of the list are ones that students asked for.
TEST(Glossary, FindsAWordByAnyOfItsNames) {
  for (const char* name : {"SM", "sm", "streaming multiprocessor", "multiprocessor"})
    EXPECT_EQ(find_word(name), find_word("multiprocessor")) << name;
  for (const char* none : {"multiproc", ""}) EXPECT_EQ(find_word(none), nullptr) << none;
  for (const char* word :
       {"multiprocessor", "median", "ceiling", "hypot", "SIMD", "GFLOP/s", "speedup", "disturbed",
        "omp", "thrust", "preset", "ladder", "peak", "Ry", "BerkeleyGW", "GW"})
    EXPECT_NE(find_word(word), nullptr) << word;
}

TEST(Glossary, TellsEveryWordOnceInOneToThreeSentences) {
  const roofline::Pattern end(R"([.?!](\s|$))");
  EXPECT_GE(glossary().size(), 40u);
  std::set<std::string> names;
  for (const Word& word : glossary()) {
    EXPECT_TRUE(names.insert(roofline::in_lower_case(word.name)).second) << word.name;
    for (const std::string& name : word.synonyms)
      EXPECT_TRUE(names.insert(roofline::in_lower_case(name)).second) << name;
    const std::size_t sentences = end.all(word.meaning).size();
    EXPECT_TRUE(sentences >= 1 && sentences <= 3) << word.name;
  }
}

TEST(Glossary, LinksWordsAndTellsThem) {
  const std::string text =
      "A [warps](../docs/glossary.md#warp), [SM](x/glossary.md#multiprocessor), "
      "[warp](../docs/glossary.md#warp), [other](other.md#warp).";
  ASSERT_EQ(word_links(text).size(), 3u);
  EXPECT_EQ(word_links(text)[0].label, "warps");
  const std::string told = words_text(text, 60);
  EXPECT_TRUE(told.starts_with("\n  Words\n  warp: 32 threads")) << told;
  EXPECT_NE(told.find("\n  multiprocessor: "), std::string::npos) << told;
  EXPECT_EQ(told.find("warp:"), told.rfind("warp:")) << told;
  EXPECT_EQ(words_text("no words", 60), "");
  EXPECT_LE(test::longest_line(told), 60u);
}

// ---------------------------------------------------------------- links

/// Markdown texts with links to words, by path.
std::vector<std::pair<std::string, std::string>> linking_texts() {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const embedded::File& file : embedded::roofline_primer())
    texts.emplace_back(file.path, file.text);
  for (const Kernel* kernel : kernels()) {
    for (const embedded::File& file : kernel->lessons) texts.emplace_back(file.path, file.text);
    if (kernel->page != nullptr) texts.emplace_back(kernel->page().path, kernel->page().text);
  }
  return texts;
}

/// Names of stalls in `code` must be glossary words.
TEST(Glossary, EveryLinkLeadsToAWordAndEveryStallIsOne) {
  std::set<std::string> anchors;
  for (const Word& word : glossary()) anchors.insert(word.anchor);
  std::size_t links = 0;
  static const roofline::Pattern file(R"(\]\(([^)#]*glossary\.md)#)");
  for (const auto& [path, text] : linking_texts()) {
    for (const roofline::Match& found : file.all(text))
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(GPP_SOURCE_DIR) /
                                          std::filesystem::path(path).parent_path() / found[1]))
          << path << ": " << found[1];
    for (const WordLink& link : word_links(text)) {
      ++links;
      EXPECT_TRUE(anchors.contains(link.anchor)) << path << ": [" << link.label << "]";
    }
  }
  EXPECT_GE(links, 50u);
  const roofline::Pattern code("`([a-z_]+)`");
  std::size_t named = 0;
  for (const auto& [path, text] : linking_texts())
    for (const roofline::Match& found : code.all(text)) {
      const std::string& name = found[1];
      if (roofline::find_metric("stall_" + name) == nullptr) continue;
      ++named;
      EXPECT_NE(find_word(name), nullptr) << path << ": `" << name << "`";
    }
  EXPECT_GE(named, 5u);
}

/// A lesson links a word only at its first use.
TEST(Glossary, NoLessonLinksAWordTwice) {
  for (const Kernel* kernel : kernels()) {
    for (const embedded::File& file : kernel->lessons) {
      const roofline::Pattern title("(^|\n)# ");
      std::istringstream lessons(title.replaced(std::string(file.text), "\f"));
      for (std::string lesson; std::getline(lessons, lesson, '\f');) {
        std::set<std::string> linked;
        for (const WordLink& link : word_links(lesson))
          EXPECT_TRUE(linked.insert(link.anchor).second) << file.path << ": " << link.label;
      }
    }
  }
}

// ---- Markdown -----------------------------------------------------------------------------------

TEST(MarkdownText, IsThatOfATerminal) {
  struct Case {
    std::string text;
    std::size_t width;
    std::string expected;
  };
  for (const Case& one :
       {Case{"One **two**\n[three](x.md) `four`.\n\n- five six\n  seven\n", 12,
             "One two\nthree four.\n\n- five six\n  seven\n"},
        {"# Top\n\nText.\n\n## `Part`\n", 40, "Top\n===\n\nText.\n\nPart\n----\n"},
        {"```\na = [b]  **c\n\n  # d | e\n```\n\nText.", 8,
         "  a = [b]  **c\n\n    # d | e\n\nText.\n"},
        {"| a | long title |\n| --- | ---: |\n| `x`   y | 1 |\n| z | 2 |\n", 40,
         "a    long title\n---------------\nx y  1\nz    2\n"},
        {"| name | meaning |\n| --- | --- |\n| one | a word and a word and more |\n", 24,
         "name  meaning\n-----------------------\none   a word and a word\n      and more\n"},
        {"![The box](images/a.svg)\n", 60, "[picture images/a.svg: The box]\n"}})
    EXPECT_EQ(markdown_text(one.text, one.width), one.expected);
  EXPECT_EQ(markdown_text("![a](b.svg)", 60, "docs"), "[picture docs/b.svg: a]\n");
  EXPECT_EQ(without_signs("a [b] `c[0]` **d `e`** [`f`\ng](h.md) ** ` i"),
            "a [b] c[0] d e f g ** ` i");
}

TEST(MarkdownHtml, HasParagraphsListsAndTables) {
  EXPECT_EQ(
      markdown_html("One **two `three`**\n`four`.\n\n- five\n  six\n- seven\n\n1. eight\n\nEnd"),
      "<p>One <strong>two <code>three</code></strong>\n<code>four</code>.</p>"
      "<ul><li>five\n  six</li><li>seven</li></ul><ol><li>eight</li></ol><p>End</p>");
  EXPECT_EQ(markdown_html("| c | **d** |\n| --- | ---: |\n| 1 |  |\n"),
            "<table><tr><th>c</th><th><strong>d</strong></th></tr>"
            "<tr><td>1</td><td></td></tr></table>");
}

TEST(MarkdownHtml, ShowsMeaningsOfWordsAndLetsNoTagThrough) {
  EXPECT_EQ(markdown_html("<b> & `<i>` **\"<u>** [<a>](javascript:x)\n\n```\n</pre>\n```"),
            "<p>&lt;b&gt; &amp; <code>&lt;i&gt;</code> <strong>&quot;&lt;u&gt;</strong> "
            "&lt;a&gt;</p><pre>&lt;/pre&gt;\n</pre>");
  const std::string html =
      markdown_html("[warps](../docs/glossary.md#warp) [x](y.md) [z](docs/glossary.md#nothing)");
  EXPECT_TRUE(html.starts_with("<p><abbr title=\"32 threads")) << html;
  EXPECT_TRUE(html.ends_with("\" tabindex=\"0\">warps</abbr> x z</p>")) << html;
}

TEST(MarkdownText, TakesAnything) {
  for (const char* text : {"|", "||", "|\n|\n", "```", "![", "![a](", "#", "##",
                           "| a\n| b | c | d |", "](", "- ", "|---|"})
    for (const std::size_t width : {0u, 1u, 10u}) {
      std::istringstream lines(markdown_text(text, width));
      for (std::string line; std::getline(lines, line);) EXPECT_LT(line.size(), 40u) << text;
    }
}

// ---- Lessons ------------------------------------------------------------------------------------

std::string lesson_with() {
  return "# v7: seventh\n\n## Idea\n\nOne. Two.\n\n## What changes\n\nThis.\n\n## "
         "Predict\n\nThat.\n\n"
         "## On a V100\n\n0.66 s it took.\n\n## On an H200\n\nLess.\n\n"
         "## On a host\n\nSlower.\n\n## Next\n\nMore.\n";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Lesson, IsReadFromMarkdown) {
  const Lesson lesson = only(parse_lessons(lesson_with()));
  EXPECT_EQ(lesson.id, "v7");
  EXPECT_EQ(lesson.step, "seventh");
  EXPECT_EQ(lesson.idea, "One. Two.");
  EXPECT_EQ(lesson.published, "0.66 s it took.");
  EXPECT_EQ(lesson.published_on, "On a V100");
  EXPECT_EQ(lesson.recorded, "Less.");
  EXPECT_EQ(lesson.recorded_on, "On an H200");
  EXPECT_EQ(lesson.on_host, "Slower.");
  EXPECT_EQ(lesson.openmp, "");
  EXPECT_EQ(lesson.next, "More.");
  const std::vector<Lesson> two =
      parse_lessons(lesson_with() + "\n" +
                    with(lesson_with(), "## On a V100", "<!-- not this -->\n## On an MI250X"));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].published_on, "On an MI250X");
  EXPECT_EQ(two[1].published, "0.66 s it took.");
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
      for (const std::string& title : lesson.titles) titles += title + ",";
      EXPECT_TRUE(order.whole(titles)) << kernel->name << " " << lesson.id << ": " << titles;
      for (const std::string* text : {&lesson.step, &lesson.idea, &lesson.changes, &lesson.predict,
                                      &lesson.on_host, &lesson.next})
        EXPECT_NE(*text, "") << kernel->name << " " << lesson.id;
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
