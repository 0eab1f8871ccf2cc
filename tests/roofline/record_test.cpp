// Tests of `roofline record`, `lines` and `verify` from end to end with fake driver, CUPTI and
// programs: output, files, counts, stated work. The fake's counts are exactly known.
#include <sys/stat.h>

#include <fstream>

#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"

namespace roofline::test {
namespace {

class Record : public testing::Test, protected Recorded {};

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// A kernel's launches in a profile; 0 if it is absent.
int launches(const json& profile, const std::string& name) {
  const json kernel = kernel_in(profile, name);
  return kernel.is_null() ? 0 : kernel["launches"].get<int>();
}

TEST_F(Record, CountsAndTimesToTheLastByte) {
  const Finished done = succeeded(run(
      {"note=runs", "say=hello", "say=[1,2]", "say=[[a]]", "launch=k3*5", "launch=k1", "sync"}));
  EXPECT_EQ(lines("runs").size(), 3u) << "timed, counted, instrumented";
  EXPECT_EQ(times_in(done.output, "hello\n[1,2]\n[[a]]\n"), 1u) << done.output;
  EXPECT_TRUE(contains_all(
      done.output, {"on Fake GPU: 2 kernels", "15.0 us", "Recorded in roofline-fake_program"}));
  const json kept = profile();
  expect_exact(kept, "k3", 5);
  expect_exact(kept, "k1", 1);
  EXPECT_EQ(kernel_in(kept, "k3")["work"]["fp64"], 5 * 3 * (100 + 10 + 2 * 1000));
  EXPECT_EQ(kernel_in(kept, "k3")["bytes"]["dram"], 5 * 3 * 6400);
  EXPECT_EQ(kept["source"], "cupti");
  EXPECT_EQ(kept["device"], "Fake GPU");
  EXPECT_TRUE(
      contains_all(file_text(folder() / "roofline-fake_program/report.html"),
                   {"roofline-instructions", "roofline-global_access", "unit stride, 8 B"}));
}

TEST_F(Record, GivesJsonForScripts) {
  const Finished done = succeeded(run({"say=hello", "cry=alas", "launch=k"}, {"--json"}));
  const json kept = json::parse(done.output, nullptr, false);
  ASSERT_TRUE(kept.is_object()) << done.output;
  EXPECT_EQ(kept, profile());
  EXPECT_EQ(times_in(done.errors, "hello"), 1u);
  EXPECT_EQ(times_in(done.errors, "alas"), 1u);
}

TEST_F(Record, CountsTensorCoresAndBulkCopiesWhereTheyWereBusyAlone) {
  succeeded(run({"launch=tensor2*3", "launch=hfma2*3", "launch=bulk2*3", "launch=k*3",
                 "launch=later|k1", "launch=later|tensor1*2"}));
  const json kept = profile(), later = kernel_in(kept, "later");
  for (const char* name : {"tensor2", "hfma2", "bulk2", "k"}) expect_exact(kept, name, 3);
  EXPECT_EQ(kernel_in(kept, "bulk2")["bytes"]["l1"], 3 * 2 * (25600 + 3552));
  EXPECT_EQ(kernel_in(kept, "tensor2")["work"]["tensor_fp16"], 3 * 2 * 4096);
  EXPECT_EQ(kernel_in(kept, "k")["work"]["tensor_fp16"], 0);
  EXPECT_EQ(later["bytes"]["dram"], 3 * 6400);
  EXPECT_FALSE(later["work"].contains("tensor_fp16")) << "one launch was counted without";
  EXPECT_TRUE(contains(later["missing"].dump(), "no number for some launches"));
}

TEST_F(Record, RunsNoKernelAgainWithoutRoomForACopyOfTheMemory) {
  environment = {"FAKE_CUDA_FREE_GB=49"};
  succeeded(run({"launch=tensor2*3", "launch=k*3"}));
  const json kept = profile();
  EXPECT_TRUE(contains(kept["notes"].dump(), "more than half of the GPU's memory"));
  const json tensor = kernel_in(kept, "tensor2");
  EXPECT_EQ(tensor["bytes"]["dram"], 3 * 2 * 6400);
  EXPECT_FALSE(tensor["work"].contains("tensor_fp16"));
  EXPECT_TRUE(contains(tensor["missing"].dump(), "no number for some launches"));
  EXPECT_EQ(kernel_in(kept, "k")["work"]["tensor_fp16"], 0) << "its sign is enough";
  EXPECT_TRUE(notes(tensor, "Bulk copies into shared memory (TMA) were not counted"));
  EXPECT_TRUE(tensor["work"].contains("fp64")) << "instrumented kernels run once";
  environment = {"FAKE_CUDA_FREE_GB=50"};
  succeeded(run({"launch=tensor2*3"}, {"--replace"}));
  expect_exact(profile(), "tensor2", 3);
}

TEST_F(Record, ChoosesByNumberNameAndTheProfilersMarks) {
  const Words words = {"launch=a",   "launch=b*2", "profiler=1",
                       "launch=b*2", "profiler=0", "launch=b"};
  const std::pair<Words, int> choices[] = {{{"--kernel", "b", "--launch", "2:"}, 4},
                                           {{"--launch", "3:4"}, 2},
                                           {{"--profile-from-start", "off"}, 2},
                                           {{"--profile-from-start", "off", "--launch", "2"}, 1}};
  for (const auto& [options, launched] : choices) {
    Words all = options;
    all.emplace_back("--replace");
    succeeded(run(words, all));
    expect_exact(profile(), "b", launched);
    EXPECT_EQ(profile()["kernels"].size(), 1u) << options.front();
  }
}

TEST_F(Record, NothingLaunchedOrChosenIsSaid) {
  Finished done = ended(run({"say=hello"}), 1);
  EXPECT_EQ(done.output, "hello\n");
  EXPECT_TRUE(contains(done.errors, "did not call CUDA"));
  EXPECT_TRUE(contains(ended(run({"init", "exit=5"}), 5).errors, "launched no kernel"));
  EXPECT_TRUE(
      contains(ended(run({"launch=untimed*2"}), 1).errors, "no time of any of the 2 launches"));
  EXPECT_TRUE(contains(ended(run({"launch=k*3"}, {"--kernel", "other"}), 1).errors,
                       "none of the 3 launches was chosen by --kernel"));
  EXPECT_FALSE(fs::exists(folder() / "roofline-fake_program"));
}

TEST_F(Record, ManyLaunchesOfManyThreadsContextsAndModules) {
  succeeded(run({"threads=4", "launch=k2*200", "launch=tensor1*3", "sync"}));
  expect_exact(profile(), "k2", 800);
  expect_exact(profile(), "tensor1", 12);
  const Words words = {"launch=k1*70", "context=1", "launch=k1*70", "context=2", "launch=k1",
                       "destroy=2",    "context=1", "launch=k1",    "destroy=1"};
  succeeded(run(words, {"-o", "contexts"}));
  expect_exact(profile("contexts"), "k1", 142);
  const Words modules = {"launch=k2*3", "unload", "launch=k2*3", "unload", "exit=0"};
  EXPECT_FALSE(contains(succeeded(run(modules, {"-o", "modules"})).errors, "when counted"));
  expect_exact(profile("modules"), "k2", 6);
}

TEST_F(Record, TwentyThousandLaunchesAndTimesOfManyKernelsAreAllTold) {
  succeeded(run({"launch=k1*12000", "launch=k2*8000"}, {"--counters", "fast"}));
  EXPECT_EQ(launches(profile(), "k1"), 12000);
  const json fast = kernel_in(profile(), "k2");
  EXPECT_EQ(fast["bytes"]["dram"], 8000 * 2 * 6400);
  EXPECT_FALSE(fast["work"].contains("fp64"));
  EXPECT_TRUE(contains(fast["missing"].dump(), "--counters full counts it"));
  EXPECT_LT(fs::file_size(folder() / "roofline-fake_program/profile.json"), 100'000u);
  const int first = 10'007, kernels = 9'000;  // more than one CUPTI buffer holds
  Words words;
  for (int i = 0; i < kernels; ++i) words.push_back("launch=k" + std::to_string(first + 7 * i));
  succeeded(run(words, {"--counters", "fast", "--replace"}));
  const json kept = profile();
  EXPECT_EQ(kept["kernels"].size(), kernels);
  for (const json& kernel : kept["kernels"]) EXPECT_TRUE(kernel["seconds"].is_number());
}

TEST_F(Record, KernelsOfGraphsAreTimedAndNotCountedAndThoseOfKernelsAreNoted) {
  succeeded(run({"launch=k*2", "graph=k,other2", "graph=k,other2", "launch=k", "launch=parent"}));
  const json kept = profile();
  const json kernel = kernel_in(kept, "k");
  EXPECT_EQ(kernel["launches"], 3) << "those that were counted";
  EXPECT_EQ(kernel["bytes"]["dram"], 3 * 6400);
  EXPECT_TRUE(notes(kernel, "5 timed, 3 counted"));
  EXPECT_FALSE(kernel_in(kept, "other2")["bytes"].contains("dram")) << "not counted is not 0";
  EXPECT_TRUE(notes(kept, "Kernels within CUDA graphs were timed, and not counted"));
  EXPECT_FALSE(notes(kept, "another number of kernels")) << "nor did they disturb others";
  EXPECT_TRUE(notes(kept, "parent is in a module that launches kernels itself"));
  EXPECT_FALSE(notes(kept, "k is in a module"));
}

TEST_F(Record, WhatDoesNotRunIsNotCountedNorTakesOthersCounts) {
  const Words words = {"launch=k",         "capture=1", "launch=k*3", "capture=0",
                       "launch=refused*2", "launch=k",  "launch=b2"};
  succeeded(run(words, {"--kernel", "k|b|r"}));
  expect_exact(profile(), "k", 2);
  expect_exact(profile(), "b2", 1);
  EXPECT_EQ(launches(profile(), "refused"), 0);
}

TEST_F(Record, LostCountsAreSaidAndLoseFewerLaunchesOfLaterBatches) {
  ended(run({"launch=nan*2", "spawn", "launch=k*3", "exit=4"}, {"-o", "nan"}), 4);
  const json nan = kernel_in(profile("nan"), "nan");
  EXPECT_FALSE(nan["bytes"].contains("dram")) << "which is missing, and not 0";
  EXPECT_EQ(nan["bytes"]["l1"], 2 * 25600);
  EXPECT_TRUE(contains(nan["missing"].dump(), "no number for some launches"));
  expect_exact(profile("nan"), "k", 3);
  succeeded(run({"launch=k", "launch=k", "launch=lost", "sync", "launch=k", "sync"}));
  EXPECT_TRUE(notes(profile(), "another number of kernels"));
  EXPECT_FALSE(kernel_in(profile(), "lost")["bytes"].contains("dram"));
  Words words = {"launch=k1", "launch=lost"};  // the kernels' first launches
  for (int i = 0; i < 20; ++i) words.insert(words.end(), {"launch=k1*10", "launch=lost"});
  succeeded(run(words, {"--replace"}));
  const json kernel = kernel_in(profile(), "k1");
  EXPECT_GT(kernel["launches"], 100) << "of 201, where batches were as long as before: none";
  EXPECT_EQ(kernel["bytes"]["dram"], kernel["launches"].get<int>() * 6400);
}

TEST_F(Record, NamesAreReadableAndHarmless) {
  const std::string name = "<script>alert('1')</script>\x1b[2J\n\xff\"quoted\"";
  const Finished done =
      succeeded(run({"launch=" + name, "launch=" + std::string(100'000, 'x'), "launch=nameless",
                     "launch=", "launch=_ZN6sample10fma_kernelEPd"}));
  EXPECT_FALSE(contains(done.output + done.errors, "\x1b"));
  const json kept = profile();
  EXPECT_EQ(launches(kept, "a kernel without a name"), 2);
  EXPECT_EQ(launches(kept, "sample::fma_kernel(double*)"), 1);
  EXPECT_EQ(kept["kernels"].size(), 4u);
  const fs::path page = folder() / "roofline-fake_program/report.html";
  EXPECT_FALSE(contains(file_text(page), "<script>alert('1')"));
}

TEST_F(Record, KeepsARecordAndNeverLosesOne) {
  for (const char* kernels : {"launch=k", "launch=k*2"}) succeeded(run({kernels}));
  expect_exact(profile("roofline-fake_program"), "k", 1);
  expect_exact(profile("roofline-fake_program-2"), "k", 2);
  const Words again = {"-o", "roofline-fake_program"};
  refused(run({"note=runs", "launch=k*4"}, again), {"is there already"});
  std::ofstream(folder() / "file") << "in the way";
  refused(run({"note=runs", "launch=k"}, {"-o", "file/record"}), {"The program was not started"});
  EXPECT_TRUE(lines("runs").empty()) << "it ran, and its counts were lost";
  expect_exact(profile(), "k", 1);
  succeeded(run({"launch=k*4"}, {"--replace"}));
  expect_exact(profile(), "k", 4);
  EXPECT_FALSE(fs::exists(folder() / "roofline-fake_program-3"));
}

// Tests without counting: launch forms, separate GPUs and ranks, work by formulas.

TEST_F(Record, TellsHowKernelsAreLaunched) {
  succeeded(run({"launch=k|k3*2", "launch=k|k5"}));
  const json kernel = kernel_in(profile(), "k");
  ASSERT_EQ(kernel["forms"].size(), 2u);
  EXPECT_EQ(kernel["forms"][0]["form"]["grid"], json({3, 1, 1})) << "most time first";
  EXPECT_EQ(kernel["forms"][0]["launches"], 2);
  EXPECT_EQ(kernel["forms"][0]["form"]["registers"], 64);
}

TEST_F(Record, KeepsGpusApart) {
  environment = {"FAKE_CUDA_GPUS=2"};
  const Words words = {"launch=k3*2", "context=1", "launch=k3*5", "launch=only3"};
  const Finished done = succeeded(run(words));
  const json kept = profile();
  ASSERT_EQ(kept["gpus"].size(), 2u);
  ASSERT_EQ(kept["kernels"].size(), 3u);
  const json& first = kept["kernels"][0];
  EXPECT_EQ(first["gpu"], 1);
  EXPECT_EQ(first["launches"], 5);
  EXPECT_EQ(first["counters"]["dram__bytes.sum"], 5 * 3 * 6400);
  EXPECT_EQ(kernel_in(kept, "only3")["gpu"], 1);
  EXPECT_TRUE(contains(done.output, "k3 on GPU 0"));
}

TEST_F(Record, StatesWorkBesideTheCounts) {
  std::ofstream(file("work.txt")) << "kernel k\n  fp64 4220 * gx\n  dram 6400 * gx\n"
                                     "kernel none\n  fp64 1\n";
  const Finished done = succeeded(run({"launch=k3*5"}, {"--work", "work.txt", "--details"}));
  EXPECT_TRUE(contains(done.errors, "work.txt: no kernel fits 'none'"));
  const json kernel = kernel_in(profile(), "k3");
  EXPECT_EQ(kernel["stated"]["amounts"]["fp64"], 5 * 3 * 4220);
  EXPECT_EQ(kernel["work"]["fp64"], 5 * 3 * 2110) << "what was counted stays what it is";
  EXPECT_TRUE(kernel["formula_rooflines"]["fp64"].is_object());
  EXPECT_TRUE(contains_all(done.output, {"FP64, by formula", "by formula, not counted"}));
  EXPECT_TRUE(contains(file_text(folder() / "roofline-fake_program/report.html"), "by formula"));
}

TEST_F(Record, KeepsRanksInFoldersOfTheirOwn) {
  const Words ranks = {"ranks=2", "launches=k1", "sync"};
  succeeded(run(ranks, {"-o", "ranks"}));
  for (int rank = 0; rank < 2; ++rank)
    expect_exact(profile("ranks/rank-" + std::to_string(rank)), "k1", rank + 1);
  EXPECT_FALSE(fs::exists(folder() / "ranks/profile.json"));
  EXPECT_EQ(run(ranks, {"-o", "ranks"}).status, 2) << "it is there already";
  const std::string second = std::string("PMI_SIZE=2 PMI_RANK=1 ") + FAKE_PROGRAM + " launch=k1";
  succeeded(record({"-o", "ranks", "--replace"}, {"sh", "-c", second}));
  EXPECT_FALSE(fs::exists(folder() / "ranks/rank-0")) << "a rank of the earlier record";
  environment = {"PMI_RANK=1", "PMI_SIZE=2", "MPI_LOCALRANKID=1"};
  succeeded(run({"launch=k1"}, {"-o", "one"}));
  EXPECT_EQ(launches(profile("one/rank-1"), "k1"), 1);
}

TEST_F(Record, FormulasNeedNoRight) {
  environment = {"FAKE_CUPTI_REFUSES=cuptiProfilerInitialize"};
  std::ofstream(file("work.txt")) << "kernel k\n  fp64 200 * gx\n  dram 100 * gx\n";
  const Finished done = run({"launch=k3*3"}, {"--work", "work.txt", "-o", "record"});
  EXPECT_EQ(done.status, 0) << "there is something to show: " << done.errors;
  EXPECT_TRUE(contains(done.output, "DRAM, by formula"));
  EXPECT_TRUE(fs::exists(folder() / "record/roofline-fp64.svg"));
  const json kernel = kernel_in(profile("record"), "k3");
  EXPECT_TRUE(kernel["rooflines"].empty());
  EXPECT_EQ(kernel["forms"][0]["form"]["registers"], 64);
  std::ofstream(file("wrong.txt")) << "kernel k\n  fp64 200 * gx /\n";
  refused(run({"note=runs"}, {"--work", "wrong.txt", "-o", "wrong"}), {"wrong.txt:2:"});
  EXPECT_TRUE(lines("runs").empty()) << "a mistake must cost nothing";
}

class Lines : public testing::Test, protected Recorded {
 protected:
  Lines() {
    environment = {"FAKE_CUDA_SOURCES=" + folder().string()};
    std::ofstream(source()) << "first\nload = from[i];\nto[i] = load;\n";
  }

  std::string source() const { return file("one.cu"); }

  Finished lines(const Words& words, const Words& options = {}) const {
    Words arguments = {"lines"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", FAKE_PROGRAM});
    arguments.insert(arguments.end(), words.begin(), words.end());
    Finished done = run_program(tool(arguments));
    EXPECT_TRUE(fs::is_empty(folder() / "tmp")) << "something is left behind";
    return done;
  }
  /// The record as scripts get it.
  json record_of(const Words& words, Words options = {}) const {
    options.emplace_back("--json");
    return json::parse(lines(words, options).output, nullptr, false);
  }
  static std::int64_t sum_of(const json& record, const char* count) {
    std::int64_t sum = 0;
    for (const json& line : record["lines"]) sum += line[count].get<std::int64_t>();
    return sum;
  }
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

TEST_F(Lines, OnlyOfTheKernelsThatWereAskedForAndWithTheProgramsEnd) {
  const Words options = {"--kernel", "^k", "--samples-only"};
  ended(lines({"launch=k1", "launch=other5", "exit=7"}, options), 7);
  const json record = record_of({"launch=k1", "launch=other5", "exit=7"}, options);
  EXPECT_EQ(record["samples"], 4);
  EXPECT_TRUE(record["counted"].empty());
  ended(lines({"say=nothing"}), 1);
}

TEST_F(Lines, AreFunctionsWhereTheProgramHasNone) {
  const Finished done = succeeded(lines({"launch=bare1"}));
  EXPECT_TRUE(contains_all(done.output, {"(bare1)", "compile with nvcc -lineinfo"}));
  EXPECT_EQ(record_of({"launch=bare1"})["lines"][0]["function"], "bare1");
}

TEST_F(Lines, SayWhoMayNotSampleAndKeepWhatIsLeft) {
  environment.push_back("FAKE_CUPTI_REFUSES=cuptiPCSamplingEnable");
  EXPECT_TRUE(contains_all(ended(lines({"launch=k1"}), 1).errors,
                           {"the program cannot be sampled: ", "cuptiPCSamplingEnable"}));
  const json counted = record_of({"launch=k1"});
  EXPECT_EQ(counted["period"], 0);
  EXPECT_FALSE(counted["counted"].empty());
  environment.back() = "FAKE_CUPTI_REFUSES=cuptiSassMetricsEnable";
  EXPECT_EQ(lines({"launch=k1"}).status, 1);
  const json sampled = record_of({"launch=k1"});
  EXPECT_GT(sampled["period"], 0);
  EXPECT_TRUE(sampled["counted"].empty());
}

TEST_F(Lines, ReadNoSourceThatIsNone) {
  fs::remove(source());
  ASSERT_EQ(mkfifo(source().c_str(), 0600), 0);
  const Finished done = lines({"launch=k1"});
  EXPECT_EQ(done.status, 0) << "a pipe is not waited for";
  EXPECT_TRUE(contains(done.output, "one.cu:2"));
  EXPECT_TRUE(record_of({"launch=k1"})["sources"].empty());
  fs::remove(source());
  fs::create_symlink("/dev/zero", source());
  EXPECT_TRUE(record_of({"launch=k1"})["sources"].empty());
}

/// The tool with a script in place of its program of known answers.
class VerifyHere : public testing::Test, protected Recorded {
 protected:
  VerifyHere() {
    fs::create_directories(folder() / "bin");
    fs::create_directories(folder() / "lib");
    fs::copy_file(ROOFLINE_TOOL, file("bin/roofline"));
    fs::create_symlink(fs::path(ROOFLINE_TOOL).parent_path() / "../lib/libroofline_inject.so",
                       file("lib/libroofline_inject.so"));
  }
  Finished verify(const std::string& script) {
    const std::string program = file("bin/roofline-known-answers");
    std::ofstream(program) << "#!/bin/sh\n" << script;
    fs::permissions(program, fs::perms::owner_all);
    Words command = tool({"verify", "--json"});
    *std::find(command.begin(), command.end(), ROOFLINE_TOOL) = file("bin/roofline");
    const Finished done = run_program(command);
    EXPECT_TRUE(fs::is_empty(folder() / "tmp")) << "a folder is left behind";
    return done;
  }
};

TEST_F(VerifyHere, CountsTheKernelsAndJudges) {
  const Finished done =
      ended(verify(std::string("echo 'known_dmma: no such cores'\nexec ") + FAKE_PROGRAM +
                   " launch=known_constants launch=known_dfma sync\n"),
            1);
  const json said = json::parse(done.output, nullptr, false);
  ASSERT_TRUE(said.is_object()) << done.output << done.errors;
  EXPECT_EQ(said["device"], "Fake GPU");
  std::map<std::string, json> rows;
  for (const json& row : said["answers"])
    rows[row["kernel"].get<std::string>() + " " + row["metric"].get<std::string>()] = row;
  EXPECT_EQ(rows["known_constants fp16_flop"]["verdict"], "ok");
  EXPECT_EQ(rows["known_dfma fp64_flop"]["counted"], 100 + 10 + 2 * 1000);
  EXPECT_TRUE(contains(rows["known_dfma fp64_flop"]["verdict"].dump(), "off by -"));
  EXPECT_EQ(rows["known_dmma fp64_tensor_flop"]["reason"], "no such cores");
}

TEST_F(VerifyHere, SaysWhatItsProgramSaid) {
  refused(verify("echo 'no device' >&2\nexit 1\n"), {"no device"});
}

}  // namespace
}  // namespace roofline::test
