// Tests that the program is rebuilt before it runs an edited variant: a copy of it in a hand-made
// build folder, with a script as CMake.
#include "cli/rebuild.h"

#include <chrono>
#include <fstream>
#include <sstream>

#include "harness/program/source_files.h"
#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

class Rebuild : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root / "src/variants/serial");
    fs::create_directories(root / "src/gpp/forms");
    fs::create_directories(root / "build");
    for (const char* file :
         {"variants/serial/v01_collapse3.cpp", "gpp/forms/divide.h", "gpp/variant.h"}) {
      fs::copy_file(fs::path(GPP_SOURCE_DIR) / file, root / "src" / file);
      set_age(root / "src" / file, std::chrono::hours(2));
    }
    fs::copy_file(GPP_BINARY_DIR "/gpp", root / "build/gpp");
    write("build/CMakeCache.txt",
          "# cache\nCMAKE_HOME_DIRECTORY:INTERNAL=" + (root / "src").string() +
              "\nCMAKE_COMMAND:INTERNAL=" + (root / "cmake").string() + "\n");
    cmake_does("exit 0");
  }

  void write(const char* file, const std::string& text) const {
    std::ofstream(root / file) << text;
  }
  static void set_age(const fs::path& file, std::chrono::seconds age) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - age);
  }
  /// Makes the file newer than the program, whatever the resolution of file times.
  void edit(const char* file) const { set_age(root / "src" / file, -std::chrono::seconds(10)); }
  void cmake_does(const std::string& what) const {
    write("cmake", "#!/bin/sh\necho \"$@\" >> " + (root / "log").string() + "\n" + what + "\n");
    fs::permissions(root / "cmake", fs::perms::owner_all);
  }
  Finished gpp(Texts arguments) const {
    arguments.insert(arguments.begin(), (root / "build/gpp").string());
    return run_program(arguments);
  }
  Finished run(Texts more = {}) const {
    Texts arguments = {"run", "v1", "--model", "serial", "--preset", "tiny", "--repeat", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gpp(arguments);
  }
  /// The number of CMake's calls.
  int builds() const {
    const std::string log = text_of(root / "log");
    return static_cast<int>(std::count(log.begin(), log.end(), '\n'));
  }

  TemporaryFolder temporary;
  const fs::path root = temporary.path();
};

TEST_F(Rebuild, IsDoneOnlyWhereWhatIsAskedForIsOutOfDate) {
  EXPECT_EQ(succeeded(run()).errors, "");
  write("src/variants/serial/mine.cpp", "");
  EXPECT_EQ(run().status, 0) << "another variant";
  edit("variants/serial/v01_collapse3.cpp");
  fs::rename(root / "build/CMakeCache.txt", root / "kept");
  EXPECT_EQ(run().status, 0) << "a program that lies elsewhere";
  EXPECT_EQ(builds(), 0);
  fs::rename(root / "kept", root / "build/CMakeCache.txt");
  fs::remove(root / "src/variants/serial/v01_collapse3.cpp");
  run();
  EXPECT_EQ(builds(), 1) << "it is gone";
}

/// The script builds nothing, so the source stays newer; still only one build and run follow.
TEST_F(Rebuild, BuildsWhatWasEditedOnceAndRunsIt) {
  edit("variants/serial/v01_collapse3.cpp");
  const Finished done = succeeded(run({"--json"}));
  EXPECT_EQ(builds(), 1);
  EXPECT_TRUE(contains(text_of(root / "log"),
                       "--build " + (root / "build").string() + " --target gpp --parallel"));
  EXPECT_TRUE(contains(done.errors, "variants/serial/v01_collapse3.cpp has changed; building"));
  EXPECT_TRUE(contains(done.errors, "gpp: built in "));
  EXPECT_TRUE(done.output.starts_with("{") && contains(done.output, "\"passed\"")) << done.output;
  set_age(root / "src/variants/serial/v01_collapse3.cpp", std::chrono::hours(2));
  edit("gpp/forms/divide.h");
  const Finished form = succeeded(run());
  EXPECT_EQ(builds(), 2);
  EXPECT_TRUE(contains(form.errors, "gpp/forms/divide.h is the arithmetic of serial v1: "));
}

TEST_F(Rebuild, RunsTheProgramThatWasBuilt) {
  const std::string program = (root / "build/gpp").string();
  cmake_does("rm " + program + "; printf '#!/bin/sh\\necho new \"$@\"\\n' > " + program +
             "; chmod +x " + program);
  edit("variants/serial/v01_collapse3.cpp");
  EXPECT_EQ(run().output, "new run v1 --model serial --preset tiny --repeat 1\n");
}

TEST_F(Rebuild, ShowsWhatTheCompilerSaysOrThatThereIsNoCMake) {
  cmake_does(
      "echo '[1/2] Building x.o'; echo 'FAILED: x.o'; echo 'c++ -Dmany -Dflags'; "
      "echo 'x.cpp:3:1: error: oops'; echo 'ninja: build stopped'; exit 1");
  edit("variants/serial/v01_collapse3.cpp");
  const Finished done = ended(run(), 1);
  EXPECT_EQ(done.output, "");
  EXPECT_TRUE(contains(done.errors, "\nx.cpp:3:1: error: oops\ngpp: the sources do not build"));
  for (const char* noise : {"[1/2]", "FAILED", "-Dflags", "ninja:"})
    EXPECT_FALSE(contains(done.errors, noise));
  fs::remove(root / "cmake");
  edit("variants/serial/v01_collapse3.cpp");
  const Finished without = ended(run(), 1);
  EXPECT_TRUE(contains(without.errors, (root / "cmake").string() + " cannot be started"));
  EXPECT_TRUE(contains(without.errors, "--no-build"));
}

TEST_F(Rebuild, CanBeSwitchedOff) {
  EXPECT_EQ(run({"--no-build"}).errors, "");
  edit("variants/serial/v01_collapse3.cpp");
  EXPECT_EQ(
      succeeded(run({"--no-build"})).errors,
      "gpp: variants/serial/v01_collapse3.cpp has changed since this program was built; it runs "
      "as it is (--no-build)\n");
  EXPECT_EQ(builds(), 0);
}

TEST_F(Rebuild, NothingOutOfDateIsRecorded) {
  edit("variants/serial/v01_collapse3.cpp");
  const fs::path folder = root / "study";
  const Finished done = ended(gpp({"study", "--no-build", "--model", "serial", "--preset", "tiny",
                                   "--ceilings", "off", "-o", folder.string()}),
                              1);
  EXPECT_TRUE(contains(done.errors, "v01_collapse3.cpp has changed since"));
  EXPECT_TRUE(contains(done.errors, "nothing was run"));
  EXPECT_EQ(builds(), 0);
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(Rebuild, BuildsWhatTheProgramDoesNotKnowYetAndInvitesToIt) {
  write("src/variants/serial/mine.cpp", "");
  const Finished done = gpp({"run", "mine", "--preset", "tiny"});
  EXPECT_EQ(builds(), 1);
  EXPECT_EQ(done.status, 2);  // because the script built nothing
  EXPECT_TRUE(contains(done.errors, "variants/serial/mine.cpp has changed; building"));
  EXPECT_TRUE(contains(done.errors, "unknown variant 'mine'"));
  const Finished made = succeeded(gpp({"new", "other", "--from", "v1", "--model", "serial"}));
  const std::string text = text_of(root / "src/variants/serial/other.cpp");
  EXPECT_TRUE(contains(text, "\n// Made from v1_collapse3.\n"));
  EXPECT_TRUE(contains(text, "Sums other(const Problem& problem) {"));
  EXPECT_TRUE(contains(made.output, "build/gpp run other\n"));
  refused(gpp({"new", "other", "--from", "v1", "--model", "serial"}), {"taken"});
}

TEST_F(Rebuild, IsDoneForStudiesToo) {
  const Texts study = {"study", "--model", "serial", "--preset", "tiny", "--repeat", "1", "-o"};
  const auto into = [&](const char* folder, Texts more = {}) {
    Texts arguments = study;
    arguments.push_back((root / folder).string());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gpp(arguments).status;
  };
  EXPECT_EQ(into("a"), 0);
  EXPECT_EQ(builds(), 0);
  edit("variants/serial/v01_collapse3.cpp");
  EXPECT_EQ(into("b"), 0);
  EXPECT_EQ(builds(), 1);
  EXPECT_EQ(into("c", {"--only", "v1"}), 0);
  EXPECT_EQ(builds(), 2);
  fs::last_write_time(root / "build/gpp", fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(into("d", {"--no-build"}), 0);
  EXPECT_EQ(builds(), 2);
}

/// Otherwise CMake would wait for a file that the build writes, and build with a list that still
/// contains a deleted variant.
TEST(BuildTree, CMakeLooksWhichFilesThereAreBeforeAnythingIsBuilt) {
  std::ifstream file(GPP_BINARY_DIR "/build.ninja");
  if (!file) GTEST_SKIP() << "this tree is not built by Ninja";
  std::string line;
  constexpr const char* rule = ": RERUN_CMAKE ";
  while (std::getline(file, line) && line.find(rule) == std::string::npos) continue;
  ASSERT_TRUE(contains(line, rule));
  std::istringstream inputs(line.substr(line.find(rule) + std::string(rule).size()));
  int seen = 0;
  for (std::string input; inputs >> input; ++seen) {
    if (input == "|") continue;
    const std::string in_build = fs::path(input).is_absolute()
                                     ? fs::relative(input, GPP_BINARY_DIR).generic_string()
                                     : input;
    EXPECT_TRUE(in_build.starts_with("../") || in_build.starts_with("CMake")) << input;
  }
  EXPECT_GT(seen, 20);
}

TEST(CompilerMessages, AreSaidOnceAndWithoutWhatBuildToolsPrint) {
  const std::string other = "a.cpp:1: error: x\n  [ here ]\nmake: *** [gpp] Error 1\n";
  EXPECT_EQ(compiler_messages(other), other) << "of other tools";
  const std::string failed = "[1/3] Building\nFAILED: x.o\ng++ x.cpp\nx.cpp:1: error: no\n";
  EXPECT_EQ(compiler_messages("-- GLOB mismatch!\n-- Configuring done\n" + failed + failed +
                              "ninja: build stopped\n"),
            "x.cpp:1: error: no\n");
}

}  // namespace
}  // namespace gpp::test
