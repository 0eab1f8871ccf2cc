// Tests of the outcome of a step beside its prediction, and of the parent of a new variant.
#include <gtest/gtest.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/program/source_files.h"
#include "harness/record/derive.h"
#include "harness/view/outcome.h"
#include "harness/view/summary.h"
#include "tests/harness/fake_runtime.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

TEST(Speedup, IsANumberThatAStepCanReach) {
  EXPECT_EQ(speedup_in("1.8"), 1.8);
  EXPECT_EQ(speedup_in("1.8x"), 1.8);
  for (const char* bad : {"", "nan", "inf", "-inf", "-1", "0", "1e999", "1e5", "1,8", "fast",
                          "1.8 ", "1.8xx", "x", "0x10"})
    EXPECT_FALSE(speedup_in(bad).has_value()) << bad;
}

TEST(Outcome, WhereARoofIsMissingItSaysWhich) {
  StudyRecord study = roofline_study();
  ASSERT_FALSE(study.results.empty());
  study.results = {study.results.back()};
  Result& result = study.results.front();
  ASSERT_EQ(result.kind, "host");
  result.counted.source = roofline::CountedBy::cupti;
  result.counted.metrics = {
      {"fp64_flop", 1e12}, {"l1_bytes", 1e11}, {"l2_bytes", 1e11}, {"dram_bytes", 1e11}};
  derive(study);
  EXPECT_NE(result.roofline(), nullptr);
  for (roofline::Ceilings& one : study.ceilings)
    std::erase_if(one.list, [](const roofline::Ceiling& roof) { return roof.name == "l2"; });
  derive(study);
  ASSERT_EQ(result.roofline(), nullptr);
  EXPECT_EQ(outcome_of(study, result, nullptr).why_held_back,
            "it has no place on the roofline: the roof of L2 was not measured");
  EXPECT_TRUE(contains(summary(study, false), "because the roof of L2 was not measured."));
}

/// In the sample study v1 took 2 s, v7 0.5 s, v8 failed: v7 over v1, v8 over v7, v7 over v8, and v7
/// alone, each with and without a prediction.
std::string told_outcomes(const StudyRecord& study) {
  const std::vector<Result>& all = study.results;
  std::string text;
  for (const Outcome& outcome :
       {outcome_of(study, all[1], &all[0]), outcome_of(study, all[2], &all[1]),
        outcome_of(study, all[1], &all[2]), outcome_of(study, all[1], nullptr)})
    for (const Prediction& said : {Prediction{}, Prediction{5.0, "dram"}})
      text += text_of(said, outcome, 300) + to_json(said, outcome).dump() + "\n";
  return text;
}

const std::vector<Change<StudyRecord>> outcome_changes = {
    {"nothing more is known",
     [](StudyRecord& study) {
       study.results[1].rooflines.front().percent_of_roof = 10;
       study.results[1].counted.metrics.clear();
     }},
    {"not timed", [](StudyRecord& study) { study.results[1].samples.clear(); }},
    {"others disturbed",
     [](StudyRecord& study) {
       study.results[0].load.assign(5, {0.3, 0.0});
     }},
    {"few runs", [](StudyRecord& study) { study.results[1].samples.resize(4); }},
    {"within noise",
     [](StudyRecord& study) {
       study.results[1].samples = {1.6, 1.7, 1.8, 2.4, 3.0};
     }},
    {"registers of both", [](StudyRecord& study) {
       study.results[0].launches = {{"v1", 1, 128, 88, 0, 0, 0.31}};
       study.results[1].launches = {{"sums", 1, 128, 16, 0, 0, 1}, {"v7", 1, 128, 92, 0, 0, 0.25}};
     }}};

TEST(Outcome, IsTheOneThatIsKept) {
  expect_kept("harness/teach/outcome.txt",
              told_with_changes(sample_study(), outcome_changes, told_outcomes));
  const std::vector<std::string> words = words_for("host");
  EXPECT_EQ(std::count(words.begin(), words.end(), "no roof near"), 0);
}

// ---- Beside the parent --------------------------------------------------------------------------

class Parent : public testing::Test {
 protected:
  void SetUp() override {
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
    made.source = std::string("variants/") + model + "/" + step + "_of_a_test.cpp";
    made.builds = {{"host", Call(), &runtime}};
    return made;
  }
  Choice parent_if(const std::string& text) {
    remember_source(variants[3].source, text);
    return parent_of(variants, {&variants[3], &variants[3].builds[0], ""});
  }

  FakeRuntime runtime;
  std::vector<Variant> variants;
};

/// A ladder's step runs alone; `gpp study` shows it beside others.
TEST_F(Parent, IsTheOneTheFileNamesInTheSameModel) {
  const Choice parent = parent_if("// mine: x\n// Made from v8_power2.\n");
  ASSERT_EQ(parent.variant, &variants[2]);
  EXPECT_EQ(parent.build, &variants[2].builds[0]);
  variants.push_back(variant("v7", "reciprocal", "omp"));
  EXPECT_EQ(parent_of(variants, {&variants[2], &variants[2].builds[0], ""}).variant, nullptr);
  EXPECT_EQ(parent_if("// mine: x\n").variant, nullptr);
  EXPECT_EQ(parent_if("// Made from v9_gone.\n").variant, nullptr);
  EXPECT_EQ(parent_if("// Made from mine.\n").variant, nullptr);  // a variant is not its own parent
  EXPECT_EQ(parent_if("").variant, nullptr);
}

}  // namespace
}  // namespace gpp::test
