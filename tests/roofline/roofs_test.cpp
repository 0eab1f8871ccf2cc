// Tests of named roofs: published ones, those of measured GPUs, files and folders. Tests of the
// cache of measured roofs: its place, and reasons to measure again.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "roofline/base/text.h"
#include "roofline/ceilings/measure.h"
#include "roofline/import/import.h"
#include "roofline/json.h"
#include "roofline/points.h"
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

/// NVIDIA's data sheet tells of three cards, and not of L1 and L2, which are left out and told.
TEST(Roofs, OfAnA100AreThoseOfItsDataSheet) {
  const std::pair<const char*, double> cards[] = {{"NVIDIA A100-SXM4-40GB", 1555e9},
                                                  {"NVIDIA A100-PCIE-40GB", 1555e9},
                                                  {"NVIDIA A100 80GB PCIe", 1935e9},
                                                  {"NVIDIA A100-SXM4-80GB", 2039e9}};
  for (const auto& [device, bandwidth] : cards) {
    const auto roofs = published_roofs(published_name(device, "gpu"));
    ASSERT_TRUE(roofs) << device;
    EXPECT_EQ(roofs->find("dram")->measured, bandwidth) << device;
    EXPECT_EQ(roofs->find("fp64_fma")->measured, 9700e9);
    EXPECT_TRUE(contains(roofs->device, "data sheet: no L1, shared memory and L2"));
    const Metrics metrics = {
        {"fp64_flop", 1e9}, {"l1_bytes", 1e9}, {"l2_sm_bytes", 1e9}, {"dram_bytes", 1e9}};
    const auto placed = roofline_points(metrics, 1e-3, CountedBy::cupti, *roofs).points;
    ASSERT_EQ(placed.size(), 1u);
    EXPECT_EQ(placed.front().levels.size(), 1u);
  }
  for (const char* other : {"NVIDIA A100-SXM4-40GB MIG 1g.5gb", "NVIDIA A10", "NVIDIA A100X"})
    EXPECT_EQ(published_name(other, "gpu"), "") << other;
}

/// The requirements for measured GPUs are in docs/roofline.md.
TEST(Roofs, OfMeasuredCardsAreWhole) {
  int measured = 0;
  for (const std::string& name : published_names()) {
    const Ceilings card = *published_roofs(name);
    if (card.from.empty()) continue;
    ++measured;
    EXPECT_TRUE(card.from.starts_with("results/" + name + "/")) << card.from;
    EXPECT_EQ(published_name(card.device, "gpu"), name) << "one record of each card";
    for (const std::string& told : {card.device, card.driver, card.created})
      EXPECT_FALSE(told.empty()) << name;
    const auto has_or_misses = [&](const std::string& roof) {
      return card.find(roof) != nullptr ||
             std::ranges::find(card.missing, roof, &Missing::name) != card.missing.end();
    };
    for (const Model& model : table_of("gpu").models)
      EXPECT_TRUE(has_or_misses(model.peak)) << name << " " << model.peak;
    for (const Level& level : table_of("gpu").levels)
      EXPECT_TRUE(has_or_misses(level.roof)) << name << " " << level.roof;
    double largest = 0;
    for (const Ceiling& roof : card.list) {
      SCOPED_TRACE(name + " " + roof.name);
      EXPECT_FALSE(roof.definition.empty());
      EXPECT_LE(roof.measured, 1.05 * roof.theoretical.value_or(roof.measured));
      if (roof.sweep.empty()) continue;
      for (const SweepPoint& point : roof.sweep) {
        EXPECT_GT(point.bytes, largest);
        largest = point.bytes;
      }
      const auto [least, most] = std::ranges::minmax(roof.sweep, {}, &SweepPoint::rate);
      EXPECT_GE(roof.measured, least.rate) << "it follows from its sweep";
      EXPECT_LE(roof.measured, most.rate);
    }
    EXPECT_FALSE(card.find("dram")->sweep.empty()) << name;
  }
  EXPECT_GE(measured, 2);
}

/// The output of `roofline ceilings --json` is read with its sweeps, and checked.
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
  EXPECT_TRUE(contains(refused(nlohmann::json::object()), "no roofs of a device of this maker"));
  json["gpu"]["list"][0]["measured"] = -1;
  EXPECT_TRUE(contains(refused(json), "ceilings.json: ceilings.gpu.list[0].measured: -1 is out"));
}

TEST(Roofs, OfAFolderAreThoseOfItsOneRecordAndOfTheSameMaker) {
  const TemporaryFolder folder;
  for (const char* name : {"study.json", "profile.json"}) std::ofstream(folder / name) << "{}";
  const std::string results = GPP_SOURCE_DIR "/results/";
  EXPECT_EQ(roofs_called(results + "h100/gpp214", "gpu").device, "NVIDIA H100 80GB HBM3");
  const std::tuple<std::string, const char*, const char*> wrong[] = {
      {results + "h200", "gpu", "h200: name one file in this folder"},
      {results + "h200/again", "gpu", "no roofs of a device"},
      {results + "xeon-2-cores/silicon8", "gpu", "no roofs of a device of this maker"},
      {"h100", "amd", "no roofs of a device of this maker"},
      {folder.path(), "gpu", "name one file in this folder"},
      {"h10", "gpu", "unknown device 'h10'. Known: v100, mi250x, a100, "},
      {"h800", "gpu", "unknown device 'h800'"}};
  for (const auto& [name, kind, told] : wrong)
    EXPECT_TRUE(contains(
        thrown<InputError>([&name = name, kind = kind] { roofs_called(name, kind); }), told));
}

/// Counts the requests to measure.
struct FakeBenchmarks : Benchmarks {
  FakeBenchmarks() {
    unavailable = [this] { return reason; };
    identity = [this] { return device; };
    used_by_others = [this] { return others; };
    add_ceilings = [this](Ceilings& ceilings, const Progress& progress) {
      ++measured;
      if (progress) progress("all", 0.5);
      ceilings.list = {{"fp64_fma", "FP64", CeilingKind::compute, 3e13, {}, 0, "", {}},
                       {"l1", "L1", CeilingKind::bandwidth, 3e13, 3.3e13, 1980, "", {}}};
      ceilings.list.back().sweep = {{16384, 3e13}};
      ceilings.missing = {{"l3", "it has none"}};
    };
  }

  double others = std::nan("");
  DeviceIdentity device = {"A Device (R) 200", "gpu", "CUDA 13.0", "132 SMs"};
  std::string reason;
  int measured = 0;
};
class CeilingsCache : public testing::Test {
 protected:
  Ceilings known(bool fresh = false) const { return known_ceilings(fake, folder, fresh); }
  /// Whether the device is measured, and its roofs are found the next time.
  bool is_measured_once() const {
    const int before = fake.measured;
    known();
    known();
    return fake.measured == before + 1;
  }

  gpp::test::TemporaryFolder temporary;
  const fs::path folder = temporary / "ceilings";  // a folder created on first use
  FakeBenchmarks fake;
};

TEST_F(CeilingsCache, KeepsNothingThatWasMeasuredBesideAnotherProgram) {
  fake.others = 0.3;
  EXPECT_THROW(known(), std::runtime_error);
  fake.others = 0.01;
  EXPECT_TRUE(is_measured_once());
  fake.others = 0.3;
  known();
  EXPECT_EQ(fake.measured, 2) << "what was measured alone stays";
  fake.reason = "no device here";
  EXPECT_EQ(thrown<std::runtime_error>([&] { known(); }), "no device here");
}

TEST_F(CeilingsCache, MeasuresOnceAndRemembersEverythingUntilAsked) {
  const Ceilings first = known(), second = known();
  EXPECT_EQ(fake.measured, 1);
  EXPECT_FALSE(first.created.empty());
  EXPECT_EQ(facts_json(second), facts_json(first));
  EXPECT_EQ(second.kind, "gpu");
  EXPECT_EQ(second.find("l1")->sweep.at(0).bytes, 16384);
  EXPECT_EQ(second.missing.at(0).name, "l3");
  known(true);
  EXPECT_EQ(fake.measured, 2);
}

TEST_F(CeilingsCache, AnotherDeviceOrDriverOrWhatCannotBeReadIsMeasuredAnew) {
  known();
  for (auto part : {&DeviceIdentity::name, &DeviceIdentity::driver, &DeviceIdentity::detail}) {
    fake.device.*part += " new";
    EXPECT_TRUE(is_measured_once());
  }
  fs::remove_all(folder);
  EXPECT_TRUE(is_measured_once());
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string text = gpp::test::file_text(entry.path());
    const auto without = [&text](const std::string& key) {
      std::string changed = text;
      return changed.replace(changed.find(key), key.size(), std::string(key.size(), 'x'));
    };
    for (const std::string& damaged : {std::string(), std::string("{}"), std::string("[1, 2]"),
                                       std::string("null"), text.substr(0, text.size() / 2),
                                       without("revision"), without("sweep"), without("132 SMs")}) {
      std::ofstream(entry.path()) << damaged;
      EXPECT_TRUE(is_measured_once()) << damaged;
    }
  }
}

TEST_F(CeilingsCache, AFolderThatCannotBeWrittenIsSaid) {
  std::ofstream(folder.string()) << "a file where the folder should be";
  testing::internal::CaptureStderr();
  known();
  known_ceilings(fake, {}, false);
  EXPECT_TRUE(contains_all(testing::internal::GetCapturedStderr(),
                           {"measured anew each time", folder.filename().string(), "HOME"}));
  EXPECT_EQ(fake.measured, 2);
}

TEST_F(CeilingsCache, FollowsTheXdgRules) {
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(cache_folder(), "/somewhere/roofline");
  setenv("XDG_CACHE_HOME", "relative", 1);  // relative paths must be ignored
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(cache_folder(), "/home/someone/.cache/roofline");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(cache_folder(), "/home/someone/.cache/roofline");
  unsetenv("HOME");
  EXPECT_EQ(cache_folder(), "");
}

}  // namespace
}  // namespace roofline::test
