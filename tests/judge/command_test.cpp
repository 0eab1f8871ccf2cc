// Tests of gpp judge as called by a person or a grader.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

Finished judge(const Texts& arguments, const char* ceilings = "off") {
  return run_gpp(
      {"judge", "--preset", "tiny", "--repeat", "5", "--small-inputs", "0", "--ceilings", ceilings},
      arguments);
}

/// Writes a plug-in that returns the right sums times a factor.
void write_variant(const fs::path& file, const std::string& factor) {
  const std::string name = file.stem();
  std::ofstream(file) << "// Made from power2.\n#include \"variants/omp/v08_power2.cpp\"\n"
                         "namespace gpp::omp {\nSums "
                      << name << "(const Problem& problem) {\n  Sums sums = power2(problem);\n"
                      << "  sums.ach[0] = " << factor
                      << " * sums.ach[0];\n  return sums;\n}\nGPP_VARIANT(" << name << ");\n}\n";
}

/// The lines that --json prints.
std::vector<nlohmann::json> lines_of(const Finished& done) {
  std::istringstream lines(done.output);
  std::vector<nlohmann::json> all;
  for (std::string line; std::getline(lines, line);) all.push_back(nlohmann::json::parse(line));
  return all;
}

TEST(JudgeCommand, EndsWithTheVerdictAndALineForEach) {
  const TemporaryFolder folder;
  write_variant(folder / "right.cpp", "1.0");
  write_variant(folder / "wrong.cpp", "1.001");
  const Finished done = judge({folder / "right.cpp", folder / "wrong.cpp", "--json"});
  EXPECT_EQ(done.status, 1) << done.errors;
  const std::vector<nlohmann::json> all = lines_of(done);
  ASSERT_EQ(all.size(), 2) << done.output << done.errors;
  EXPECT_EQ(judge({}).status, 2);
  EXPECT_EQ(judge({"no-such-step"}).status, 2);
  EXPECT_TRUE(all[0]["passed"]) << all[0];
  EXPECT_EQ(all[0]["seconds"].size(), 5);
  EXPECT_FALSE(all[1]["passed"]);
  EXPECT_TRUE(contains(all[1]["reason"].get<std::string>(), "ach at frequency 1"));
}

/// Without roofs, possible times are unknown, so there is a reason and no rank.
TEST(JudgeCommand, WritesSignedRecords) {
  const TemporaryFolder folder;
  write_variant(folder / "ann.cpp", "1.0");
  const std::string key = folder / "key", judged = folder / "judged";
  const Finished done = judge({folder / "ann.cpp", "--secret", key, "-o", judged});
  EXPECT_EQ(done.status, 0) << done.output << done.errors;
  EXPECT_TRUE(contains(done.output, "Layers: "));
  EXPECT_TRUE(contains(done.output, "ann has no rank: no roofs were measured") ||
              contains(done.output, "ann has no rank: it was judged without"));
  const std::string record = fs::directory_iterator(judged + "/ann")->path();
  const auto report = [&](const std::string& by) {
    return run_gpp({"report", record, "--json", "--key", by});
  };
  EXPECT_EQ(report(key).status, 0);
  refused(report(folder / "other"), {"another judge's key signed it"});
}

TEST(JudgeCommand, PrintsOneTableAndTheFastestFirst) {
  const Finished done = judge({"v1", "v8", "--model", "omp", "--json"}, "auto");
  EXPECT_EQ(done.status, 0) << done.output << done.errors;
  const std::vector<nlohmann::json> all = lines_of(done);
  ASSERT_EQ(all.size(), 2);
  const bool ranked = all[0]["rank"] == 1;  // unranked if layers are missing
  EXPECT_GE(all[1]["rank"], ranked ? 1 : 0) << "noise may let them share it";
  const bool shared = ranked && all[1]["rank"] == 1;
  if (!shared) {
    EXPECT_EQ(all[0]["name"], ranked ? "v8" : "v1");
  }
}

TEST(JudgeCommand, BoundThreadsAreJudgedOrRefusedWithTheReason) {
  for (const char* binding : {"OMP_PROC_BIND=close", "OMP_PLACES=cores"}) {
    const Finished done = roofline::run_program(
        {"env", binding, "OMP_NUM_THREADS=2", GPP_BINARY_DIR "/gpp", "judge", "v8", "--model",
         "omp", "--preset", "tiny", "--check-only", "--small-inputs", "0"});
    EXPECT_TRUE(done.status == 0 || contains(done.output, "unset OMP_PROC_BIND and OMP_PLACES"))
        << binding << ": " << done.output << done.errors;
  }
}

}  // namespace
}  // namespace gpp::test
