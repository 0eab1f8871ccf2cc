// One point for each precision: shares, order, and why one has none.
#include "roofline/points.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include "roofline/base/json_place.h"
#include "roofline/record/facts.h"
#include "roofline/verdict.h"
#include "roofline/view/device_charts.h"
#include "tests/roofline/sample_chart.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

/// 1 s of FP64 and FP32 work on a large GPU; shared memory does a third of the run.
Metrics mixed() {
  return {{"fp64_flop", 3e12},   {"fp64_fma_fraction", 0.5}, {"fp32_flop", 9e12},
          {"fp16_flop", 0},      {"l1_bytes", 8e12},         {"shared_bytes", 10.8e12},
          {"l2_sm_bytes", 2e12}, {"dram_bytes", 1e12}};
}

RooflinePoints points_of(const Metrics& metrics, const Ceilings& ceilings = large_gpu(),
                         CountedBy source = CountedBy::cupti) {
  return roofline_points(metrics, 1, source, ceilings);
}

Texts levels_of(const RooflinePoint& point) {
  Texts names;
  for (const LevelPoint& level : point.levels) names.push_back(level.level);
  return names;
}

TEST(Points, OnePerPrecisionWithItsOwnPeak) {
  const RooflinePoints placed = points_of(mixed());
  ASSERT_EQ(placed.points.size(), 2u) << "FP16 did nothing";
  const RooflinePoint& fp32 = placed.points[0];
  const RooflinePoint& fp64 = placed.points[1];
  EXPECT_EQ(placed.leading(), &fp32) << "most operations first";
  EXPECT_EQ(fp32.precision, "fp32");
  EXPECT_EQ(fp64.precision, "fp64");
  EXPECT_DOUBLE_EQ(fp32.share, 0.75);
  EXPECT_DOUBLE_EQ(fp64.share, 0.25);
  EXPECT_DOUBLE_EQ(fp32.percent_of_peak, 100 * 9e12 / 66e12);
  EXPECT_DOUBLE_EQ(fp64.percent_of_peak, 100 * 3e12 / 33.1e12);
  EXPECT_DOUBLE_EQ(fp64.fma_mix_ceiling.value(), 33.1e12 * 0.75);
  EXPECT_FALSE(fp32.fma_mix_ceiling);
  EXPECT_DOUBLE_EQ(fp32.levels.back().intensity, 9);
  EXPECT_DOUBLE_EQ(fp64.levels.back().intensity, 3) << "of the same bytes";
  EXPECT_TRUE(placed.missing.empty());
  EXPECT_TRUE(fp32.defects.empty()) << fp32.defects.front();
}

/// A transpose: no operation, and eight times the bytes at L2 that DRAM moves.
Counted moving() {
  Counted counted;
  counted.source = CountedBy::cupti;
  counted.metrics = {{"fp64_flop", 0},    {"fp32_flop", 0},        {"l1_bytes", 2.4e12},
                     {"shared_bytes", 0}, {"l2_sm_bytes", 2.4e12}, {"dram_bytes", 2.3e12}};
  return counted;
}

TEST(Points, WorkWithoutOperationsIsPlacedByItsBytes) {
  EXPECT_TRUE(roofline_points(moving(), 1, large_gpu()).points.empty());
  const RooflinePoints placed = movement_points(moving(), 1, large_gpu());
  ASSERT_EQ(placed.points.size(), 1u);
  const RooflinePoint& point = placed.points.front();
  const double dram = large_gpu().find("dram")->measured;
  EXPECT_TRUE(only_moves(point));
  EXPECT_DOUBLE_EQ(point.flop_per_s, 2.3e12);
  EXPECT_DOUBLE_EQ(point.percent_of_peak, 100 * 2.3e12 / dram);
  EXPECT_EQ(point.compute_seconds, 0) << "nothing is computed";
  EXPECT_EQ(point.bound_by, "dram");
  EXPECT_DOUBLE_EQ(point.percent_of_roof, 100 * 2.3e12 / dram);
  EXPECT_EQ(levels_of(point), (Texts{"l1", "l2", "dram"}));
  EXPECT_DOUBLE_EQ(point.levels.back().intensity, 1);
  EXPECT_TRUE(point.defects.empty()) << point.defects.front();
}

TEST(Points, OperationsComeBeforeBytes) {
  Counted counted = moving();
  counted.metrics["fp32_flop"] = 1;
  EXPECT_TRUE(movement_points(counted, 1, large_gpu()).points.empty());
  EXPECT_FALSE(only_moves(roofline_points(counted, 1, large_gpu()).points.front()));
}

TEST(Points, BytesHaveAChartBelowTheRoofOfDram) {
  const RooflinePoint point = movement_points(moving(), 1, large_gpu()).points.front();
  const auto chart = make_chart(large_gpu(), {{"v1", point}}, point.precision);
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->steps.size(), 1u) << chart->notes.front();
  EXPECT_DOUBLE_EQ(chart->peak(), large_gpu().find("dram")->measured);
  EXPECT_EQ(chart->model.rate_unit(), "B/s");
  EXPECT_EQ(std::count_if(chart->roofs.begin(), chart->roofs.end(),
                          [](const Roof& roof) { return roof.kind == CeilingKind::compute; }),
            1);
  for (const ChartMark& mark : make_times({{*chart}}, "time", "").marks)
    EXPECT_NE(mark.of, "compute");
  EXPECT_FALSE(make_plane({{*chart}}, "dram", "plane", ""))
      << "no time of arithmetic to set against";
}

TEST(Points, OfEqualWorkFp64Leads) {
  Metrics metrics = mixed();
  metrics["fp32_flop"] = metrics["fp64_flop"];
  EXPECT_EQ(points_of(metrics).leading()->precision, "fp64");
}

TEST(Points, APrecisionWithoutARoofHasNoPointAndAReason) {
  Metrics metrics = mixed();
  metrics["bf16_tensor_flop"] = 12e12;
  Ceilings ceilings = large_gpu();
  RooflinePoints placed = points_of(metrics, ceilings);
  ASSERT_EQ(placed.missing.size(), 1u);
  EXPECT_EQ(placed.missing.front().name, "bf16_tensor");
  EXPECT_NE(placed.missing.front().reason.find("bf16_tensor, was not measured"), std::string::npos)
      << placed.missing.front().reason;
  EXPECT_DOUBLE_EQ(placed.leading()->share, 9.0 / 24) << "of all work, with roof or without";
  ceilings.missing = {{"bf16_tensor", "needs a newer device"}};
  placed = points_of(metrics, ceilings);
  EXPECT_EQ(placed.missing.front().reason, "needs a newer device");
}

TEST(Points, SharedMemoryIsALevelWhereItIsUsed) {
  Metrics metrics = mixed();
  EXPECT_EQ(levels_of(*points_of(metrics).leading()), (Texts{"l1", "shared", "l2", "dram"}));
  metrics["shared_bytes"] = 0.011 * 32.4e12;
  EXPECT_EQ(points_of(metrics).leading()->levels.size(), 4u);
  for (const double next_to_nothing : {0.009 * 32.4e12, 0.0}) {
    metrics["shared_bytes"] = next_to_nothing;
    EXPECT_EQ(levels_of(*points_of(metrics).leading()), (Texts{"l1", "l2", "dram"}));
  }
}

TEST(Points, SharedMemoryLiesBesideTheOrderOfBytes) {
  Metrics metrics = mixed();
  metrics["shared_bytes"] = 20e12;  // more than L1, and much more than L2
  EXPECT_TRUE(points_of(metrics).leading()->defects.empty());
  metrics["shared_bytes"] = 0.5e12;  // less than L2
  EXPECT_TRUE(points_of(metrics).leading()->defects.empty());
  metrics["l2_sm_bytes"] = 9e12;
  metrics["dram_bytes"] = 1e12;
  ASSERT_EQ(points_of(metrics).leading()->defects.size(), 2u)
      << "L2 more than L1, and more than fits";
}

TEST(Points, NameTheLevelsThatHardwareDidNotCount) {
  Metrics metrics = mixed();
  metrics.erase("l2_sm_bytes");
  const RooflinePoints placed = points_of(metrics);
  EXPECT_EQ(only(placed.leading()->defects),
            "l2_sm_bytes is missing: the roof of l2 is not among those compared");
  const Metrics stated = {{"fp64_flop", 1e9}, {"dram_bytes", 1e9}};
  const RooflinePoints host = points_of(stated, processor(), CountedBy::analytic);
  ASSERT_EQ(host.points.size(), 1u);
  EXPECT_TRUE(host.leading()->analytic);
  EXPECT_TRUE(host.leading()->defects.empty()) << "nobody expects more of what is stated";
}

/// The leading points of the recorded study of an H200.
TEST(Points, OfARecordedStudyAreSound) {
  std::ifstream stream(GPP_SOURCE_DIR "/results/h200/gpp214/study.json");
  const nlohmann::json study = nlohmann::json::parse(stream);
  const JsonPlace record(study, "", "study.json");
  auto ceilings = read_facts<Ceilings>(record["ceilings"]["gpu"]);
  ceilings.kind = "gpu";
  int compared = 0;
  for (const JsonPlace& result : record["results"].elements()) {
    std::vector<double> samples;
    for (const JsonPlace& sample : result["time_s"]["samples"].elements())
      samples.push_back(sample.real(bounds::run_seconds));
    const auto counted = read_facts<Counted>(result);
    if (samples.empty() || counted.source != CountedBy::cupti) continue;
    std::sort(samples.begin(), samples.end());
    const RooflinePoints placed = roofline_points(counted, samples[samples.size() / 2], ceilings);
    ASSERT_NE(placed.leading(), nullptr);
    const RooflinePoint& now = *placed.leading();
    EXPECT_EQ(now.precision, "fp64");
    const std::string step = result["model"].text() + " " + result["variant"].text();
    const bool tiled =
        std::set<std::string>{"cuda v10", "cuda v11", "cuda v12", "cuda v13", "cuda v14"}.contains(
            step);
    if (result["model"].text() == "cuda") {
      EXPECT_EQ(now.levels.size(), tiled ? 4u : 3u) << step << ": only tiles live in shared memory";
    }
    EXPECT_GT(now.percent_of_roof, 10) << step;
    EXPECT_LE(now.percent_of_roof, 100) << step;
    EXPECT_EQ(now.defects.empty(), step != "cuda v12" && step != "cuda v14")
        << step << ": copies past L1";
    ++compared;
  }
  EXPECT_GE(compared, 25);
}

TEST(Points, WithoutWorkThereAreNone) {
  EXPECT_TRUE(points_of({}).points.empty());
  EXPECT_TRUE(points_of({{"fp64_flop", 0}, {"dram_bytes", 1e9}}).points.empty());
  EXPECT_EQ(points_of({}).leading(), nullptr);
  const RooflinePoints nowhere = points_of({{"fp64_flop", 1e12}});
  EXPECT_EQ(only(nowhere.missing).reason, "no level of memory moved any bytes");
}

TEST(Points, AreDrawnWithTheRoofsOfTheirPrecision) {
  std::vector<Step> steps;
  for (const RooflinePoint& point : points_of(mixed()).points) steps.push_back({"triad", point});
  const RooflineChart fp32 = make_chart(large_gpu(), steps, "fp32").value();
  EXPECT_DOUBLE_EQ(fp32.peak(), 66e12);
  EXPECT_EQ(fp32.model.up, "FP32 operations per second");
  EXPECT_EQ(only(fp32.notes), "triad is not drawn: its operations are fp64, not fp32");
  EXPECT_EQ(fp32.levels, (Texts{"l1", "shared", "l2", "dram"}));
  for (const Roof& roof : fp32.roofs) EXPECT_NE(roof.name, "fp64_no_fma");
  EXPECT_DOUBLE_EQ(make_chart(large_gpu(), steps).value().peak(), 33.1e12);
  EXPECT_FALSE(make_chart(large_gpu(), steps, "fp128"));
}

TEST(Points, AreJudgedByThePipeOfTheirPrecision) {
  RooflinePoint point;
  point.precision = "fp32";
  point.percent_of_roof = 40;
  point.bound_by = "compute";
  const Metrics metrics = {{"fp64_pipe", 90}, {"fp32_pipe", 60}, {"stall_wait", 1}};
  EXPECT_EQ(verdict(point, metrics).text(), "compute (FP32 pipe 60%)");
  point.precision = "fp16";
  EXPECT_EQ(verdict(point, metrics).by, "latency") << "no pipe is known for it";
}

}  // namespace
}  // namespace roofline::test
