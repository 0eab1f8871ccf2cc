// `roofline record` from end to end, on a driver, a CUPTI and a program that are fakes: what it
// prints, keeps and counts. The fake says what is right to the last byte.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"
#include "tests/text.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::contains;
using test::expect_exact;
using test::kernel_in;
using test::notes;
using test::Recorded;
using test::Words;

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

TEST(Record, CountsAndTimesToTheLastByte) {
  const Recorded place;
  const Finished done = place.run({"note=runs", "say=hello", "launch=k3*5", "launch=k1", "sync"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(place.lines("runs").size(), 3u) << "timed, counted, instrumented";
  EXPECT_EQ(times_in(done.output, "hello\n"), 1u) << done.output;
  for (const char* part :
       {"on Fake GPU: 2 kernels", "15.00 us", "Recorded in roofline-fake_program"})
    EXPECT_TRUE(contains(done.output, part)) << part << " in\n" << done.output;
  const json profile = place.profile();
  expect_exact(profile, "k3", 5);
  expect_exact(profile, "k1", 1);
  EXPECT_EQ(kernel_in(profile, "k3")["work"]["fp64"], 5 * 3 * (100 + 10 + 2 * 1000));
  EXPECT_EQ(kernel_in(profile, "k3")["bytes"]["dram"], 5 * 3 * 6400);
  EXPECT_EQ(profile["source"], "cupti");
  EXPECT_EQ(profile["device"], "Fake GPU");
  EXPECT_TRUE(fs::exists(place.folder() / "roofline-fake_program/report.html"));
}

TEST(Record, TimesAProgramSeveralTimes) {
  const Recorded place;
  const Finished done = place.run({"note=runs", "say=hello", "launch=k3*5"}, {"--runs", "3"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(place.lines("runs").size(), 5u) << "timed three times, counted, instrumented";
  EXPECT_EQ(times_in(done.output, "hello\n"), 1u) << "only the first run shows its output";
  const json kernel = kernel_in(place.profile(), "k3");
  ASSERT_EQ(kernel["runs"].size(), 3u);
  EXPECT_NEAR(kernel["runs"][2].get<double>(), kernel["seconds"].get<double>(), 1e-12)
      << "the fake is always as fast";
  expect_exact(place.profile(), "k3", 5);
}

TEST(Record, KeepsTheRanksApart) {
  Recorded place;
  for (const char* rank : {"0", "1"}) {
    place.environment = {std::string("PMI_RANK=") + rank, "PMI_SIZE=2",
                         std::string("MPI_LOCALRANKID=") + rank};
    const Finished done = place.run({"launch=k1"}, {"-o", "ranks"});
    EXPECT_EQ(done.status, 0) << done.errors;
    EXPECT_FALSE(contains(done.errors, "Open MPI"));
  }
  place.environment = {"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2"};
  const Finished open = place.run({"launch=k1"}, {"-o", "open"});
  EXPECT_TRUE(contains(open.errors, "-- mpirun ... ./program")) << open.errors;
  EXPECT_EQ(launches(place.profile("ranks/rank-0"), "k1"), 1);
  EXPECT_EQ(launches(place.profile("ranks/rank-1"), "k1"), 1);
}

TEST(Record, GivesTheProgramItsWordsAsTheyAre) {
  const Recorded place;
  const Finished done = place.run({"say=[1,2]", "say=[[a]]", "launch=k"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.output, "[1,2]\n[[a]]\n")) << done.output;
}

TEST(Record, ChecksTheFolderBeforeAnythingRuns) {
  const Recorded place;
  std::ofstream(place.folder() / "file") << "in the way";
  const Finished done = place.run({"note=runs", "launch=k"}, {"-o", "file/record"});
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(contains(done.errors, "The program was not started")) << done.errors;
  EXPECT_FALSE(fs::exists(place.folder() / "runs"));
}

TEST(Record, ReplacesTheRecordOfTheUsualName) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k1"}).status, 0);
  EXPECT_EQ(place.run({"launch=k2"}, {"--replace"}).status, 0);
  expect_exact(place.profile(), "k2", 1);
  EXPECT_FALSE(fs::exists(place.folder() / "roofline-fake_program-2"));
}

TEST(Record, PassesTheStatusOn) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k", "exit=7"}).status, 7);
  expect_exact(place.profile(), "k", 1);
}

TEST(Record, FastLeavesTheInstructionsOut) {
  const Recorded place;
  const Finished done = place.run({"note=runs", "launch=k2*3"}, {"--counters", "fast"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(place.lines("runs").size(), 2u);
  const json kernel = kernel_in(place.profile(), "k2");
  EXPECT_EQ(kernel["bytes"]["dram"], 3 * 2 * 6400);
  EXPECT_FALSE(kernel["work"].contains("fp64"));
  EXPECT_TRUE(contains(kernel["missing"].dump(), "--counters full counts it"));
}

TEST(Record, GivesJsonForScripts) {
  const Recorded place;
  const Finished done = place.run({"say=hello", "cry=alas", "launch=k"}, {"--json"});
  EXPECT_EQ(done.status, 0);
  const json profile = json::parse(done.output, nullptr, false);
  ASSERT_TRUE(profile.is_object()) << done.output;
  EXPECT_EQ(profile, place.profile());
  EXPECT_EQ(times_in(done.errors, "hello"), 1u);
  EXPECT_EQ(times_in(done.errors, "alas"), 1u);
}

TEST(Record, CountsTensorCoresWhereTheyWereBusyAlone) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=tensor2*3", "launch=hfma2*3", "launch=k*3"}).status, 0);
  const json profile = place.profile();
  expect_exact(profile, "tensor2", 3);
  expect_exact(profile, "hfma2", 3);
  expect_exact(profile, "k", 3);
  EXPECT_EQ(kernel_in(profile, "tensor2")["work"]["tensor_fp16"], 3 * 2 * 4096);
  EXPECT_EQ(kernel_in(profile, "k")["work"]["tensor_fp16"], 0);
}

TEST(Record, RunsNoKernelAgainWithoutRoomForACopyOfTheMemory) {
  Recorded place;
  place.environment = {"FAKE_CUDA_FREE_GB=49"};
  EXPECT_EQ(place.run({"launch=tensor2*3", "launch=k*3"}).status, 0);
  const json profile = place.profile();
  EXPECT_TRUE(contains(profile["notes"].dump(), "more than half of the GPU's memory"));
  const json tensor = kernel_in(profile, "tensor2");
  EXPECT_EQ(tensor["bytes"]["dram"], 3 * 2 * 6400);
  EXPECT_FALSE(tensor["work"].contains("tensor_fp16"));
  EXPECT_TRUE(contains(tensor["missing"].dump(), "no number for some launches"));
  EXPECT_EQ(kernel_in(profile, "k")["work"]["tensor_fp16"], 0) << "its sign is enough";
  EXPECT_TRUE(tensor["work"].contains("fp64")) << "instrumented kernels run once";
  place.environment = {"FAKE_CUDA_FREE_GB=50"};
  EXPECT_EQ(place.run({"launch=tensor2*3"}, {"--replace"}).status, 0);
  expect_exact(place.profile(), "tensor2", 3);
}

TEST(Record, ReadsCountsBeforeTheirModuleIsUnloaded) {
  const Recorded place;
  const Finished done = place.run({"launch=k2*3", "unload", "launch=k2*3", "unload", "exit=0"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_FALSE(contains(done.errors, "when counted")) << done.errors;
  expect_exact(place.profile(), "k2", 6);
}

TEST(Record, AKernelThatTurnsToTheTensorCoresLaterIsNotCalledZero) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k|k1", "launch=k|tensor1*2"}).status, 0);
  const json kernel = kernel_in(place.profile(), "k");
  EXPECT_EQ(kernel["bytes"]["dram"], 3 * 6400);
  EXPECT_FALSE(kernel["work"].contains("tensor_fp16")) << "one launch was counted without";
  EXPECT_TRUE(contains(kernel["missing"].dump(), "no number for some launches"));
}

TEST(Record, ChoosesByName) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=add1*2", "launch=gemm2*3"}, {"--kernel", "^gemm"}).status, 0);
  const json profile = place.profile();
  expect_exact(profile, "gemm2", 3);
  EXPECT_EQ(profile["kernels"].size(), 1u);
}

TEST(Record, ChoosesByNumber) {
  const Recorded place;
  const Words words = {"launch=a*3", "launch=b*3", "sync"};
  EXPECT_EQ(place.run(words, {"--launch", "3:4", "-o", "one"}).status, 0);
  expect_exact(place.profile("one"), "a", 1);
  expect_exact(place.profile("one"), "b", 1);
  EXPECT_EQ(place.run(words, {"--skip-first", "4", "-o", "two"}).status, 0);
  EXPECT_EQ(place.profile("two")["kernels"].size(), 1u);
  expect_exact(place.profile("two"), "b", 2);
  EXPECT_EQ(place.run(words, {"--kernel", "b", "--launch", "2:", "-o", "three"}).status, 0);
  expect_exact(place.profile("three"), "b", 2);
}

TEST(Record, ChoosesByRange) {
  const Recorded place;
  const Words words = {"launch=out*2", "push=mine", "launch=in*2", "push=deep",  "launch=in",
                       "pop",          "pop",       "pop",         "launch=out", "start=mine",
                       "launch=in",    "end",       "launch=out"};
  EXPECT_EQ(place.run(words, {"--nvtx", "mine"}).status, 0);
  expect_exact(place.profile(), "in", 4);
  EXPECT_EQ(place.profile()["kernels"].size(), 1u);
}

TEST(Record, RangesAreOfTheirThread) {
  const Recorded place;
  EXPECT_EQ(
      place.run({"push=mine", "launch=k", "threads=3", "launch=k"}, {"--nvtx", "mine"}).status, 0);
  expect_exact(place.profile(), "k", 1);
}

TEST(Record, ChoosesBetweenTheProfilersMarks) {
  const Recorded place;
  const Words words = {"launch=out", "profiler=1", "launch=in*2", "profiler=0", "launch=out"};
  EXPECT_EQ(place.run(words, {"--profile-from-start", "off", "-o", "off"}).status, 0);
  expect_exact(place.profile("off"), "in", 2);
  EXPECT_EQ(place.profile("off")["kernels"].size(), 1u);
  EXPECT_EQ(place.run(words, {"-o", "on"}).status, 0);
  expect_exact(place.profile("on"), "out", 2);
}

TEST(Record, NothingChosenIsSaid) {
  const Recorded place;
  const Finished done = place.run({"launch=k*3"}, {"--kernel", "other"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.errors, "none of the 3 launches was chosen by --kernel"))
      << done.errors;
  EXPECT_FALSE(fs::exists(place.folder() / "roofline-fake_program"));
}

TEST(Record, NothingLaunchedIsSaid) {
  const Recorded place;
  Finished done = place.run({"say=hello"});
  EXPECT_EQ(done.status, 1);
  EXPECT_EQ(done.output, "hello\n");
  EXPECT_TRUE(contains(done.errors, "did not call CUDA")) << done.errors;
  done = place.run({"init", "exit=5"});
  EXPECT_EQ(done.status, 5);
  EXPECT_TRUE(contains(done.errors, "launched no kernel")) << done.errors;
  done = place.run({"launch=untimed*2"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.errors, "no time of any of the 2 launches")) << done.errors;
}

TEST(Record, ManyLaunchesOfManyThreadsAndContexts) {
  const Recorded place;
  EXPECT_EQ(place.run({"threads=4", "launch=k2*200", "launch=tensor1*3", "sync"}).status, 0);
  expect_exact(place.profile(), "k2", 800);
  expect_exact(place.profile(), "tensor1", 12);
  const Words words = {"launch=k1*70", "context=1", "launch=k1*70", "context=2", "launch=k1",
                       "destroy=2",    "context=1", "launch=k1",    "destroy=1"};
  EXPECT_EQ(place.run(words, {"-o", "contexts"}).status, 0);
  expect_exact(place.profile("contexts"), "k1", 142);
}

TEST(Record, TwentyThousandLaunches) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k1*12000", "launch=k2*8000"}, {"--counters", "fast"}).status, 0);
  EXPECT_EQ(launches(place.profile(), "k1"), 12000);
  EXPECT_EQ(kernel_in(place.profile(), "k2")["bytes"]["dram"], 8000 * 2 * 6400);
  EXPECT_LT(fs::file_size(place.folder() / "roofline-fake_program/profile.json"), 100'000u);
}

TEST(Record, TimesOfManyKernelsAreAllTold) {
  const Recorded place;
  const int first = 10'007, kernels = 9'000;  // more than one buffer of CUPTI's holds
  Words words;
  for (int i = 0; i < kernels; ++i) words.push_back("launch=k" + std::to_string(first + 7 * i));
  EXPECT_EQ(place.run(words, {"--counters", "fast"}).status, 0);
  const json profile = place.profile();
  EXPECT_EQ(profile["kernels"].size(), kernels);
  for (const json& kernel : profile["kernels"]) EXPECT_TRUE(kernel["seconds"].is_number());
}

TEST(Record, ChildProcessesAreAddedUp) {
  const Recorded place;
  const Finished done = place.run({"launch=k*2", "spawn", "launch=k*3", "exit=4"});
  EXPECT_EQ(done.status, 4) << done.errors;
  expect_exact(place.profile(), "k", 5);
  EXPECT_TRUE(notes(place.profile(), "2 processes of the program used CUDA"));
}

TEST(Record, GraphsAreCountedAsOneRange) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k*2", "graph=k,other2,k", "graph=k,other2,k", "launch=k"}).status,
            0);
  const json profile = place.profile();
  expect_exact(profile, "k", 3);
  EXPECT_TRUE(kernel_in(profile, "other2").is_null()) << "its time is the graph's";
  const json graph = kernel_in(profile, "CUDA graph of 3 kernels: k x2, other2");
  ASSERT_FALSE(graph.is_null()) << profile.dump(1);
  EXPECT_EQ(graph["launches"], 2);
  EXPECT_NEAR(graph["seconds"].get<double>(), 8e-6, 1e-12);
  EXPECT_EQ(graph["bytes"]["dram"], 2 * 4 * 6400);
  EXPECT_EQ(graph["work"]["fp64"], 2 * 4 * 2110);
  EXPECT_TRUE(notes(graph, "k 4.000 us in 4 launches, other2 4.000 us in 2 launches"))
      << graph.dump(1);
  EXPECT_TRUE(notes(profile, "each launch of a CUDA graph as one range"));
}

TEST(Record, GraphsOfTensorKernelsAreReplayed) {
  const Recorded place;
  EXPECT_EQ(place.run({"graph=tensor,k", "graph=tensor,k"}).status, 0);
  EXPECT_EQ(place.profile()["kernels"][0]["work"]["tensor_fp16"], 2 * 4096);
}

TEST(Record, RangesOfNodesAreAddedUp) {
  Recorded place;
  place.environment = {"FAKE_CUPTI_GRAPHS=nodes"};
  EXPECT_EQ(place.run({"graph=k,other2"}).status, 0);
  const json graph = place.profile()["kernels"][0];
  EXPECT_EQ(graph["bytes"]["dram"], 3 * 6400);
  EXPECT_TRUE(notes(place.profile(), "counted 2 ranges in the launch of a CUDA graph of 2"));
}

TEST(Record, GraphsThatCuptiRefusesAreTimedAndSaid) {
  Recorded place;
  place.environment = {"FAKE_CUPTI_GRAPHS=none"};
  EXPECT_EQ(place.run({"launch=k*2", "graph=k,other2", "graph=k,other2", "launch=k"}).status, 0);
  const json profile = place.profile();
  const json kernel = kernel_in(profile, "k");
  EXPECT_EQ(kernel["launches"], 3) << "those that were counted";
  EXPECT_EQ(kernel["bytes"]["dram"], 3 * 6400);
  EXPECT_TRUE(notes(kernel, "5 timed, 3 counted"));
  EXPECT_FALSE(kernel_in(profile, "other2")["bytes"].contains("dram")) << "not counted is not 0";
  EXPECT_TRUE(notes(profile, "CUDA graphs were not counted: CUPTI recorded 0"));
}

TEST(Record, KernelsOfGraphsAreChosenByName) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k", "graph=k,other2"}, {"--kernel", "^k"}).status, 0);
  EXPECT_EQ(place.profile()["kernels"].size(), 1u);
  EXPECT_TRUE(notes(kernel_in(place.profile(), "k"), "2 timed, 1 counted"));
  EXPECT_TRUE(notes(place.profile(), "that --kernel leaves out"));
}

TEST(Record, WhatDoesNotRunIsNotCounted) {
  const Recorded place;
  const Words words = {"launch=k",  "capture=1",        "launch=k*3",
                       "capture=0", "launch=refused*2", "launch=k"};
  EXPECT_EQ(place.run(words).status, 0);
  expect_exact(place.profile(), "k", 2);
  EXPECT_EQ(launches(place.profile(), "refused"), 0);
}

TEST(Record, RefusedLaunchesTakeNoOthersCounts) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=a1", "launch=refused", "launch=b2"}, {"--kernel", "a|b|r"}).status,
            0);
  expect_exact(place.profile(), "a1", 1);
  expect_exact(place.profile(), "b2", 1);
}

TEST(Record, LostCountsAreSaid) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k", "launch=k", "launch=lost", "sync", "launch=k", "sync"}).status,
            0);
  EXPECT_TRUE(notes(place.profile(), "another number of kernels"));
  const json kernel = kernel_in(place.profile(), "lost");
  EXPECT_FALSE(kernel["bytes"].contains("dram"));
}

TEST(Record, LostCountsLoseFewerLaunchesOfLaterBatches) {
  const Recorded place;
  test::Words words = {"launch=k1", "launch=lost"};  // their first launches
  for (int i = 0; i < 20; ++i) words.insert(words.end(), {"launch=k1*10", "launch=lost"});
  EXPECT_EQ(place.run(words).status, 0);
  const json kernel = kernel_in(place.profile(), "k1");
  EXPECT_GT(kernel["launches"], 100) << "of 201, where batches were as long as before: none";
  EXPECT_EQ(kernel["bytes"]["dram"], kernel["launches"].get<int>() * 6400);
}

TEST(Record, WhatIsNoNumberIsMissingAndNotZero) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=nan*2", "launch=k"}).status, 0);
  const json kernel = kernel_in(place.profile(), "nan");
  EXPECT_FALSE(kernel["bytes"].contains("dram"));
  EXPECT_EQ(kernel["bytes"]["l1"], 2 * 25600);
  EXPECT_TRUE(contains(kernel["missing"].dump(), "no number for some launches"));
  expect_exact(place.profile(), "k", 1);
}

TEST(Record, NamesAreHarmless) {
  const Recorded place;
  const std::string name = "<script>alert('1')</script>\x1b[2J\n\xff\"quoted\"";
  const Finished done = place.run(
      {"launch=" + name, "launch=" + std::string(100'000, 'x'), "launch=nameless", "launch="});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_FALSE(contains(done.output + done.errors, "\x1b"));
  const json profile = place.profile();
  EXPECT_EQ(launches(profile, "a kernel without a name"), 2);
  EXPECT_EQ(profile["kernels"].size(), 3u);
  const fs::path page = place.folder() / "roofline-fake_program/report.html";
  EXPECT_FALSE(contains(gpp::test::file_text(page), "<script>alert('1')"));
}

TEST(Record, MangledNamesAreReadable) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=_ZN6sample10fma_kernelEPd"}, {"--kernel", "^sample::fma"}).status,
            0);
  EXPECT_EQ(launches(place.profile(), "sample::fma_kernel(double*)"), 1);
}

TEST(Record, KeepsARecordAndNeverLosesOne) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k"}).status, 0);
  EXPECT_EQ(place.run({"launch=k*2"}).status, 0);
  EXPECT_EQ(place.run({"launch=k*3"}).status, 0);
  expect_exact(place.profile("roofline-fake_program"), "k", 1);
  expect_exact(place.profile("roofline-fake_program-2"), "k", 2);
  expect_exact(place.profile("roofline-fake_program-3"), "k", 3);
  const Words again = {"-o", "roofline-fake_program"};
  const Finished refused = place.run({"note=runs", "launch=k*4"}, again);
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(contains(refused.errors, "is there already")) << refused.errors;
  EXPECT_TRUE(place.lines("runs").empty()) << "it ran, and its counts were lost";
  expect_exact(place.profile(), "k", 1);
  EXPECT_EQ(place.run({"launch=k*4"}, {"-o", "roofline-fake_program", "--replace"}).status, 0);
  expect_exact(place.profile(), "k", 4);
}

TEST(Record, RefusesWhatCannotBeMeant) {
  const Recorded place;
  const auto refuses = [&place](const Words& options, const std::string& part) {
    const Finished done = place.run({"note=runs", "launch=k"}, options);
    EXPECT_EQ(done.status, 2) << part;
    EXPECT_TRUE(contains(done.errors, part)) << done.errors;
  };
  refuses({"--launch", "5:2"}, "the last launch comes before the first");
  refuses({"--kernel", "("}, "not a regular expression");
  refuses({"--counters", "some"}, "--counters");
  refuses({"--skip-first", "-1"}, "--skip-first");
  refuses({"--skip-first", "9223372036854775807"}, "--skip-first");
  refuses({"--skip-first", "9", "--launch", "3:4"}, "--skip-first");
  EXPECT_TRUE(place.lines("runs").empty());
}

}  // namespace
}  // namespace roofline
