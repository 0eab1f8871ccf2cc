// gpp explain of what is no variant: the page on the kernel, and a word.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/finished.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

Finished explain(Texts arguments) {
  arguments.insert(arguments.begin(), {GPP_BINARY_DIR "/gpp", "explain"});
  return run_program(arguments);
}

TEST(ExplainKernel, PrintsThePage) {
  const Finished done = succeeded(explain({"kernel"}));
  EXPECT_TRUE(contains_all(done.output, {"The kernel in ten minutes\n====", "\nThe arrays\n---",
                                         "wtilde_array", "(ig, igp) complex", "[picture ",
                                         "docs/images/pole.svg: sch", "\n  for n1 in bands:"}));
  for (const char* sign : {"](", "```", "| ---", "**"}) EXPECT_FALSE(contains(done.output, sign));
  EXPECT_LE(longest_line(done.output), 100u) << done.output;
}

/// A study of this machine, with the roofs of another one put in so that none need be measured.
TEST(ExplainRoofline, DrawsTheRoofsOfThisMachine) {
  const TemporaryFolder folder;
  const std::string study = folder / "20260101-000000-here";
  succeeded(run_program({GPP_BINARY_DIR "/gpp", "study", "--preset", "tiny", "--model", "serial",
                         "--repeat", "1", "--ceilings", "off", "--counters", "off", "--no-build",
                         "-o", study}));
  const auto read = [](const fs::path& file) { return nlohmann::json::parse(file_text(file)); };
  nlohmann::json record = read(fs::path(study) / "study.json");
  record["ceilings"] =
      read(GPP_SOURCE_DIR "/results/xeon-2-cores/silicon8/study.json").at("ceilings");
  record["ceilings"]["host"]["device"] = record["machine"]["cpu"];
  std::ofstream(fs::path(study) / "study.json") << record.dump();
  const Finished done = succeeded(explain({"roofline", "--results", folder.path().string()}));
  EXPECT_TRUE(contains_all(done.output, {"\nYour own machine\n", "in FP64: peak 229.9 GFLOP/s",
                                         ": a triad, two operations for 24 bytes",
                                         "FLOP per byte moved at each level"}));
}

/// The list of its numbers is seen by nobody.
TEST(ExplainRoofline, PrintsThePrimer) {
  for (const Texts& arguments : {Texts{"roofline"}, {"roofline", "--kernel", "stream"}}) {
    const Finished done = succeeded(explain(arguments));
    EXPECT_TRUE(contains_all(
        done.output, {"The roofline in ten minutes\n====", "\nFive regions\n---",
                      "unattainable bandwidth", "33.3 TFLOP/s", "\n  Words\n", "our own machine"}));
    for (const char* sign : {"](", "```", "| ---", "**", "<!--"})
      EXPECT_FALSE(contains(done.output, sign));
  }
  EXPECT_TRUE(explain({"roof"}).output.starts_with("roof, roofline\n"))
      << "the word is still there";
}

TEST(ExplainKernel, SaysWhereThereIsNoPage) {
  refused(explain({"kernel", "--kernel", "stream"}), {"there is no page on the kernel stream"});
  refused(explain({"kernel", "--diff"}), {"only lessons have a --diff"});
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
  const std::size_t idea = text.find("\nIdea\n"), words = text.find("\n  Words\n  frequency: "),
                    changes = text.find("\nWhat changes\n");
  ASSERT_NE(words, std::string::npos) << text;
  EXPECT_LT(idea, words);
  EXPECT_LT(words, changes);
}

}  // namespace
}  // namespace gpp::test
