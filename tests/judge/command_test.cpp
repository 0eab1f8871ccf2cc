// gpp judge, as a person or a grader calls it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>

#include "roofline/base/process.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

roofline::Finished judge(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   {GPP_BINARY_DIR "/gpp", "judge", "--preset", "tiny", "--repeat", "5",
                    "--small-inputs", "0", "--ceilings", "off"});
  return roofline::run_program(arguments);
}

/// A plug-in that computes what is due, times a factor.
void write_variant(const fs::path& file, const std::string& factor) {
  const std::string name = file.stem();
  std::ofstream(file) << "// Made from power2.\n#include \"variants/omp/v08_power2.cpp\"\n"
                         "namespace gpp::omp {\nSums "
                      << name << "(const Problem& problem) {\n  Sums sums = power2(problem);\n"
                      << "  sums.ach[0] = " << factor << " * sums.ach[0];\n  return sums;\n}\n}\n";
}

TEST(JudgeCommand, EndsWithTheVerdictAndALineForEach) {
  const TemporaryFolder folder;
  write_variant(folder / "right.cpp", "1.0");
  write_variant(folder / "wrong.cpp", "1.001");
  const roofline::Finished done = judge({folder / "right.cpp", folder / "wrong.cpp", "--json"});
  EXPECT_EQ(done.status, 1) << done.errors;
  std::istringstream lines(done.output);
  std::vector<nlohmann::json> all;
  for (std::string line; std::getline(lines, line);) all.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(all.size(), 2) << done.output << done.errors;
  EXPECT_TRUE(all[0]["passed"]) << all[0];
  EXPECT_EQ(all[0]["seconds"].size(), 5);
  EXPECT_FALSE(all[1]["passed"]);
  EXPECT_TRUE(contains(all[1]["reason"].get<std::string>(), "ach at frequency 1"));
}

/// Without roofs nobody can tell whether a time is possible, so there is a reason and no place.
TEST(JudgeCommand, WritesRecordsThatAScoreboardReads) {
  const TemporaryFolder folder;
  write_variant(folder / "ann.cpp", "1.0");
  const std::string key = folder / "key", judged = folder / "judged";
  const roofline::Finished done = judge({folder / "ann.cpp", "--secret", key, "-o", judged});
  EXPECT_EQ(done.status, 0) << done.output << done.errors;
  EXPECT_TRUE(contains(done.output, "Layers: "));
  if (contains(done.output, "no rank"))
    GTEST_SKIP() << "this machine lacks layers: " << done.output;
  const auto board = [&](const std::string& by) {
    return roofline::run_program(
               {GPP_BINARY_DIR "/gpp", "report", "--scoreboard", "--key", by, judged})
        .output;
  };
  EXPECT_TRUE(contains(board(key), "not ranked: ann: its record cannot be believed: it holds no"));
  EXPECT_TRUE(contains(board(folder / "other"), "ann: another judge's key signed it"));
}

TEST(JudgeCommand, RefusesToJudgeNothing) {
  EXPECT_EQ(judge({}).status, 2);
  EXPECT_EQ(judge({"no-such-step"}).status, 2);
  EXPECT_EQ(judge({"--queue", "/no/such/folder"}).status, 2);
}

TEST(JudgeCommand, BoundThreadsAreJudgedOrRefusedWithTheReason) {
  for (const char* binding : {"OMP_PROC_BIND=close", "OMP_PLACES=cores"}) {
    const roofline::Finished done = roofline::run_program(
        {"env", binding, "OMP_NUM_THREADS=2", GPP_BINARY_DIR "/gpp", "judge", "v8", "--model",
         "omp", "--preset", "tiny", "--check-only", "--small-inputs", "0"});
    EXPECT_TRUE(done.status == 0 || contains(done.output, "unset OMP_PROC_BIND and OMP_PLACES"))
        << binding << ": " << done.output << done.errors;
  }
}

TEST(JudgeCommand, TwoJudgesEmptyOneQueue) {
  const TemporaryFolder folder;
  for (const char* name : {"ann.cpp", "bob.cpp"}) write_variant(folder / name, "1.0");
  fs::create_symlink("/etc/passwd", folder / "eve.cpp");
  const auto run = [&] { return judge({"--queue", folder.path(), "--json"}); };
  auto other = std::async(std::launch::async, run);
  const std::string said = run().output + other.get().output;
  for (const char* name : {"\"ann\"", "\"bob\"", "is a link"}) EXPECT_TRUE(contains(said, name));
  EXPECT_EQ(std::ranges::count(said, '\n'), 3) << "each is judged once:\n" << said;
  for (const char* name : {"ann.cpp", "bob.cpp", "eve.cpp"})
    EXPECT_TRUE(fs::exists(fs::symlink_status(folder / "done" / name))) << name;
}

}  // namespace
}  // namespace gpp::test
