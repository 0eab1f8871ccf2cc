// `roofline lines` from end to end, with a driver, a CUPTI and a program that are fakes.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/roofline/recorded.h"

namespace roofline::test {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

using nlohmann::json;

class Lines : public testing::Test {
 protected:
  void SetUp() override {
    place.environment = {"FAKE_CUDA_SOURCES=" + place.folder().string()};
    write(source(), "first\nload = from[i];\nto[i] = load;\n");
  }

  std::string source() const { return place.file("one.cu"); }

  Finished lines(const Words& words, const Words& options = {}) const {
    Words arguments = {"lines"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", FAKE_PROGRAM});
    arguments.insert(arguments.end(), words.begin(), words.end());
    Finished done = run_program(place.tool(arguments));
    EXPECT_TRUE(std::filesystem::is_empty(place.folder() / "tmp")) << "something is left behind";
    return done;
  }
  /// As scripts get it.
  json record_of(const Words& words, Words options = {}) const {
    options.emplace_back("--json");
    return json::parse(lines(words, options).output, nullptr, false);
  }
  static std::int64_t sum_of(const json& record, const char* count) {
    std::int64_t sum = 0;
    for (const json& line : record["lines"]) sum += line[count].get<std::int64_t>();
    return sum;
  }

  Recorded place;
};

TEST_F(Lines, ChargesSamplesAndCountsOfAProgramToItsSource) {
  const Finished done = succeeded(lines({"launch=k1*2", "sync", "launch=k3", "say=hello"}));
  EXPECT_TRUE(contains(done.output, "hello\n")) << "the program is seen once";
  EXPECT_TRUE(contains_all(done.output, {"load = from[i];", "long_scoreboard 100%"}));
  const json record = record_of({"launch=k1*2", "sync", "launch=k3", "say=hello"});
  EXPECT_EQ(record["period"], 1 << 16);
  std::map<std::string, int> stalls;
  for (const json& line : record["lines"])
    for (const auto& [name, number] : line["stalls"].items()) stalls[name] += number.get<int>();
  EXPECT_EQ(stalls, (std::map<std::string, int>{{"long_scoreboard", 15}, {"selected", 5}}));
  EXPECT_EQ(sum_of(record, "warp_instructions"), 320);
  EXPECT_EQ(sum_of(record, "thread_instructions"), 10240);
  EXPECT_EQ(sum_of(record, "thread_instructions_pred_on"), 10240);
  EXPECT_EQ(record["sources"][source()][1], "load = from[i];");
}

TEST_F(Lines, OnlyOfTheKernelsThatWereAskedFor) {
  const Words options = {"--kernel", "^k", "--samples-only"};
  EXPECT_EQ(lines({"launch=k1", "launch=other5"}, options).status, 0);
  const json record = record_of({"launch=k1", "launch=other5"}, options);
  EXPECT_EQ(record["samples"], 4);
  EXPECT_TRUE(record["counted"].empty());
}

TEST_F(Lines, AreFunctionsWhereTheProgramHasNone) {
  const Finished done = succeeded(lines({"launch=bare1"}));
  EXPECT_TRUE(contains_all(done.output, {"(bare1)", "compile with nvcc -lineinfo"}));
  EXPECT_EQ(record_of({"launch=bare1"})["lines"][0]["function"], "bare1");
}

TEST_F(Lines, SayWhoMayNotSampleAndKeepWhatIsLeft) {
  place.environment.push_back("FAKE_CUPTI_REFUSES=cuptiPCSamplingEnable");
  EXPECT_TRUE(contains_all(ended(lines({"launch=k1"}), 1).errors,
                           {"the program cannot be sampled: ", "cuptiPCSamplingEnable"}));
  const json counted = record_of({"launch=k1"});
  EXPECT_EQ(counted["period"], 0);
  EXPECT_FALSE(counted["counted"].empty());
  place.environment.back() = "FAKE_CUPTI_REFUSES=cuptiSassMetricsEnable";
  EXPECT_EQ(lines({"launch=k1"}).status, 1);
  const json sampled = record_of({"launch=k1"});
  EXPECT_GT(sampled["period"], 0);
  EXPECT_TRUE(sampled["counted"].empty());
}

TEST_F(Lines, KeepTheProgramsEnd) {
  EXPECT_EQ(lines({"launch=k1", "exit=7"}).status, 7);
  EXPECT_EQ(record_of({"launch=k1", "exit=7"})["samples"], 4);
  EXPECT_EQ(lines({"say=nothing"}).status, 1);
}

TEST_F(Lines, ReadNoSourceThatIsNone) {
  std::filesystem::remove(source());
  ASSERT_EQ(mkfifo(source().c_str(), 0600), 0);
  const Finished done = lines({"launch=k1"});
  EXPECT_EQ(done.status, 0) << "a pipe is not waited for";
  EXPECT_TRUE(contains(done.output, "one.cu:2"));
  EXPECT_TRUE(record_of({"launch=k1"})["sources"].empty());
  std::filesystem::remove(source());
  std::filesystem::create_symlink("/dev/zero", source());
  EXPECT_TRUE(record_of({"launch=k1"})["sources"].empty());
}

}  // namespace
}  // namespace roofline::test
