// The cache of roofs: its place, and the reasons to measure anew.
#include "roofline/ceilings/cache.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// Counts how often it is asked to measure.
class FakeBenchmarks : public roofline::Benchmarks {
 public:
  std::string unavailable() const override { return reason; }
  roofline::DeviceIdentity identity() const override { return device; }
  roofline::Ceilings measure(const roofline::Progress& progress) const override {
    ++measured;
    if (progress) progress("all", 0.5);
    roofline::Ceilings ceilings;
    ceilings.device = device.name;
    ceilings.kind = device.kind;
    ceilings.driver = device.driver;
    ceilings.seconds = measured;
    roofline::Ceiling l1{"l1", "L1", roofline::CeilingKind::bandwidth, 3e13, 3.3e13, 1980, "", {}};
    l1.sweep = {{16384, 3e13}};
    ceilings.list = {{"fp64_fma", "FP64", roofline::CeilingKind::compute, 3e13, {}, 0, "", {}}, l1};
    ceilings.missing = {{"l3", "it has none"}};
    return ceilings;
  }

  std::vector<roofline::Ceiling> look() const override {
    roofline::Ceiling fma{"fp64_fma", "", roofline::CeilingKind::compute, seen, {}, 0, "", {}};
    roofline::Ceiling l3{"l3", "", roofline::CeilingKind::bandwidth, 1e12, {}, 0, "", {}};
    return {fma, l3};
  }

  double used_by_others() const override { return others; }

  double others = std::nan("");
  double seen = 2e13;  ///< by a look, which noise made smaller
  roofline::DeviceIdentity device = {"A Device (R) 200", "gpu", "CUDA 13.0", "132 SMs"};
  std::string reason;
  mutable int measured = 0;
};

class CeilingsCache : public testing::Test {
 protected:
  KnownCeilings known(bool fresh = false) const { return known_ceilings(fake, folder, fresh); }

  gpp::test::TemporaryFolder temporary;
  const fs::path folder = temporary / "ceilings";  // made by the first that needs it
  FakeBenchmarks fake;
};

TEST_F(CeilingsCache, KeepsNothingThatWasMeasuredBesideAnotherProgram) {
  fake.others = 0.3;
  EXPECT_THROW(known(), std::runtime_error);
  fake.others = 0.01;
  EXPECT_TRUE(known().measured);
  fake.others = 0.3;
  EXPECT_FALSE(known().measured) << "what was measured alone stays";
}

TEST_F(CeilingsCache, MeasuresOnceAndRemembersEverything) {
  const KnownCeilings first = known();
  EXPECT_TRUE(first.measured);
  EXPECT_EQ(first.not_kept, "");
  EXPECT_TRUE(fs::exists(first.file));
  EXPECT_FALSE(first.ceilings.created.empty());
  const KnownCeilings second = known();
  EXPECT_FALSE(second.measured);
  EXPECT_EQ(fake.measured, 1);
  EXPECT_EQ(second.ceilings.created, first.ceilings.created);
  EXPECT_EQ(second.ceilings.device, "A Device (R) 200");
  EXPECT_EQ(second.ceilings.kind, "gpu");
  EXPECT_EQ(second.ceilings.driver, "CUDA 13.0");
  EXPECT_EQ(second.ceilings.seconds, 1);
  ASSERT_NE(second.ceilings.find("l1"), nullptr);
  EXPECT_EQ(second.ceilings.find("l1")->sweep.at(0).bytes, 16384);
  EXPECT_EQ(second.ceilings.find("l1")->theoretical, 3.3e13);
  EXPECT_FALSE(second.ceilings.find("fp64_fma")->theoretical);
  EXPECT_EQ(second.ceilings.missing.at(0).name, "l3");
}

TEST_F(CeilingsCache, FreshMeasuresAgainAndReplaces) {
  known();
  EXPECT_TRUE(known(true).measured);
  EXPECT_EQ(fake.measured, 2);
  EXPECT_EQ(known().ceilings.seconds, 2);
}

TEST_F(CeilingsCache, RoofsThatALookContradictsAreMeasuredAnew) {
  known();
  EXPECT_FALSE(known().measured) << "a third less is noise";
  for (const double seen : {3e11, 3e15}) {
    fake.seen = seen;
    EXPECT_TRUE(known().measured) << seen;
  }
}

TEST_F(CeilingsCache, AnotherDeviceOrDriverIsMeasured) {
  known();
  for (auto part : {&roofline::DeviceIdentity::name, &roofline::DeviceIdentity::driver,
                    &roofline::DeviceIdentity::detail}) {
    fake.device.*part += " new";
    EXPECT_TRUE(known().measured);
    EXPECT_FALSE(known().measured);
  }
}

TEST_F(CeilingsCache, AFileOfAnotherDeviceUnderTheSameNameIsNotBelieved) {
  known();
  fake.device.name = "A Device [R] 200";  // the same letters and digits
  EXPECT_TRUE(known().measured);
}

TEST_F(CeilingsCache, WhatCannotBeReadIsMeasuredAnew) {
  const fs::path file = known().file;
  const std::string text = gpp::test::file_text(file);
  int measured = fake.measured;
  const std::string older = [&] {
    std::string changed = text;
    return changed.replace(changed.find("\"revision\""), 10, "\"revisiom\"");
  }();
  const std::string broken = [&] {
    std::string changed = text;
    return changed.replace(changed.find("\"sweep\""), 7, "\"swoop\"");
  }();
  for (const std::string& damaged :
       {std::string(), std::string("{}"), std::string("[1, 2]"), std::string("null"),
        text.substr(0, text.size() / 2), older, broken}) {
    std::ofstream(file) << damaged;
    EXPECT_TRUE(known().measured) << damaged;
    EXPECT_EQ(fake.measured, ++measured);
    EXPECT_FALSE(known().measured) << "not repaired";
  }
}

TEST_F(CeilingsCache, AFolderThatCannotBeWrittenIsSaid) {
  std::ofstream(folder.string()) << "a file where the folder should be";
  const KnownCeilings here = known();
  EXPECT_TRUE(here.measured);
  EXPECT_NE(here.not_kept.find(folder.filename().string()), std::string::npos) << here.not_kept;
  const KnownCeilings nowhere = known_ceilings(fake, {}, false);
  EXPECT_TRUE(nowhere.file.empty());
  EXPECT_NE(nowhere.not_kept.find("HOME"), std::string::npos);
}

TEST_F(CeilingsCache, AnAbsentDeviceIsTheReasonAndNothingElse) {
  known();
  fake.reason = "no device here";
  EXPECT_EQ(gpp::test::thrown<std::runtime_error>([&] { known(); }), "no device here");
}

TEST_F(CeilingsCache, FollowsTheXdgRules) {
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(cache_folder(), "/somewhere/roofline");
  setenv("XDG_CACHE_HOME", "relative", 1);  // to be ignored, says the specification
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(cache_folder(), "/home/someone/.cache/roofline");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(cache_folder(), "/home/someone/.cache/roofline");
  unsetenv("HOME");
  EXPECT_EQ(cache_folder(), "");
}

}  // namespace
}  // namespace roofline
