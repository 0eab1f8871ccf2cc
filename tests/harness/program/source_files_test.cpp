// Reading the sources of variants.
#include "harness/program/source_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "gpp/study/kernel.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

class SourceFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(tree / "gpp" / "forms"); }
  fs::path write(const char* name, const std::string& text) const {
    std::ofstream(tree / name) << text;
    return tree / name;
  }

  test::TemporaryFolder temporary;
  const fs::path tree = temporary.path();
};

TEST_F(SourceFiles, FollowsIncludesOfTheTreeOnce) {
  const fs::path a = write("a.cpp", "#include <vector>\n  #  include \"gpp/b.h\"\n");
  const fs::path b = write("gpp/b.h", "#include \"gpp/forms/c.h\"\n#include \"not/here.h\"\n");
  const fs::path c = write("gpp/forms/c.h", "#include \"gpp/b.h\"\n");
  write("gpp/other.h", "");
  EXPECT_EQ(with_included_files(tree, {a}), (std::set<fs::path>{a, b, c}));
}

TEST_F(SourceFiles, AFileThatCannotBeReadIsEmpty) { EXPECT_EQ(text_of(tree / "none"), ""); }

TEST_F(SourceFiles, FindsIdentifiersInCodeOnly) {
  const std::set<std::string> names = identifiers_in(
      "int a1 = b_c + 2; // not_me\n/* nor me\n nor_me */ d(\"in \\\" text\", e); x_kernel<f>;");
  EXPECT_EQ(names, (std::set<std::string>{"int", "a1", "b_c", "2", "d", "e", "x_kernel", "f"}));
  EXPECT_TRUE(identifiers_in("\"open").empty());
  EXPECT_TRUE(identifiers_in("/* open").empty());
}

TEST_F(SourceFiles, NamesVariantsAsCMakeDoes) {
  const Variant step = variant_in_file("variants/omp/v08_power2.cpp", "omp");
  EXPECT_EQ(step.id, "v8");
  EXPECT_EQ(step.step, "power2");
  EXPECT_EQ(step.source, "variants/omp/v08_power2.cpp");
  EXPECT_EQ(label_of(step), "v8_power2");
  const Variant own = variant_in_file("variants/omp/vector.cpp", "omp");
  EXPECT_EQ(own.id, "vector");
  EXPECT_EQ(own.step, "vector");
  EXPECT_EQ(label_of(own), "vector");
}

TEST_F(SourceFiles, FindsTheFormsOfAVariant) {
  const Variant mine = variant_in_file("variants/omp/mine.cpp", "omp");
  const std::string code =
      "#include \"gpp/forms/power2.h\"\n#include \"gpp/variant.h\"\n"
      "#include \"variants/omp/mine.h\"\n#include \"variants/omp/lanes.h\"\n";
  EXPECT_EQ(forms_included(code, mine, "gpp/forms"),
            (std::vector<std::string>{"gpp/forms/power2.h", "variants/omp/mine.h"}));
}

TEST_F(SourceFiles, RenamesIdentifiersAndNothingElse) {
  EXPECT_EQ(
      with_renamed_identifiers("gpp::a(ab, x.a, \"a\");  // a\n/* a */ b::a", {{"a", "mine"}}),
      "mine(ab, x.mine, \"a\");  // a\n/* a */ b::mine");
}

/// The names CMake gave agree with those read here.
TEST_F(SourceFiles, AgreesWithTheCatalog) {
  for (const Variant& variant : catalog()) {
    const Variant read = variant_in_file(variant.source, variant.model);
    if (variant.id.starts_with("tried_groups_")) continue;  // a family: a file of two
    EXPECT_EQ(read.id, variant.id);
    EXPECT_EQ(read.step, variant.step);
  }
}

}  // namespace
}  // namespace gpp
