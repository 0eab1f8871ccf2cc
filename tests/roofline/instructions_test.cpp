// Tests of instruction rooflines: roofs in transactions, walls, and known access patterns.
#include <gtest/gtest.h>

#include "roofline/base/table.h"
#include "roofline/import/import.h"
#include "roofline/view/roofline_chart.h"
#include "tests/chart_outline.h"
#include "tests/roofline/sample_chart.h"
#include "tests/text.h"

namespace roofline {
namespace {

using gpp::test::contains;
using gpp::test::contains_all;

const Model& model(const char* name) { return *nvidia_table().find_model(name); }

Ceilings roofs() {
  Ceilings ceilings = test::large_gpu();
  ceilings.list.push_back(
      {"issue", "warp instructions", CeilingKind::compute, 1e12, 1.045e12, 1980, "", {}});
  ceilings.list.push_back(
      {"issue_fp64", "FP64 pipe", CeilingKind::compute, 5e11, {}, 1980, "", {}});
  return ceilings;
}

/// 1 s: a quarter of the lanes inactive, loads of 8 B with unit stride, a conflict in half of the
/// shared accesses.
Metrics work() {
  return {{"instructions", 6e11},        {"active_warp_instructions", 4.5e11},
          {"global_instructions", 1e10}, {"global_sectors", 8e10},
          {"local_instructions", 0},     {"local_sectors", 0},
          {"shared_instructions", 2e10}, {"shared_wavefronts", 4e10},
          {"bank_conflicts", 2e10},      {"l1_transactions", 1.2e11},
          {"l2_transactions", 2e10},     {"dram_transactions", 1e9}};
}

RooflinePoints placed(const Metrics& metrics = work(), const Ceilings& ceilings = roofs()) {
  return instruction_points(metrics, 1, CountedBy::cupti, ceilings);
}

RooflineChart chart_of(const char* name, const Metrics& metrics = work()) {
  const RooflinePoints points = placed(metrics);
  for (const RooflinePoint& point : points.points)
    if (point.precision == name) return make_chart(roofs(), {{"v1", point}}, name).value();
  throw std::runtime_error(std::string("no point of ") + name);
}

TEST(InstructionPoints, AreWarpInstructionsPerTransaction) {
  const RooflinePoints points = placed();
  ASSERT_EQ(points.points.size(), 3u);
  EXPECT_TRUE(points.missing.empty());
  const RooflinePoint& all = points.points[0];
  EXPECT_EQ(all.precision, "instructions");
  EXPECT_DOUBLE_EQ(all.flop_per_s, 6e11);
  EXPECT_DOUBLE_EQ(all.active_per_s.value(), 4.5e11);
  ASSERT_EQ(all.levels.size(), 3u);
  EXPECT_DOUBLE_EQ(all.levels[0].intensity, 5);
  EXPECT_DOUBLE_EQ(all.levels[1].intensity, 30);
  EXPECT_DOUBLE_EQ(all.levels[2].intensity, 600);
  EXPECT_DOUBLE_EQ(all.levels[0].seconds, 1.2e11 / (32.0e12 / 32)) << "sectors of 32 B";
  EXPECT_EQ(all.bound_by, "compute");
  EXPECT_DOUBLE_EQ(all.percent_of_roof, 60);
  EXPECT_TRUE(all.defects.empty()) << all.defects.front();
  EXPECT_DOUBLE_EQ(points.points[1].levels.at(0).intensity, 1.0 / 8);
  EXPECT_DOUBLE_EQ(points.points[2].levels.at(0).intensity, 1.0 / 2);
  EXPECT_DOUBLE_EQ(points.points[2].levels.at(0).seconds, 4e10 / (32.4e12 / 128)) << "of 128 B";
}

TEST(InstructionPoints, SayWhyThereAreNone) {
  const RooflinePoints without_roof = placed(work(), test::large_gpu()),
                       nothing = placed({{"fp64_flop", 1e9}});
  EXPECT_TRUE(without_roof.points.empty());
  ASSERT_EQ(without_roof.missing.size(), 3u);
  EXPECT_EQ(without_roof.missing[0].reason, "the roof of its arithmetic, issue, was not measured");
  ASSERT_EQ(nothing.missing.size(), 3u);
  EXPECT_EQ(nothing.missing[1].reason, "global_instructions was not counted");
  Metrics no_shared = work();
  no_shared["shared_instructions"] = no_shared["shared_wavefronts"] = 0;
  EXPECT_EQ(placed(no_shared).points.size(), 2u);
  EXPECT_TRUE(placed(no_shared).missing.empty()) << "there is nothing to place";
  EXPECT_TRUE(instruction_points(work(), 1, CountedBy::analytic, test::processor()).points.empty());
}

/// Roofs in transactions must equal the published and the recorded ones.
TEST(InstructionRoofs, AreThoseOfThePublication) {
  const auto giga = [](const Ceilings& ceilings, const char* name, const char* level) {
    return bandwidth_of(ceilings, *model(name).find_level(level)).value() * 1e-9;
  };
  const Ceilings v100 = published_roofs("v100").value();
  EXPECT_NEAR(v100.find("issue")->measured, 80 * 4 * 1.53e9, 1e6);
  EXPECT_NEAR(giga(v100, "instructions", "l2"), 93.6, 0.1);
  EXPECT_NEAR(giga(v100, "instructions", "dram"), 25.9, 0.1);
  EXPECT_FALSE(bandwidth_of(v100, *model("shared_access").find_level("shared")));
  const Ceilings h200 = roofs_called(GPP_SOURCE_DIR "/results/h200/gpp214", "gpu");
  EXPECT_NEAR(giga(h200, "instructions", "l1"), 1028.8, 5);
  EXPECT_NEAR(giga(h200, "shared_access", "shared"), 259.1, 2);
  EXPECT_NEAR(giga(h200, "instructions", "l2"), 286.6, 5);
  EXPECT_NEAR(giga(h200, "instructions", "dram"), 146.3, 2);  // 4.683 TB/s / 32 B
}

TEST(Walls, OfKnownPatternsAreHit) {
  for (const auto& [sectors, wall] : {std::pair{1, "global_same"},
                                      {4, "global_unit_4"},
                                      {8, "global_unit_8"},
                                      {32, "global_scattered"}}) {
    Metrics metrics = work();
    metrics["global_sectors"] = sectors * metrics["global_instructions"];
    const auto nearest = nearest_wall(placed(metrics).points[1], model("global_access"));
    ASSERT_TRUE(nearest);
    EXPECT_EQ(nearest->wall.name, wall);
    EXPECT_DOUBLE_EQ(nearest->ratio, 1);
  }
  const auto shared = nearest_wall(placed().points[2], model("shared_access"));
  EXPECT_EQ(shared->wall.name, "shared_free");
  EXPECT_DOUBLE_EQ(shared->ratio, 0.5);
  EXPECT_FALSE(nearest_wall(placed().points[0], model("instructions")));
}

/// Roofs in transactions, narrow pipes thin, walls up to where they meet their roof, dashes of
/// active lanes.
TEST(InstructionCharts, AreThoseThatAreKept) {
  std::string text;
  for (const char* model : {"instructions", "global_access", "shared_access"})
    text += gpp::test::outline(make_roofline(chart_of(model), model, ""));
  EXPECT_FALSE(contains(text, "FLOP"));
  gpp::test::expect_kept("roofline/instruction_charts.txt", text);
}

TEST(InstructionTable, SaysWhatTheChartsShow) {
  const Metrics metrics = work(), idle = {{"global_sectors", 0}};
  const std::vector<RooflinePoint> points = placed().points, none;
  const std::vector<InstructionRow> rows = {{"v1", metrics, 1, points}, {"v2", idle, 1, none}};
  const Table table = table_of(instruction_columns(), rows, Table());
  EXPECT_TRUE(contains_all(
      terminal_text(table),
      {"600 GIPS", "75.0%", "5", "30", "600", "unit stride, 8 B", "0.50x no conflict", "0.0%"}));
  EXPECT_EQ(table.rows[0].cells[5].key, 8) << "sectors";
  EXPECT_EQ(table.rows[0].cells[7].key, 1) << "conflicts";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    EXPECT_EQ(table.rows[1].cells[i].text, "-") << table.columns[i].name;
}

}  // namespace
}  // namespace roofline
