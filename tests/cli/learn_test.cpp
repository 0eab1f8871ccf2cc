// gpp learn, as a process: it tells nothing of a step that was not predicted, and keeps the place.
#include <fstream>
#include <nlohmann/json.hpp>

#include "gpp/study/kernel.h"
#include "harness/teach/lessons.h"
#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Learn : public testing::Test {
 protected:
  /// `input` is a redirection or a pipe of the shell.
  roofline::Finished run(const std::string& before, const std::string& options,
                         const std::string& after = "") const {
    return roofline::run_program(
        {"sh", "-c",
         before + "'" GPP_BINARY_DIR "/gpp' learn --model omp --preset tiny --time-limit 0.1 " +
             "--student ann --answers '" + (folder / "answers.json").string() + "' --results '" +
             folder.string() + "' " + options + after});
  }
  roofline::Finished typed(const std::string& answers, const std::string& options = "") const {
    return run("printf '" + answers + "' | ", options);
  }
  json read(const char* name) const { return json::parse(std::ifstream(folder / name)); }

  TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

/// Where a lesson is told, its outcomes stand under these headings.
void expect_nothing_told(const std::string& text) {
  for (const char* outcome :
       {"On this machine", "On a V100", "On a host", "Running ", "outcome", "+++ "})
    EXPECT_FALSE(contains(text, outcome)) << outcome;
}

TEST_F(Learn, TellsNothingWithoutAnAnswer) {
  for (const roofline::Finished& done : {typed(""), typed("1.5"), run("", "", " <&-")}) {
    EXPECT_EQ(done.status, 0) << done.errors;
    EXPECT_TRUE(contains(done.output, "Step 1 of ")) << done.output;
    EXPECT_TRUE(contains(done.output, "Prediction 1 of 2"));
    EXPECT_TRUE(contains(done.output, "nothing of v1 is told. gpp learn --model omp goes on"));
    expect_nothing_told(done.output);
  }
  EXPECT_FALSE(fs::exists(folder / "answers.json"));
  EXPECT_FALSE(fs::exists(folder / "place.json"));
}

TEST_F(Learn, RunsTellsAndKeepsThePlace) {
  std::string answers = "?\\nc\\n";
  for (std::size_t i = 0; i < questions_for("host", find_lesson(gpp_kernel(), "v1")->quiz).size();
       ++i)
    answers += "?\\n";
  const roofline::Finished first = succeeded(typed(answers + "\\n2x\\n"));
  const std::size_t second = first.output.find("Step 2 of ");
  ASSERT_NE(second, std::string::npos) << first.output;
  const std::string told = first.output.substr(0, second), next = first.output.substr(second);
  EXPECT_TRUE(contains_all(told, {"Running v1 here", "outcome", "On this machine", "On a V100",
                                  "don't know", "It is "}));
  EXPECT_TRUE(contains(next, "nothing of v2 is told"));
  expect_nothing_told(next);
  EXPECT_EQ(read("place.json")["places"]["ann gpp omp"], "v2");
  EXPECT_EQ(read("answers.json")["predictions"][0]["prediction"], nullptr);
  EXPECT_EQ(read("answers.json")["predictions"].size(), 2u) << "v2 was not answered in full";

  EXPECT_TRUE(contains(typed("").output, "Step 2 of "));
  EXPECT_TRUE(contains(typed("", "--again").output, "Step 1 of "));
  EXPECT_TRUE(contains(typed("", "--from iw_outside").output, "Step 4 of "));
}

TEST_F(Learn, SaysWhatIsWrongWithAPlace) {
  EXPECT_TRUE(contains(typed("", "--from v99").errors, "--from: "));
  for (const auto& [text, complaint] :
       {std::pair("notes", "does not hold the place"),
        {"[]", "does not hold the place"},
        {R"({"gpp_learn": 1, "places": {"ann gpp omp": 3}})", "does not hold the place"},
        {R"({"gpp_learn": 1, "places": {"ann gpp omp": "v99"}})", "v99"}}) {
    std::ofstream(folder / "place.json") << text;
    const roofline::Finished done = typed("");
    EXPECT_EQ(done.status, 2) << text;
    EXPECT_TRUE(contains(done.errors, complaint)) << done.errors;
  }
  std::ofstream(folder / "place.json") << R"({"gpp_learn": 1, "places": {"ann gpp omp": "end"}})";
  EXPECT_TRUE(contains(typed("").output, "That was the last step"));
}

}  // namespace
}  // namespace gpp::test
