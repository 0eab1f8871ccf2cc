// The table of metrics: well formed, and right on counters made by hand.
#include "roofline/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "roofline/formula.h"

namespace roofline {
namespace {

std::string operations(const std::string& kind) {
  return "sm__sass_thread_inst_executed_op_" + kind + "_pred_on.sum";
}

TEST(Metrics, EveryRowIsComplete) {
  std::set<std::string_view> names;
  for (const Metric& metric : metric_table()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name << " is there twice";
    EXPECT_FALSE(Formula(metric.formula).names().empty()) << metric.name;
    EXPECT_FALSE(metric.unit.empty()) << metric.name;
    EXPECT_FALSE(metric.source.empty()) << metric.name;
    EXPECT_TRUE(metric.meaning.ends_with(".")) << metric.name;
    EXPECT_EQ(find_metric(metric.name)->formula, metric.formula);
  }
  EXPECT_EQ(find_metric("no such metric"), nullptr);
}

TEST(Metrics, TellThreadsInstructionsFromWarps) {
  const auto label = [](const char* name) { return metric_label(*find_metric(name)); };
  EXPECT_EQ(label("instructions"), "warp instructions");
  EXPECT_EQ(label("fp64_pipe_instructions"), "fp64 pipe thread instructions");
  EXPECT_EQ(label("stall_no_instruction"), "stall no instruction");
  EXPECT_EQ(label("l2_sm_bytes"), "l2 sm bytes");
  for (const Metric& metric : metric_table()) EXPECT_NE(metric.unit, "instruction") << metric.name;
}

TEST(Metrics, HasWhatTheRooflineAndTheReportsNeed) {
  for (const char* name : {"fp64_flop",
                           "fp32_flop",
                           "fp16_flop",
                           "fp64_tensor_flop",
                           "fp64_fma_fraction",
                           "dram_bytes",
                           "l2_bytes",
                           "l1_bytes",
                           "shared_bytes",
                           "instructions",
                           "cycles",
                           "clock",
                           "occupancy",
                           "fp64_pipe",
                           "issue",
                           "l1_hit",
                           "l2_hit",
                           "seconds",
                           "stall_long_scoreboard",
                           "stall_short_scoreboard",
                           "stall_math_pipe_throttle",
                           "stall_wait",
                           "stall_barrier",
                           "stall_not_selected",
                           "stall_mio_throttle",
                           "stall_lg_throttle",
                           "stall_no_instruction",
                           "stall_branch_resolving",
                           "stall_dispatch_stall",
                           "stall_selected"})
    EXPECT_NE(find_metric(name), nullptr) << name;
}

TEST(Metrics, NeedsEachCounterOnce) {
  std::vector<std::string> needed = needed_counters();
  std::sort(needed.begin(), needed.end());
  EXPECT_EQ(std::adjacent_find(needed.begin(), needed.end()), needed.end());
  for (const char* counter : {"dram__bytes.sum", "lts__t_bytes.sum", "l1tex__t_bytes.sum"})
    EXPECT_TRUE(std::binary_search(needed.begin(), needed.end(), counter)) << counter;
  EXPECT_TRUE(std::binary_search(needed.begin(), needed.end(), operations("dfma")));
}

TEST(Metrics, ChipsThatCountApartGiveTheSameMetric) {
  EXPECT_EQ(evaluate({{"sm__ops_path_tensor_src_fp16.sum", 7}}).at("fp16_tensor_flop"), 7);
  EXPECT_EQ(evaluate({{"sm__ops_path_tensor_src_fp16_dst_fp16.sum", 2},
                      {"sm__ops_path_tensor_src_fp16_dst_fp32.sum", 3}})
                .at("fp16_tensor_flop"),
            5);
  EXPECT_TRUE(evaluate({{"sm__ops_path_tensor_src_fp16_dst_fp16.sum", 2}}).empty());
}

TEST(Metrics, AsksForTensorCountersByTypeWhereTensorCoresWereBusy) {
  const std::string bf16 = "sm__ops_path_tensor_src_bf16_dst_fp32.sum";
  const std::string fma = "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active";
  const auto asked = [](const Metrics& seen, const std::string& name) {
    const std::vector<std::string> names = further_counters(seen);
    return std::count(names.begin(), names.end(), name);
  };
  const std::vector<std::string> always = needed_counters();
  EXPECT_EQ(std::count(always.begin(), always.end(), bf16), 0);
  EXPECT_EQ(asked({{"tensor_work", 0.11}, {"fp32_share", 0}}, bf16), 1);
  EXPECT_EQ(asked({{"tensor_work", 0.1}, {"fp32_share", 0}}, bf16), 0);
  EXPECT_EQ(asked({{"tensor_work", 0.0}, {"fp32_share", 0.06}}, bf16), 0);
  EXPECT_EQ(asked({{"tensor_work", 0.0}, {"fp32_share", 0.06}}, fma), 1);
  EXPECT_EQ(asked({}, bf16), 1) << "nobody knows that they rested";
  EXPECT_TRUE(further_counters({{"tensor_work", 0.0}, {"fp32_share", 0.05}}).empty());
}

TEST(Metrics, HFMA2IsNoTensorWork) {
  const auto tensor_work = [](double busy, double hfma) {
    return evaluate({{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", busy},
                     {"sm__sass_thread_inst_executed_op_hfma_pred_on.sum", 32 * hfma},
                     {"sm__cycles_active.sum", 1000}})
        .at("tensor_work");
  };
  EXPECT_LT(tensor_work(0.25, 5), 0.1) << "half a cycle each";
  EXPECT_GT(tensor_work(0.75, 5), 0.1);
  EXPECT_DOUBLE_EQ(tensor_work(50, 0), 50);
}

TEST(Metrics, AsksForWhatTakesLongOnlyThoseWhoWantAll) {
  const std::string busy =
      "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed";
  for (const bool all : {false, true}) {
    const std::vector<std::string> names =
        further_counters({{"tensor_work", 0.0}, {"fp32_share", 0.0}}, all);
    EXPECT_EQ(std::count(names.begin(), names.end(), busy), all);
  }
}

TEST(Metrics, AsksForEachKernelOnlyWhatAddsUp) {
  const auto asked = [](const Metrics& of_work, const std::string& name) {
    const std::vector<std::string> names = kernel_counters(of_work);
    for (const std::string& one : names) {
      EXPECT_TRUE(one.ends_with(".sum")) << one;
      EXPECT_FALSE(counted_by_software(one) || counted_by_sampling(one)) << one;
    }
    return std::count(names.begin(), names.end(), name);
  };
  for (const char* name : {"gpu__time_duration.sum", "dram__bytes.sum", "sm__inst_executed.sum"})
    EXPECT_EQ(asked({}, name), 1) << name;
  const std::string dmma = "sm__ops_path_tensor_src_fp64.sum";
  EXPECT_EQ(asked({{"fp64_tensor_flop", 0.0}}, dmma), 0);
  EXPECT_EQ(asked({{"fp64_tensor_flop", 1.0}}, dmma), 1);
  const std::string tf32 = "sm__ops_path_tensor_src_tf32_dst_fp32.sum";
  EXPECT_EQ(asked({{"tensor_work", 0.1}}, tf32), 0);
  EXPECT_EQ(asked({{"tensor_work", 50.0}}, tf32), 1);
}

TEST(Metrics, TellsWhatIsSampled) {
  for (const std::string& name : sampled_counters()) EXPECT_TRUE(counted_by_sampling(name)) << name;
  EXPECT_GE(sampled_counters().size(), 18u);
  for (const std::string& name : needed_counters()) EXPECT_FALSE(counted_by_sampling(name)) << name;
}

TEST(Metrics, TellsWhatSoftwareCounts) {
  EXPECT_TRUE(counted_by_software(operations("dfma")));
  EXPECT_TRUE(counted_by_software("smsp__sass_inst_executed.sum"));
  for (const char* counter :
       {"sm__inst_executed.sum", "sm__thread_inst_executed_pipe_fp64_pred_on.sum",
        "sm__ops_path_tensor_src_fp64.sum", "dram__bytes.sum", ""})
    EXPECT_FALSE(counted_by_software(counter)) << counter;
}

TEST(Metrics, FlopCountAFusedMultiplyAddAsTwo) {
  const Metrics values = evaluate({{operations("dadd"), 1},
                                   {operations("dmul"), 10},
                                   {operations("dfma"), 100},
                                   {operations("fadd"), 2},
                                   {operations("fmul"), 20},
                                   {operations("ffma"), 200},
                                   {operations("hadd"), 3},
                                   {operations("hmul"), 30},
                                   {operations("hfma"), 300},
                                   {"sm__ops_path_tensor_src_fp64.sum", 512}});
  EXPECT_EQ(values.at("fp64_flop"), 211);
  EXPECT_DOUBLE_EQ(values.at("fp64_fma_fraction"), 100.0 / 111);
  EXPECT_EQ(values.at("fp32_flop"), 422);
  EXPECT_EQ(values.at("fp16_flop"), 2 * 633);
  EXPECT_DOUBLE_EQ(values.at("fp32_fma_fraction"), 200.0 / 222);
  EXPECT_DOUBLE_EQ(values.at("fp16_fma_fraction"), 300.0 / 333);
  EXPECT_EQ(values.at("fp64_tensor_flop"), 512);
  EXPECT_DOUBLE_EQ(values.at("fp32_share"), 422.0 / (211 + 422));
  EXPECT_EQ(values.size(), 8u);
}

TEST(Metrics, DerivesTrafficRatesAndStalls) {
  const Metrics values = evaluate({{"dram__bytes.sum", 1},
                                   {"lts__t_bytes.sum", 2},
                                   {"lts__t_sectors_srcunit_tex.sum", 3},
                                   {"l1tex__t_bytes.sum", 3},
                                   {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 4},
                                   {"l1tex__t_sectors.sum", 8},
                                   {"l1tex__t_sectors_lookup_hit.sum", 2},
                                   {"lts__t_sectors.sum", 10},
                                   {"lts__t_sectors_lookup_hit.sum", 9},
                                   {"gpu__time_duration.sum", 2.5e6},
                                   {"sm__cycles_elapsed.max", 7},
                                   {"smsp__issue_active.sum", 4},
                                   {"smsp__warps_issue_stalled_wait.sum", 12}});
  EXPECT_EQ(values.at("dram_bytes"), 1);
  EXPECT_EQ(values.at("l2_bytes"), 2);
  EXPECT_EQ(values.at("l2_sm_bytes"), 96);
  EXPECT_EQ(values.at("l1_bytes"), 3);
  EXPECT_EQ(values.at("shared_bytes"), 512);
  EXPECT_EQ(values.at("l1_hit"), 25);
  EXPECT_EQ(values.at("l2_hit"), 90);
  EXPECT_DOUBLE_EQ(values.at("seconds"), 2.5e-3);
  EXPECT_EQ(values.at("cycles"), 7);
  EXPECT_EQ(values.at("stall_wait"), 3);
  EXPECT_EQ(values.count("stall_barrier"), 0u);
}

TEST(Metrics, AMissingCounterNeverBecomesZero) {
  EXPECT_TRUE(evaluate({}).empty());
  const Metrics values = evaluate({{operations("dadd"), 1}, {operations("dmul"), 1}});
  EXPECT_EQ(values.count("fp64_flop"), 0u);
  // A kernel without FP64 has no mix of it.
  const Metrics none =
      evaluate({{operations("dadd"), 0}, {operations("dmul"), 0}, {operations("dfma"), 0}});
  EXPECT_EQ(none.at("fp64_flop"), 0);
  EXPECT_EQ(none.count("fp64_fma_fraction"), 0u);
}

}  // namespace
}  // namespace roofline
