// Tests of formulas over counters; of the metrics' table on hand-made counters; of tables of
// models.
#include <algorithm>
#include <map>
#include <set>

#include "roofline/counters.h"
#include "roofline/metrics.h"
#include "roofline/models/model_table.h"
#include "tests/text.h"

namespace roofline {
namespace {

const Counters counters = {{"a", 6}, {"b.sum", 3}, {"sm__c", 2}, {"zero", 0}, {"huge", 1e308}};

TEST(Formula, FollowsTheRulesOfArithmetic) {
  const std::map<std::string, double> formulas = {{"1e3", 1000},
                                                  {".5", 0.5},
                                                  {"a + b.sum * sm__c", 12},
                                                  {"(a + b.sum) * sm__c", 18},
                                                  {"a - b.sum - sm__c", 1},
                                                  {"a / b.sum / sm__c", 1},
                                                  {"-a + 2 * -(b.sum)", -12},
                                                  {"zero / a", 0}};
  for (const auto& [text, value] : formulas) EXPECT_EQ(Formula(text).evaluate(counters), value);
  for (const char* none :
       {"a + gone", "0 * gone", "a / zero", "zero / zero", "1 / (1 / zero)", "huge * huge"})
    EXPECT_EQ(Formula(none).evaluate(counters), std::nullopt) << none;
  EXPECT_EQ(Formula("b.sum / (a + b.sum) + x_1").names(), (gpp::test::Texts{"b.sum", "a", "x_1"}))
      << "each once, in order";
}

TEST(Formula, NamesThePlaceOfAnError) {
  const std::pair<std::string, const char*> errors[] = {
      {"a +", "a number, a name or '(' is missing before its end, column 4 of the formula"},
      {"a)", "an operator is missing before ')', column 2"},
      {". + a", "no number begins with '.', column 1"},
      {"1e999", "column 1"},
      {"", "its end"},
      {"a ^ b", "'^'"},
      {std::string(100000, '-') + "1", "nested too deeply"}};
  for (const auto& [text, part] : errors)
    EXPECT_TRUE(gpp::test::contains(
        gpp::test::thrown<FormulaError>([&text = text] { Formula{text}; }), part));
}

std::string operations(const std::string& kind) {
  return "sm__sass_thread_inst_executed_op_" + kind + "_pred_on.sum";
}

TEST(Metrics, EveryRowIsCompleteAndTellsThreadsInstructionsFromWarps) {
  std::set<std::string_view> names;
  for (const Metric& metric : metric_table()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name << " is there twice";
    EXPECT_FALSE(metric.formulas.front().names().empty()) << metric.name;
    EXPECT_FALSE(metric.unit.empty() || metric.source.empty()) << metric.name;
    EXPECT_NE(metric.unit, "instruction") << metric.name;
    EXPECT_TRUE(metric.meaning.ends_with(".")) << metric.name;
    EXPECT_EQ(find_metric(metric.name), &metric);
  }
  EXPECT_EQ(find_metric("no such metric"), nullptr);
}

TEST(Metrics, NeedsEachCounterOnceAndTellsWhatIsSampledAndWhatSoftwareCounts) {
  std::vector<std::string> needed = needed_counters();
  std::sort(needed.begin(), needed.end());
  EXPECT_EQ(std::adjacent_find(needed.begin(), needed.end()), needed.end());
  for (const std::string& counter :
       {std::string("dram__bytes.sum"), std::string("l1tex__t_bytes.sum"), operations("dfma")})
    EXPECT_TRUE(std::binary_search(needed.begin(), needed.end(), counter)) << counter;
  for (const std::string& name : needed) EXPECT_FALSE(counted_by_sampling(name)) << name;
  EXPECT_GE(sampled_counters().size(), 18u);
  for (const std::string& name : sampled_counters()) EXPECT_TRUE(counted_by_sampling(name)) << name;
  EXPECT_TRUE(counted_by_software(operations("dfma")));
  EXPECT_FALSE(counted_by_software("sm__thread_inst_executed_pipe_fp64_pred_on.sum"));
}

TEST(Metrics, HFMA2IsNoTensorWork) {
  const auto tensor_work = [](double busy, double hfma) {
    return evaluate({{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", busy},
                     {operations("hfma"), 32 * hfma},
                     {"sm__cycles_active.sum", 1000}})
        .at("tensor_work");
  };
  EXPECT_LT(tensor_work(0.25, 5), 0.1) << "half a cycle each";
  EXPECT_GT(tensor_work(0.75, 5), 0.1);
  EXPECT_DOUBLE_EQ(tensor_work(50, 0), 50);
}

TEST(Metrics, AsksForTensorCountersByTypeWhereTensorCoresWereBusy) {
  const std::string bf16 = "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
                    fma = "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
                    busy =
                        "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed";
  const auto asked = [](const Metrics& seen, const std::string& name, bool all = false) {
    const std::vector<std::string> names = further_counters(seen, all);
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
  for (const bool all : {false, true})  // the test is slow
    EXPECT_EQ(asked({{"tensor_work", 0.0}, {"fp32_share", 0.0}}, busy, all), all);
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

/// A fused multiply-add counts as two, chips that count apart give the same metric, and a missing
/// counter never becomes zero.
TEST(Metrics, AreExactlyThoseOfTheirCounters) {
  Counters all = {{"sm__ops_path_tensor_src_fp64.sum", 512}};
  double one = 1;
  for (const std::string precision : {"d", "f", "h"}) {
    all[operations(precision + "add")] = one;
    all[operations(precision + "mul")] = 10 * one;
    all[operations(precision + "fma")] = 100 * one++;
  }
  const std::pair<Counters, Metrics> cases[] = {
      {all,
       {{"fp64_flop", 211},
        {"fp64_fma_fraction", 100.0 / 111},
        {"fp32_flop", 422},
        {"fp32_fma_fraction", 200.0 / 222},
        {"fp16_flop", 2 * 633},
        {"fp16_fma_fraction", 300.0 / 333},
        {"fp64_tensor_flop", 512},
        {"fp32_share", 422.0 / (211 + 422)}}},
      {{}, {}},
      {{{operations("dadd"), 1}, {operations("dmul"), 1}}, {}},
      {{{operations("dadd"), 0}, {operations("dmul"), 0}, {operations("dfma"), 0}},
       {{"fp64_flop", 0}}},
      {{{"sm__ops_path_tensor_src_fp16.sum", 7}}, {{"fp16_tensor_flop", 7}}},
      {{{"sm__ops_path_tensor_src_fp16_dst_fp16.sum", 2},
        {"sm__ops_path_tensor_src_fp16_dst_fp32.sum", 3}},
       {{"fp16_tensor_flop", 5}}},
      {{{"sm__ops_path_tensor_src_fp16_dst_fp16.sum", 2}}, {}},
      {{{"l1tex__t_sectors.sum", 8}, {"l1tex__t_sectors_lookup_hit.sum", 2}}, {{"l1_hit", 25}}},
      {{{"lts__t_sectors.sum", 10}, {"lts__t_sectors_lookup_hit.sum", 9}}, {{"l2_hit", 90}}},
      {{{"lts__t_sectors_srcunit_tex.sum", 3}}, {{"l2_sm_bytes", 96}, {"l2_transactions", 3}}},
      {{{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 4}}, {{"shared_bytes", 512}}},
      {{{"dram__bytes.sum", 64}}, {{"dram_bytes", 64}, {"dram_transactions", 2}}},
      {{{"lts__t_bytes.sum", 2}}, {{"l2_bytes", 2}}},
      {{{"sm__cycles_elapsed.max", 7}}, {{"cycles", 7}}},
      {{{"gpu__time_duration.sum", 2.5e6}}, {{"seconds", 2.5e-3}}},
      {{{"smsp__issue_active.sum", 4}, {"smsp__warps_issue_stalled_wait.sum", 12}},
       {{"stall_wait", 3}}}};
  for (const auto& [given, due] : cases)
    EXPECT_EQ(evaluate(given), due) << (given.empty() ? "none" : given.begin()->first);
}

/// Every metric that a table names is one of its own.
TEST(Tables, NameWhatTheyHave) {
  for (const ModelTable* table : all_tables()) {
    std::vector<std::string> named;
    for (const Metric& metric : table->metrics)
      if (metric.when != when_asked) named.push_back(metric.when);
    for (const Level& level : table->levels) named.push_back(level.traffic);
    std::vector<Model> models = table->models;
    models.insert(models.end(), table->instruction_models.begin(), table->instruction_models.end());
    if (table->movement) models.push_back(*table->movement);
    for (const Model& model : models) {
      named.insert(named.end(), {model.work, model.fma_fraction, model.pipe, model.active});
      for (const Level& level : model.levels) named.push_back(level.traffic);
      for (const Wall& wall : model.walls) EXPECT_TRUE(model.find_level(wall.level)) << wall.name;
    }
    for (const std::string& name : named)
      EXPECT_TRUE(name.empty() || table->find_metric(name)) << table->device << ": " << name;
  }
}

TEST(Tables, HaveAModelForEveryPrecision) {
  for (const char* name : {"fp64", "fp32", "fp16", "fp64_tensor", "fp16_tensor", "bf16_tensor",
                           "tf32_tensor", "fp8_tensor", "int8_tensor"}) {
    const Model* model = nvidia_table().find_model(name);
    ASSERT_NE(model, nullptr) << name;
    const Metric& work = *nvidia_table().find_metric(model->work);
    EXPECT_EQ(work.unit, model->unit) << name;
    for (const std::string& counter : counters_of(work))
      EXPECT_FALSE(gpp::test::contains(counter, "inst_executed_pipe_tensor"))
          << name << ": on Hopper that is not zero without tensor instructions";
    for (const Level& level : model->levels) EXPECT_FALSE(level.traffic.empty()) << level.name;
  }
  EXPECT_EQ(nvidia_table().models.front().name, "fp64");
  EXPECT_EQ(table_of("host").find_model("fp16"), nullptr);
}

TEST(Tables, OrderTheirLevelsFromTheArithmeticOn) {
  std::vector<std::string> levels = {"zz", "dram", "aa", "l3", "shared", "l2", "l1"};
  std::sort(levels.begin(), levels.end(), is_nearer);
  EXPECT_EQ(levels, (std::vector<std::string>{"l1", "shared", "l2", "l3", "dram", "aa", "zz"}));
  for (const ModelTable* table : all_tables())
    for (std::size_t i = 1; i < table->levels.size(); ++i)
      EXPECT_TRUE(is_nearer(table->levels[i - 1].name, table->levels[i].name)) << table->device;
}

}  // namespace
}  // namespace roofline
