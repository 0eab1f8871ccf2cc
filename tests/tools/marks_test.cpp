// Lists of numbers at the end of texts: which place of the text a number belongs to, and what is
// refused.
#include "tools/fill_in/marks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace gpp {
namespace {

/// The text, its numbers filled in with their sources' names in brackets.
std::string named(const std::string& prose, const std::string& list) {
  const std::string text = filled(
      prose + "<!--numbers\n" + list + "\n-->",
      [](std::string_view name, std::string_view) { return "<" + std::string(name) + ">"; },
      [](std::string_view) {});
  return text.substr(0, text.find("<!--numbers"));
}

TEST(Marks, BelongToTheNextPlaceInTheOrderOfTheText) {
  EXPECT_EQ(named("7 s, then 7 s, then 8 s", "7 s = a\n8 s = b"), "<a>, then 7 s, then <b>");
  EXPECT_EQ(named("| 7 s | 7 s | 1x |", "7 s = a & 7 s = b & 1x = c"), "| <a> | <b> | <c> |");
  EXPECT_EQ(named("it took 7\ns", "7 s = a"), "it took <a>") << "lines may break anywhere";
}

TEST(Marks, AreNoPartsOfOtherNumbersAndNames) {
  EXPECT_EQ(named("17, 7.5, 0.7, v7, 7x, 7.", "7 = a"), "17, 7.5, 0.7, v7, 7x, <a>.");
  EXPECT_EQ(named("24.96%", "24.96 = a"), "<a>%");
}

TEST(Marks, AreLedByWordsInBracketsPastWhatIsNotMeant) {
  EXPECT_EQ(named("7 or 7 or 7", "or [7] = a"), "7 or <a> or 7");
  EXPECT_EQ(named("7 warps, 7\nbands", "[7] bands = a"), "7 warps, <a>\nbands");
}

TEST(Marks, HaveTheSourceOfTheNextThatHasOne) {
  EXPECT_EQ(named("7 s and 8 s or 9 s", "7 s & 8 s = a & 9 s = b"), "<a> and <a> or <b>");
  EXPECT_THROW(named("7 s and 8 s", "7 s = a & 8 s"), std::runtime_error);
}

TEST(Marks, AreOfTheStudyOrTheFileThatIsNamedBeforeThem) {
  EXPECT_EQ(named("7 and 8 and 9 and 6",
                  "from h100/x\n7 = v1 time\n8 = told: so & 9 = a/b v1 time"
                  "\n6 = computed: {v1 time} / {a/b v2 time}"),
            "<h100/x v1 time> and <told: so> and <a/b v1 time> and "
            "<computed: {h100/x v1 time} / {a/b v2 time}>");
  EXPECT_EQ(named("7 and 8", "from x.md\n7 = \"a b\"\n8 = v1 time"),
            "<in x.md \"a b\"> and <v1 time>");
}

TEST(Marks, OfASectionSayWhyNoneOfItsNumbersIsListed) {
  const std::string text = "# A\n7 s\n## B\n8 s\n# A\n9 s\n<!--numbers\nsection A = told: so\n-->";
  EXPECT_EQ(unmarked(text), "# A\n\n## B\n8 s\n# A\n");
  EXPECT_EQ(unsourced(text), "8 s");
  for (const char* list : {"section C = told: so", "section A", "section A = v1 time"})
    EXPECT_THROW(named("# A\n7 s\n", list), std::runtime_error) << list;
}

TEST(Marks, AreMissedWhereANumberLooksMeasured) {
  for (const char* number : {"7.5 GFLOP/s", "2 ms", "3%", "1.2x", "4.44", "2.5e12", "700 W"})
    EXPECT_EQ(unsourced(fmt::format("In v7 and `2 ms` of 3 bands it is {}.", number)), number);
  EXPECT_EQ(unsourced("12 ms\n<!--numbers\n12 ms = a\n-->"), "");
  for (const char* none : {"CUDA 12.6 or later, g++ 12", "arXiv:2008.11326", "[a](b-1.5.md)",
                           "FP64, 512 threads, v1.", "below 1e-12"})
    EXPECT_EQ(unsourced(none), "") << none;
}

TEST(Marks, OfAListCoverTheTextSinceTheListBefore) {
  const std::string first = "1 s\n<!--numbers\n1 s = a\n-->\n";
  EXPECT_EQ(named(first + "1 s\n", "1 s = b"), "<a>\n");
  EXPECT_THROW(named(first, "1 s = b"), std::runtime_error);
}

TEST(Marks, FillTablesInWhichNoNumberIsLookedFor) {
  EXPECT_EQ(named("<!--table x-->7<!--/--> 7", "7 = a"), "<!--table x--><table x><!--/--> <a>");
}

TEST(Marks, KeepTheListAsItIsBesideItsNumbers) {
  std::vector<std::string> claims;
  EXPECT_EQ(filled(
                "of 7 s\n\n<!--numbers in order\nof [7 s] = a\nholds a < b\n-->\n",
                [](std::string_view, std::string_view) { return "8 s"; },
                [&claims](std::string_view claim) { claims.emplace_back(claim); }),
            "of 8 s\n\n<!--numbers in order\nof [8 s] = a\nholds a < b\n-->\n");
  EXPECT_EQ(claims, std::vector<std::string>{"a < b"});
}

TEST(Marks, RefuseWhatDoesNotAgreeWithTheText) {
  for (const char* list : {"8 s = a", "7 s = a\n7 s = b", "7 s", "= a", "[] = a", "7  = "})
    EXPECT_THROW(named("7 s", list), std::runtime_error) << list;
  for (const char* text : {"<!--numbers", "<!--table x-->7", "7 s<!--/-->", "<!--v2 time-->7 s"})
    EXPECT_THROW(unmarked(text), std::runtime_error) << text;
}

TEST(Marks, AreTakenAwayWithWhatTheyCover) {
  EXPECT_EQ(unmarked("a 7 s b<!--table x-->1<!--/--> c 7 s\n<!--numbers\n7 s = d\n-->"),
            "a  b c 7 s\n");
}

}  // namespace
}  // namespace gpp
