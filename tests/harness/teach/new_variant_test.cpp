// Tests of gpp new: names, copies, and the file in the tree.
#include "harness/teach/new_variant.h"

#include <fstream>

#include "harness/program/source_files.h"
#include "roofline/base/error.h"
#include "tests/harness/kept_text.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

bool says_made_from(const std::string& text, const std::string& label) {
  return text.find("\n// Made from " + label + ".\n") != std::string::npos;
}

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

/// Only the function is renamed. A member of a family becomes a separate function in which the
/// number is a constant. Changes in a user's variant must not affect others, so it has its own
/// form, as has a copy of the copy.
TEST_F(NewVariantTest, AreThoseThatAreKept) {
  const auto told = [](const NewVariant& made) {
    std::string text = "==== " + made.file.string() + "\n" + made.text;
    if (made.form) text += "==== its form " + made.form->file.string() + "\n" + made.form->text;
    return text + (made.shared_form.empty() ? "" : "==== instead of " + made.shared_form + "\n");
  };
  std::string all = told(plan("my_idea"));
  EXPECT_EQ(told(plan("my_idea", "power2")), all) << "by the parent's step";
  write("variants/omp/sweep.cpp",
        "// sweep_N: N at a time.\n\nnamespace gpp::omp {\n\ntemplate <int fmas>\n"
        "void sweep(const Arrays& arrays) {\n  sum<fmas>(arrays);\n}\n\n// Each is a variant.\n"
        "GPP_VARIANT(sweep<20>);\nGPP_VARIANT(sweep<24>);\n\n"
        "}  // namespace gpp::omp\n");
  Variant member = variant_in_file("variants/omp/sweep.cpp", "omp");
  member.id = member.step = "sweep_24";
  variants.push_back(member);
  all += told(plan("my_idea", "sweep_24"));
  for (const char* taken : {"sweep_24", "sweep"}) refuses({taken, "v8", "omp"}, "taken by");

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
TEST_F(NewVariantTest, RefusesWhatIsNoName) {
  for (const char* name : {"", "Idea", "2nd", "my-idea", "a__b", "_a", "a_", "a b", "../a", "a.b"})
    refuses({name, "v8", "omp"}, "not a name");
  for (const char* name : {"v13", "v13_idea"}) refuses({name, "v8", "omp"}, "ladder");
  for (const char* name : {"while", "xor_eq", "alignas", "main", "errno"})
    refuses({name, "v8", "omp"}, "for itself");
  refuses({std::string(41, 'a'), "v8", "omp"}, "longer than 40");
  refuses({"launch", "v8", "omp"}, "variants/omp/v08_power2.cpp");
  for (const char* name : {"power2s", "kernel"}) refuses({name, "v8", "omp"}, "means something");
  EXPECT_NO_THROW(plan("resident"));  // occurs only in a comment
}

TEST_F(NewVariantTest, RefusesWhatIsTakenAndParentsThatAreNotThere) {
  refuses({"power2", "v8", "omp"}, "taken by v8 of model omp");
  refuses({"shared_memory", "v8", "omp"}, "taken by v10");
  write("variants/omp/unbuilt.cpp", "");
  refuses({"unbuilt", "v8", "omp"}, "unbuilt.cpp");
  write("variants/omp/lanes.h", "");  // its form would be here
  refuses({"lanes", "v8", "omp"}, "lanes.h");
  write("variants/omp/v20_later.cpp", "");
  refuses({"later", "v8", "omp"}, "v20_later.cpp");
  refuses({"divide", "v8", "omp"}, "gpp/forms/divide.h");
  EXPECT_NO_THROW(plan("tuned"));  // another model may have the same user's name
  variants.push_back(variant_in_file("variants/omp/deleted.cpp", "omp"));
  EXPECT_NO_THROW(plan("deleted")) << "its file is gone, though the program still knows it";
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
