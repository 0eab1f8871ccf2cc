// Tests of what a build embeds: the sources, and their revision (cmake/revision.cmake).
#include <filesystem>
#include <fstream>
#include <set>

#include "gpp/study/kernel.h"
#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

class BuildRevision : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "template") << "@GPP_GIT_REVISION@ @GPP_GIT_DIRTY@";
    fs::create_directory(tree_);
    if (git({"init", "-q"}).status != 0) GTEST_SKIP() << "git is not here";
    commit("one");
  }

  roofline::Finished git(std::vector<std::string> arguments) const {
    std::vector<std::string> command = {"git",         "-C", tree_.string(), "-c",
                                        "user.name=a", "-c", "user.email=a"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return roofline::run_program(command);
  }
  void edit(const std::string& text) const { std::ofstream(tree_ / "source") << text; }
  void commit(const std::string& text) const {
    edit(text);
    git({"add", "."});
    ASSERT_EQ(git({"commit", "-q", "-m", text}).status, 0);
  }
  std::string head() const {
    const std::string output = git({"rev-parse", "HEAD"}).output;
    return output.substr(0, output.find('\n'));
  }
  /// The text that a build writes now.
  std::string written(const std::string& git = "git") const {
    const fs::path output = folder_ / "output";
    succeeded(roofline::run_program({"cmake", "-DGIT=" + git, "-DSOURCE_DIR=" + tree_.string(),
                                     "-DTEMPLATE=" + (folder_ / "template").string(),
                                     "-DOUTPUT=" + output.string(), "-P",
                                     GPP_SOURCE_DIR "/cmake/revision.cmake"}));
    std::ifstream file(output);
    std::string line;
    std::getline(file, line);
    return line;
  }

 private:
  test::TemporaryFolder folder_;
  fs::path tree_ = folder_ / "tree";
};

TEST_F(BuildRevision, IsTheOneOfTheBuildAndUnknownWithoutGit) {
  const std::string first = head();
  EXPECT_EQ(written(), first + " false");
  edit("two");
  EXPECT_EQ(written(), first + " true");
  commit("two");
  EXPECT_NE(head(), first);
  EXPECT_EQ(written(), head() + " false");
  EXPECT_EQ(written("GIT_EXECUTABLE-NOTFOUND"), "unknown true");
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
    EXPECT_EQ(embedded.count(variant.source), variant.source.ends_with(".md") ? 0u : 1u)
        << variant.source;
  for (const char* path : {"gpp/array.h", "gpp/complex.h", "gpp/forms/divide.h"})
    EXPECT_EQ(embedded.count(path), 1u) << path;
}

}  // namespace
}  // namespace gpp
