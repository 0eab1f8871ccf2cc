// Tests of counting with a fake recorder: results, and what remains after failures.
#include "roofline/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/roofline/fake_recorder.h"

#include "tests/text.h"

namespace roofline::test {
namespace {

const CheckedRun right{[] {}, [] { return std::string(); }};

Counted counted_by(const FakeRecorder& recorder, const CheckedRun& run = right,
                   const std::optional<SliceRun>& slice = {}) {
  return count_by_hardware(recorder, "cuda v7", run, slice);
}

constexpr const char* executed = "sm__inst_executed.sum";
constexpr const char* issued = "smsp__issue_active.sum";
constexpr const char* fp64_pipe = "sm__thread_inst_executed_pipe_fp64_pred_on.sum";
constexpr const char* dmul = "sm__sass_thread_inst_executed_op_dmul_pred_on.sum";
constexpr const char* fadd = "sm__sass_thread_inst_executed_op_fadd_pred_on.sum";
constexpr const char* waiting = "smsp__pcsamp_warps_issue_stalled_wait";

TEST(CountByHardware, KeepsCountersMetricsPassesAndKernels) {
  FakeRecorder recorder;
  recorder.passes = 1;
  recorder.values["dram__bytes.sum"] = 77;
  const Counted counted = counted_by(recorder);
  EXPECT_EQ(counted.source, CountedBy::cupti);
  EXPECT_EQ(counted.reason, "");
  EXPECT_EQ(counted.passes, 4) << "samples, the hardware's counters, those by kernel, software's";
  EXPECT_EQ(counted.counters.at("dram__bytes.sum"), 77);
  EXPECT_EQ(counted.metrics.at("fp64_flop"), 400) << "an FMA is two";
  EXPECT_EQ(counted.metrics.at("stall_wait"), 1) << "as many samples as instructions issued";
  EXPECT_TRUE(counted.defects.empty()) << counted.defects.front();
  const KernelCounts& kernel = only(counted.kernels);
  EXPECT_EQ(kernel.name, "kernel");
  EXPECT_EQ(kernel.launches, 1);
  EXPECT_EQ(kernel.counters.at("dram__bytes.sum"), 77) << "the hardware's";
  EXPECT_EQ(kernel.counters.at(dfma), 100) << "software's";
  EXPECT_EQ(kernel.counters.at(waiting), 1) << "samples";
  EXPECT_EQ(kernel.counters.at("sm__sass_thread_inst_executed_op_ffma_pred_on.sum"), 0);
  EXPECT_EQ(evaluate(kernel.counters).at("seconds"), 1e-7);
}

/// A check reads the whole result, which must not count as traffic of the work.
TEST(CountByHardware, OnlyTheRunIsCounted) {
  const FakeRecorder recorder;
  int runs = 0, checks = 0;
  const CheckedRun run{[&] { runs += recorder.running; },
                       [&] {
                         checks += !recorder.running;
                         return std::string();
                       }};
  EXPECT_EQ(counted_by(recorder, run).source, CountedBy::cupti);
  EXPECT_EQ(runs, 9) << "three recordings of three passes";
  EXPECT_EQ(checks, 10) << "and after the run that is sampled";
}

TEST(CountByHardware, WhatCannotBeCountedSaysWhy) {
  FakeRecorder recorder;
  recorder.reason = "no CUPTI; install it";
  EXPECT_EQ(counted_by(recorder).reason, recorder.reason);
  EXPECT_EQ(recorder.recordings, 0);
  const Counted counted =
      counted_by(FakeRecorder(), {[] { throw 42; }, [] { return std::string(); }});
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_FALSE(counted.reason.empty());
}

TEST(CountByHardware, WithoutSamplesOrKernelsTheRestIsCounted) {
  FakeRecorder recorder;
  recorder.passes = 1;
  recorder.sampling_refusal = "taken by another profiler";
  int runs = 0;
  Counted counted = counted_by(recorder, {[&runs] { ++runs; }, [] { return std::string(); }});
  EXPECT_EQ(counted.source, CountedBy::cupti);
  EXPECT_EQ(runs, 4) << "the first run is not one to count";
  EXPECT_FALSE(counted.metrics.contains("stall_wait"));
  EXPECT_EQ(only(counted.missing).name, "stalls");
  EXPECT_EQ(only(counted.missing).reason, recorder.sampling_refusal);
  recorder.sampling_refusal = "";
  recorder.kernel_refusal = "they run in CUDA graphs";
  counted = counted_by(recorder);
  EXPECT_EQ(counted.metrics.at("fp64_flop"), 400);
  EXPECT_TRUE(counted.kernels.empty());
  EXPECT_EQ(only(counted.missing).name, "kernels");
  EXPECT_EQ(only(counted.missing).reason, recorder.kernel_refusal);
}

TEST(CountByHardware, KeepsDefectsAndWhatIsMissingAndPlacesNothingWithoutFlopOrBytes) {
  FakeRecorder recorder;
  recorder.defects = {"2 ranges were dropped"};
  recorder.lacking = {"lts__t_bytes.sum"};
  Counted counted = counted_by(recorder);
  EXPECT_EQ(counted.source, CountedBy::cupti);
  EXPECT_EQ(counted.defects, recorder.defects);
  EXPECT_EQ(counted.missing.size(), 1u);
  EXPECT_FALSE(counted.metrics.contains("l2_bytes")) << "missing, not 0";
  for (const char* name : {dfma, "dram__bytes.sum"}) {
    recorder.lacking = {name};
    counted = counted_by(recorder);
    EXPECT_EQ(counted.source, CountedBy::nobody);
    EXPECT_TRUE(contains(counted.reason, std::string(name) + ": this chip has none"));
    EXPECT_FALSE(counted.counters.empty()) << "what was counted is kept";
  }
}

TEST(CountByHardware, InstructionsOfTwoPassesMustAgree) {
  const std::string differ = "the passes counted different work: ";
  for (const auto& slice : {std::optional<SliceRun>(), std::optional(SliceRun{"2 of 20", right})}) {
    FakeRecorder recorder;
    recorder.values = {{executed, 1'000'000}, {issued, 1'009'000}};
    EXPECT_TRUE(counted_by(recorder, right, slice).defects.empty());
    for (const double other : {1'011'000.0, 989'000.0, 0.0}) {
      recorder.values[issued] = other;
      const Counted counted = counted_by(recorder, right, slice);
      EXPECT_EQ(counted.source, CountedBy::cupti);
      EXPECT_EQ(only(counted.defects),
                differ + fmt::format("1000000 instructions executed, then {:.10g} issued", other));
    }
    recorder.lacking = {issued};
    EXPECT_TRUE(counted_by(recorder, right, slice).defects.empty());
  }
  FakeRecorder recorder;
  recorder.on_record = [&recorder](int number) {
    recorder.values[fp64_pipe] = number == 1 ? 100 : 101;
  };
  EXPECT_EQ(only(counted_by(recorder).defects),
            differ + "100 instructions of the FP64 pipe, then 101");
}

/// A variant whose slice has a tenth of the FP64 instructions and a fifth of all instructions.
class CountOnSlice : public testing::Test {
 protected:
  CountOnSlice() {
    recorder.on_record = [this](int number) { recorder.values = number == 2 ? part : whole; };
  }

  Counted count() {
    const CheckedRun on_whole{[this] { ++runs_of_whole; }, [] { return std::string(); }};
    const CheckedRun on_slice{[this] { ++runs_of_slice; }, [] { return std::string(); }};
    return counted_by(recorder, on_whole, SliceRun{"2 of 20", on_slice});
  }
  /// The reason why FP64 operations are missing; they must not be replaced by anything.
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
    return std::ranges::count(counted.missing, name, &Missing::name);
  }

  std::map<std::string, double> whole{{fp64_pipe, 1000}, {executed, 500}, {issued, 500},
                                      {dadd, 1e9},       {fadd, 1e9},     {"dram__bytes.sum", 77}};
  std::map<std::string, double> part{
      {fp64_pipe, 100}, {executed, 100}, {dadd, 10},  {dmul, 20},
      {dfma, 30},       {fadd, 7},       {issued, 1}, {"dram__bytes.sum", 1}};
  FakeRecorder recorder;
  int runs_of_whole = 0;
  int runs_of_slice = 0;
};

TEST_F(CountOnSlice, TakesFromTheWholeWhatHardwareCountsAndScalesWhatSoftwareDoes) {
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::cupti) << counted.reason;
  for (const auto& [name, value] : std::map<std::string, double>{
           {"dram__bytes.sum", 77}, {executed, 500}, {fp64_pipe, 1000}, {"lts__t_bytes.sum", 100}})
    EXPECT_EQ(counted.counters.at(name), value) << name << ", of the whole";
  for (const auto& [name, value] :
       std::map<std::string, double>{{dadd, 100}, {dmul, 200}, {dfma, 300}})
    EXPECT_DOUBLE_EQ(counted.counters.at(name), value) << name << ", by the FP64 pipe";
  EXPECT_DOUBLE_EQ(counted.counters.at(fadd), 35) << "by all instructions";
  EXPECT_EQ(counted.metrics.at("dram_bytes"), 77);
  EXPECT_DOUBLE_EQ(counted.metrics.at("fp64_flop"), 900);
  EXPECT_DOUBLE_EQ(counted.metrics.at("fp64_fma_fraction"), 0.5);
  EXPECT_TRUE(counted.defects.empty()) << counted.defects.front();
  EXPECT_TRUE(counted.missing.empty()) << counted.missing.front().name;
  EXPECT_DOUBLE_EQ(only(counted.kernels).counters.at(dadd), 100) << "of each kernel, too";
  EXPECT_DOUBLE_EQ(only(counted.kernels).counters.at("dram__bytes.sum"), 77);
  ASSERT_TRUE(counted.slice);
  EXPECT_EQ(counted.slice->part, "2 of 20");
  EXPECT_DOUBLE_EQ(counted.slice->scale, 10);
  for (const char* name : {dadd, dmul, dfma, fadd, executed, fp64_pipe})
    EXPECT_EQ(counted.slice->counters.at(name), part.at(name)) << name << ", raw";
  EXPECT_FALSE(counted.slice->counters.contains("dram__bytes.sum")) << "hardware counts the whole";
  EXPECT_EQ(recorder.recordings, 3);
  EXPECT_EQ(runs_of_whole, 1 + 3 + 3) << "samples, all together, and by kernel";
  EXPECT_EQ(runs_of_slice, 3);
  EXPECT_EQ(counted.passes, 1 + 3 + 3 + 3);
}

TEST_F(CountOnSlice, WithoutTheFp64PipeFlopsAreMissingAndNot0) {
  recorder.lacking = {fp64_pipe};
  const Counted counted = count();
  expect_no_flop(counted);
  EXPECT_EQ(times_missing(counted, fp64_pipe), 1);
  ASSERT_TRUE(counted.slice);
  EXPECT_EQ(counted.slice->scale, 0);
  EXPECT_EQ(counted.slice->counters.at(dadd), 10) << "what was counted is kept";
  recorder.lacking.clear();
  for (double* nothing : {&whole[fp64_pipe], &part[fp64_pipe]}) {
    const double before = std::exchange(*nothing, 0);
    recorder.recordings = 0;
    expect_no_flop(count());
    *nothing = before;
  }
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
  Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::cupti) << counted.reason;
  EXPECT_DOUBLE_EQ(counted.metrics.at("fp64_flop"), 900);
  EXPECT_EQ(times_missing(counted, fadd), 1);
  EXPECT_FALSE(counted.metrics.contains("fp32_flop"));
  recorder.recordings = 0;
  recorder.on_record = [this](int number) {
    recorder.values = number == 1 ? whole : part;
    recorder.lacking.clear();
    if (number == 1) recorder.lacking = {executed};
  };
  counted = count();
  EXPECT_FALSE(counted.counters.contains(executed)) << "the slice stands for nothing of the whole";
  EXPECT_FALSE(counted.metrics.contains("instructions"));
  EXPECT_EQ(times_missing(counted, executed), 1);
  EXPECT_EQ(times_missing(counted, fadd), 1);
}

TEST_F(CountOnSlice, WhatTheSliceLacksAndTheDefectsOfBothAreKept) {
  part[fadd] = 0;
  recorder.on_record = [this](int number) {
    recorder.values = number == 2 ? part : whole;
    recorder.defects = {number != 2 ? "of the whole" : "of the slice"};
  };
  EXPECT_EQ(count().defects, (Texts{"of the whole", "of the slice"}));
  recorder.lacking = {dfma};
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_TRUE(contains(counted.reason, std::string(dfma) + ": this chip has none"));
}

constexpr const char* tensor_pipe =
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active";
constexpr const char* fp16 = "sm__ops_path_tensor_src_fp16.sum";
constexpr const char* fp16_apart = "sm__ops_path_tensor_src_fp16_dst_fp16.sum";

TEST(CountByType, TensorCoresAreAskedForTheirTypesOnlyWhereTheyWereBusy) {
  FakeRecorder recorder;
  EXPECT_FALSE(counted_by(recorder).counters.contains(fp16));
  recorder.values = {{tensor_pipe, 80}, {fp16, 4096}};
  recorder.recordings = 0;
  Counted counted = counted_by(recorder);
  EXPECT_EQ(recorder.recordings, 4) << "the whole, by kernel, by software, and the types";
  EXPECT_EQ(counted.passes, 1 + 4 * 3);
  EXPECT_EQ(counted.metrics.at("fp16_tensor_flop"), 4096);
  recorder.lacking = {fp16_apart};  // fp16 replaces this metric
  EXPECT_TRUE(counted_by(recorder).missing.empty());
  recorder.lacking = {fp16_apart, fp16};
  counted = counted_by(recorder);
  EXPECT_EQ(counted.missing.size(), 2u);
  EXPECT_FALSE(counted.metrics.contains("fp16_tensor_flop"));
}

/// Before compute capability 10 no chip has these; and a fraction of no operations is undefined.
TEST(CountByType, PairsThatTheChipLacksAreNotMissedWhereNothingIsSingle) {
  FakeRecorder recorder;
  for (const char* pair : {"fadd2", "fmul2", "ffma2"})
    recorder.lacking.insert(fmt::format("sm__sass_thread_inst_executed_op_{}_pred_on.sum", pair));
  const Counted counted = counted_by(recorder);
  EXPECT_EQ(counted.metrics.at("fp32_flop"), 0);
  EXPECT_TRUE(counted.missing.empty()) << counted.missing.front().name;
}

}  // namespace
}  // namespace roofline::test
