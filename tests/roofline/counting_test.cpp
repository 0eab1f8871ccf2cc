// Counting with a recorder that a test controls: what it gives, and what is left where it fails.
#include "roofline/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tests/roofline/fake_recorder.h"
#include "tests/roofline/telling.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

const CheckedRun right{[] {}, [] { return std::string(); }};

TEST(CountByHardware, KeepsCountersMetricsAndPasses) {
  FakeRecorder recorder;
  recorder.passes = 1;
  int runs = 0;
  const Counted counted = count_by_hardware(recorder, "cuda v7", telling([&runs] {
                                              ++runs;
                                              return std::string();
                                            }));
  EXPECT_EQ(counted.source, CountedBy::cupti);
  EXPECT_EQ(counted.reason, "");
  EXPECT_EQ(counted.passes, 4) << "samples, the hardware's counters, those by kernel, software's";
  EXPECT_EQ(runs, 4);
  EXPECT_EQ(counted.counters.at("dram__bytes.sum"), 100);
  EXPECT_EQ(counted.metrics.at("fp64_flop"), 400) << "an FMA is two";
  EXPECT_TRUE(counted.defects.empty()) << counted.defects.front();
}

/// A check reads the whole result back, which is no traffic of the work.
TEST(CountByHardware, OnlyTheRunIsCounted) {
  const FakeRecorder recorder;
  int runs = 0, checks = 0;
  const CheckedRun run{[&] { runs += recorder.running; },
                       [&] {
                         checks += !recorder.running;
                         return std::string();
                       }};
  EXPECT_EQ(count_by_hardware(recorder, "cuda v7", run).source, CountedBy::cupti);
  EXPECT_EQ(runs, 9) << "three recordings of three passes";
  EXPECT_EQ(checks, 10) << "and after the run that is sampled";
}

TEST(CountByHardware, WhatIsUnavailableOrRefusedSaysWhy) {
  FakeRecorder recorder;
  recorder.reason = "no CUPTI; install it";
  Counted counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_EQ(counted.reason, "no CUPTI; install it");
  EXPECT_EQ(recorder.recordings, 0);
  recorder.reason = "";
  recorder.refusal = "no permission; ask for it";
  counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_EQ(counted.reason, "no permission; ask for it");
  EXPECT_TRUE(counted.counters.empty());
}

TEST(CountByHardware, WorkThatThrowsEndsNothingElse) {
  const FakeRecorder recorder;
  Counted counted = count_by_hardware(recorder, "cuda v7", telling([]() -> std::string {
                                        throw std::runtime_error("out of memory on the device");
                                      }));
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_TRUE(contains(counted.reason, "out of memory on the device"));
  counted = count_by_hardware(recorder, "cuda v7", telling([]() -> std::string { throw 42; }));
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_FALSE(counted.reason.empty());
}

TEST(CountByHardware, WrongSumsMakeTheCountsWorthless) {
  const FakeRecorder recorder;
  int runs = 0;
  const Counted counted = count_by_hardware(
      recorder, "cuda v7",
      telling([&runs] { return ++runs == 5 ? std::string("asx is NaN") : std::string(); }));
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_TRUE(contains(counted.reason, "asx is NaN"));
  EXPECT_TRUE(counted.metrics.empty());
  EXPECT_TRUE(contains(only(counted.defects), "wrong sums"));
}

constexpr const char* executed = "sm__inst_executed.sum";
constexpr const char* issued = "smsp__issue_active.sum";
constexpr const char* fp64_pipe = "sm__thread_inst_executed_pipe_fp64_pred_on.sum";
constexpr const char* dmul = "sm__sass_thread_inst_executed_op_dmul_pred_on.sum";
constexpr const char* fadd = "sm__sass_thread_inst_executed_op_fadd_pred_on.sum";
constexpr const char* waiting = "smsp__pcsamp_warps_issue_stalled_wait";

TEST(CountByHardware, PassesThatCountDifferentWorkAreADefect) {
  FakeRecorder recorder;
  recorder.on_record = [&recorder](int number) {
    recorder.values[fp64_pipe] = number == 1 ? 100 : 101;
  };
  const Counted counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, CountedBy::cupti);
  EXPECT_EQ(only(counted.defects),
            "the passes counted different work: 100 instructions of the FP64 pipe, then 101");
}

TEST(CountByHardware, SamplesStalls) {
  const FakeRecorder recorder;
  const Counted counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.counters.at(waiting), 1);
  EXPECT_EQ(counted.metrics.at("stall_wait"), 1) << "as many as issued";
}

TEST(CountByHardware, WithoutSamplesTheRestIsCounted) {
  FakeRecorder recorder;
  recorder.passes = 1;
  recorder.sampling_refusal = "taken by another profiler";
  int runs = 0;
  const Counted counted = count_by_hardware(recorder, "cuda v7", telling([&runs] {
                                              ++runs;
                                              return std::string();
                                            }));
  EXPECT_EQ(counted.source, CountedBy::cupti);
  EXPECT_EQ(runs, 4) << "the first run is not one to count";
  EXPECT_FALSE(counted.metrics.contains("stall_wait"));
  EXPECT_EQ(only(counted.missing).name, "stalls");
  EXPECT_EQ(only(counted.missing).reason, "taken by another profiler");
}

TEST(CountByHardware, TellsKernelsApart) {
  FakeRecorder recorder;
  recorder.values["dram__bytes.sum"] = 77;
  const Counted counted = count_by_hardware(recorder, "cuda v7", right);
  ASSERT_EQ(counted.kernels.size(), 1u);
  const KernelCounts& kernel = counted.kernels.front();
  EXPECT_EQ(kernel.name, "kernel");
  EXPECT_EQ(kernel.launches, 1);
  EXPECT_EQ(kernel.counters.at("dram__bytes.sum"), 77) << "the hardware's";
  EXPECT_EQ(kernel.counters.at(dfma), 100) << "software's";
  EXPECT_EQ(kernel.counters.at(waiting), 1) << "samples";
  EXPECT_EQ(kernel.counters.at("sm__sass_thread_inst_executed_op_ffma_pred_on.sum"), 0);
  EXPECT_EQ(evaluate(kernel.counters).at("seconds"), 1e-7);
}

TEST(CountByHardware, KernelsThatCannotBeToldApartAreCountedTogether) {
  FakeRecorder recorder;
  recorder.kernel_refusal = "they run in CUDA graphs";
  const Counted counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, CountedBy::cupti);
  EXPECT_EQ(counted.metrics.at("fp64_flop"), 400);
  EXPECT_TRUE(counted.kernels.empty());
  EXPECT_EQ(only(counted.missing).name, "kernels");
  EXPECT_EQ(only(counted.missing).reason, "they run in CUDA graphs");
}

TEST(CountByHardware, KeepsTheRecordersDefectsAndWhatIsMissing) {
  FakeRecorder recorder;
  recorder.defects = {"2 ranges were dropped"};
  recorder.lacking = {"lts__t_bytes.sum"};
  const Counted counted = count_by_hardware(recorder, "cuda v7", right);
  EXPECT_EQ(counted.source, CountedBy::cupti);
  EXPECT_EQ(counted.defects, recorder.defects);
  ASSERT_EQ(counted.missing.size(), 1u);
  EXPECT_FALSE(counted.metrics.contains("l2_bytes")) << "missing, not 0";
}

TEST(CountByHardware, WithoutFlopOrBytesThereIsNothingToPlace) {
  for (const char* name : {dfma, "dram__bytes.sum"}) {
    FakeRecorder recorder;
    recorder.lacking = {name};
    const Counted counted = count_by_hardware(recorder, "cuda v7", right);
    EXPECT_EQ(counted.source, CountedBy::nobody);
    EXPECT_TRUE(contains(counted.reason, std::string(name) + ": this chip has none"));
    EXPECT_FALSE(counted.counters.empty()) << "what was counted is kept";
  }
}

TEST(CountByHardware, InstructionsOfTwoPassesMustAgree) {
  for (const bool sliced : {false, true}) {
    const std::optional<SliceRun> slice =
        sliced ? std::optional(SliceRun{"2 of 20", right}) : std::nullopt;
    FakeRecorder recorder;
    recorder.values = {{executed, 1'000'000}, {issued, 1'009'000}};
    EXPECT_TRUE(count_by_hardware(recorder, "cuda v7", right, slice).defects.empty());
    for (const double other : {1'011'000.0, 989'000.0, 0.0}) {
      recorder.values[issued] = other;
      const Counted counted = count_by_hardware(recorder, "cuda v7", right, slice);
      EXPECT_EQ(counted.source, CountedBy::cupti);
      EXPECT_EQ(only(counted.defects),
                fmt::format("the passes counted different work: 1000000 instructions executed, "
                            "then {:.10g} issued",
                            other));
    }
    recorder.lacking = {issued};
    EXPECT_TRUE(count_by_hardware(recorder, "cuda v7", right, slice).defects.empty());
  }
}

/// A variant whose slice has a tenth of the FP64 instructions and a fifth of all instructions.
class CountOnSlice : public testing::Test {
 protected:
  CountOnSlice() {
    recorder.on_record = [this](int number) { recorder.values = number == 2 ? part : whole; };
  }

  Counted count() {
    const CheckedRun on_whole{[this] { ++runs_of_whole; }, [] { return std::string(); }};
    const CheckedRun on_slice{
        [this] { ++runs_of_slice; },
        [this] { return std::string(runs_of_slice == wrong_run ? "asx is NaN" : ""); }};
    return count_by_hardware(recorder, "cuda v7", on_whole, SliceRun{"2 of 20", on_slice});
  }
  /// Why FP64 operations are missing; nothing else may be in their place.
  static void expect_no_flop(const Counted& counted) {
    EXPECT_EQ(counted.source, CountedBy::nobody);
    EXPECT_TRUE(contains(counted.reason, "fp64_flop was not counted: " + std::string(dadd)));
    EXPECT_TRUE(contains(counted.reason, std::string(fp64_pipe) + " does not say how much more"));
    for (const char* name : {dadd, dmul, dfma}) {
      EXPECT_FALSE(counted.counters.contains(name)) << name;
      EXPECT_EQ(times_missing(counted, name), 1) << name;
    }
    EXPECT_FALSE(counted.metrics.contains("fp64_flop"));
    EXPECT_FALSE(counted.metrics.contains("fp64_fma_fraction"));
    EXPECT_EQ(counted.counters.at(fadd), 35) << "what another counter scales is there";
  }
  static long times_missing(const Counted& counted, const std::string& name) {
    return std::count_if(counted.missing.begin(), counted.missing.end(),
                         [&name](const Missing& one) { return one.name == name; });
  }

  std::map<std::string, double> whole{{fp64_pipe, 1000}, {executed, 500}, {issued, 500},
                                      {dadd, 1e9},       {fadd, 1e9},     {"dram__bytes.sum", 77}};
  std::map<std::string, double> part{
      {fp64_pipe, 100}, {executed, 100}, {dadd, 10},  {dmul, 20},
      {dfma, 30},       {fadd, 7},       {issued, 1}, {"dram__bytes.sum", 1}};
  FakeRecorder recorder;
  int runs_of_whole = 0;
  int runs_of_slice = 0;
  int wrong_run = 0;
};

TEST_F(CountOnSlice, TakesFromTheWholeWhatHardwareCounts) {
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::cupti) << counted.reason;
  EXPECT_EQ(counted.counters.at("dram__bytes.sum"), 77);
  EXPECT_EQ(counted.counters.at(executed), 500);
  EXPECT_EQ(counted.counters.at(fp64_pipe), 1000);
  EXPECT_EQ(counted.counters.at("lts__t_bytes.sum"), 100);
  EXPECT_EQ(counted.metrics.at("dram_bytes"), 77);
  EXPECT_TRUE(counted.defects.empty()) << counted.defects.front();
  EXPECT_TRUE(counted.missing.empty()) << counted.missing.front().name;
}

TEST_F(CountOnSlice, ScalesWhatSoftwareCounts) {
  const Counted counted = count();
  EXPECT_DOUBLE_EQ(counted.counters.at(dadd), 100) << "by the FP64 pipe";
  EXPECT_DOUBLE_EQ(counted.counters.at(dmul), 200);
  EXPECT_DOUBLE_EQ(counted.counters.at(dfma), 300);
  EXPECT_DOUBLE_EQ(counted.metrics.at("fp64_flop"), 900);
  EXPECT_DOUBLE_EQ(counted.metrics.at("fp64_fma_fraction"), 0.5);
  EXPECT_DOUBLE_EQ(counted.counters.at(fadd), 35) << "by all instructions";
}

TEST_F(CountOnSlice, KeepsTheRawCountersOfTheSlice) {
  const Counted counted = count();
  ASSERT_TRUE(counted.slice);
  EXPECT_EQ(counted.slice->part, "2 of 20");
  EXPECT_DOUBLE_EQ(counted.slice->scale, 10);
  for (const char* name : {dadd, dmul, dfma, fadd, executed, fp64_pipe})
    EXPECT_EQ(counted.slice->counters.at(name), part.at(name)) << name;
  EXPECT_FALSE(counted.slice->counters.contains("dram__bytes.sum")) << "hardware counts the whole";
}

TEST_F(CountOnSlice, RunsTheWholeForTheHardwareAndTheSliceForTheRest) {
  part[fadd] = 0;
  const Counted counted = count();
  EXPECT_EQ(recorder.recordings, 3);
  EXPECT_EQ(runs_of_whole, 1 + 3 + 3) << "samples, all together, and by kernel";
  EXPECT_EQ(runs_of_slice, 3);
  EXPECT_EQ(counted.passes, 1 + 3 + 3 + 3);
}

TEST_F(CountOnSlice, ScalesEachKernel) {
  const Counted counted = count();
  EXPECT_DOUBLE_EQ(only(counted.kernels).counters.at(dadd), 100);
  EXPECT_DOUBLE_EQ(only(counted.kernels).counters.at("dram__bytes.sum"), 77);
}

TEST_F(CountOnSlice, WrongSumsOfTheSliceMakeTheCountsWorthless) {
  wrong_run = 2;
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_TRUE(contains(counted.reason, "asx is NaN"));
  EXPECT_TRUE(counted.metrics.empty());
  EXPECT_TRUE(counted.counters.empty());
  EXPECT_FALSE(counted.slice);
  EXPECT_TRUE(contains(only(counted.defects), "wrong sums"));
}

TEST_F(CountOnSlice, WithoutTheFp64PipeFlopsAreMissingAndNot0) {
  recorder.lacking = {fp64_pipe};
  const Counted counted = count();
  expect_no_flop(counted);
  EXPECT_EQ(times_missing(counted, fp64_pipe), 1);
  ASSERT_TRUE(counted.slice);
  EXPECT_EQ(counted.slice->scale, 0);
  EXPECT_EQ(counted.slice->counters.at(dadd), 10) << "what was counted is kept";
}

TEST_F(CountOnSlice, AnFp64PipeThatCountsNothingIsNoScale) {
  whole[fp64_pipe] = 0;
  expect_no_flop(count());
  whole[fp64_pipe] = 1000;
  part[fp64_pipe] = 0;
  recorder.recordings = 0;
  expect_no_flop(count());
}

TEST_F(CountOnSlice, WorkWithoutFp64HasNoneAndIsCounted) {
  whole[fp64_pipe] = part[fp64_pipe] = 0;
  part[dadd] = part[dmul] = part[dfma] = 0;
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::cupti) << counted.reason;
  EXPECT_EQ(counted.metrics.at("fp64_flop"), 0);
  EXPECT_DOUBLE_EQ(counted.counters.at(fadd), 35) << "by all instructions";
  EXPECT_EQ(times_missing(counted, dadd), 0);
  part[dadd] = 1;
  recorder.recordings = 0;
  EXPECT_FALSE(count().metrics.contains("fp64_flop")) << "the counters contradict each other";
}

TEST_F(CountOnSlice, WithoutAllInstructionsTheOthersAreMissing) {
  recorder.lacking = {executed};
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::cupti) << counted.reason;
  EXPECT_DOUBLE_EQ(counted.metrics.at("fp64_flop"), 900);
  EXPECT_FALSE(counted.counters.contains(fadd));
  EXPECT_EQ(times_missing(counted, fadd), 1);
  EXPECT_FALSE(counted.metrics.contains("fp32_flop"));
}

TEST_F(CountOnSlice, NothingOfTheSliceStandsForWhatTheWholeLacks) {
  recorder.on_record = [this](int number) {
    recorder.values = number == 1 ? whole : part;
    recorder.lacking.clear();
    if (number == 1) recorder.lacking = {executed};
  };
  const Counted counted = count();
  EXPECT_FALSE(counted.counters.contains(executed));
  EXPECT_FALSE(counted.metrics.contains("instructions"));
  EXPECT_EQ(times_missing(counted, executed), 1);
  EXPECT_EQ(times_missing(counted, fadd), 1);
}

TEST_F(CountOnSlice, WhatTheSliceLacksIsNamedWithItsReason) {
  recorder.lacking = {dfma};
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_TRUE(contains(counted.reason, std::string(dfma) + ": this chip has none"));
}

TEST_F(CountOnSlice, DefectsOfBothRecordingsAreKept) {
  part[fadd] = 0;
  recorder.on_record = [this](int number) {
    recorder.values = number == 2 ? part : whole;
    recorder.defects = {number != 2 ? "of the whole" : "of the slice"};
  };
  EXPECT_EQ(count().defects, (std::vector<std::string>{"of the whole", "of the slice"}));
}

constexpr const char* tensor_pipe =
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";
constexpr const char* fp16 = "sm__ops_path_tensor_src_fp16.sum";
constexpr const char* fp16_apart = "sm__ops_path_tensor_src_fp16_dst_fp16.sum";

TEST(CountByType, TensorCoresAreAskedForTheirTypesOnlyWhereTheyWereBusy) {
  FakeRecorder recorder;
  EXPECT_FALSE(count_by_hardware(recorder, "gemm", right).counters.contains(fp16));
  recorder.values = {{tensor_pipe, 80}, {fp16, 4096}};
  recorder.recordings = 0;
  const Counted counted = count_by_hardware(recorder, "gemm", right);
  EXPECT_EQ(recorder.recordings, 4) << "the whole, by kernel, by software, and the types";
  EXPECT_EQ(counted.passes, 1 + 4 * 3);
  EXPECT_EQ(counted.metrics.at("fp16_tensor_flop"), 4096);
}

TEST(CountByType, ACounterThatAnotherOneStandsForIsNotMissed) {
  FakeRecorder recorder;
  recorder.values = {{tensor_pipe, 80}, {fp16, 4096}};
  recorder.lacking = {fp16_apart};
  EXPECT_TRUE(count_by_hardware(recorder, "gemm", right).missing.empty());
  recorder.lacking = {fp16_apart, fp16};
  const Counted counted = count_by_hardware(recorder, "gemm", right);
  EXPECT_EQ(counted.missing.size(), 2u);
  EXPECT_FALSE(counted.metrics.contains("fp16_tensor_flop"));
}

TEST(CountedByName, IsTheTextInJson) {
  EXPECT_EQ(source_name(CountedBy::nobody), "");
  EXPECT_EQ(source_name(CountedBy::cupti), "cupti");
  EXPECT_EQ(source_name(CountedBy::analytic), "analytic");
}

}  // namespace
}  // namespace roofline::test
