// Tests of sampled and counted instructions with a fake CUPTI: order, clean ends, losses, wrong
// data.
#include <algorithm>

#include "roofline/cupti/listeners.h"
#include "roofline/cupti/pc_sampling.h"
#include "roofline/cupti/sass_metrics.h"
#include "tests/roofline/fake_cupti.h"

namespace roofline::cupti {
namespace {

class LineRecording : public testing::Test {
 protected:
  void SetUp() override {
    fake() = {};
    for (const char* reason : {"wait", "wait_not_issued", "long_scoreboard"})
      fake().stall_reasons.push_back(std::string("smsp__pcsamp_warps_issue_stalled_") + reason);
    for (const char* metric :
         {"inst_executed", "thread_inst_executed", "thread_inst_executed_pred_on",
          "sectors_mem_global", "sectors_mem_global_ideal", "l1tex_pipe_lsu_wavefronts_mem_shared",
          "l1tex_pipe_lsu_wavefronts_mem_shared_ideal", "sectors_mem_local"})
      fake().sass_metrics[std::string("smsp__sass_") + metric] = 11 + fake().sass_metrics.size();
  }

  static SampledWork noted_work() {
    return {[] { fake().calls.emplace_back("warm up"); }, [] { fake().calls.emplace_back("run"); }};
  }
  RecordedCode sample() { return sample_instructions(functions_, context_, 11, noted_work()); }
  RecordedCode count() {
    return count_instructions(
        {functions_, context_, 0, "GH100", [] { fake().calls.emplace_back("synchronize"); }},
        [] { fake().calls.emplace_back("run"); });
  }
  template <class Action>
  static std::string refusal(const Action& action) {
    return thrown<RecorderError>([&] { action(); });
  }
  static std::ptrdiff_t calls_of(const std::string& name) {
    return std::count(fake().calls.begin(), fake().calls.end(), name);
  }

  const Functions functions_ = fake_functions();
  CUcontext context_ = reinterpret_cast<CUcontext>(&context_);
};

TEST_F(LineRecording, SamplesInTheOrderThatLosesNothing) {
  sample();
  EXPECT_EQ(fake().calls,
            (Texts{"PCSamplingEnable", "PCSamplingGetNumStallReasons", "PCSamplingGetStallReasons",
                   "PCSamplingSetConfigurationAttribute", "warm up", "PCSamplingStart", "run",
                   "PCSamplingStop", "PCSamplingGetData", "PCSamplingDisable"}));
  auto& told = fake().configuration;
  EXPECT_EQ(told[CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD], 11u);
  EXPECT_EQ(told[CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE], 1u);
  EXPECT_EQ(told[CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL], 1u);
  EXPECT_NE(fake().own_buffer, nullptr) << "mandatory, though nothing says so";
}

TEST_F(LineRecording, AddsUpWhatEveryFetchAndTheEndBring) {
  fake().fetches = {{{7, "kernel", 0x10, {{0, 5}, {1, 4}, {2, 3}}}, {8, "other", 0, {{0, 1}}}},
                    {{7, "kernel", 0x10, {{2, 10}}}}};
  fake().left = {{7, "kernel", 0x10, {{0, 100}}}};
  fake().samples_dropped = 17;
  fake().samples_elsewhere = 3;
  const RecordedCode code = sample();
  EXPECT_EQ(calls_of("PCSamplingGetData"), 2);
  ASSERT_EQ(code.instructions.size(), 2u);
  EXPECT_EQ(code.instructions[0].cubin, 7u);
  EXPECT_EQ(code.instructions[0].offset, 0x10u);
  EXPECT_EQ(code.instructions[0].stalls, (Events{{"wait", 105}, {"long_scoreboard", 13}}))
      << "the twin counts the same samples again";
  EXPECT_EQ(code.instructions[1].function, "other");
  EXPECT_EQ(code.dropped, 17u);
  EXPECT_EQ(code.elsewhere, 3u);
  EXPECT_TRUE(code.lost.empty());
  EXPECT_EQ(code.period, 11);
  SetUp();
  fake().buffer_full = true;
  EXPECT_EQ(sample().lost.size(), 1u);
  SetUp();
  fake().refusals["PCSamplingGetData"] = CUPTI_ERROR_OUT_OF_MEMORY;
  EXPECT_TRUE(contains(only(sample().lost), "ran full"));
  EXPECT_EQ(calls_of("PCSamplingDisable"), 1);
}

TEST_F(LineRecording, SamplesBecomeCountersByKernel) {
  fake().fetches = {
      {{7, "_Z1fi", 0x10, {{0, 5}, {2, 3}}}, {7, "_Z1fi", 0x20, {{0, 1}}}, {8, "g", 0, {{2, 9}}}}};
  const std::string stall = "smsp__pcsamp_warps_issue_stalled_";
  const Texts names = {stall + "wait", stall + "long_scoreboard", stall + "gmma"};
  KernelRecording recording = stalls_by_kernel(sample(), names);
  ASSERT_EQ(recording.kernels.size(), 2u);
  EXPECT_EQ(recording.kernels[0].name, "f(int)");
  EXPECT_EQ(recording.kernels[0].counters, (Counters{{names[0], 6}, {names[1], 3}}));
  EXPECT_EQ(recording.kernels[1].counters, (Counters{{names[0], 0}, {names[1], 9}}))
      << "a reason without samples is 0";
  EXPECT_EQ(only(recording.missing).name, stall + "gmma");
  SetUp();
  fake().samples_elsewhere = 3;
  recording = stalls_by_kernel(sample(), {names[0]});
  EXPECT_TRUE(recording.kernels.empty());
  EXPECT_EQ(only(recording.missing).name, "stalls");
  EXPECT_TRUE(contains(only(recording.missing).reason, "3 were elsewhere"));
}

TEST_F(LineRecording, BelievesNoNumberThatDoesNotFit) {
  fake().fetches = {{{7, nullptr, 0, {{0, 1}, {2, 2}, {0, 4}, {0, 8}}}}};
  fake().claims_pcs = fake().claims_reasons = std::size_t{1} << 40;
  const RecordedCode code = sample();  // of 16384 instructions, others are empty
  EXPECT_EQ(code.instructions.front().function, "");
  SetUp();
  fake().reasons_claimed = std::size_t{1} << 40;
  EXPECT_TRUE(contains(refusal([&] { sample(); }), "stall reasons"));
  EXPECT_EQ(calls_of("PCSamplingDisable"), 1);
  SetUp();
  fake().fetches.assign(2000, {});
  EXPECT_TRUE(contains(refusal([&] { sample(); }), "still had samples")) << "fetched for ever";
  SetUp();
  fake().records_dropped = 12;
  EXPECT_TRUE(contains(count().lost.at(0), "dropped 12 records"));
  SetUp();
  fake().records_claimed = std::size_t{1} << 50;
  EXPECT_TRUE(contains(refusal([&] { count(); }), "cuptiSassMetricsGetDataProperties"));
  EXPECT_EQ(calls_of("SassMetricsDisable"), 1);
}

TEST_F(LineRecording, EveryRefusalOfSamplingNamesItsCallAndLeavesNothingOn) {
  for (const char* call :
       {"PCSamplingEnable", "PCSamplingGetNumStallReasons", "PCSamplingGetStallReasons",
        "PCSamplingSetConfigurationAttribute", "PCSamplingStart", "PCSamplingStop",
        "PCSamplingGetData", "PCSamplingDisable"}) {
    SetUp();
    fake().refusals[call] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    const std::string message = refusal([&] { sample(); });
    EXPECT_TRUE(contains(message, std::string("cupti") + call));
    EXPECT_TRUE(contains(message, "NVreg_RestrictProfilingToAdminUsers=0"));
    EXPECT_EQ(calls_of("PCSamplingDisable"), std::string(call) == "PCSamplingEnable" ? 0 : 1)
        << call;
    EXPECT_LE(calls_of("PCSamplingStop"), 1) << call;
  }
  SetUp();
  fake().attribute_status = CUPTI_ERROR_INVALID_OPERATION;
  EXPECT_TRUE(contains(refusal([&] { sample(); }), "attribute 1"));
  SetUp();
  struct Failed {};
  EXPECT_THROW(sample_instructions(functions_, context_, 11, {[] {}, [] { throw Failed{}; }}),
               Failed);
  ASSERT_GE(fake().calls.size(), 2u);
  EXPECT_EQ(fake().calls.back(), "PCSamplingDisable");
  EXPECT_EQ(fake().calls[fake().calls.size() - 2], "PCSamplingStop");
}

TEST_F(LineRecording, CountsInOneSession) {
  fake().counts = {{7, "kernel", 0x10, {{"smsp__sass_thread_inst_executed", 24'000'000'000}}},
                   {7,
                    "kernel",
                    0x20,
                    {{"smsp__sass_inst_executed", 5}, {"smsp__sass_sectors_mem_global", 40}}}};
  const RecordedCode code = count();
  EXPECT_EQ(fake().calls, (Texts{"SassMetricsSetConfig", "SassMetricsEnable", "run", "synchronize",
                                 "SassMetricsGetDataProperties", "SassMetricsFlushData",
                                 "SassMetricsDisable", "SassMetricsUnsetConfig"}));
  ASSERT_EQ(code.instructions.size(), 2u);
  EXPECT_EQ(code.instructions[0].counts, (Events{{"thread_instructions", 24'000'000'000}}));
  EXPECT_EQ(code.instructions[1].counts, (Events{{"warp_instructions", 5}, {"sectors", 40}}));
  EXPECT_EQ(code.counted.size(), std::size(line_counts));
  EXPECT_TRUE(code.lost.empty());
}

TEST_F(LineRecording, TakesIdealSectorsOfLoadsAndStoresWhereAChipTellsThemApart) {
  const std::string ideal = "smsp__sass_sectors_mem_global_ideal",
                    of_loads = "smsp__sass_sectors_mem_global_op_ld_ideal",
                    of_stores = "smsp__sass_sectors_mem_global_op_st_ideal";
  fake().sass_metrics.erase(ideal);
  fake().sass_metrics[of_loads] = 20;
  EXPECT_TRUE(contains(count().lost.at(0), "ideal_sectors: GH100")) << "half of a sum is no count";
  fake().sass_metrics[of_stores] = 21;
  fake().counts = {{7, "kernel", 0, {{of_loads, 3}, {of_stores, 4}}}};
  fake().instances = 9;  // number of instances of all metrics together
  EXPECT_EQ(count().instructions.at(0).counts, (Events{{"ideal_sectors", 7}}));
}

TEST_F(LineRecording, SaysWhatTheChipLacks) {
  fake().sass_metrics.erase("smsp__sass_sectors_mem_local");
  const RecordedCode code = count();
  EXPECT_TRUE(contains(only(code.lost), "local_sectors: GH100"));
  EXPECT_EQ(std::count(code.counted.begin(), code.counted.end(), "local_sectors"), 0);
  SetUp();
  fake().sass_metrics.clear();
  EXPECT_TRUE(contains(refusal([&] { count(); }), "compute capability"));
}

TEST_F(LineRecording, CountsInstructionsAloneWhereAllTogetherAreRefused) {
  fake().most_sass_metrics = 3;
  fake().counts = {
      {7, "kernel", 0, {{"smsp__sass_inst_executed", 5}, {"smsp__sass_sectors_mem_global", 40}}}};
  const RecordedCode code = count();
  EXPECT_EQ(code.instructions.at(0).counts, (Events{{"warp_instructions", 5}}));
  EXPECT_EQ(code.counted.size(), 3u);
  EXPECT_TRUE(contains(only(code.lost), "cuptiSassMetricsSetConfig"));
}

TEST_F(LineRecording, EveryRefusalOfCountingNamesItsCallAndLeavesNothingOn) {
  const Texts calls = {"SassMetricsSetConfig", "SassMetricsEnable",  "SassMetricsGetDataProperties",
                       "SassMetricsFlushData", "SassMetricsDisable", "SassMetricsUnsetConfig"};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SetUp();
    fake().counts = {{7, "kernel", 0, {}}};
    fake().refusals[calls[i]] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    EXPECT_TRUE(contains(refusal([&] { count(); }), "cupti" + calls[i]));
    EXPECT_EQ(calls_of("SassMetricsDisable"), i > 1 ? 1 : 0) << calls[i];
    EXPECT_EQ(calls_of("run"), i > 1 ? 1 : 0) << calls[i];
    EXPECT_GE(calls_of("SassMetricsUnsetConfig"), i > 0 ? 1 : 0);
  }
}

TEST_F(LineRecording, KeepsEveryModuleAndSaysWhatIsLost) {
  {
    Modules modules(functions_);
    tell_of({1, "first cubin"});
    tell_of({2, "second"});
    tell_of({2, "second, patched"}, false);  // repeated at a launch: already known
    tell_of({3, "loaded before"}, false);
    const Cubins cubins = modules.cubins();
    EXPECT_EQ(cubins.size(), 3u);
    EXPECT_EQ(cubins.at(fake_crc("first cubin")), "first cubin");
    EXPECT_EQ(cubins.at(fake_crc("loaded before")), "loaded before");
    EXPECT_TRUE(modules.lost().empty());
    tell_of({4, ""});
    fake().refusals["GetCubinCrc"] = CUPTI_ERROR_INVALID_PARAMETER;
    tell_of({5, "cubin"});
    fake().callback(fake().callback_data, CUPTI_CB_DOMAIN_RESOURCE,
                    CUPTI_CBID_RESOURCE_MODULE_LOADED, nullptr);
    EXPECT_EQ(modules.cubins().size(), 3u);
    ASSERT_EQ(modules.lost().size(), 2u);
    EXPECT_TRUE(contains(modules.lost()[1], "cuptiGetCubinCrc"));
  }
  EXPECT_EQ(fake().calls.back(), "Unsubscribe");
  for (const char* call : {"Subscribe", "EnableCallback"}) {
    fake().refusals = {{call, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED}};
    EXPECT_TRUE(
        contains(refusal([&] { Modules modules(functions_); }), std::string("cupti") + call));
  }
  EXPECT_EQ(fake().calls.back(), "Unsubscribe");
}

}  // namespace
}  // namespace roofline::cupti
