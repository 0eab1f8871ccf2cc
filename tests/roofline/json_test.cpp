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

TEST(Json, KeepsWhatALaunchCosts) {
  Ceilings gpu = test::large_gpu();
  EXPECT_FALSE(parsed(ceilings_json(gpu)).contains("launch"));
  gpu.launch = {2.2e-6, 2.1e-6, 2.4e-6, "empty"};
  nlohmann::json json = parsed(ceilings_json(gpu));
  const auto read = [&json] {
    return read_device_ceilings(JsonPlace(json, "", "file"), "gpu").launch;
  };
  ASSERT_TRUE(read());
  EXPECT_EQ(read()->seconds, 2.2e-6);
  EXPECT_EQ(read()->low, 2.1e-6);
  EXPECT_EQ(read()->high, 2.4e-6);
  EXPECT_EQ(read()->definition, "empty");
  for (const double seconds : {0.0, -1e-6, 2e-6, 3e-6, 1e9}) {
    json["launch"]["seconds"] = seconds;
    EXPECT_THROW(read(), InputError) << seconds;
  }
  json.erase("launch");
  EXPECT_FALSE(read()) << "as in older records";
}

TEST(Json, GivesPagesInstructionModelsApart) {
  const nlohmann::json models = parsed(models_json()), own = parsed(instruction_models_json());
  ASSERT_EQ(own.size(), 3u);
  EXPECT_EQ(own[1].at("name"), "global_access");
  EXPECT_EQ(own[1].at("rate"), "IPS");
  EXPECT_EQ(own[1].at("levels").at(0).at("bytes_each"), 32);
  EXPECT_EQ(own[1].at("walls").size(), 4u);
  EXPECT_EQ(own[1].at("walls").at(0).at("intensity"), 1);
  for (const nlohmann::json& model : models)
    EXPECT_EQ(model.at("transactions"), false) << "rules take a model's work for arithmetic";
}

TEST(Json, GivesPagesTheNumbersOfInstructions) {
  EXPECT_TRUE(instructions_json({"v1", {}, {}}).is_null());
  RooflinePoint point;
  point.precision = "global_access";
  point.levels = {{"global", 8e9, 0.25, 1e12, 10, 1}};
  InstructionFacts facts;
  facts.active_share = 0.75;
  const nlohmann::json json = parsed(instructions_json({"v1", facts, {point}}));
  EXPECT_EQ(json.at("active_share"), 0.75);
  EXPECT_TRUE(json.at("warps_per_s").is_null());
  EXPECT_EQ(json.at("walls").at("global_access").at("label"), "unit stride, 4 B");
  EXPECT_EQ(json.at("walls").at("global_access").at("ratio"), 1);
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
