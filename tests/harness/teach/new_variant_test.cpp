// Tests of gpp new: names, copies, and the file in the tree; of the outcome of a step beside its
// prediction, and of the parent of a new variant.
#include <nlohmann/json.hpp>

#include "harness/program/source_files.h"
#include "harness/record/derive.h"
#include "harness/teach/new_variant.h"
#include "harness/view/outcome.h"
#include "harness/view/summary.h"
#include "roofline/base/text.h"
#include "tests/harness/fake_runtime.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

/// A tree with a step named like its form, and one that the model lacks.
class NewVariantTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(tree / "gpp" / "forms");
    fs::create_directories(tree / "variants" / "omp");
    write("gpp/forms/power2.h", "#pragma once\ndouble power2(double);  // resident\n");
    write("gpp/forms/divide.h", "#pragma once\n");
    write("variants/omp/v08_power2.cpp", power2_code);
    write("variants/omp/v10_shared_memory.md", "no such idea here\n");
    for (const char* file : {"variants/omp/v08_power2.cpp", "variants/omp/v10_shared_memory.md"})
      variants.push_back(variant_in_file(file, "omp"));
    variants.back().reason = "no such idea here";
    variants.push_back(variant_in_file("variants/cuda/tuned.cu", "cuda"));
    kernel.folder = "variants";
    kernel.forms = "gpp/forms";
    kernel.catalog = []() -> const std::vector<Variant>& { return variants; };
  }
  void TearDown() override { variants.clear(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(tree / name) << text;
  }
  NewVariant plan(const std::string& name, const std::string& parent = "v8") const {
    const auto found = std::ranges::find(variants, parent, &Variant::id);
    return plan_new_variant(kernel, tree, name, *found);
  }
  void refuses(const std::string& name, const std::string& part,
               const std::string& parent = "v8") const {
    EXPECT_TRUE(contains(thrown<roofline::InputError>([&] { plan(name, parent); }), part)) << name;
  }

  const std::string power2_code =
      "// v8, power2: squares.\n//\n// Why.\n\n#include \"gpp/forms/power2.h\"\n\n"
      "void kernel(double power2s) { gpp::power2(power2s); }\n\n"
      "Sums power2(const Problem& problem) { return launch(kernel, power2(1)); }\n";
  TemporaryFolder temporary;
  const fs::path tree = temporary.path();
  static inline std::vector<Variant> variants;
  Kernel kernel;
};

/// Only the function is renamed. Changes in a user's variant must not affect others, so it has its
/// own form, as has a copy of the copy. Members of a family are not copied.
TEST_F(NewVariantTest, AreThoseThatAreKept) {
  const auto told = [](const NewVariant& made) {
    std::string text = "==== " + made.file.string() + "\n" + made.text;
    if (made.form) text += "==== its form " + made.form->file.string() + "\n" + made.form->text;
    return text + (made.shared_form.empty() ? "" : "==== instead of " + made.shared_form + "\n");
  };
  std::string all = told(plan("my_idea"));
  Variant member = variant_in_file("variants/omp/sweep.cpp", "omp");
  member.id = member.step = "sweep_24";
  variants.push_back(member);
  write("variants/omp/sweep.cpp",
        "template <int n>\nvoid sweep(const Arrays&) {}\n\n"
        "GPP_VARIANT(sweep<20>);\nGPP_VARIANT(sweep<24>);\n");
  refuses("my_idea", "does not define a function 'sweep_24(", "sweep_24");
  refuses("sweep_24", "taken by");

  write("gpp/forms/power2.h",
        "// Squares.\n#pragma once\n\n#include \"gpp/forms/pole.h\"\n\nnamespace gpp {\n\n"
        "struct Power2Pole {\n  double a;\n};\n\ninline constexpr double power2_least = 2;\n\n"
        "/// power2 of a pole.\ninline Term<double> power2(Power2Pole pole) { return pole; }\n\n"
        "}  // namespace gpp\n");
  write("variants/omp/v08_power2.cpp",
        "// v8.\n\n#include \"gpp/forms/power2.h\"\n\nnamespace gpp::omp {\n\n"
        "Sums power2(const Problem& problem) { return gpp::power2(Power2Pole{power2_least}); }\n"
        "GPP_VARIANT(power2);\n\n"
        "}  // namespace gpp::omp\n");
  write_new_variant(tree, plan("my_idea"));
  all += told(plan("other_idea"));
  variants.push_back(variant_in_file("variants/omp/my_idea.cpp", "omp"));
  expect_kept("harness/teach/new_variants.txt", all + told(plan("next", "my_idea")));
}

/// A name that the parent already uses is refused, too, because the new function would hide it.
TEST_F(NewVariantTest, RefusesWhatIsNoNameOrTaken) {
  for (const char* name : {"", "Idea", "2nd", "my-idea", "a__b", "_a", "a_", "a b", "../a", "a.b"})
    refuses(name, "not a name");
  refuses(std::string(41, 'a'), "not a name");
  for (const char* name : {"v13", "v13_idea"}) refuses(name, "ladder");
  refuses("launch", "variants/omp/v08_power2.cpp");
  for (const char* name : {"power2s", "kernel", "double", "void"}) refuses(name, "means something");
  EXPECT_NO_THROW(plan("resident"));  // occurs only in the form
  refuses("power2", "taken by v8 of model omp");
  refuses("shared_memory", "taken by v10");
  EXPECT_NO_THROW(plan("tuned"));  // another model may have the same user's name
  refuses("my_idea", "no such idea here", "v10");
  write("variants/omp/v08_power2.cpp", "int power2;\n");
  refuses("my_idea", "does not define a function 'power2(");
}

/// Names that come twice in one program would be ambiguous.
TEST_F(NewVariantTest, SharesAFormThatAHelperIncludesToo) {
  const std::string helper = "variants/omp/helper_of_a_test.h";
  remember_source(helper, "#include \"gpp/forms/power2.h\"\n");
  write("gpp/forms/power2.h", "\nnamespace gpp {\n}  // namespace gpp\n");
  EXPECT_TRUE(plan("my_idea").form.has_value());
  write("variants/omp/v08_power2.cpp", "#include \"" + helper + "\"\n" + power2_code);
  EXPECT_FALSE(plan("my_idea").form.has_value());
}

TEST_F(NewVariantTest, NeverWritesOverAFile) {
  const NewVariant made = plan("my_idea");
  write_new_variant(tree, made);
  EXPECT_TRUE(contains(text_of(tree / made.file), "\n// Made from v8_power2.\n"));
  write("variants/omp/my_idea.cpp", "an afternoon's work");
  EXPECT_THROW(write_new_variant(tree, made), roofline::InputError);
  EXPECT_EQ(text_of(tree / made.file), "an afternoon's work");
  fs::remove_all(tree / "variants" / "omp");
  std::ofstream(tree / "variants" / "omp") << "a file where the folder was";
  EXPECT_TRUE(contains(thrown<roofline::InputError>([&] { write_new_variant(tree, made); }),
                       "my_idea.cpp"));
}

// ---- Outcomes -----------------------------------------------------------------------------------

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
  EXPECT_TRUE(contains(summary(study, false), "the roof of L2 was not measured"));
}

/// In the sample study v1 took 2 s, v7 0.5 s, v8 failed: v7 over v1, v8 over v7, v7 over v8, and v7
/// alone, each with and without a prediction.
std::string told_outcomes(const StudyRecord& study) {
  const std::vector<Result>& all = study.results;
  std::string text;
  for (const Outcome& outcome :
       {outcome_of(study, all[1], &all[0]), outcome_of(study, all[2], &all[1]),
        outcome_of(study, all[1], &all[2]), outcome_of(study, all[1], nullptr)})
    for (const std::optional<double> said : {std::optional<double>(), std::optional(5.0)})
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
    {"within noise", [](StudyRecord& study) {
       study.results[1].samples = {1.6, 1.7, 1.8, 2.4, 3.0};
     }}};

TEST(Outcome, IsTheOneThatIsKept) {
  expect_kept("harness/teach/outcome.txt",
              told_with_changes(sample_study(), outcome_changes, told_outcomes));
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
  Choice parent_if(const std::string& made_from) {
    variants[3].made_from = made_from;
    return parent_of(variants, {&variants[3], &variants[3].builds[0], ""});
  }

  FakeRuntime runtime;
  std::vector<Variant> variants;
};

/// A ladder's step runs alone; `gpp study` shows it beside others.
TEST_F(Parent, IsTheOneTheFileNamesInTheSameModel) {
  const Choice parent = parent_if("v8_power2");
  ASSERT_EQ(parent.variant, &variants[2]);
  EXPECT_EQ(parent.build, &variants[2].builds[0]);
  variants.push_back(variant("v7", "reciprocal", "omp"));
  EXPECT_EQ(parent_of(variants, {&variants[2], &variants[2].builds[0], ""}).variant, nullptr);
  EXPECT_EQ(parent_if("v9_gone").variant, nullptr);
  EXPECT_EQ(parent_if("mine").variant, nullptr);  // a variant is not its own parent
  EXPECT_EQ(parent_if("").variant, nullptr);
}

}  // namespace
}  // namespace gpp::test
