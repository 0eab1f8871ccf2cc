// Points as they stand in records: written, read again, and read where precisions were not known.
#include "roofline/json.h"

#include <gtest/gtest.h>

#include "roofline/base/error.h"
#include "roofline/points.h"
#include "tests/roofline/sample_chart.h"

namespace roofline {
namespace {

std::vector<RooflinePoint> points() {
  return roofline_points({{"fp64_flop", 3e12},
                          {"fp32_flop", 9e12},
                          {"l1_bytes", 8e12},
                          {"shared_bytes", 9e12},
                          {"l2_sm_bytes", 2e12},
                          {"dram_bytes", 1e12}},
                         1, CountedBy::cupti, test::large_gpu())
      .points;
}

/// As it comes from a file: the order of keys is lost.
nlohmann::json parsed(const nlohmann::ordered_json& json) {
  return nlohmann::json::parse(json.dump());
}

TEST(Json, KeepsEveryPrecision) {
  const nlohmann::json json = parsed(rooflines_json(points()));
  EXPECT_EQ(json.size(), 2u);
  EXPECT_EQ(json.at("fp64").at("share"), 0.25);
  const std::vector<RooflinePoint> read = read_rooflines(JsonPlace(json, "rooflines", "file"));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].precision, "fp32") << "most operations first";
  EXPECT_EQ(read[0].share, 0.75);
  ASSERT_EQ(read[1].levels.size(), 4u);
  EXPECT_EQ(read[1].levels[1].level, "shared") << "behind L1";
  EXPECT_EQ(rooflines_json(read), rooflines_json(points()));
}

TEST(Json, APointWithoutAPrecisionIsOfFp64) {
  nlohmann::json old = parsed(roofline_json(points().at(1)));
  old.erase("precision");
  old.erase("share");
  const RooflinePoint point = read_roofline(JsonPlace(old, "roofline", "file")).value();
  EXPECT_EQ(point.precision, "fp64");
  EXPECT_EQ(point.share, 1);
}

TEST(Json, RefusesWhatContradictsItself) {
  nlohmann::json json = parsed(rooflines_json(points()));
  json["fp64"]["precision"] = "fp32";
  EXPECT_THROW(read_rooflines(JsonPlace(json, "rooflines", "file")), InputError);
  json["fp64"]["precision"] = "fp64";
  json["fp64"]["share"] = 1.5;
  EXPECT_THROW(read_rooflines(JsonPlace(json, "rooflines", "file")), InputError);
}

TEST(Json, KeepsWhoCounted) {
  Counted counted;
  for (const CountedBy source :
       {CountedBy::nobody, CountedBy::cupti, CountedBy::likwid, CountedBy::analytic}) {
    counted.source = source;
    nlohmann::json result = parsed({{"counting", counting_json(counted)},
                                    {"counters", nlohmann::json::object()},
                                    {"metrics", nlohmann::json::object()}});
    EXPECT_EQ(read_counted(JsonPlace(result, "", "file")).source, source);
    result["counting"]["source"] = "guessed";
    EXPECT_THROW(read_counted(JsonPlace(result, "", "file")), InputError);
  }
}

TEST(Json, GivesPagesEveryModel) {
  const nlohmann::json models = parsed(models_json());
  const auto fp64 = std::find_if(models.begin(), models.end(), [](const nlohmann::json& model) {
    return model.at("device") == "gpu" && model.at("name") == "fp64";
  });
  ASSERT_NE(fp64, models.end());
  EXPECT_EQ(fp64->at("peak"), "fp64_fma");
  EXPECT_EQ(fp64->at("levels").at(1).at("label"), "shared memory");
  EXPECT_EQ(fp64->at("levels").at(1).at("beside"), true);
  EXPECT_EQ(fp64->at("up"), "FP64 operations per second");
}

}  // namespace
}  // namespace roofline
