// Roofs that are named: published ones, those of cards that were measured here, files and folders.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/import/import.h"
#include "roofline/json.h"
#include "roofline/record/facts.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;

TEST(Roofs, AreThePublishedOnes) {
  const Ceilings v100 = roofs_called("V100", "gpu");
  EXPECT_DOUBLE_EQ(v100.find("fp64_fma")->measured, 7068.9e9);
  EXPECT_DOUBLE_EQ(v100.find("dram")->measured, 828.758e9);
  const Ceilings mi250x = roofs_called("mi250x", "amd");
  EXPECT_DOUBLE_EQ(mi250x.find("shared")->measured, 18780.4e9);
  EXPECT_DOUBLE_EQ(mi250x.find("bf16_tensor")->measured, 153763.7e9);
  for (const Ceilings& ceilings : {v100, mi250x})
    for (const Ceiling& roof : ceilings.list) EXPECT_FALSE(roof.definition.empty()) << roof.name;
  EXPECT_THROW(roofs_called("v1000", "gpu"), InputError);
}

std::vector<std::string> measured_names() {
  std::vector<std::string> names = published_names();
  std::erase_if(names, [](const std::string& name) { return published_roofs(name)->from.empty(); });
  return names;
}

/// The demands on a card that somebody measured: docs/roofline.md.
TEST(Roofs, OfMeasuredCardsAreWhole) {
  EXPECT_GE(measured_names().size(), 2u);
  for (const std::string& name : measured_names()) {
    const Ceilings card = *published_roofs(name);
    EXPECT_TRUE(card.from.starts_with("results/" + name + "/")) << card.from;
    EXPECT_EQ(published_name(card.device, "gpu"), name) << "one record of each card";
    for (const std::string& told : {card.device, card.driver, card.created})
      EXPECT_FALSE(told.empty()) << name;
    const auto has_or_misses = [&](const std::string& roof) {
      return card.find(roof) != nullptr ||
             std::any_of(card.missing.begin(), card.missing.end(),
                         [&](const Missing& one) { return one.name == roof; });
    };
    for (const Model& model : table_of("gpu").models)
      EXPECT_TRUE(has_or_misses(model.peak)) << name << " " << model.peak;
    for (const Level& level : table_of("gpu").levels)
      EXPECT_TRUE(has_or_misses(level.roof)) << name << " " << level.roof;
  }
}

TEST(Roofs, OfMeasuredCardsFollowFromTheirSweeps) {
  for (const std::string& name : measured_names()) {
    double largest = 0;
    const Ceilings card = *published_roofs(name);
    for (const Ceiling& roof : card.list) {
      SCOPED_TRACE(name + " " + roof.name);
      EXPECT_FALSE(roof.definition.empty());
      EXPECT_LE(roof.measured, 1.05 * roof.theoretical.value_or(roof.measured));
      std::vector<double> rates;
      for (const SweepPoint& point : roof.sweep) {
        EXPECT_GT(point.bytes, largest);
        largest = point.bytes;
        rates.push_back(point.rate);
      }
      if (rates.empty()) continue;
      EXPECT_GE(roof.measured, *std::min_element(rates.begin(), rates.end()));
      EXPECT_LE(roof.measured, *std::max_element(rates.begin(), rates.end()));
    }
    EXPECT_FALSE(card.find("dram")->sweep.empty()) << name;
  }
}

/// The output of `roofline ceilings --json` is taken as it is, with its sweeps, and checked.
TEST(Roofs, ThatAreSentAreReadLikeThoseOfARecord) {
  const TemporaryFolder folder;
  const Ceilings sent = roofs_called("h200", "gpu");
  nlohmann::json json = ceilings_json(std::vector{sent});
  std::ofstream(folder.path() / "ceilings.json") << json.dump(1);
  const Ceilings taken = roofs_called(folder.path().string(), "gpu");
  EXPECT_EQ(facts_json(taken), facts_json(sent));
  EXPECT_EQ(taken.find("dram")->sweep.size(), sent.find("dram")->sweep.size());
  EXPECT_EQ(taken.from, (folder.path() / "ceilings.json").string());
  const auto refused = [&](const nlohmann::json& wrong) {
    std::ofstream(folder.path() / "ceilings.json") << wrong;
    return thrown<InputError>([&] { roofs_called(folder.path().string(), "gpu"); });
  };
  EXPECT_TRUE(contains(refused(nlohmann::json::object()), "no roofs are in it; name a study of"));
  json["gpu"]["list"][0]["measured"] = -1;
  EXPECT_TRUE(contains(refused(json), "ceilings.json: ceilings.gpu.list[0].measured: -1 is out"));
}

TEST(Roofs, OfAFolderAreThoseOfItsOneRecord) {
  const TemporaryFolder folder;
  const auto refused = [](const fs::path& name, const std::string& kind = "gpu") {
    return thrown<InputError>([&] { roofs_called(name.string(), kind); });
  };
  const fs::path results = fs::path(GPP_SOURCE_DIR) / "results";
  EXPECT_EQ(roofs_called((results / "h100/gpp214").string(), "gpu").device,
            "NVIDIA H100 80GB HBM3");
  EXPECT_TRUE(contains(refused(results / "h200"), "h200: none of study.json, profile.json"));
  EXPECT_TRUE(contains(refused(results / "h200/again"), "no roofs are in it"));
  EXPECT_TRUE(
      contains(refused(results / "xeon-2-cores/silicon8"), "another maker's device, Intel"));
  EXPECT_TRUE(contains(refused("h100", "amd"), "another maker's device, NVIDIA H100"));
  std::ofstream(folder.path() / "study.json") << "{}";
  std::ofstream(folder.path() / "profile.json") << "{}";
  EXPECT_TRUE(contains(refused(folder.path()), "study.json and profile.json are in this folder"));
}

TEST(Roofs, TellWhichThereAreWhereANameIsUnknown) {
  const std::string said = thrown<InputError>([] { roofs_called("h10", "gpu"); });
  EXPECT_TRUE(contains(said, "did you mean 'h100'? Known: v100, mi250x, h100, h200.")) << said;
}

}  // namespace
}  // namespace roofline::test
