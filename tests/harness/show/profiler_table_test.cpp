// Schedulers and memory beside the published values.
#include "harness/view/advice.h"

#include <map>
#include <stdexcept>

#include "harness/kernel.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

Result& result_of(StudyRecord& study, const std::string& variant) {
  for (Result& result : study.results)
    if (result.model == "cuda" && result.variant == variant) return result;
  throw std::logic_error("no " + variant);
}

roofline::Counted counted_by(roofline::CountedBy source) {
  roofline::Counted counted;
  counted.source = source;
  return counted;
}

/// Counted on a GPU, with a scheduler's figures for v3 alone.
StudyRecord counted_study() {
  StudyRecord study = roofline_study();
  for (Result& result : study.results)
    result.counted = result.kind == "gpu" ? counted_by(roofline::CountedBy::cupti)
                                          : counted_by(roofline::CountedBy::analytic);
  roofline::Metrics& v3 = result_of(study, "v3").counted.metrics;
  v3["active_warps"] = 3.97;
  v3["eligible_warps"] = 0.814;
  v3["issued_warps"] = 0.55;
  v3["no_eligible"] = 45.1;
  return study;
}

/// Published beside measured, of GPUs alone; what nobody counted is a dash, or left out.
TEST(ProfilerTable, IsTheOneThatIsKept) {
  const std::vector<Change<StudyRecord>> changes = {{"the memory of v8", [](StudyRecord& study) {
                                                       Result& v8 = result_of(study, "v8");
                                                       v8.samples = {2.0, 2.0, 2.0};
                                                       v8.counted.metrics["dram_bytes"] = 5e11;
                                                       v8.counted.metrics["l1_hit"] = 70.5;
                                                     }}};
  expect_kept("harness/show/profiler.txt",
              told_with_changes(counted_study(), changes, profiler_text));
}

TEST(ProfilerTable, IsLeftOutWhereNothingWasCounted) {
  EXPECT_EQ(profiler_text(sample_study()), "");
  StudyRecord study = counted_study();
  for (Result& result : study.results) result.counted = roofline::Counted{};
  EXPECT_EQ(profiler_text(study), "");
}

TEST(ProfilerTable, PublishedFiguresStandInTheirFile) {
  const Published& published = kernel_of(roofline_study()).published();
  EXPECT_EQ(published.find("v2")->profiled.at("no_eligible"), 70.01);
  EXPECT_EQ(published.find("sc19_9_strided")->profiled.at("l2_hit"), 88.89);
  EXPECT_EQ(published.find("sc19_9_strided")->profiled.size(), 6u);
  // The slide prints v9's values with their changes against v8, in per cent.
  const auto& v8 = published.find("v8")->profiled;
  const auto& v9 = published.find("sc19_9_strided")->profiled;
  const std::map<std::string, double> changes = {
      {"dram_rate", -78.99}, {"l1_hit", 27.27},         {"l2_hit", 3272.88},
      {"mem_busy", 29.96},   {"max_bandwidth", -59.32}, {"mem_pipes_busy", 59.44}};
  EXPECT_EQ(v8.size(), changes.size());
  for (const auto& [metric, change] : changes)
    EXPECT_NEAR(v9.at(metric) / v8.at(metric), 1 + change / 100, 0.002 * (1 + change / 100))
        << metric;
  EXPECT_TRUE(published.find("v1")->profiled.empty());
}

}  // namespace
}  // namespace gpp::test
