// Tests of variants that are compiled at run time. The program is copied without its
// source tree; beside it are its headers, as in an installation.
#include <future>

#include "harness/program/source_files.h"
#include "tests/cli/command_line.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

class Plugins : public CommandLine {
 protected:
  void SetUp() override {
    fs::create_directories(folder / "bin");
    fs::create_directories(headers);
    fs::copy_file(GPP_BINARY_DIR "/gpp", folder / "bin/gpp");
    fs::copy_file(GPP_BINARY_DIR "/plugin_stamp.txt", headers / "plugin_stamp.txt");
    for (const char* room : {"roofline", "runtimes", "gpp", "variants", "harness", "examples"})
      fs::create_directory_symlink(fs::path(GPP_SOURCE_DIR) / room, headers / room);
    fs::create_directory(here);
  }
  Finished installed(Texts arguments) const {
    const Texts start = {"env", "-C", here.string(),
                         "XDG_CACHE_HOME=" + cache.parent_path().parent_path().string(),
                         (folder / "bin/gpp").string()};
    arguments.insert(arguments.begin(), start.begin(), start.end());
    return run_program(arguments);
  }
  Finished run(const std::string& what, Texts more = {}) const {
    Texts arguments = {"run", what,         "--preset", "tiny",       "--repeat",
                       "1",   "--counters", "off",      "--ceilings", "off"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return installed(arguments);
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((here / name).parent_path());
    std::ofstream(here / name) << text;
  }
  /// Writes a variant of the model serial with the given lines.
  void write_variant(const std::string& name, const std::string& body,
                     const std::string& before = "") const {
    write(name + "/" + name + ".cpp", "#include \"gpp/variant.h\"\nnamespace gpp {" + before +
                                          "}\nnamespace gpp::serial {\nSums " + name +
                                          "(const Problem& problem) {\n" + body + "\n}\n}\n");
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> libraries;
    for (const fs::directory_entry& entry : fs::directory_iterator(cache))
      libraries.push_back(entry.path());
    return libraries;
  }
  void refuses_to_run(const std::string& what, const Texts& parts, int status) const {
    const Finished done = run(what);
    EXPECT_EQ(done.status, status) << what << "\n" << done.errors;
    EXPECT_TRUE(contains_all(done.errors, parts)) << what;
    EXPECT_EQ(done.output, "") << what;
  }

  const fs::path headers = folder / "include/gpp-study", here = folder / "here";
  const fs::path cache = folder / "cache/gpp/plug-ins";
};

TEST_F(Plugins, AreMadeRunCheckedAndStudiedWhereTheUserIs) {
  EXPECT_TRUE(
      contains(succeeded(installed({"new", "my_idea", "--from", "v1", "--model", "serial"})).output,
               "gpp run my_idea/"));
  const fs::path source = here / "my_idea/my_idea.cpp";
  ASSERT_TRUE(fs::exists(source));
  EXPECT_TRUE(contains(text_of(here / "my_idea/my_idea.h"), "my_idea_term"));

  EXPECT_TRUE(contains(succeeded(run("my_idea/", {"-o", "results"})).errors,
                       "my_idea/my_idea.cpp compiled in"));
  ASSERT_EQ(kept().size(), 1u);
  EXPECT_EQ(fs::status(cache).permissions(), fs::perms::owner_all);
  const StudyRecord record = read_record(here / "results");
  ASSERT_EQ(record.results.size(), 2u) << "its parent is missing";
  ASSERT_EQ(record.results.front().variant, "my_idea");
  EXPECT_EQ(record.results.front().parent, "v1");
  EXPECT_EQ(record.results.front().sources.size(), 2u);

  // The library is kept for all callers, also child processes, and for a name without a slash.
  EXPECT_FALSE(contains(succeeded(installed({"check", "my_idea", "--only", "one_band"})).errors,
                        "compiled"));
  EXPECT_EQ(kept().size(), 1u);

  // The record holds the source as it ran, without later edits.
  std::ofstream(source, std::ios::app) << "#error here it ends\n";
  refuses_to_run("my_idea/", {"here it ends", "does not compile, see above; nothing was run"}, 1);
  EXPECT_EQ(kept().size(), 1u);
  fs::remove_all(source.parent_path());
  succeeded(installed({"report", "results", "-o", "shown"}));
  const std::string page = text(here / "shown/report.html");
  EXPECT_TRUE(page.find("my_idea/my_idea.cpp") != page.npos) << "the report lacks its source";
  EXPECT_TRUE(page.find("here it ends") == page.npos);
}

TEST_F(Plugins, RefuseLibrariesOfOtherVersionsAndWhatIsCutOff) {
  write_variant("wrong", "(void)problem; return {};");
  EXPECT_FALSE(contains(ended(run("wrong"), 1).errors, "loaded"));
  const fs::path library = kept().at(0);
  const std::string whole = text_of(library), mark = "the stamp of a plug-in of gpp: ";
  std::string other = whole;
  ASSERT_NE(other.find(mark), std::string::npos);
  other[other.find(mark) + mark.size()] ^= 1;
  std::ofstream(library, std::ios::binary) << other;
  refuses_to_run("wrong", {"compiled against another version of gpp"}, 1);
  std::ofstream(library, std::ios::binary) << whole.substr(0, 100);
  refuses_to_run("wrong", {"it is no plug-in of gpp, or was cut off"}, 1);
  std::ofstream(headers / "plugin_stamp.txt") << std::string(64, '0') << "\n";
  refuses_to_run("wrong", {"headers of another version of gpp"}, 1);
  fs::remove(headers / "plugin_stamp.txt");
  refuses_to_run("wrong", {"the headers of gpp, which are not in"}, 1);
}

TEST_F(Plugins, SayWhatASourceLacks) {
  refuses_to_run("nowhere/", {"nowhere/: there is no such file or folder"}, 2);
  fs::create_directory(here / "empty");
  refuses_to_run("empty", {"no source (.cpp or .cu) of a variant lies there"}, 2);
  write("two/a.cpp", "//\n");
  write("two/b.cu", "//\n");
  refuses_to_run("two/", {"2 sources lie there, a.cpp and b.cu: name one of them"}, 2);
  refuses_to_run("two/a.cpp", {"it opens no namespace of a model"}, 2);
  write("v3/v3.cpp", "namespace gpp::omp {\n");
  refuses_to_run("v3/", {"no number of the ladder"}, 2);
  write("no_function/no_function.cpp", "namespace gpp::omp {\n");
  refuses_to_run("no_function/", {"the function no_function is missing"}, 2);
  write_variant("collapse3", "return {};");
  refuses_to_run("collapse3/", {"model serial has a variant collapse3 already"}, 2);
  write_variant("calls", "return nobody_defines(problem);", "Sums nobody_defines(const Problem&);");
  refuses_to_run("calls/", {"it uses gpp::nobody_defines(gpp::Problem const&), which neither"}, 1);
}

/// Both processes compile the plug-in, and either result is complete.
TEST_F(Plugins, AreCompiledByTwoAtATime) {
  write_variant("wrong", "(void)problem; return {};");
  std::vector<std::future<Finished>> both;
  for (int i = 0; i < 2; ++i)
    both.push_back(std::async(std::launch::async, [this] { return run("wrong"); }));
  for (std::future<Finished>& one : both) {
    const Finished done = one.get();
    EXPECT_TRUE(contains(done.output, "wrong")) << done.errors;
  }
  EXPECT_EQ(kept().size(), 1u);
}

/// A cache that others can write to must not hold code to be run.
TEST_F(Plugins, AreKeptWhereNobodyElseWrites) {
  fs::create_directories(cache);
  fs::permissions(cache, fs::perms::all);
  write_variant("wrong", "(void)problem; return {};");
  refuses_to_run("wrong", {"others may write there"}, 1);
}

TEST_F(Plugins, AreOfAnyKernel) {
  if (find_kernel("stream") == nullptr) GTEST_SKIP() << "this build leaves examples/ out";
  succeeded(installed({"new", "my_add", "--from", "add", "--model", "omp", "--kernel", "stream"}));
  // Variants of this kernel state their operations.
  const fs::path file = here / "my_add/my_add.cpp";
  const std::string code = text_of(file);
  std::ofstream(file) << "// Operations: 1 fp32 per element; 12 bytes.\n" + code;
  EXPECT_TRUE(contains(succeeded(run("my_add/", {"--kernel", "stream"})).output, "my_add"));
  refuses_to_run("my_add/", {"a variant of the kernel stream: add --kernel stream"}, 2);
}

}  // namespace
}  // namespace gpp::test
