// gpp explain of what is no variant: the page on the kernel, and a word.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

roofline::Finished explain(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {GPP_BINARY_DIR "/gpp", "explain"});
  return roofline::run_program(arguments);
}

void expect_refusal(const std::vector<std::string>& arguments, const std::string& part) {
  const roofline::Finished done = ended(explain(arguments), 2);
  EXPECT_NE(done.errors.find(part), std::string::npos) << done.errors;
}

TEST(ExplainKernel, PrintsThePage) {
  const roofline::Finished done = succeeded(explain({"kernel"}));
  for (const char* part :
       {"The kernel in ten minutes\n====", "\nThe arrays\n---", "wtilde_array", "(ig, igp) complex",
        "[picture docs/images/pole.svg", "\n  for n1 in bands:"})
    EXPECT_NE(done.output.find(part), std::string::npos) << part;
  for (const char* sign : {"](", "```", "| ---", "**"})
    EXPECT_EQ(done.output.find(sign), std::string::npos) << sign;
  std::istringstream lines(done.output);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

/// The list of its numbers is seen by nobody.
TEST(ExplainRoofline, PrintsThePrimer) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"roofline"}, {"roofline", "--kernel", "stream"}}) {
    const roofline::Finished done = succeeded(explain(arguments));
    for (const char* part : {"The roofline in ten minutes\n====", "\nFive regions\n---",
                             "unattainable bandwidth", "33.24", "\n  Words\n"})
      EXPECT_NE(done.output.find(part), std::string::npos) << part;
    for (const char* sign : {"](", "```", "| ---", "**", "<!--"})
      EXPECT_EQ(done.output.find(sign), std::string::npos) << sign;
  }
  EXPECT_TRUE(explain({"roof"}).output.starts_with("roof, roofline\n"))
      << "the word is still there";
}

TEST(ExplainKernel, DrawsItsPictures) {
  const test::TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "a/b";
  const roofline::Finished done = succeeded(explain({"kernel", "--svg", folder.string()}));
  for (const char* name : {"three-loops.svg", "pole.svg"}) {
    EXPECT_TRUE(fs::exists(folder / name)) << name;
    EXPECT_NE(done.output.find((folder / name).string()), std::string::npos) << done.output;
  }
  std::ofstream(temporary.path() / "file") << "in the way";
  expect_refusal({"kernel", "--svg", (temporary.path() / "file/c").string()}, "cannot be made");
}

TEST(ExplainKernel, SaysWhereThereIsNoPage) {
  expect_refusal({"kernel", "--kernel", "stream"}, "there is no page on the kernel stream");
  expect_refusal({"v7", "--svg", "x"}, "only `gpp explain kernel`");
  expect_refusal({"kernel", "--quiz"}, "only lessons have a --quiz");
}

TEST(ExplainWord, TellsWhatItMeans) {
  const roofline::Finished done = succeeded(explain({"occupancy"}));
  EXPECT_TRUE(done.output.starts_with("occupancy\n\nThe warps resident")) << done.output;
  EXPECT_EQ(explain({"SM"}).output, explain({"multiprocessor"}).output);
  // A step's own name comes first.
  EXPECT_NE(explain({"reciprocal"}).output.find("v7"), std::string::npos);
  expect_refusal({"occupanzy"},
                 "unknown variant, ladder or word 'occupanzy'; did you mean 'occupancy'?");
  expect_refusal({"WORD"}, "gpp list shows the variants, and gpp explain words the words");
}

TEST(ExplainWord, ListsAllWords) {
  const roofline::Finished done = succeeded(explain({"words"}));
  for (const char* part :
       {"\nMemory\n  bandwidth\n", "  multiprocessor: SM, streaming multiprocessor\n",
        "\nMeasuring\n", "  median\n", "  GW\n"})
    EXPECT_NE(done.output.find(part), std::string::npos) << part << done.output;
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
}  // namespace gpp
