// gpp new: names, copies, and the file in the tree.
#include "harness/teach/new_variant.h"

#include <fstream>

#include "harness/program/source_files.h"
#include "roofline/base/error.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

bool says_made_from(const std::string& text, const std::string& label) {
  return text.find("\n// Made from " + label + ".\n") != std::string::npos;
}

/// A tree with a step that has the form's name, and one that the model lacks.
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
  }
  void TearDown() override { fs::permissions(tree / "variants" / "omp", fs::perms::owner_all); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(tree / name) << text;
  }
  NewVariant plan(const std::string& name, const std::string& parent = "v8",
                  const std::string& model = "omp") const {
    return plan_new_variant(variants, tree, {name, parent, model});
  }
  void refuses(const NewVariantRequest& request, const std::string& part) const {
    EXPECT_TRUE(contains(
        thrown<roofline::InputError>([&] { plan_new_variant(variants, tree, request); }), part));
  }

  const std::string power2_code =
      "// v8, power2: squares.\n//\n// Why.\n\n#include \"gpp/forms/power2.h\"\n\n"
      "void kernel(double power2s) { gpp::power2(power2s); }\n\n"
      "Sums power2(const Problem& problem) { return launch(kernel, power2(1)); }\n";
  TemporaryFolder temporary;
  const fs::path tree = temporary.path();
  std::vector<Variant> variants;
};

TEST_F(NewVariantTest, RenamesTheFunctionAndNothingElse) {
  const NewVariant made = plan("my_idea");
  EXPECT_EQ(made.file, fs::path("variants/omp/my_idea.cpp"));
  EXPECT_TRUE(made.text.starts_with("// my_idea: ")) << made.text;
  EXPECT_TRUE(says_made_from(made.text, "v8_power2")) << made.text;
  EXPECT_EQ(made.text.substr(made.text.find("\n\n")),
            "\n\n#include \"gpp/forms/power2.h\"\n\n"
            "void kernel(double power2s) { gpp::power2(power2s); }\n\n"
            "Sums my_idea(const Problem& problem) { return launch(kernel, power2(1)); }\n");
}

/// A member of a family becomes a function of its own, for which the number is a constant.
TEST_F(NewVariantTest, TakesOneMemberOutOfAFamily) {
  write("variants/omp/sweep.cpp",
        "// sweep_N: N at a time.\n\nnamespace gpp::omp {\n\ntemplate <int fmas>\n"
        "void sweep(const Arrays& arrays) {\n  sum<fmas>(arrays);\n}\n\n// Each is a variant.\n"
        "template void sweep<20>(const Arrays&);\ntemplate void sweep<24>(const Arrays&);\n\n"
        "}  // namespace gpp::omp\n");
  Variant member = variant_in_file("variants/omp/sweep.cpp", "omp");
  member.id = member.step = "sweep_24";
  variants.push_back(member);
  const NewVariant made = plan("my_idea", "sweep_24");
  EXPECT_TRUE(says_made_from(made.text, "sweep_24")) << made.text;
  EXPECT_EQ(made.text.substr(made.text.find("\n\n")),
            "\n\nnamespace gpp::omp {\n\nvoid my_idea(const Arrays& arrays) {\n"
            "  constexpr int fmas = 24;\n  sum<fmas>(arrays);\n}\n\n}  // namespace gpp::omp\n");
  refuses({"sweep_24", "v8", "omp"}, "taken by");
  refuses({"sweep", "v8", "omp"}, "taken by");
}

/// Editing the arithmetic of one's own variant must change no other's.
TEST_F(NewVariantTest, GivesItAFormOfItsOwn) {
  write("gpp/forms/power2.h",
        "// Squares.\n#pragma once\n\n#include \"gpp/forms/pole.h\"\n\nnamespace gpp {\n\n"
        "struct Power2Pole {\n  double a;\n};\n\ninline constexpr double power2_least = 2;\n\n"
        "/// power2 of a pole.\ninline Term<double> power2(Power2Pole pole) { return pole; }\n\n"
        "}  // namespace gpp\n");
  write("variants/omp/v08_power2.cpp",
        "// v8.\n\n#include \"gpp/forms/power2.h\"\n\nnamespace gpp::omp {\n\n"
        "Sums power2(const Problem& problem) { return gpp::power2(Power2Pole{power2_least}); }\n\n"
        "}  // namespace gpp::omp\n");
  const NewVariant made = plan("my_idea");
  const std::string own = "variants/omp/my_idea.h";
  EXPECT_TRUE(contains(made.text, "#include \"" + own + "\"\n"));
  EXPECT_FALSE(contains(made.text, "gpp/forms/power2.h"));
  EXPECT_TRUE(contains(made.text,
                       "Sums my_idea(const Problem& problem) { return "
                       "my_idea_term(MyIdeaPole{my_idea_least}); }"));
  ASSERT_TRUE(made.form.has_value());
  EXPECT_EQ(made.form->file, fs::path(own));
  const std::string form = made.form->text;
  EXPECT_TRUE(form.starts_with("// The arithmetic of my_idea, and of nothing else")) << form;
  EXPECT_TRUE(contains_all(
      form, {"namespace gpp::omp {", "struct MyIdeaPole {", "double my_idea_least = 2;",
             "inline Term<double> my_idea_term(MyIdeaPole pole)", "}  // namespace gpp::omp"}));

  write_new_variant(tree, made);
  EXPECT_TRUE(fs::exists(tree / own));
  variants.push_back(variant_in_file("variants/omp/my_idea.cpp", "omp"));
  const NewVariant next = plan("next", "my_idea");
  ASSERT_TRUE(next.form.has_value()) << "a child's child has its own, too";
  EXPECT_EQ(next.shared_form, own);
  EXPECT_TRUE(contains_all(next.form->text, {"struct NextPole {", "next_term(NextPole pole)"}));
}

TEST_F(NewVariantTest, TakesTheParentByStepAndByName) {
  EXPECT_EQ(plan("my_idea", "power2").text, plan("my_idea", "v8").text);
  write_new_variant(tree, plan("my_idea"));
  variants.push_back(variant_in_file("variants/omp/my_idea.cpp", "omp"));
  EXPECT_TRUE(says_made_from(plan("next", "my_idea").text, "my_idea"));
  EXPECT_TRUE(contains(plan("next", "my_idea").text, "Sums next(const Problem& problem)"));
}

/// Nor a name by which the parent means something, which the new function would hide.
TEST_F(NewVariantTest, RefusesWhatIsNoName) {
  for (const char* name : {"", "Idea", "2nd", "my-idea", "a__b", "_a", "a_", "a b", "../a", "a.b"})
    refuses({name, "v8", "omp"}, "not a name");
  for (const char* name : {"v13", "v13_idea"}) refuses({name, "v8", "omp"}, "ladder");
  for (const char* name : {"while", "xor_eq", "alignas", "main", "errno"})
    refuses({name, "v8", "omp"}, "for itself");
  refuses({std::string(41, 'a'), "v8", "omp"}, "longer than 40");
  refuses({"launch", "v8", "omp"}, "variants/omp/v08_power2.cpp");
  for (const char* name : {"power2s", "kernel"}) refuses({name, "v8", "omp"}, "means something");
  EXPECT_NO_THROW(plan("resident"));  // stands in a comment only
}

TEST_F(NewVariantTest, RefusesWhatIsTaken) {
  refuses({"power2", "v8", "omp"}, "taken by v8 of model omp");
  refuses({"shared_memory", "v8", "omp"}, "taken by v10");
  write("variants/omp/unbuilt.cpp", "");
  refuses({"unbuilt", "v8", "omp"}, "unbuilt.cpp");
  write("variants/omp/lanes.h", "");  // where its form would lie
  refuses({"lanes", "v8", "omp"}, "lanes.h");
  write("variants/omp/v20_later.cpp", "");
  refuses({"later", "v8", "omp"}, "v20_later.cpp");
  refuses({"divide", "v8", "omp"}, "gpp/forms/divide.h");
  EXPECT_NO_THROW(plan("tuned"));  // a name of one's own may have a twin in another model
  variants.push_back(variant_in_file("variants/omp/deleted.cpp", "omp"));
  EXPECT_NO_THROW(plan("deleted")) << "its file is gone, though the program still knows it";
}

TEST_F(NewVariantTest, RefusesParentsThatAreNotThereOrDefineSomethingElse) {
  refuses({"my_idea", "v9", "omp"}, "unknown variant of model omp 'v9'");
  refuses({"my_idea", "v8", "om"}, "unknown model 'om'; did you mean 'omp'?");
  refuses({"my_idea", "v10", "omp"}, "no such step: no such idea here");
  write("variants/omp/v08_power2.cpp", "int power2;\n");
  refuses({"my_idea", "v8", "omp"}, "does not define a function 'power2(");
  fs::remove(tree / "variants/omp/v08_power2.cpp");
  refuses({"my_idea", "v8", "omp"}, "cannot be read");
  refuses({"my_idea", "tuned", "cuda"}, "not there");
}

TEST_F(NewVariantTest, NeverWritesOverAFile) {
  const NewVariant made = plan("my_idea");
  write_new_variant(tree, made);
  EXPECT_TRUE(says_made_from(text_of(tree / made.file), "v8_power2"));
  write("variants/omp/my_idea.cpp", "an afternoon's work");
  EXPECT_THROW(write_new_variant(tree, made), roofline::InputError);
  EXPECT_EQ(text_of(tree / made.file), "an afternoon's work");
  fs::remove_all(tree / "variants" / "omp");
  std::ofstream(tree / "variants" / "omp") << "a file where the folder was";
  EXPECT_TRUE(contains(thrown<roofline::InputError>([&] { write_new_variant(tree, made); }),
                       "my_idea.cpp: cannot be written"));
}

}  // namespace
}  // namespace gpp::test
