// The memory chart: what it shows of metrics, and what it says that it lacks.
#include "roofline/view/memory_chart.h"

#include "tests/roofline/well_formed.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

Ceilings roofs() {
  Ceilings ceilings;
  ceilings.kind = "gpu";
  ceilings.list = {{"l1", "L1", CeilingKind::bandwidth, 20e12, {}, 0, "", {}},
                   {"dram", "DRAM", CeilingKind::bandwidth, 4e12, {}, 0, "", {}}};
  return ceilings;
}

const Metrics metrics = {{"l1_bytes", 8e9},
                         {"l1_hit", 25},
                         {"l2_sm_bytes", 6e9},
                         {"dram_bytes", 2e9},
                         {"global_instructions", 3e7},
                         {"shared_bytes", 1e9},
                         {"local_instructions", 0},
                         {"shared_instructions", 4e6},
                         {"bank_conflicts", 5e6}};

std::optional<MemoryChart> chart_of(const Metrics& of, std::optional<double> seconds = 1e-3) {
  const Ceilings ceilings = roofs();
  return memory_chart("v8 <b>", of, seconds, nvidia_table(), &ceilings, true);
}

TEST(MemoryChart, HasTheBytesOfEachLevelAndWhatItHeld) {
  const auto chart = chart_of(metrics);
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->flows.size(), 4u);
  const MemoryFlow& l1 = chart->flows[0];
  EXPECT_EQ(l1.texts(),
            (Texts{"8.00 GB, 8.00 TB/s", "40.0% of its roof", "30.0 M global instructions"}))
      << "spilled registers are not among them where there are none";
  EXPECT_EQ(l1.hit_text(), "25.0% found in it");
  EXPECT_TRUE(chart->flows[1].beside);
  EXPECT_EQ(chart->flows[2].texts(), (Texts{"6.00 GB, 6.00 TB/s"})) << "its roof is not known";
  EXPECT_EQ(chart->notes.back(), "Not counted: hits of L2.");
}

TEST(MemoryChart, NamesLevelsThatNobodyCounted) {
  Metrics without = metrics;
  without.erase("l2_sm_bytes");
  const auto chart = chart_of(without, {});
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->flows.size(), 3u);
  EXPECT_EQ(chart->notes.back(), "Not counted: bytes of L2.");
  EXPECT_EQ(chart->flows[0].texts().front(), "8.00 GB") << "its time is not known";
  without.erase("dram_bytes");
  EXPECT_FALSE(chart_of(without)) << "one level on the way alone shows no flow";
}

TEST(MemoryChart, IsTheSameForPeopleInPicturesAndInCharacters) {
  const MemoryChart chart = *chart_of(metrics);
  for (const bool on_page : {false, true}) {
    const std::string svg = memory_svg({chart, chart, chart, chart, chart}, on_page);
    EXPECT_EQ(not_well_formed(svg), "");
    EXPECT_EQ(contains(svg, "var(--level-l1)"), on_page);
    EXPECT_TRUE(contains(svg, "v8 &lt;b&gt;"));
    for (const MemoryFlow& flow : chart.flows)
      for (const std::string& text : flow.texts()) EXPECT_TRUE(contains(svg, text)) << text;
  }
  EXPECT_EQ(
      memory_text(chart),
      "  registers\n"
      "    <-> shared memory: 1.00 GB, 1.00 TB/s, 4.00 M instructions, 5.00 M bank conflicts\n"
      "     |  8.00 GB, 8.00 TB/s, 40.0% of its roof, 30.0 M global instructions\n"
      "  L1: 25.0% found in it\n"
      "     |  6.00 GB, 6.00 TB/s\n"
      "  L2\n"
      "     |  2.00 GB, 2.00 TB/s, 50.0% of its roof\n"
      "  DRAM\n"
      "Counted by hardware; reads and writes together.\n"
      "Not counted: hits of L2.\n");
  EXPECT_TRUE(contains(csv_text(memory_table({chart})), ",l2,6000000000,6000000000000,,\n"));
}

}  // namespace
}  // namespace roofline::test
