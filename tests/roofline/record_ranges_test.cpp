// Tests of `roofline record` besides kernels: NVTX ranges; ranks and other processes that share
// GPUs, whose counters have one owner at a time.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

constexpr const char* dram = "dram__bytes.sum";

/// The range with that path, "outer/inner", or null.
json range_in(const json& profile, const std::string& path) {
  const json ranges = profile.value("ranges", json::array());
  std::vector<std::string> paths;
  for (const json& range : ranges) {
    const int parent = range["parent"];
    const std::string domain = range["domain"], name = range["name"];
    paths.push_back((parent < 0 ? "" : paths.at(static_cast<std::size_t>(parent)) + "/") +
                    (domain.empty() ? name : domain + "@" + name));
    if (paths.back() == path) return range;
  }
  return nullptr;
}

/// `own`: work of its own launches, in launches of size 1; the other one with inner ranges.
void expect_range(const json& profile, const std::string& path, int launches, int own, int all) {
  const json range = range_in(profile, path);
  ASSERT_FALSE(range.is_null()) << path << " is not in\n" << profile["ranges"].dump(1);
  EXPECT_EQ(range["launches"], launches) << path;
  EXPECT_EQ(range["counters"].value(dram, 0.0), own * 6400) << path;
  EXPECT_EQ(range["all"]["bytes"]["dram"], all * 6400) << path;
  EXPECT_NEAR(range["all"]["seconds"].get<double>(), 1e-6 * all, 1e-12) << path;
}

class RecordRanges : public testing::Test, protected Recorded {};

TEST_F(RecordRanges, CountWithAndWithoutTheRangesInThem) {
  const Finished done =
      succeeded(run({"push=outer", "launch=k1*2", "push=inner", "launch=k3", "pop", "launch=k1",
                     "push-in=lib:inner", "launch=k2*2", "pop-in=lib", "pop", "launch=k5"},
                    {"--by", "range"}));
  const json kept = profile();
  expect_range(kept, "outer", 3, 3, 10);
  expect_range(kept, "outer/inner", 1, 3, 3);
  expect_range(kept, "outer/lib@inner", 2, 4, 4);
  expect_range(kept, "", 1, 5, 5);
  EXPECT_EQ(kept["ranges"].size(), 4u);
  const json kernels = range_in(kept, "outer")["kernels"];
  ASSERT_EQ(kernels.size(), 1u) << "without those of ranges in it";
  EXPECT_EQ(kernels[0]["name"], "k1");
  EXPECT_EQ(kernels[0]["launches"], 3);
  EXPECT_NEAR(kernels[0]["seconds"].get<double>(), 3e-6, 1e-12);
  expect_exact(kept, "k1", 3);
  EXPECT_TRUE(contains_all(done.output,
                           {"own time", "\u00a0\u00a0lib@inner", "(outside of ranges)", "66.7%"}));
}

TEST_F(RecordRanges, AreOfTheThreadThatLaunchesOrOfTheProcessAndEndInOrderInTheirDomain) {
  const Words words = {"push=gone",  "push-in=lib:main", "pop",       "pop", "launch=k1",
                       "start=step", "start=over",       "end",       "end", "threads=2",
                       "pop",        "push=worker",      "launch=k2", "pop"};
  succeeded(run(words));
  expect_range(profile(), "lib@main", 1, 1, 1);
  expect_range(profile(), "step/worker", 2, 4, 4);
  expect_range(profile(), "step", 0, 0, 4);
  EXPECT_EQ(profile()["ranges"].size(), 3u) << "no thread is in main but its own";
  for (const auto& [range, chosen] : {std::pair("lib@main", "k1"), {"step", "k2"}}) {
    succeeded(run(words, {"--nvtx", range, "-o", chosen}));
    EXPECT_EQ(only(profile(chosen)["kernels"])["name"], chosen);
  }
}

TEST_F(RecordRanges, CallsOfAnOperatorAreOne) {
  Words words;
  for (const char* range : {"push=aten::mm, seq = 12", "push=aten::mm, op_id = 9, sizes = [[2]]",
                            "push=aten::mm, seq = 13, op_id = 3, input_op_ids = [1]"})
    words.insert(words.end(), {range, "launch=k1", "pop", "launch=k7"});
  succeeded(run(words));
  expect_range(profile(), "aten::mm", 2, 2, 2);
  expect_range(profile(), "aten::mm, sizes = [[2]]", 1, 1, 1);
  succeeded(run(words, {"--nvtx", "aten::mm", "-o", "mm"}));
  EXPECT_EQ(profile("mm")["kernels"].size(), 1u);
}

TEST_F(RecordRanges, WhatWasNotCountedIsNotZero) {
  succeeded(run({"push=step", "launch=k1", "graph=k1,k2", "pop"}));
  const json kept = profile(), outside = range_in(kept, "");
  EXPECT_EQ(range_in(kept, "step")["launches"], 1) << "those of graphs belong to no range";
  EXPECT_EQ(outside["launches"], 2);
  EXPECT_FALSE(outside["all"]["bytes"].contains("dram"));
  EXPECT_TRUE(contains(outside["missing"].dump(), "counted")) << outside.dump(1);
}

/// In every second run, the program launches other kernels in other threads.
std::vector<std::string> otherwise_when_counted(const std::string& timed,
                                                const std::string& counted) {
  const std::string program = FAKE_PROGRAM;
  return {"sh", "-c",
          "echo run >> starts; if [ $(wc -l < starts) = 1 ]; then exec " + program + " " + timed +
              "; else exec " + program + " " + counted + "; fi"};
}

TEST_F(RecordRanges, CountsOfFewerLaunchesAreScaledKernelByKernel) {
  succeeded(record({"-o", "r"}, otherwise_when_counted("push=step launch=k1*4 launch=k2*2 pop",
                                                       "push=step launch=k1*3 launch=k2*2 pop")));
  expect_range(profile("r"), "step", 6, 8, 8);
  EXPECT_TRUE(notes(kernel_in(profile("r"), "k1"), "4 timed, 3 counted, 3 instrumented"));
}

TEST_F(RecordRanges, WhatLacksCountsNamesTheKernelAndTheRange) {
  std::string shown =
      succeeded(record({"-o", "r", "--by", "range"},
                       otherwise_when_counted(
                           "push=outer launch=k5 push=inner launch=k1*2 launch=k2 pop pop",
                           "push=outer launch=k5 push=inner launch=k1 pop pop")))
          .output;
  const json kept = profile("r"), outer = range_in(kept, "outer");
  EXPECT_TRUE(outer["counters"].contains(dram)) << "its own are known";
  EXPECT_FALSE(outer["all"]["bytes"].contains("dram"));
  EXPECT_FALSE(range_in(kept, "outer/inner")["all"]["bytes"].contains("dram"));
  std::erase_if(shown, [](char letter) { return letter == ' ' || letter == '\n'; });  // one line
  EXPECT_TRUE(contains_all(shown, {"row2:missingdram", ":launchesofk2init:1timed,nonecounted",
                                   "ininner:launchesofk2init"}));
}

TEST_F(RecordRanges, TooManyAreWithThoseAroundThem) {
  Words words;
  for (int i = 0; i < 40; ++i) words.push_back("push=r" + std::to_string(i));
  words.insert(words.end(), {"launch=k1", "pop", "launch=k1"});
  succeeded(run(words));
  EXPECT_EQ(profile()["ranges"].size(), 32u);
  EXPECT_EQ(profile()["ranges"].back()["launches"], 2);
}

/// Counters of the fake have one owner among all processes.
class RecordRanks : public testing::Test, protected Recorded {
 protected:
  RecordRanks() { environment = {"FAKE_CUPTI_OWNERS=" + folder().string()}; }
};

TEST_F(RecordRanks, ThatShareAGpuAreCountedInTurn) {
  const Finished done = succeeded(run({"note=runs", "ranks=3", "push=step", "launches=k1", "sync",
                                       "meet=met", "pop", "launch=k2", "sync", "meet=met"},
                                      {"-o", "r", "--by", "range"}));
  EXPECT_TRUE(contains(done.errors, "3 ranks share a GPU"));
  EXPECT_FALSE(contains(done.errors, "ended early"));
  EXPECT_EQ(lines("runs").size(), 7u) << "timed, three times counted and instrumented";
  for (int rank = 0; rank < 3; ++rank) {
    const json kept = profile("r/rank-" + std::to_string(rank));
    expect_exact(kept, "k1", rank + 1);
    expect_exact(kept, "k2", 1);
    EXPECT_TRUE(notes(kept, "counted one after another")) << kept["notes"];
    EXPECT_EQ(kept["ranges"].size(), 2u) << "step, and what is outside";
    expect_range(kept, "step", rank + 1, rank + 1, rank + 1);
    expect_range(kept, "", 1, 2, 2);
  }
  const Finished shown = roofline({"show", file("r")});
  for (const std::string& text : {done.output, shown.output})
    EXPECT_TRUE(contains_all(text, {"rank ", "nearest roof", "5.000 us"}));
}

TEST_F(RecordRanks, OnGpusOfTheirOwnAreCountedTogether) {
  environment.emplace_back("FAKE_CUDA_GPUS=2");
  succeeded(
      run({"note=runs", "ranks=2", "gpus=2", "launches=k1", "sync", "meet=together"}, {"-o", "r"}));
  EXPECT_EQ(lines("runs").size(), 3u);
  for (int rank = 0; rank < 2; ++rank)
    expect_exact(profile("r/rank-" + std::to_string(rank)), "k1", rank + 1);
}

TEST_F(RecordRanks, WhoShareAGpuOtherwiseAreToldWhoIsCounted) {
  const std::string one = std::string(FAKE_PROGRAM) + " launch=k1 meet=met";
  const Finished two =
      record({"-o", "r"}, {"sh", "-c", "export PMI_SIZE=2; " + one + " & " + one + "; wait"});
  EXPECT_TRUE(contains(two.errors, "another process holds the GPU's counters"));
  const int other = open(file("gpu-0").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(flock(other, LOCK_EX | LOCK_NB), 0) << "it owns the counters from now on";
  EXPECT_TRUE(contains(run({"launch=k1"}, {"-o", "alone"}).errors,
                       "another process holds the GPU's counters"));
  close(other);
}

}  // namespace
}  // namespace roofline::test
