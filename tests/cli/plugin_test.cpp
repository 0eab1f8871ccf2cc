// Tests of variants that are compiled at run time. The program is copied without its source tree;
// beside it are its headers, as in an installation. Last come edited steps of a tree.
#include <chrono>
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
  Finished installed(const Texts& arguments, const char* program = "gpp") const {
    return started_in(here, arguments, program);
  }
  Finished started_in(const fs::path& place, Texts arguments, const char* program = "gpp") const {
    const Texts start = {"env", "-C", place.string(),
                         "XDG_CACHE_HOME=" + cache.parent_path().parent_path().string(),
                         (folder / "bin" / program).string()};
    arguments.insert(arguments.begin(), start.begin(), start.end());
    return run_program(arguments);
  }
  Finished run(const std::string& what, Texts more = {}, const char* program = "gpp") const {
    Texts arguments = {"run", what,         "--preset", "tiny",       "--repeat",
                       "1",   "--counters", "off",      "--ceilings", "off"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return installed(arguments, program);
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
                                          "(const Problem& problem) {\n" + body +
                                          "\n}\nGPP_VARIANT(" + name + ");\n}\n");
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
  EXPECT_TRUE(contains(text_of(here / "my_idea/my_idea.h"), "gpp::inline my_idea_serial {"));
  EXPECT_TRUE(contains(text_of(source), "\n// Operations: divide; m once.\n"));

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

  const Finished asked = run_program({"sh", "-c",
                                      "cd '" + here.string() + "' && XDG_CACHE_HOME='" +
                                          cache.parent_path().parent_path().string() +
                                          "' ../bin/gpp learn --from my_idea/ </dev/null"});
  EXPECT_TRUE(contains(asked.output, "as fast as v1 is my_idea here?")) << asked.errors;

  // The record holds the source as it ran, without later edits.
  std::ofstream(source, std::ios::app) << "#error here it ends\n";
  refuses_to_run("my_idea/", {"here it ends", "does not compile; nothing was run"}, 1);
  EXPECT_EQ(kept().size(), 1u);
  fs::remove_all(source.parent_path());
  succeeded(installed({"report", "results", "-o", "shown"}));
  const std::string page = text(here / "shown/report.html");
  EXPECT_TRUE(page.find("my_idea/my_idea.cpp") != page.npos) << "the report lacks its source";
  EXPECT_TRUE(page.find("here it ends") == page.npos);
}

TEST_F(Plugins, RefuseHeadersOfOtherVersionsAndWhatIsCutOff) {
  write_variant("wrong", "(void)problem; return {};");
  EXPECT_FALSE(contains(ended(run("wrong"), 1).errors, "loaded"));
  const fs::path library = kept().at(0);
  const std::string whole = text_of(library);
  std::ofstream(library, std::ios::binary) << whole.substr(0, 100);
  refuses_to_run("wrong", {"the plug-in cannot be loaded", library.string()}, 1);
  std::ofstream(headers / "plugin_stamp.txt") << std::string(64, '0') << "\n";
  refuses_to_run("wrong", {"the headers of gpp, which are not in", "another version"}, 1);
  fs::remove(headers / "plugin_stamp.txt");
  refuses_to_run("wrong", {"the headers of gpp, which are not in"}, 1);
}

TEST_F(Plugins, SayWhatASourceLacks) {
  refuses_to_run("nowhere/", {"nowhere/: there is no such file or folder"}, 2);
  fs::create_directory(here / "empty");
  refuses_to_run("empty", {"one source (.cpp or .cu)", "and 0 lie there"}, 2);
  write("two/a.cpp", "//\n");
  write("two/b.cu", "//\n");
  refuses_to_run("two/", {"and 2 lie there: name one of them"}, 2);
  refuses_to_run("two/a.cpp", {"it opens no namespace of a model"}, 2);
  write("v3/v3.cpp", "namespace gpp::omp {\n");
  refuses_to_run("v3/", {"no number of the ladder"}, 2);
  write("no_function/no_function.cpp", "namespace gpp::omp {\n");
  refuses_to_run("no_function/", {"the line 'GPP_VARIANT(no_function);' is missing"}, 2);
  write_variant("collapse3", "return {};");
  refuses_to_run("collapse3/", {"model serial has a variant collapse3 already"}, 2);
  write_variant("calls", "return nobody_defines(problem);", "Sums nobody_defines(const Problem&);");
  refuses_to_run("calls/", {"the plug-in cannot be loaded", "nobody_defines"}, 1);
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
  refuses_to_run("wrong", {"others may not write: mode 700"}, 1);
}

TEST_F(Plugins, AreOfAnyKernel) {
  fs::copy_file(GPP_BINARY_DIR "/bin/stream", folder / "bin/stream");
  succeeded(installed({"new", "my_add", "--from", "add", "--model", "omp"}, "stream"));
  // Variants of this kernel state their operations.
  const fs::path file = here / "my_add/my_add.cpp";
  const std::string code = text_of(file);
  std::ofstream(file) << "// Operations: 1 fp32 per element; 12 bytes.\n" + code;
  EXPECT_TRUE(contains(succeeded(run("my_add/", {}, "stream")).output, "my_add"));
  refuses_to_run("my_add/", {"opens no namespace", "gpp::omp"}, 2);
}

/// The program in a build folder, with a source tree whose files are older.
class EditedSteps : public Plugins {
 protected:
  void SetUp() override {
    Plugins::SetUp();
    fs::create_directory(tree);
    for (const char* room : {"roofline", "runtimes", "harness"})
      fs::create_directory_symlink(fs::path(GPP_SOURCE_DIR) / room, tree / room);
    for (const char* room : {"gpp", "variants/serial"}) {
      fs::create_directories((tree / room).parent_path());
      fs::copy(fs::path(GPP_SOURCE_DIR) / room, tree / room, fs::copy_options::recursive);
      for (const auto& entry : fs::recursive_directory_iterator(tree / room))
        fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
    fs::copy_file(GPP_BINARY_DIR "/plugin_stamp.txt", folder / "plugin_stamp.txt");
    std::ofstream(folder / "CMakeCache.txt")
        << "\nCMAKE_HOME_DIRECTORY:INTERNAL=" << tree.string() << "\n";
  }
  /// Replaces a text of a file, which is then newer than the program.
  void edit(const char* file, const std::string& from, const std::string& to) const {
    std::string code = text_of(tree / file);
    ASSERT_TRUE(contains(code, from));
    std::ofstream(tree / file) << code.replace(code.find(from), from.size(), to);
    fs::last_write_time(tree / file, fs::file_time_type::clock::now() + std::chrono::seconds(5));
  }
  Finished run_serial(const std::string& step, Texts more = {}) const {
    more.insert(more.end(), {"--model", "serial"});
    return run(step, more);
  }

  const fs::path tree = folder / "tree";
};

TEST_F(EditedSteps, AreCompiledAloneAndRecordedWithTheirSource) {
  const char* const step = "variants/serial/v01_collapse3.cpp";
  EXPECT_EQ(succeeded(run_serial("v1")).errors, "");
  edit(step, "problem) {", "problem) {\n  if (problem.ncouls > 0) return {};");
  const Finished wrong = ended(run_serial("v1", {"-o", "results"}), 1);
  EXPECT_TRUE(contains(wrong.errors, std::string(step) + " compiled in"));
  EXPECT_TRUE(contains(wrong.output, "FAILED"));
  EXPECT_TRUE(read_record(here / "results").results.front().sources.contains(step));
  EXPECT_TRUE(contains(ended(run_serial("v1", {"--no-build"}), 1).errors,
                       "has changed since this program was built; without --no-build"));
}

/// The program has been compiled with them, too.
TEST_F(EditedSteps, AreRefusedWhereHeadersOfTheProgramChanged) {
  edit("gpp/forms/divide.h", "#pragma once", "#pragma once\n");
  EXPECT_TRUE(contains_all(ended(run_serial("v1"), 1).errors,
                           {"gpp/forms/divide.h has changed", "cmake --build", "--target gpp"}));
}

TEST_F(EditedSteps, AreJoinedByNewOnes) {
  const Texts made = {"new", "my_idea", "--from", "v1", "--model", "serial"};
  succeeded(installed(made));
  ASSERT_TRUE(fs::remove_all(here / "my_idea")) << "not where the user is";
  succeeded(started_in(tree, made));
  ASSERT_TRUE(fs::exists(tree / "variants/serial/my_idea.cpp"));
  EXPECT_TRUE(contains(succeeded(run_serial("my_idea", {"-o", "results"})).errors,
                       "variants/serial/my_idea.cpp compiled in"));
  const StudyRecord record = read_record(here / "results");
  EXPECT_EQ(record.results.front().variant, "my_idea");
  EXPECT_EQ(record.results.front().sources.size(), 2u);
  EXPECT_TRUE(contains(succeeded(installed({"explain", "my_idea"})).output, "my_idea"));
  succeeded(started_in(tree, {"new", "next_idea", "--from", "my_idea"}));
  EXPECT_TRUE(
      contains(text_of(tree / "variants/serial/next_idea.h"), "gpp::inline next_idea_serial {"));
}

}  // namespace
}  // namespace gpp::test
