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

TEST(RecordRanges, CountWithAndWithoutTheRangesInThem) {
  const Recorded place;
  const Finished done =
      place.run({"push=outer", "launch=k1*2", "push=inner", "launch=k3", "pop", "launch=k1",
                 "push-in=lib:inner", "launch=k2*2", "pop-in=lib", "pop", "launch=k5"},
                {"--by", "range"});
  EXPECT_EQ(done.status, 0) << done.errors;
  const json profile = place.profile();
  expect_range(profile, "outer", 3, 3, 10);
  expect_range(profile, "outer/inner", 1, 3, 3);
  expect_range(profile, "outer/lib@inner", 2, 4, 4);
  expect_range(profile, "", 1, 5, 5);
  EXPECT_EQ(profile["ranges"].size(), 4u);
  const json kernels = range_in(profile, "outer")["kernels"];
  ASSERT_EQ(kernels.size(), 1u) << "without those of ranges in it";
  EXPECT_EQ(kernels[0]["name"], "k1");
  EXPECT_EQ(kernels[0]["launches"], 3);
  EXPECT_NEAR(kernels[0]["seconds"].get<double>(), 3e-6, 1e-12);
  expect_exact(profile, "k1", 3);
  for (const char* part : {"own time", "\u00a0\u00a0lib@inner", "(outside of ranges)", "66.7%"})
    EXPECT_TRUE(contains(done.output, part)) << part << " in\n" << done.output;
}

TEST(RecordRanges, AreOfTheThreadThatLaunchesOrOfTheProcess) {
  const Recorded place;
  succeeded(place.run(
      {"push=main", "launch=k1", "start=step", "threads=2", "push=worker", "launch=k2", "pop"}));
  const json profile = place.profile();
  expect_range(profile, "main", 1, 1, 1);
  expect_range(profile, "step/worker", 2, 4, 4);
  expect_range(profile, "step", 0, 0, 4);
  EXPECT_EQ(profile["ranges"].size(), 3u) << "no thread is in main but its own";
}

TEST(RecordRanges, CallsOfAnOperatorAreOne) {
  const Recorded place;
  Words words;
  for (const char* range : {"push=aten::mm, seq = 12", "push=aten::mm, op_id = 9, sizes = [[2]]",
                            "push=aten::mm, seq = 13, op_id = 3, input_op_ids = [1]"})
    words.insert(words.end(), {range, "launch=k1", "pop", "launch=k7"});
  succeeded(place.run(words));
  expect_range(place.profile(), "aten::mm", 2, 2, 2);
  expect_range(place.profile(), "aten::mm, sizes = [[2]]", 1, 1, 1);
  succeeded(place.run(words, {"--nvtx", "aten::mm", "-o", "mm"}));
  EXPECT_EQ(place.profile("mm")["kernels"].size(), 1u);
}

TEST(RecordRanges, WhatWasNotCountedIsNotZero) {
  const Recorded place;
  succeeded(place.run({"push=step", "launch=k1", "graph=k1,k2", "pop"}));
  const json kept = place.profile(), outside = range_in(kept, "");
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

TEST(RecordRanges, CountsOfFewerLaunchesAreScaledKernelByKernel) {
  const Recorded place;
  const Finished done = place.record(
      {"-o", "r", "--by", "range"},
      otherwise_when_counted("push=step launch=k1*4 launch=k2*2 pop",
                             "push=step launch=k1*3 launch=k2*2 threads=1 launch=k1 pop"));
  EXPECT_EQ(done.status, 0) << done.errors;
  const json profile = place.profile("r");
  expect_range(profile, "step", 6, 8, 8);
  EXPECT_TRUE(notes(range_in(profile, "step"), "k1 in it: 4 timed, 3 counted")) << profile.dump(1);
  EXPECT_TRUE(contains(done.output, "note (of 1): Launches of k1")) << done.output;
}

TEST(RecordRanges, OtherKernelsAsManyTimesAreTakenAndSaid) {
  const Recorded place;
  succeeded(
      place.record({"-o", "r"}, otherwise_when_counted("push=step launch=a1*2 launch=k2 pop",
                                                       "push=step launch=b1*2 launch=k2 pop")));
  const json step = range_in(place.profile("r"), "step");
  EXPECT_EQ(step["all"]["bytes"]["dram"], 4 * 6400);
  EXPECT_TRUE(notes(step, "in place of a kernel that was timed in it: b1")) << step.dump(1);
}

TEST(RecordRanges, WhatLacksCountsNamesTheKernelAndTheRange) {
  const Recorded place;
  std::string shown =
      succeeded(place.record({"-o", "r", "--by", "range"},
                             otherwise_when_counted(
                                 "push=outer launch=k5 push=inner launch=k1*2 launch=k2 pop pop",
                                 "push=outer launch=k5 push=inner launch=k1 pop pop")))
          .output;
  const json profile = place.profile("r"), outer = range_in(profile, "outer");
  EXPECT_TRUE(outer["counters"].contains(dram)) << "its own are known";
  EXPECT_FALSE(outer["all"]["bytes"].contains("dram"));
  EXPECT_FALSE(range_in(profile, "outer/inner")["all"]["bytes"].contains("dram"));
  std::erase_if(shown, [](char letter) { return letter == ' ' || letter == '\n'; });  // one line
  EXPECT_TRUE(contains_all(
      shown, {"(of2):dram", ":launchesofk2init:1timed,nonecounted", "ininner:launchesofk2init"}));
}

TEST(RecordRanges, TooManyAreWithThoseAroundThem) {
  const Recorded place;
  Words words;
  for (int i = 0; i < 40; ++i) words.push_back("push=r" + std::to_string(i));
  words.insert(words.end(), {"launch=k1", "pop", "launch=k1"});
  succeeded(place.run(words));
  EXPECT_EQ(place.profile()["ranges"].size(), 32u);
  EXPECT_EQ(place.profile()["ranges"].back()["launches"], 2);
}

TEST(RecordRanges, NonsenseIsRefused) {
  const TemporaryFolder temporary;
  const std::string file = temporary.path() / "profile.json";
  json good = sample_profile({{"k"}});
  good["ranges"] = json::parse(R"([{"domain": "", "name": "r", "parent": -1, "launches": 1,
      "seconds": 1, "counters": {}, "missing": [], "notes": []}])");
  good["ranges"][0]["kernels"] = json::parse(R"([{"name": "k", "launches": 1, "seconds": 1}])");
  const auto status = [&](const json& profile) {
    std::ofstream(file) << profile;
    return roofline({"show", file, "--by", "range"}).status;
  };
  EXPECT_EQ(status(good), 0);
  for (const auto& [place, value] : std::vector<std::pair<std::string, json>>{
           {"/ranges/0/parent", 0}, {"/ranges/0/parent", 7}, {"/ranges/0/kernels/0/launches", 0}}) {
    json bad = good;
    bad[json::json_pointer(place)] = value;
    EXPECT_EQ(status(bad), 2) << place << value;
  }
}

/// Counters of the fake have one owner among all processes.
struct WithOwners : Recorded {
  WithOwners() { environment = {"FAKE_CUPTI_OWNERS=" + folder().string()}; }
};

/// Makes another process own the counters of GPU 0 during its lifetime.
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
  const Finished shown = roofline({"show", place.file("r"), "--by", "range"});
  for (const std::string& text : {done.output, shown.output})
    for (const char* part : {"range ", "imbalance", "(outside of ranges)", "6.000 us", "1.50x"})
      EXPECT_TRUE(contains(text, part)) << part << " in\n" << text;
}

TEST(RecordRanks, OnGpusOfTheirOwnAreCountedTogetherElseInSoManyTurns) {
  WithOwners place;
  succeeded(place.run({"ranks=2", "launches=k1", "sync", "meet=met"},
                      {"-o", "turns", "--turns", "1", "--counters", "fast"}));
  EXPECT_EQ(place.profile("turns/rank-0")["kernels"][0]["bytes"]["dram"], 6400);
  const json second = place.profile("turns/rank-1");
  EXPECT_EQ(second["kernels"][0]["launches"], 2);
  EXPECT_FALSE(second["kernels"][0]["bytes"].contains("dram"));
  EXPECT_TRUE(notes(second, "--turns 2 counts all")) << second["notes"];
  place.environment.emplace_back("FAKE_CUDA_GPUS=2");
  succeeded(place.run({"note=runs", "ranks=4", "gpus=2", "launches=k1", "sync", "meet=together"},
                      {"-o", "r"}));
  EXPECT_EQ(place.lines("runs").size(), 5u);
  for (int rank = 0; rank < 4; ++rank)
    expect_exact(place.profile("r/rank-" + std::to_string(rank)), "k1", rank + 1);
}

TEST(RecordRanks, StrangersAreNamedAsFarAsIsKnownAndOtherProcessesAreNone) {
  WithOwners place;
  const std::string one = std::string(FAKE_PROGRAM) + " launch=k1 meet=met";
  const Finished two =
      place.record({"-o", "r"}, {"sh", "-c", "export PMI_SIZE=2; " + one + " & " + one + "; wait"});
  EXPECT_TRUE(contains(two.errors, "several processes of the program share a GPU"));
  EXPECT_FALSE(contains(two.errors, "another program"));
  const OtherOwner other(place);
  EXPECT_TRUE(contains(place.run({"launch=k1"}, {"-o", "alone"}).errors,
                       "another program holds the GPU's counters"));
  place.environment.insert(place.environment.end(), {"PMI_RANK=1", "PMI_SIZE=2"});
  EXPECT_TRUE(contains_all(place.run({"launch=k1"}, {"-o", "ranks"}).errors,
                           {"another rank or program has them", "-- mpirun"}));
}

}  // namespace
}  // namespace roofline::test
