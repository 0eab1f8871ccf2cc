// Reading the sources of variants.
#include <gtest/gtest.h>
#include <fstream>

#include "gpp/study/kernel.h"
#include "harness/program/embedded.h"
#include "harness/program/source_files.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
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
  EXPECT_EQ(text_of(tree / "none"), "");
  EXPECT_TRUE(source_text("variants/serial/v01_collapse3.cpp").has_value());
  EXPECT_FALSE(source_text("variants/serial/v99_nothing.cpp").has_value());
}

TEST_F(SourceFiles, FindsAndRenamesIdentifiersAndFindsForms) {
  const std::set<std::string> names = identifiers_in(
      "int a1 = b_c + 2; // not_me\n/* nor me\n nor_me */ d(\"in \\\" text\", e); x_kernel<f>;");
  EXPECT_EQ(names, (std::set<std::string>{"int", "a1", "b_c", "2", "d", "e", "x_kernel", "f"}));
  EXPECT_TRUE(identifiers_in("\"open").empty());
  EXPECT_TRUE(identifiers_in("/* open").empty());
  EXPECT_EQ(
      with_renamed_identifiers("gpp::a(ab, x.a, \"a\");  // a\n/* a */ b::a", {{"a", "mine"}}),
      "mine(ab, x.mine, \"a\");  // a\n/* a */ b::mine");
  const Variant mine = variant_in_file("variants/omp/mine.cpp", "omp");
  const std::string code =
      "#include \"gpp/forms/power2.h\"\n#include \"gpp/variant.h\"\n"
      "#include \"variants/omp/mine.h\"\n#include \"variants/omp/lanes.h\"\n";
  EXPECT_EQ(forms_included(code, mine, "gpp/forms"),
            (std::vector<std::string>{"gpp/forms/power2.h", "variants/omp/mine.h"}));
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
  for (const Variant& variant : catalog()) {
    if (variant.id.starts_with("tried_groups_")) continue;  // a family: a file of two
    const Variant read = variant_in_file(variant.source, variant.model);
    EXPECT_EQ(read.id + read.step, variant.id + variant.step);
  }
}

/// The program holds the source of every variant, and what they inline, byte by byte.
TEST_F(SourceFiles, AreEmbeddedInTheProgram) {
  std::multiset<std::string> embedded;
  for (const embedded::File& file : embedded::sources()) {
    const fs::path path = fs::path(GPP_SOURCE_DIR) / file.path;
    ASSERT_TRUE(fs::exists(path)) << path;
    EXPECT_EQ(text_of(path), file.text) << path;
    embedded.insert(std::string(file.path));
  }
  for (const Variant& variant : catalog())
    EXPECT_EQ(embedded.count(variant.source), variant.source.ends_with(".md") ? 0u : 1u)
        << variant.source;
  for (const char* path : {"gpp/array.h", "gpp/complex.h", "gpp/forms/divide.h"})
    EXPECT_EQ(embedded.count(path), 1u) << path;
}

}  // namespace
}  // namespace gpp::test
