// `roofline record` of ranks and other processes that share GPUs, whose counters have one owner at
// a time.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"
#include "tests/text.h"

namespace roofline {
namespace {

using nlohmann::json;
using test::contains;
using test::expect_exact;
using test::notes;
using test::Recorded;

/// Counters of the fake have one owner, among all processes.
struct WithOwners : Recorded {
  WithOwners() { environment = {"FAKE_CUPTI_OWNERS=" + folder().string()}; }
};

/// While it lives, somebody else has the counters of GPU 0.
class OtherOwner {
 public:
  explicit OtherOwner(const Recorded& place)
      : file_(open(place.file("gpu-0").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    EXPECT_EQ(flock(file_, LOCK_EX | LOCK_NB), 0);
  }
  ~OtherOwner() { close(file_); }
  OtherOwner(const OtherOwner&) = delete;
  OtherOwner& operator=(const OtherOwner&) = delete;

 private:
  int file_;
};

TEST(RecordRanks, ThatShareAGpuAreCountedInTurn) {
  const WithOwners place;
  const Finished done = place.run({"note=runs", "ranks=3", "push=step", "launches=k1", "sync",
                                   "meet=met", "pop", "launch=k2", "sync", "meet=met"},
                                  {"-o", "r", "--by", "range"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.errors, "3 ranks share a GPU")) << done.errors;
  EXPECT_FALSE(contains(done.errors, "ended early")) << done.errors;
  EXPECT_EQ(place.lines("runs").size(), 7u) << "timed, three times counted and instrumented";
  for (int rank = 0; rank < 3; ++rank) {
    const json profile = place.profile("r/rank-" + std::to_string(rank));
    expect_exact(profile, "k1", rank + 1);
    expect_exact(profile, "k2", 1);
    EXPECT_TRUE(notes(profile, "counted one after another")) << profile["notes"];
    ASSERT_EQ(profile["ranges"].size(), 2u) << "step, and what is outside";
    EXPECT_EQ(profile["ranges"][0]["name"], "step");
    EXPECT_EQ(profile["ranges"][0]["launches"], rank + 1);
    EXPECT_EQ(profile["ranges"][0]["all"]["bytes"]["dram"], (rank + 1) * 6400);
    EXPECT_EQ(profile["ranges"][1]["all"]["work"]["fp64"], 2 * 2110);
  }
  const Finished shown = test::roofline({"show", place.file("r"), "--by", "range"});
  for (const std::string& text : {done.output, shown.output})
    for (const char* part : {"range ", "imbalance", "(outside of ranges)", "6.000 us", "1.50x"})
      EXPECT_TRUE(contains(text, part)) << part << " in\n" << text;
}

TEST(RecordRanks, OnGpusOfTheirOwnAreCountedTogether) {
  WithOwners place;
  place.environment.emplace_back("FAKE_CUDA_GPUS=2");
  const Finished done =
      place.run({"note=runs", "ranks=4", "gpus=2", "launches=k1", "sync", "meet=met"}, {"-o", "r"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(place.lines("runs").size(), 5u);
  for (int rank = 0; rank < 4; ++rank)
    expect_exact(place.profile("r/rank-" + std::to_string(rank)), "k1", rank + 1);
}

TEST(RecordRanks, HaveOnlySoManyTurns) {
  const WithOwners place;
  const Finished done = place.run({"ranks=2", "launches=k1", "sync", "meet=met"},
                                  {"-o", "r", "--turns", "1", "--counters", "fast"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(place.profile("r/rank-0")["kernels"][0]["bytes"]["dram"], 6400);
  const json second = place.profile("r/rank-1");
  EXPECT_EQ(second["kernels"][0]["launches"], 2);
  EXPECT_FALSE(second["kernels"][0]["bytes"].contains("dram"));
  EXPECT_TRUE(notes(second, "--turns 2 counts all")) << second["notes"];
}

TEST(RecordRanks, OtherProcessesOfAProgramAreNotCalledStrangers) {
  const WithOwners place;
  const std::string one = std::string(FAKE_PROGRAM) + " launch=k1 meet=met";
  const Finished done =
      place.record({"-o", "r"}, {"sh", "-c", "export PMI_SIZE=2; " + one + " & " + one + "; wait"});
  EXPECT_TRUE(contains(done.errors, "several processes of the program share a GPU"));
  EXPECT_FALSE(contains(done.errors, "another program")) << done.errors;
}

TEST(RecordRanks, StrangersAreNamedAsFarAsIsKnown) {
  WithOwners place;
  const OtherOwner other(place);
  const Finished alone = place.run({"launch=k1"}, {"-o", "alone"});
  EXPECT_TRUE(contains(alone.errors, "another program holds the GPU's counters")) << alone.errors;
  place.environment.insert(place.environment.end(), {"PMI_RANK=1", "PMI_SIZE=2"});
  const Finished rank = place.run({"launch=k1"}, {"-o", "ranks"});
  EXPECT_TRUE(contains(rank.errors, "another rank or program has them")) << rank.errors;
  EXPECT_TRUE(contains(rank.errors, "-- mpirun")) << rank.errors;
}

}  // namespace
}  // namespace roofline
