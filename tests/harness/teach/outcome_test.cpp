// Tests of a step's outcome and its prediction, and of a new variant beside its parent.
#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/record/derive.h"
#include "harness/teach/beside_parent.h"
#include "harness/teach/outcome.h"
#include "harness/view/summary.h"
#include "tests/harness/fake_runtime.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"
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
    {"others disturbed", [](StudyRecord& study) {
       study.results[0].load.assign(5, {0.3, 0.0});
     }}};

TEST(Outcome, IsTheOneThatIsKept) {
  expect_kept("harness/teach/outcome.txt",
              told_with_changes(sample_study(), outcome_changes, told_outcomes));
  const std::vector<std::string> words = words_for("host");
  EXPECT_EQ(std::count(words.begin(), words.end(), "no roof near"), 0);
}

// ---- Beside the parent --------------------------------------------------------------------------

namespace fs = std::filesystem;

/// v1 in 2 s, v7 in 0.5 s at 94% of the l1 roof, v8 failed; all pairs, and v7 with few runs.
TEST(Against, IsTheOneThatIsKept) {
  const StudyRecord study = sample_study();
  std::string text;
  const auto tell = [&](const Result& child, const Result& parent) {
    text += against_parent(study, child, parent) +
            against_parent_json(study, child, parent).dump() + "\n\n";
  };
  for (std::size_t child : {0, 1, 2})
    for (std::size_t parent : {0, 1, 2}) tell(study.results[child], study.results[parent]);
  Result few = study.results[1];
  few.samples.resize(4);
  tell(few, study.results[0]);
  expect_kept("harness/teach/against_parent.txt", text);
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

/// A ladder's step runs alone; `gpp study` shows it beside others.
TEST_F(Parent, IsTheOneTheFileNamesInTheSameModel) {
  const Choice parent = parent_if("// mine: x\n// Made from v8_power2.\n");
  ASSERT_EQ(parent.variant, &variants[2]);
  EXPECT_EQ(parent.build, &variants[2].builds[0]);
  variants.push_back(variant("v7", "reciprocal", "omp"));
  EXPECT_EQ(parent_of(variants, tree, {&variants[2], &variants[2].builds[0], ""}).variant, nullptr);
  EXPECT_EQ(parent_if("// mine: x\n").variant, nullptr);
  EXPECT_EQ(parent_if("// Made from v9_gone.\n").variant, nullptr);
  EXPECT_EQ(parent_if("// Made from mine.\n").variant, nullptr);  // a variant is not its own parent
  EXPECT_EQ(parent_of(variants, tree / "nowhere", {&variants[3], nullptr, ""}).variant, nullptr);
}

}  // namespace
}  // namespace gpp::test
