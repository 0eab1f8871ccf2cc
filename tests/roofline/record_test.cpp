// `roofline record` from end to end, on a driver, a CUPTI and a program that are fakes: what it
// prints, keeps and counts. The fake says what is right to the last byte.
#include <nlohmann/json.hpp>

#include <fstream>

#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Record : public testing::Test, protected Recorded {};

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Launches of kernels in a profile; 0 where it is not in it.
int launches(const json& profile, const std::string& name) {
  const json kernel = kernel_in(profile, name);
  return kernel.is_null() ? 0 : kernel["launches"].get<int>();
}

TEST_F(Record, CountsAndTimesToTheLastByte) {
  const Finished done =
      succeeded(run({"note=runs", "say=hello", "launch=k3*5", "launch=k1", "sync"}));
  EXPECT_EQ(lines("runs").size(), 3u) << "timed, counted, instrumented";
  EXPECT_EQ(times_in(done.output, "hello\n"), 1u) << done.output;
  EXPECT_TRUE(contains_all(
      done.output, {"on Fake GPU: 2 kernels", "15.00 us", "Recorded in roofline-fake_program"}));
  const json kept = profile();
  expect_exact(kept, "k3", 5);
  expect_exact(kept, "k1", 1);
  EXPECT_EQ(kernel_in(kept, "k3")["work"]["fp64"], 5 * 3 * (100 + 10 + 2 * 1000));
  EXPECT_EQ(kernel_in(kept, "k3")["bytes"]["dram"], 5 * 3 * 6400);
  EXPECT_EQ(kept["source"], "cupti");
  EXPECT_EQ(kept["device"], "Fake GPU");
  EXPECT_TRUE(fs::exists(folder() / "roofline-fake_program/report.html"));
}

TEST_F(Record, TimesAProgramSeveralTimes) {
  const Finished done = succeeded(run({"note=runs", "say=hello", "launch=k3*5"}, {"--runs", "3"}));
  EXPECT_EQ(lines("runs").size(), 5u) << "timed three times, counted, instrumented";
  EXPECT_EQ(times_in(done.output, "hello\n"), 1u) << "only the first run shows its output";
  const json kernel = kernel_in(profile(), "k3");
  ASSERT_EQ(kernel["runs"].size(), 3u);
  EXPECT_NEAR(kernel["runs"][2].get<double>(), kernel["seconds"].get<double>(), 1e-12)
      << "the fake is always as fast";
  expect_exact(profile(), "k3", 5);
}

TEST_F(Record, KeepsTheRanksApart) {
  for (const char* rank : {"0", "1"}) {
    environment = {std::string("PMI_RANK=") + rank, "PMI_SIZE=2",
                   std::string("MPI_LOCALRANKID=") + rank};
    EXPECT_FALSE(contains(succeeded(run({"launch=k1"}, {"-o", "ranks"})).errors, "Open MPI"));
  }
  environment = {"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2"};
  EXPECT_TRUE(contains(run({"launch=k1"}, {"-o", "open"}).errors, "-- mpirun ... ./program"));
  EXPECT_EQ(launches(profile("ranks/rank-0"), "k1"), 1);
  EXPECT_EQ(launches(profile("ranks/rank-1"), "k1"), 1);
}

TEST_F(Record, GivesTheProgramItsWordsAsTheyAre) {
  const Finished done = succeeded(run({"say=[1,2]", "say=[[a]]", "launch=k"}));
  EXPECT_TRUE(contains(done.output, "[1,2]\n[[a]]\n"));
}

TEST_F(Record, ChecksTheFolderBeforeAnythingRuns) {
  std::ofstream(folder() / "file") << "in the way";
  refused(run({"note=runs", "launch=k"}, {"-o", "file/record"}), {"The program was not started"});
  EXPECT_FALSE(fs::exists(folder() / "runs"));
}

TEST_F(Record, ReplacesTheRecordOfTheUsualName) {
  EXPECT_EQ(run({"launch=k1"}).status, 0);
  EXPECT_EQ(run({"launch=k2"}, {"--replace"}).status, 0);
  expect_exact(profile(), "k2", 1);
  EXPECT_FALSE(fs::exists(folder() / "roofline-fake_program-2"));
}

TEST_F(Record, PassesTheStatusOn) {
  EXPECT_EQ(run({"launch=k", "exit=7"}).status, 7);
  expect_exact(profile(), "k", 1);
}

TEST_F(Record, FastLeavesTheInstructionsOut) {
  succeeded(run({"note=runs", "launch=k2*3"}, {"--counters", "fast"}));
  EXPECT_EQ(lines("runs").size(), 2u);
  const json kernel = kernel_in(profile(), "k2");
  EXPECT_EQ(kernel["bytes"]["dram"], 3 * 2 * 6400);
  EXPECT_FALSE(kernel["work"].contains("fp64"));
  EXPECT_TRUE(contains(kernel["missing"].dump(), "--counters full counts it"));
}

TEST_F(Record, GivesJsonForScripts) {
  const Finished done = succeeded(run({"say=hello", "cry=alas", "launch=k"}, {"--json"}));
  const json kept = json::parse(done.output, nullptr, false);
  ASSERT_TRUE(kept.is_object()) << done.output;
  EXPECT_EQ(kept, profile());
  EXPECT_EQ(times_in(done.errors, "hello"), 1u);
  EXPECT_EQ(times_in(done.errors, "alas"), 1u);
}

TEST_F(Record, CountsTensorCoresWhereTheyWereBusyAlone) {
  EXPECT_EQ(run({"launch=tensor2*3", "launch=hfma2*3", "launch=k*3"}).status, 0);
  const json kept = profile();
  expect_exact(kept, "tensor2", 3);
  expect_exact(kept, "hfma2", 3);
  expect_exact(kept, "k", 3);
  EXPECT_EQ(kernel_in(kept, "tensor2")["work"]["tensor_fp16"], 3 * 2 * 4096);
  EXPECT_EQ(kernel_in(kept, "k")["work"]["tensor_fp16"], 0);
}

TEST_F(Record, RunsNoKernelAgainWithoutRoomForACopyOfTheMemory) {
  environment = {"FAKE_CUDA_FREE_GB=49"};
  EXPECT_EQ(run({"launch=tensor2*3", "launch=k*3"}).status, 0);
  const json kept = profile();
  EXPECT_TRUE(contains(kept["notes"].dump(), "more than half of the GPU's memory"));
  const json tensor = kernel_in(kept, "tensor2");
  EXPECT_EQ(tensor["bytes"]["dram"], 3 * 2 * 6400);
  EXPECT_FALSE(tensor["work"].contains("tensor_fp16"));
  EXPECT_TRUE(contains(tensor["missing"].dump(), "no number for some launches"));
  EXPECT_EQ(kernel_in(kept, "k")["work"]["tensor_fp16"], 0) << "its sign is enough";
  EXPECT_TRUE(tensor["work"].contains("fp64")) << "instrumented kernels run once";
  environment = {"FAKE_CUDA_FREE_GB=50"};
  EXPECT_EQ(run({"launch=tensor2*3"}, {"--replace"}).status, 0);
  expect_exact(profile(), "tensor2", 3);
}

TEST_F(Record, ReadsCountsBeforeTheirModuleIsUnloaded) {
  const Finished done =
      succeeded(run({"launch=k2*3", "unload", "launch=k2*3", "unload", "exit=0"}));
  EXPECT_FALSE(contains(done.errors, "when counted"));
  expect_exact(profile(), "k2", 6);
}

TEST_F(Record, AKernelThatTurnsToTheTensorCoresLaterIsNotCalledZero) {
  EXPECT_EQ(run({"launch=k|k1", "launch=k|tensor1*2"}).status, 0);
  const json kernel = kernel_in(profile(), "k");
  EXPECT_EQ(kernel["bytes"]["dram"], 3 * 6400);
  EXPECT_FALSE(kernel["work"].contains("tensor_fp16")) << "one launch was counted without";
  EXPECT_TRUE(contains(kernel["missing"].dump(), "no number for some launches"));
}

TEST_F(Record, ChoosesByName) {
  EXPECT_EQ(run({"launch=add1*2", "launch=gemm2*3"}, {"--kernel", "^gemm"}).status, 0);
  const json kept = profile();
  expect_exact(kept, "gemm2", 3);
  EXPECT_EQ(kept["kernels"].size(), 1u);
}

TEST_F(Record, ChoosesByNumber) {
  const Words words = {"launch=a*3", "launch=b*3", "sync"};
  EXPECT_EQ(run(words, {"--launch", "3:4", "-o", "one"}).status, 0);
  expect_exact(profile("one"), "a", 1);
  expect_exact(profile("one"), "b", 1);
  EXPECT_EQ(run(words, {"--skip-first", "4", "-o", "two"}).status, 0);
  EXPECT_EQ(profile("two")["kernels"].size(), 1u);
  expect_exact(profile("two"), "b", 2);
  EXPECT_EQ(run(words, {"--kernel", "b", "--launch", "2:", "-o", "three"}).status, 0);
  expect_exact(profile("three"), "b", 2);
}

TEST_F(Record, ChoosesByRange) {
  const Words words = {"launch=out*2", "push=mine", "launch=in*2", "push=deep",  "launch=in",
                       "pop",          "pop",       "pop",         "launch=out", "start=mine",
                       "launch=in",    "end",       "launch=out"};
  EXPECT_EQ(run(words, {"--nvtx", "mine"}).status, 0);
  expect_exact(profile(), "in", 4);
  EXPECT_EQ(profile()["kernels"].size(), 1u);
}

TEST_F(Record, RangesAreOfTheirThread) {
  EXPECT_EQ(run({"push=mine", "launch=k", "threads=3", "launch=k"}, {"--nvtx", "mine"}).status, 0);
  expect_exact(profile(), "k", 1);
}

TEST_F(Record, ChoosesBetweenTheProfilersMarks) {
  const Words words = {"launch=out", "profiler=1", "launch=in*2", "profiler=0", "launch=out"};
  EXPECT_EQ(run(words, {"--profile-from-start", "off", "-o", "off"}).status, 0);
  expect_exact(profile("off"), "in", 2);
  EXPECT_EQ(profile("off")["kernels"].size(), 1u);
  EXPECT_EQ(run(words, {"-o", "on"}).status, 0);
  expect_exact(profile("on"), "out", 2);
}

TEST_F(Record, NothingChosenIsSaid) {
  const Finished done = ended(run({"launch=k*3"}, {"--kernel", "other"}), 1);
  EXPECT_TRUE(contains(done.errors, "none of the 3 launches was chosen by --kernel"));
  EXPECT_FALSE(fs::exists(folder() / "roofline-fake_program"));
}

TEST_F(Record, NothingLaunchedIsSaid) {
  Finished done = ended(run({"say=hello"}), 1);
  EXPECT_EQ(done.output, "hello\n");
  EXPECT_TRUE(contains(done.errors, "did not call CUDA"));
  done = ended(run({"init", "exit=5"}), 5);
  EXPECT_TRUE(contains(done.errors, "launched no kernel"));
  done = ended(run({"launch=untimed*2"}), 1);
  EXPECT_TRUE(contains(done.errors, "no time of any of the 2 launches"));
}

TEST_F(Record, ManyLaunchesOfManyThreadsAndContexts) {
  EXPECT_EQ(run({"threads=4", "launch=k2*200", "launch=tensor1*3", "sync"}).status, 0);
  expect_exact(profile(), "k2", 800);
  expect_exact(profile(), "tensor1", 12);
  const Words words = {"launch=k1*70", "context=1", "launch=k1*70", "context=2", "launch=k1",
                       "destroy=2",    "context=1", "launch=k1",    "destroy=1"};
  EXPECT_EQ(run(words, {"-o", "contexts"}).status, 0);
  expect_exact(profile("contexts"), "k1", 142);
}

TEST_F(Record, TwentyThousandLaunches) {
  EXPECT_EQ(run({"launch=k1*12000", "launch=k2*8000"}, {"--counters", "fast"}).status, 0);
  EXPECT_EQ(launches(profile(), "k1"), 12000);
  EXPECT_EQ(kernel_in(profile(), "k2")["bytes"]["dram"], 8000 * 2 * 6400);
  EXPECT_LT(fs::file_size(folder() / "roofline-fake_program/profile.json"), 100'000u);
}

TEST_F(Record, TimesOfManyKernelsAreAllTold) {
  const int first = 10'007, kernels = 9'000;  // more than one buffer of CUPTI's holds
  Words words;
  for (int i = 0; i < kernels; ++i) words.push_back("launch=k" + std::to_string(first + 7 * i));
  EXPECT_EQ(run(words, {"--counters", "fast"}).status, 0);
  const json kept = profile();
  EXPECT_EQ(kept["kernels"].size(), kernels);
  for (const json& kernel : kept["kernels"]) EXPECT_TRUE(kernel["seconds"].is_number());
}

TEST_F(Record, ChildProcessesAreAddedUp) {
  ended(run({"launch=k*2", "spawn", "launch=k*3", "exit=4"}), 4);
  expect_exact(profile(), "k", 5);
  EXPECT_TRUE(notes(profile(), "2 processes of the program used CUDA"));
}

TEST_F(Record, KernelsOfGraphsAreTimedAndNotCounted) {
  EXPECT_EQ(run({"launch=k*2", "graph=k,other2", "graph=k,other2", "launch=k"}).status, 0);
  const json kept = profile();
  const json kernel = kernel_in(kept, "k");
  EXPECT_EQ(kernel["launches"], 3) << "those that were counted";
  EXPECT_EQ(kernel["bytes"]["dram"], 3 * 6400);
  EXPECT_TRUE(notes(kernel, "5 timed, 3 counted"));
  EXPECT_FALSE(kernel_in(kept, "other2")["bytes"].contains("dram")) << "not counted is not 0";
  EXPECT_TRUE(notes(kept, "Kernels within CUDA graphs were timed, and not counted"));
  EXPECT_FALSE(notes(kept, "another number of kernels")) << "nor did they disturb others";
}

TEST_F(Record, WhatDoesNotRunIsNotCounted) {
  const Words words = {"launch=k",  "capture=1",        "launch=k*3",
                       "capture=0", "launch=refused*2", "launch=k"};
  EXPECT_EQ(run(words).status, 0);
  expect_exact(profile(), "k", 2);
  EXPECT_EQ(launches(profile(), "refused"), 0);
}

TEST_F(Record, RefusedLaunchesTakeNoOthersCounts) {
  EXPECT_EQ(run({"launch=a1", "launch=refused", "launch=b2"}, {"--kernel", "a|b|r"}).status, 0);
  expect_exact(profile(), "a1", 1);
  expect_exact(profile(), "b2", 1);
}

TEST_F(Record, LostCountsAreSaid) {
  EXPECT_EQ(run({"launch=k", "launch=k", "launch=lost", "sync", "launch=k", "sync"}).status, 0);
  EXPECT_TRUE(notes(profile(), "another number of kernels"));
  EXPECT_FALSE(kernel_in(profile(), "lost")["bytes"].contains("dram"));
}

TEST_F(Record, LostCountsLoseFewerLaunchesOfLaterBatches) {
  Words words = {"launch=k1", "launch=lost"};  // their first launches
  for (int i = 0; i < 20; ++i) words.insert(words.end(), {"launch=k1*10", "launch=lost"});
  EXPECT_EQ(run(words).status, 0);
  const json kernel = kernel_in(profile(), "k1");
  EXPECT_GT(kernel["launches"], 100) << "of 201, where batches were as long as before: none";
  EXPECT_EQ(kernel["bytes"]["dram"], kernel["launches"].get<int>() * 6400);
}

TEST_F(Record, WhatIsNoNumberIsMissingAndNotZero) {
  EXPECT_EQ(run({"launch=nan*2", "launch=k"}).status, 0);
  const json kernel = kernel_in(profile(), "nan");
  EXPECT_FALSE(kernel["bytes"].contains("dram"));
  EXPECT_EQ(kernel["bytes"]["l1"], 2 * 25600);
  EXPECT_TRUE(contains(kernel["missing"].dump(), "no number for some launches"));
  expect_exact(profile(), "k", 1);
}

TEST_F(Record, NamesAreHarmless) {
  const std::string name = "<script>alert('1')</script>\x1b[2J\n\xff\"quoted\"";
  const Finished done = succeeded(
      run({"launch=" + name, "launch=" + std::string(100'000, 'x'), "launch=nameless", "launch="}));
  EXPECT_FALSE(contains(done.output + done.errors, "\x1b"));
  const json kept = profile();
  EXPECT_EQ(launches(kept, "a kernel without a name"), 2);
  EXPECT_EQ(kept["kernels"].size(), 3u);
  const fs::path page = folder() / "roofline-fake_program/report.html";
  EXPECT_FALSE(contains(file_text(page), "<script>alert('1')"));
}

TEST_F(Record, MangledNamesAreReadable) {
  EXPECT_EQ(run({"launch=_ZN6sample10fma_kernelEPd"}, {"--kernel", "^sample::fma"}).status, 0);
  EXPECT_EQ(launches(profile(), "sample::fma_kernel(double*)"), 1);
}

TEST_F(Record, KeepsARecordAndNeverLosesOne) {
  EXPECT_EQ(run({"launch=k"}).status, 0);
  EXPECT_EQ(run({"launch=k*2"}).status, 0);
  EXPECT_EQ(run({"launch=k*3"}).status, 0);
  expect_exact(profile("roofline-fake_program"), "k", 1);
  expect_exact(profile("roofline-fake_program-2"), "k", 2);
  expect_exact(profile("roofline-fake_program-3"), "k", 3);
  const Words again = {"-o", "roofline-fake_program"};
  refused(run({"note=runs", "launch=k*4"}, again), {"is there already"});
  EXPECT_TRUE(lines("runs").empty()) << "it ran, and its counts were lost";
  expect_exact(profile(), "k", 1);
  EXPECT_EQ(run({"launch=k*4"}, {"-o", "roofline-fake_program", "--replace"}).status, 0);
  expect_exact(profile(), "k", 4);
}

TEST_F(Record, RefusesWhatCannotBeMeant) {
  const auto refuses = [this](const Words& options, const std::string& part) {
    const Finished done = run({"note=runs", "launch=k"}, options);
    EXPECT_EQ(done.status, 2) << part;
    EXPECT_TRUE(contains(done.errors, part));
  };
  refuses({"--launch", "5:2"}, "the last launch comes before the first");
  refuses({"--kernel", "("}, "not a regular expression");
  refuses({"--counters", "some"}, "--counters");
  refuses({"--skip-first", "-1"}, "--skip-first");
  refuses({"--skip-first", "9223372036854775807"}, "--skip-first");
  refuses({"--skip-first", "9", "--launch", "3:4"}, "--skip-first");
  EXPECT_TRUE(lines("runs").empty());
}

}  // namespace
}  // namespace roofline::test
