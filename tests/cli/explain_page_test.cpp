// gpp explain of what is no variant: the page on the kernel, and a word.
#include <filesystem>
#include <fstream>

#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

Finished explain(Texts arguments) {
  arguments.insert(arguments.begin(), {GPP_BINARY_DIR "/gpp", "explain"});
  return run_program(arguments);
}

TEST(ExplainKernel, PrintsThePage) {
  const Finished done = succeeded(explain({"kernel"}));
  EXPECT_TRUE(contains_all(
      done.output, {"The kernel in ten minutes\n====", "\nThe arrays\n---", "wtilde_array",
                    "(ig, igp) complex", "[picture docs/images/pole.svg", "\n  for n1 in bands:"}));
  for (const char* sign : {"](", "```", "| ---", "**"}) EXPECT_FALSE(contains(done.output, sign));
  EXPECT_LE(longest_line(done.output), 100u) << done.output;
}

/// The list of its numbers is seen by nobody.
TEST(ExplainRoofline, PrintsThePrimer) {
  for (const Texts& arguments : {Texts{"roofline"}, {"roofline", "--kernel", "stream"}}) {
    const Finished done = succeeded(explain(arguments));
    EXPECT_TRUE(contains_all(
        done.output, {"The roofline in ten minutes\n====", "\nFive regions\n---",
                      "unattainable bandwidth", "33.24", "\n  Words\n", "our own machine"}));
    for (const char* sign : {"](", "```", "| ---", "**", "<!--"})
      EXPECT_FALSE(contains(done.output, sign));
  }
  EXPECT_TRUE(explain({"roof"}).output.starts_with("roof, roofline\n"))
      << "the word is still there";
}

TEST(ExplainKernel, DrawsItsPictures) {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "a/b";
  const Finished done = succeeded(explain({"kernel", "--svg", folder.string()}));
  for (const char* name : {"three-loops.svg", "pole.svg"}) {
    EXPECT_TRUE(fs::exists(folder / name)) << name;
    EXPECT_TRUE(contains(done.output, (folder / name).string()));
  }
  std::ofstream(temporary.path() / "file") << "in the way";
  refused(explain({"kernel", "--svg", (temporary.path() / "file/c").string()}), {"cannot be made"});
}

TEST(ExplainKernel, SaysWhereThereIsNoPage) {
  refused(explain({"kernel", "--kernel", "stream"}), {"there is no page on the kernel stream"});
  refused(explain({"v7", "--svg", "x"}), {"only `gpp explain kernel`"});
  refused(explain({"kernel", "--quiz"}), {"only lessons have a --quiz"});
}

TEST(ExplainWord, TellsWhatItMeans) {
  const Finished done = succeeded(explain({"occupancy"}));
  EXPECT_TRUE(done.output.starts_with("occupancy\n\nThe warps resident")) << done.output;
  EXPECT_EQ(explain({"SM"}).output, explain({"multiprocessor"}).output);
  // A step's own name comes first.
  EXPECT_TRUE(contains(explain({"reciprocal"}).output, "v7"));
  refused(explain({"occupanzy"}),
          {"unknown variant, ladder or word 'occupanzy'; did you mean 'occupancy'?"});
  refused(explain({"WORD"}), {"gpp list shows the variants, and gpp explain words the words"});
}

TEST(ExplainWord, ListsAllWords) {
  const Finished done = succeeded(explain({"words"}));
  EXPECT_TRUE(contains_all(
      done.output, {"\nMemory\n  bandwidth\n", "  multiprocessor: SM, streaming multiprocessor\n",
                    "\nMeasuring\n", "  median\n", "  GW\n"}));
}

TEST(ExplainWord, StandsBelowTheTextThatUsesItFirst) {
  const std::string text = explain({"v4", "--model", "cuda"}).output;
  const std::size_t idea = text.find("\nIdea\n"), words = text.find("\n  Words\n  band: "),
                    changes = text.find("\nWhat changes\n");
  ASSERT_NE(words, std::string::npos) << text;
  EXPECT_LT(idea, words);
  EXPECT_LT(words, changes);
}

}  // namespace
}  // namespace gpp::test
