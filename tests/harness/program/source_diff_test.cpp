// Tests of variants' sources and their differences to the previous step's; of what a build embeds:
// the sources, and their revision (cmake/revision.cmake).
#include <fmt/ranges.h>
#include <cstdio>
#include <set>
#include <tuple>

#include "gpp/study/kernel.h"
#include "harness/program/source_diff.h"
#include "harness/program/source_files.h"
#include "tests/finished.h"
#include "tests/harness/kept_text.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

/// Applies the diff; every line that it removes or keeps must be in its place.
std::string applied(const std::vector<DiffLine>& diff, const std::string& before) {
  const Texts lines = lines_of(before);
  std::string after;
  std::size_t at = 0;
  for (const DiffLine& line : diff) {
    if (line.kind == '@') {
      unsigned first = 0;
      std::sscanf(line.text.c_str(), "@@ -%u", &first);
      while (at + 1 < first && at < lines.size()) after += lines[at++] + "\n";
    } else if (line.kind == '+') {
      after += line.text + "\n";
    } else if (at >= lines.size() || lines[at] != line.text) {
      ADD_FAILURE() << "line " << at + 1 << " is not '" << line.text << "'";
      return after;
    } else {
      if (line.kind == ' ') after += lines[at] + "\n";
      ++at;
    }
  }
  while (at < lines.size()) after += lines[at++] + "\n";
  return after;
}

/// v1, v9 and v11 of OpenMP, which has no v10, and a user's variant; v10 and v11 of CUDA.
std::vector<Variant> sample() {
  std::vector<Variant> made;
  for (const auto& [id, step, model, file] : {std::tuple("v1", "first", "omp", "omp/v01_first.cpp"),
                                              {"v9", "ninth", "omp", "omp/v09_ninth.cpp"},
                                              {"v10", "tenth", "omp", "omp/v10_tenth.md"},
                                              {"v11", "eleventh", "omp", "omp/v11_eleventh.cpp"},
                                              {"my_idea", "my_idea", "omp", "omp/my_idea.cpp"},
                                              {"v10", "tenth", "cuda", "cuda/v10_tenth.cu"},
                                              {"v11", "eleventh", "cuda", "cuda/v11_eleventh.cu"}})
    made.push_back({id, step, model, std::string("variants/") + file, {}, ""});
  return made;
}

const Variant& step_of(const std::string& model, const std::string& id) {
  for (const Variant& variant : catalog())
    if (variant.model == model && variant.id == id) return variant;
  throw std::logic_error("no step " + id);
}

/// The predecessor is the previous step in the same model, if the model has it; for a user's
/// variant, the parent that its source names. A cycle ends.
TEST(Predecessor, IsTheStepBeforeOrTheOneThatTheSourceNames) {
  std::vector<Variant> all = sample();
  for (const auto& [of, named, place] : {std::tuple(0u, "", -1),
                                         {1u, "", 0},
                                         {6u, "", 5},
                                         {3u, "", 1},
                                         {4u, "", -1},
                                         {4u, "v9_ninth", 1},
                                         {4u, "v9", 1},
                                         {4u, "v99_gone", -1},
                                         {4u, "my_idea", -1},
                                         {1u, "v9_ninth", -1}}) {
    all[of].made_from = named;
    EXPECT_EQ(predecessor(all, all[of]),
              place < 0 ? nullptr : &all[static_cast<std::size_t>(place)])
        << of << named;
  }
  EXPECT_EQ(step_of("cuda", "tutorial_3_reciprocal").made_from, "tutorial_2_iw_outside");
}

/// A variant without a number lies between two steps.
TEST(Predecessor, IsWhereTheWayToAStepBegins) {
  for (const char* model : {"cuda", "omp"}) {
    EXPECT_EQ(predecessor(catalog(), step_of(model, "v9"))->id, "v8") << model;
    EXPECT_EQ(predecessor(catalog(), step_of(model, "between_9b_block_size"))->id,
              "between_9a_shape");
  }
  EXPECT_EQ(predecessor(catalog(), step_of("cuda", "v11"))->id, "v10");
  EXPECT_EQ(predecessor(catalog(), step_of("omp", "v11"))->id, "v9");
}

TEST(SourceDiff, OfEveryNeighbourIsThereAndApplies) {
  int diffs = 0;
  for (const Variant& after : catalog()) {
    const Variant* before = predecessor(catalog(), after);
    if (before == nullptr || after.source.ends_with(".md")) continue;
    const std::vector<FileDiff> changed = source_diff(gpp_kernel(), after);
    ASSERT_FALSE(changed.empty()) << after.source;
    EXPECT_EQ(changed[0].before, before->source);
    for (const FileDiff& diff : changed) {
      EXPECT_FALSE(diff.lines.empty()) << diff.after;
      EXPECT_EQ(applied(diff.lines, source_text(diff.before).value_or("")),
                source_text(diff.after).value_or(""));
      ++diffs;
    }
  }
  EXPECT_GE(diffs, 20);
}

/// The added lines of code, without comments.
std::set<std::string> code_that_came(const FileDiff& diff) {
  std::set<std::string> code;
  for (const DiffLine& line : diff.lines) {
    const std::size_t first = line.text.find_first_not_of(' ');
    if (line.kind != '+' || first == std::string::npos) continue;
    const std::string text = line.text.substr(first);
    if (!text.starts_with("//")) code.insert(text);
  }
  return code;
}

/// v10 keeps v9's blocks. Kernels have the same name in all steps, so that names do not appear as
/// differences. v13 and v14 also run other steps' kernels, so theirs have distinct names in
/// profiles.
TEST(SourceDiff, OfStepsHoldsNoMoreThanTheirIdea) {
  std::string came;
  for (const auto& [model, id] :
       {std::pair("cuda", "v7"), {"cuda", "v8"}, {"cuda", "v10"}, {"omp", "v7"}, {"omp", "v8"}})
    for (const FileDiff& diff : source_diff(gpp_kernel(), step_of(model, id)))
      came += fmt::format("==== {}\n{}\n", diff.after, fmt::join(code_that_came(diff), "\n"));
  expect_kept("harness/program/ideas.txt", came);
  for (const Variant& variant : catalog()) {
    if (variant.model != "cuda" || number_of(variant.id) >= 13) continue;
    for (const FileDiff& diff : source_diff(gpp_kernel(), variant))
      for (const std::string& line : code_that_came(diff))
        EXPECT_EQ(line.find("_kernel("), std::string::npos) << diff.after << ": " << line;
  }
}

std::string numbered(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(LineDiff, ReadsLikeDiffUAndIsAsShortAsItCanBe) {
  std::string five = numbered(1, 9), text;
  five.replace(five.find('5'), 1, "five");
  const std::string many = numbered(1, 30);
  for (const auto& [before, after] :
       {std::pair(numbered(1, 9), five),
        {many, numbered(2, 29)},
        {many, "0\n" + many},
        {many, ""},
        {many, many},
        {"", ""},
        {"{\nx\n}\n", "{\nx\n}\n{\ny\n}\n"},
        {"a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n"}}) {  // the last from Myers's paper
    const std::vector<DiffLine> diff = unified_diff(before, after);
    EXPECT_EQ(applied(diff, before), after);
    text += "====\n";
    for (const DiffLine& line : diff) text += fmt::format("{}{}\n", line.kind, line.text);
  }
  expect_kept("harness/program/diffs.txt", text);
}

// ---- Files --------------------------------------------------------------------------------------

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

TEST_F(SourceFiles, FindsForms) {
  const Variant mine = variant_in_file("variants/omp/mine.cpp", "omp");
  const std::string code =
      "#include \"gpp/forms/power2.h\"\n#include \"gpp/variant.h\"\n"
      "#include \"variants/omp/mine.h\"\n#include \"variants/omp/lanes.h\"\n";
  EXPECT_EQ(forms_included(code, mine, "gpp/forms"),
            (std::vector<std::string>{"gpp/forms/power2.h", "variants/omp/mine.h"}));
}

TEST_F(SourceFiles, NamesVariantsByTheirFiles) {
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
    if (variant.id.starts_with("tried_groups_")) continue;  // a family: one file, two variants
    const Variant read = variant_in_file(variant.source, variant.model);
    EXPECT_EQ(read.id + read.step, variant.id + variant.step);
  }
}

// ---- What a build embeds ------------------------------------------------------------------------

TEST(BuildRevision, IsTheOneOfTheBuildAndUnknownWithoutGit) {
  const TemporaryFolder folder;
  const auto in_tree = [&folder](const std::string& command) {
    const std::string output =
        roofline::run_program({"sh", "-c", "cd $0 && " + command, (folder / "tree").string()})
            .output;
    return output.substr(0, output.find('\n'));
  };
  const std::string commit =
      "git add . && git -c user.name=a -c user.email=a commit -q -m x && git rev-parse HEAD";
  const auto written = [&folder](const std::string& git = "git") {
    succeeded(roofline::run_program(
        {"cmake", "-DGIT=" + git, "-DSOURCE_DIR=" + (folder / "tree").string(),
         "-DTEMPLATE=" + (folder / "template").string(), "-DOUTPUT=" + (folder / "output").string(),
         "-P", GPP_SOURCE_DIR "/cmake/revision.cmake"}));
    const std::string text = file_text(folder / "output");
    return text.substr(0, text.find('\n'));
  };
  std::ofstream(folder / "template") << "@GPP_GIT_REVISION@ @GPP_GIT_DIRTY@";
  fs::create_directory(folder / "tree");
  const std::string first = in_tree("git init -q && echo one > source && " + commit);
  if (first.empty()) GTEST_SKIP() << "git is not here";
  EXPECT_EQ(written(), first + " 0");
  in_tree("echo two > source");
  EXPECT_EQ(written(), first + " 1");
  const std::string second = in_tree(commit);
  EXPECT_NE(second, first);
  EXPECT_EQ(written(), second + " 0");
  EXPECT_EQ(written("GIT_EXECUTABLE-NOTFOUND"), "unknown 1");
}

/// The program contains the sources of all variants and of what they inline, byte by byte.
TEST(Embedded, HoldsTheSourcesOfAllVariants) {
  std::multiset<std::string> embedded;
  for (const embedded::File& file : gpp_kernel().sources) {
    const fs::path path = fs::path(GPP_SOURCE_DIR) / file.path;
    ASSERT_TRUE(fs::exists(path)) << path;
    EXPECT_EQ(test::file_text(path), file.text) << path;
    embedded.insert(std::string(file.path));
  }
  for (const Variant& variant : catalog())
    EXPECT_EQ(embedded.count(variant.source), 1u) << variant.source;
  for (const char* path : {"gpp/array.h", "gpp/complex.h", "gpp/forms/divide.h"})
    EXPECT_EQ(embedded.count(path), 1u) << path;
}

}  // namespace
}  // namespace gpp::test
