// A new variant beside its parent.
#include "harness/teach/beside_parent.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/harness/fake_runtime.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

TEST(Against, ShowsTheSpeedTheRoofAndTheVerdict) {
  const StudyRecord study = sample_study();  // v1 in 2 s, v7 in 0.5 s at 94% of the l1 roof
  const std::string text = against_parent(study, study.results[1], study.results[0]);
  EXPECT_TRUE(contains_all(text, {"4.00x", "94%", "v7 is faster"}));
  EXPECT_LT(text.find("v1 collapse3"), text.find("v7 reciprocal"));
  EXPECT_TRUE(contains(against_parent(study, study.results[0], study.results[1]), "v1 is slower"));
  EXPECT_TRUE(contains(against_parent(study, study.results[0], study.results[0]), "within noise"));
}

TEST(Against, DrawsThePointsOfAChildThatHasOne) {
  StudyRecord study = sample_study();
  study.results.erase(study.results.begin() + 2, study.results.end());
  const Result& child = study.results[1];
  const std::string text = drawn_against_parent(study, child, {});
  EXPECT_TRUE(contains_all(text, {"Roofline of", "FLOP per byte"}));
  study.results[1].rooflines.clear();
  EXPECT_EQ(drawn_against_parent(study, child, {}), "");
}

TEST(Against, AFailedVariantHasNoSpeedAndFewRunsDecideNothing) {
  const StudyRecord study = sample_study();
  const std::string text = against_parent(study, study.results[2], study.results[1]);
  EXPECT_TRUE(contains(text, "v8 is not comparable: v8 did not pass"));
  EXPECT_FALSE(contains(text, "1.25x"));
  const auto json = against_parent_json(study, study.results[2], study.results[1]);
  EXPECT_TRUE(json["factor"].is_null());
  EXPECT_EQ(json["remark"], "v8 did not pass");
  EXPECT_TRUE(
      against_parent_json(study, study.results[1], study.results[2])["terms_per_s"].is_null());
  StudyRecord few = study;
  few.results[1].samples.resize(4);
  const auto undecided = against_parent_json(few, few.results[1], few.results[0]);
  EXPECT_EQ(undecided["verdict"], "undecided");
  EXPECT_GT(undecided["factor"], 3.9);
}

class Parent : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(tree / "variants" / "omp");
    for (const char* model : {"cuda", "omp"}) {
      Variant power2 = variant("v8", "power2", model);
      variants.push_back(power2);
      variants.push_back(variant("mine", "mine", model));
    }
  }
  Variant variant(const char* id, const char* step, const char* model) {
    Variant made;
    made.id = id;
    made.step = step;
    made.model = model;
    made.source = std::string("variants/omp/") + step + ".cpp";
    made.builds = {{"host", Call(), &runtime}};
    return made;
  }
  Choice parent_if(const std::string& text) {
    std::ofstream(tree / "variants" / "omp" / "mine.cpp") << text;
    return parent_of(variants, tree, {&variants[3], &variants[3].builds[0], ""});
  }

  FakeRuntime runtime;
  test::TemporaryFolder temporary;
  const fs::path tree = temporary.path();
  std::vector<Variant> variants;
};

TEST_F(Parent, IsTheOneTheFileNamesInTheSameModel) {
  const Choice parent = parent_if("// mine: x\n// Made from v8_power2.\n");
  ASSERT_EQ(parent.variant, &variants[2]);
  EXPECT_EQ(parent.build, &variants[2].builds[0]);
}

/// A step of the ladder runs alone: `gpp study` shows it beside the others.
TEST_F(Parent, IsNobodyForStepsAndWhereTheFileNamesNone) {
  variants.push_back(variant("v7", "reciprocal", "omp"));
  EXPECT_EQ(parent_of(variants, tree, {&variants[2], &variants[2].builds[0], ""}).variant, nullptr);
  EXPECT_EQ(parent_if("// mine: x\n").variant, nullptr);
  EXPECT_EQ(parent_if("// Made from v9_gone.\n").variant, nullptr);
  EXPECT_EQ(parent_if("// Made from mine.\n").variant, nullptr);  // not of itself
  EXPECT_EQ(parent_of(variants, tree / "nowhere", {&variants[3], nullptr, ""}).variant, nullptr);
}

}  // namespace
}  // namespace gpp::test
