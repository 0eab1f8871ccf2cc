// Markdown as a terminal and a page show it.
#include "harness/teach/markdown_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace gpp {
namespace {

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
         "a    long title\n---  ----------\nx y  1\nz    2\n"},
        {"| name | meaning |\n| --- | --- |\n| one | a word and a word and more |\n", 24,
         "name  meaning\n----  -----------------\none   a word and a word\n      and more\n"},
        {"![The box](images/a.svg)\n", 60, "[picture images/a.svg: The box]\n"}})
    EXPECT_EQ(markdown_text(one.text, one.width), one.expected);
  EXPECT_EQ(markdown_text("![a](b.svg)", 60, "docs"), "[picture docs/b.svg: a]\n");
  EXPECT_EQ(without_signs("a [b] `c[0]` **d `e`** [`f`\ng](h.md) ** ` i"),
            "a [b] c[0] d e f g ** ` i");
}

TEST(MarkdownHtml, HasParagraphsListsHeadingsTablesAndPictures) {
  EXPECT_EQ(
      markdown_html("One **two `three`**\n`four`.\n\n- five\n  six\n- seven\n\n1. eight\n\nEnd"),
      "<p>One <strong>two <code>three</code></strong>\n<code>four</code>.</p>"
      "<ul><li>five\n  six</li><li>seven</li></ul><ol><li>eight</li></ol><p>End</p>");
  EXPECT_EQ(markdown_html("## A `b`\n\n| c | **d** |\n| --- | ---: |\n| 1 |  |\n\n![e](f.svg)"),
            "<h2>A <code>b</code></h2><table><tr><th>c</th><th><strong>d</strong></th></tr>"
            "<tr><td>1</td><td></td></tr></table><p>e</p>");
}

TEST(MarkdownHtml, ShowsMeaningsOfWordsAndNoOtherLinks) {
  const std::string html =
      markdown_html("[warps](../docs/glossary.md#warp) [x](y.md) [z](docs/glossary.md#nothing)");
  EXPECT_TRUE(html.starts_with("<p><abbr title=\"32 threads")) << html;
  EXPECT_TRUE(html.ends_with("\" tabindex=\"0\">warps</abbr> x z</p>")) << html;
}

TEST(MarkdownHtml, LetsNoTagThrough) {
  EXPECT_EQ(markdown_html("<b> & `<i>` **\"<u>** [<a>](javascript:x)\n\n```\n</pre>\n```"),
            "<p>&lt;b&gt; &amp; <code>&lt;i&gt;</code> <strong>&quot;&lt;u&gt;</strong> "
            "&lt;a&gt;</p><pre>&lt;/pre&gt;\n</pre>");
}

TEST(MarkdownText, TakesAnything) {
  for (const char* text : {"|", "||", "|\n|\n", "```", "![", "![a](", "#", "##",
                           "| a\n| b | c | d |", "](", "- ", "|---|"})
    for (const std::size_t width : {0u, 1u, 10u}) {
      std::istringstream lines(markdown_text(text, width));
      for (std::string line; std::getline(lines, line);) EXPECT_LT(line.size(), 40u) << text;
    }
}

}  // namespace
}  // namespace gpp
