// Memory charts of recorded studies.
#include "harness/view/memory.h"

#include "tests/text.h"

namespace gpp {
namespace {

std::optional<roofline::MemoryChart> chart_in(const std::string& record, const std::string& model) {
  const StudyRecord study = read_record(GPP_SOURCE_DIR "/results/" + record);
  for (const Result& result : study.results)
    if (result.variant == "v8" && result.model == model && result.timed())
      return memory_chart(study, result, full_name(result));
  return std::nullopt;
}

TEST(MemoryOfAStudy, IsWhatAGpuCounted) {
  const auto chart = chart_in("h200/gpp214", "cuda");
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->flows.size(), 4u);
  const roofline::MemoryFlow& l2 = chart->flows[2];
  EXPECT_EQ(l2.hit_text(), "65.5% found in it");
  EXPECT_DOUBLE_EQ(l2.bytes, 32 * 9665753545.0);
  EXPECT_EQ(chart->flows[3].texts(),
            (std::vector<std::string>{"66.5 GB, 291 GB/s", "6.2% of its roof"}));
  EXPECT_EQ(chart->notes.size(), 1u) << "nothing is missing";
}

TEST(MemoryOfAStudy, IsWhatAModelOfCachesComputedOfAHost) {
  const auto chart = chart_in("xeon-16-cores/silicon8", "omp");
  ASSERT_TRUE(chart);
  std::vector<std::string> levels;
  for (const roofline::MemoryFlow& flow : chart->flows) levels.push_back(flow.level);
  EXPECT_EQ(levels, (std::vector<std::string>{"l1", "l2", "l3", "dram"}));
  EXPECT_TRUE(test::contains(chart->notes.front(), "Computed, not counted"));
  EXPECT_EQ(chart->notes.back(), "Not counted: hits.");
  EXPECT_FALSE(chart_in("xeon-2-cores/silicon8", "omp")) << "only the least of DRAM is known";
}

TEST(MemoryOfAStudy, HasAPictureForEachModel) {
  const std::vector<roofline::Picture> pictures =
      memory_pictures({{"a", read_record(GPP_SOURCE_DIR "/results/h200/gpp214")}});
  std::vector<std::string> names;
  for (const roofline::Picture& picture : pictures) names.push_back(picture.name);
  ASSERT_EQ(names,
            (std::vector<std::string>{"memory-cuda", "memory-omp_gpu", "memory-thrust_gpu"}));
  EXPECT_TRUE(test::contains(pictures[0].svg, "v12 real_poles"));
}

}  // namespace
}  // namespace gpp
