// Markdown as a terminal shows it.
#include "harness/teach/markdown_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace gpp {
namespace {

TEST(MarkdownText, BreaksParagraphsAndItems) {
  EXPECT_EQ(markdown_text("One **two**\n[three](x.md) `four`.\n\n- five six\n  seven\n", 12),
            "One two\nthree four.\n\n- five six\n  seven\n");
}

TEST(MarkdownText, UnderlinesHeadings) {
  EXPECT_EQ(markdown_text("# Top\n\nText.\n\n## `Part`\n", 40),
            "Top\n===\n\nText.\n\nPart\n----\n");
}

TEST(MarkdownText, LeavesCodeAsItIs) {
  EXPECT_EQ(markdown_text("```\na = [b]  **c\n\n  # d | e\n```\n\nText.", 8),
            "  a = [b]  **c\n\n    # d | e\n\nText.\n");
}

TEST(MarkdownText, AlignsTables) {
  EXPECT_EQ(markdown_text("| a | long title |\n| --- | ---: |\n| `x`   y | 1 |\n| z | 2 |\n", 40),
            "a    long title\n---  ----------\nx y  1\nz    2\n");
}

TEST(MarkdownText, BreaksTheWidestColumn) {
  const std::string text = markdown_text(
      "| name | meaning |\n| --- | --- |\n| one | a word and a word and more |\n", 24);
  EXPECT_EQ(text,
            "name  meaning\n----  -----------------\none   a word and a word\n      and more\n");
}

TEST(MarkdownText, TellsWhereAPictureLies) {
  EXPECT_EQ(markdown_text("![The box](images/a.svg)\n", 60), "[picture images/a.svg: The box]\n");
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
