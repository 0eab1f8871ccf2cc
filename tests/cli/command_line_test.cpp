// The program itself: messages, files and exit statuses.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "harness/record/record.h"
#include "roofline/base/process.h"
#include "roofline/ceilings/cache.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class CommandLine : public testing::Test {
 protected:
  /// Roofs take seconds to measure: only tests that are about them have them.
  roofline::Finished gpp(std::vector<std::string> arguments) const {
    const bool measures = !arguments.empty() && (arguments[0] == "run" || arguments[0] == "study");
    if (measures && std::find(arguments.begin(), arguments.end(), "--ceilings") == arguments.end())
      arguments.insert(arguments.end(), {"--ceilings", "off"});
    arguments.insert(arguments.begin(), GPP_BINARY_DIR "/gpp");
    return roofline::run_program(arguments);
  }
  /// Ends with that status; its errors hold each part.
  void refuses(const std::vector<std::string>& arguments, const std::vector<std::string>& parts,
               int status = 2) const {
    const roofline::Finished done = gpp(arguments);
    std::string command = "gpp";
    for (const std::string& argument : arguments) command += " " + argument;
    EXPECT_EQ(done.status, status) << command << "\n" << done.errors;
    EXPECT_TRUE(done.errors.starts_with("gpp: ")) << command << "\n" << done.errors;
    for (const std::string& part : parts)
      EXPECT_NE(done.errors.find(part), std::string::npos) << command << "\n" << done.errors;
  }
  std::string path(const char* name) const { return (folder / name).string(); }
  json read(const fs::path& file) const {
    std::ifstream stream(file);
    return json::parse(stream);
  }
  std::string text(const fs::path& file) const {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// A quick study of the smallest input, in the folder of that name.
  roofline::Finished study(const char* name, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"study",    "--preset", "tiny", "--model", "serial",
                                          "--repeat", "5",        "-o",   path(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gpp(arguments);
  }

  /// Lets others have taken that share of the processor during every run of a recorded study.
  void set_load(const char* name, double others) const {
    StudyRecord record = read_record(folder / name);
    for (Result& result : record.results) result.load.assign(result.samples.size(), {others, 0.0});
    write_record(folder / name, record);
  }

  test::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Every line of `part`, in its order. On a busy machine a study ends with a sentence of its own,
/// which summary.txt has right after the summary.
bool contains_the_lines_of(const std::string& text, const std::string& part) {
  std::istringstream lines(part);
  std::size_t from = 0;
  for (std::string line; std::getline(lines, line);) {
    from = text.find(line, from);
    if (from == std::string::npos) return false;
    from += line.size();
  }
  return true;
}

// ---------------------------------------------------------------- inputs that are in doubt

TEST_F(CommandLine, AnInputThatDisagreesWithItsOwnReferenceIsToldLoudly) {
  Input input = read_gpp214(bundled_input("gpp_si2_tiny"));
  input.vcoul[3] *= 1 + 1e-7;  // as a flipped bit would
  write_gpp214(folder / "damaged.dat", input);
  for (const char* command : {"run", "study"}) {
    std::vector<std::string> arguments = {command,    "--input", path("damaged.dat"),
                                          "--repeat", "1",       "--counters",
                                          "off",      "-o",      path(command)};
    if (arguments[0] == "run")
      arguments.insert(arguments.begin() + 1, "v8");
    else
      arguments.insert(arguments.end(), {"--only", "v8", "--model", "omp"});
    const roofline::Finished done = gpp(arguments);
    EXPECT_EQ(done.status, 1) << command << done.errors;
    EXPECT_TRUE(contains(done.output, "THE INPUT IS IN DOUBT")) << done.output;
    EXPECT_FALSE(contains(done.output, "Every check passed")) << done.output;
    EXPECT_FALSE(read(folder / command / "study.json")["reference"]["disagreement"].empty());
  }
  EXPECT_EQ(gpp({"report", path("study")}).status, 1);
}

TEST_F(CommandLine, AnInputWithABandTwiceIsRefused) {
  Input input = read_gpp214(bundled_input("gpp_si2_tiny"));
  input.peinf_indext_dist[5] = input.peinf_indext_dist[4];
  write_gpp214(folder / "twice.dat", input);
  refuses({"run", "v8", "--input", path("twice.dat")}, {"twice.dat", "record 3", "both"});
}

// ---------------------------------------------------------------- the program as a whole

TEST_F(CommandLine, HelpIsEverywhereAndHasExamples) {
  EXPECT_EQ(gpp({"--help"}).status, 0);
  for (const char* command : {"list", "doctor", "inspect", "generate", "run", "study", "ceilings",
                              "compare", "report", "new"}) {
    EXPECT_TRUE(contains(gpp({"--help"}).output, command)) << command;
    const roofline::Finished help = gpp({command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_TRUE(contains(help.output, "Examples:\n  gpp " + std::string(command))) << help.output;
  }
  EXPECT_EQ(gpp({"--version"}).status, 0);
}

TEST_F(CommandLine, AloneShowsItsHelp) {
  const roofline::Finished done = gpp({});
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.errors, "");
  EXPECT_EQ(done.output, gpp({"--help"}).output);
}

/// Where a path is asked for, the system may refuse even to look.
TEST_F(CommandLine, PathsThatNobodyCanLookAtAreExplained) {
  fs::create_symlink("loop", folder / "loop");
  const std::string loop = path("loop"), below = path("loop/a"), name(300, 'x');
  for (const std::string& bad : {loop, below, name}) {
    refuses({"report", bad}, {bad});
    refuses({"report", "--scoreboard", bad}, {bad});
    refuses({"report", path("no"), "-o", bad}, {path("no")});
    refuses({"compare", bad, bad}, {bad});
    refuses({"inspect", bad}, {bad});
    refuses({"run", "v1", "--model", "serial", "--input", bad}, {bad});
    refuses({"explain", "v1", "--results", bad}, {"--results"});
  }
  for (const std::string& bad : {loop, below, name})
    refuses({"study", "--preset", "tiny", "-o", bad}, {"-o " + bad});
  refuses({"generate", "--preset", "tiny", "-o", below}, {below});
  refuses({"report", path("no")}, {"no such file or folder", "gpp study"});
}

TEST_F(CommandLine, NamesThatAreEmptyAreRefused) {
  for (const char* option : {"--input", "--preset", "-o", "--model"})
    refuses({"study", "--time-limit", "0", option, ""}, {std::string(option).substr(1)});
  refuses({"study", "--only", ""}, {"unknown variant ''"});
  refuses({"run", "v1", "-o", ""}, {"-o"});
  refuses({"generate", "--preset", "tiny", "-o", ""}, {""});
}

TEST_F(CommandLine, InspectListsTheBundledInputs) {
  for (const char* part : {"gpp_si2_tiny", "gpp_si8_medium"}) {
    refuses({"inspect"}, {"FILE is required", part});
    refuses({"inspect", "gpp_si2_tny"}, {"gpp_si2_tny: there is no such file", part});
  }
}

TEST_F(CommandLine, ModelsMayBeSeveral) {
  const roofline::Finished done = gpp({"study", "--preset", "tiny", "--model", "serial,omp",
                                       "--only", "v1", "--repeat", "1", "-o", path("s")});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(read(folder / "s" / "study.json")["results"].size(), 2u);
  EXPECT_EQ(gpp({"run", "--preset", "tiny", "--repeat", "1", "--model", "serial", "v1"}).status, 0)
      << "an option takes no more than its own word";
  refuses({"run", "v1", "--model", "serial,om"}, {"did you mean 'omp'?"});
}

TEST_F(CommandLine, BadUsageIsExplained) {
  refuses({"stuudy"}, {"unknown command 'stuudy'; did you mean 'study'?", "list, doctor"});
  refuses({"list", "--jsno"}, {"--jsno", "gpp list --help"});
  refuses({"--frobnicate"}, {"--frobnicate"});
  refuses({"run"}, {"variant is required"});
  refuses({"generate", "--preset", "tiny"}, {"--output"});
  refuses({"inspect"}, {"FILE"});
  refuses({"compare", "one"}, {"B is required"});
  refuses({"report"}, {"DIR"});
  refuses({"new", "my_idea"}, {"--from is required"});
}

TEST_F(CommandLine, BadValuesOfOptionsAreExplained) {
  for (const char* value : {"-1", "nan", "inf", "much", ""})
    refuses({"run", "v1", "--tolerance", value}, {"--tolerance"});
  for (const char* value : {"0", "-3", "1.5", "often"})
    refuses({"run", "v1", "--repeat", value}, {"--repeat"});
  refuses({"study", "--time-limit", "soon"}, {"--time-limit"});
  for (const char* value : {"-1", "1.5", "99999999999999999999", "one"})
    refuses({"generate", "--preset", "tiny", "-o", path("a.dat"), "--seed", value}, {"--seed"});
  refuses({"study", "--device", "abacus"}, {"--device"});
  refuses({"run", "v1", "--counters", "maybe"}, {"--counters", "maybe", "auto|all|source|off"});
  refuses({"study", "--ceilings", "on"}, {"--ceilings", "auto|off|fresh"});
  refuses({"ceilings", "--device", "abacus"}, {"--device"});
  refuses({"study", "--input", "a", "--preset", "tiny"}, {"--preset", "--input"});
}

TEST_F(CommandLine, UnknownNamesComeWithTheKnownOnes) {
  refuses({"run", "v99"}, {"unknown variant 'v99'", "Known: v1, collapse3"});
  refuses({"run", "colapse3"}, {"did you mean 'collapse3'?"});
  refuses({"run", "v1", "--model", "seral"}, {"did you mean 'serial'?"});
  refuses({"study", "--only", "v1,nothing"}, {"unknown variant 'nothing'"});
  refuses({"study", "--preset", "smal", "-o", path("s")},
          {"unknown preset 'smal'; did you mean 'small'?"});
  refuses({"generate", "--preset", "huge", "-o", path("x.dat")}, {"unknown preset", "gpp214"});
}

// ---------------------------------------------------------------- list and doctor

TEST_F(CommandLine, ListsEveryVariant) {
  const roofline::Finished list = gpp({"list"});
  EXPECT_EQ(list.status, 0);
  EXPECT_TRUE(contains(list.output, "variants/serial/v01_collapse3.cpp"));
}

TEST_F(CommandLine, ListsForScripts) {
  const json rows = json::parse(gpp({"list", "--json"}).output);
  ASSERT_TRUE(rows.is_array());
  bool serial = false;
  for (const json& row : rows) {
    EXPECT_EQ(row.size(), 7u);
    EXPECT_TRUE(row["variant"].is_string() && row["step"].is_string() && row["model"].is_string());
    const bool runnable = row["runnable"].get<bool>();
    EXPECT_EQ(runnable, row["reason"].get<std::string>().empty()) << row;
    EXPECT_TRUE(row["built"].get<bool>() || !runnable) << row;
    serial = serial || (row["variant"] == "v1" && row["model"] == "serial" && runnable);
  }
  EXPECT_TRUE(serial);
}

TEST_F(CommandLine, DoctorNamesRemedies) {
  const roofline::Finished text = gpp({"doctor"});
  EXPECT_TRUE(contains(text.output, "model serial"));
  const json rows = json::parse(gpp({"doctor", "--json"}).output);
  for (const json& row : rows) EXPECT_TRUE(row["health"] == "good" || row["remedy"] != "") << row;
}

TEST_F(CommandLine, DoctorSaysOnceThatThereIsNoGpu) {
  int said = 0;
  bool none = false;
  for (const json& row : json::parse(gpp({"doctor", "--json"}).output)) {
    const std::string words =
        row["text"].get<std::string>() + " " + row["remedy"].get<std::string>();
    none = none || contains(words, "no GPU that this program can use");
    if (contains(words, "driver") || contains(words, "device cannot be used")) ++said;
  }
  if (!none) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_EQ(said, 1);
}

// ---------------------------------------------------------------- ceilings

/// Roofs of this machine's processor that nobody has to measure.
class MadeUpRoofs : public roofline::Benchmarks {
 public:
  std::string unavailable() const override { return {}; }
  roofline::DeviceIdentity identity() const override {
    return roofline::host_benchmarks().identity();
  }
  roofline::Ceilings measure(const roofline::Progress&) const override {
    using enum roofline::CeilingKind;
    roofline::Ceilings ceilings;
    ceilings.device = "An Abacus";
    ceilings.kind = "host";
    ceilings.list = {{"fp64_fma", "FP64, FMA", compute, 1.5e11, 2e11, 2995, "beads", {}},
                     {"dram", "DRAM", bandwidth, 4.21e10, {}, 0, "", {{49152, 4.21e10}}}};
    ceilings.missing = {{"l3", "one wire only"}};
    return ceilings;
  }
};

class CeilingsCommand : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    roofline::known_ceilings(MadeUpRoofs(), roofline::cache_folder(), true);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    CommandLine::TearDown();
  }
};

TEST_F(CeilingsCommand, ShowsWhatIsKept) {
  const roofline::Finished done = gpp({"ceilings", "--device", "host"});
  EXPECT_EQ(done.status, 0) << done.errors;
  for (const char* part : {"An Abacus", "FP64, FMA  150.0 GFLOP/s  200.0 GFLOP/s  75.0%  2995 MHz",
                           "DRAM          42.10 GB/s              -      -         -",
                           "No l3: one wire only.", "--fresh measures again"})
    EXPECT_TRUE(contains(done.output, part)) << part << "\n" << done.output;
  EXPECT_FALSE(contains(done.output, "48 KiB"));
  EXPECT_TRUE(contains(gpp({"ceilings", "--device", "host", "--sweep"}).output,
                       "48 KiB  42.10 GB/s  DRAM"));
}

TEST_F(CeilingsCommand, ShowsItForScripts) {
  const roofline::Finished done = gpp({"ceilings", "--device", "host", "--json"});
  const json ceilings = json::parse(done.output);
  EXPECT_EQ(ceilings.size(), 1u);
  EXPECT_EQ(ceilings["host"]["list"][0]["measured"], 1.5e11);
  EXPECT_EQ(ceilings["host"]["missing"]["l3"], "one wire only");
}

TEST_F(CeilingsCommand, SaysWhyTheGpuHasNone) {
  const std::string reason = roofline::gpu_benchmarks().unavailable();
  if (reason.empty()) GTEST_SKIP() << "this machine has a GPU";
  refuses({"ceilings", "--device", "gpu"}, {"no ceilings of the gpu", reason.substr(0, 20)}, 1);
  const roofline::Finished both = gpp({"ceilings"});
  EXPECT_EQ(both.status, 0);
  EXPECT_TRUE(contains(both.output, "No gpu: ")) << both.output;
  EXPECT_TRUE(contains(both.output, "An Abacus")) << both.output;
}

// ---------------------------------------------------------------- generate and inspect

TEST_F(CommandLine, GeneratesTheSameFileAgainAndAnotherForAnotherSeed) {
  const auto generate = [&](const char* name, const char* seed) {
    const roofline::Finished done =
        gpp({"generate", "--preset", "tiny", "-o", path(name), "--seed", seed});
    EXPECT_EQ(done.status, 0) << done.errors;
    return text(folder / name);
  };
  const std::string first = generate("a.dat", "1");
  EXPECT_FALSE(first.empty());
  EXPECT_TRUE(first == generate("b.dat", "1"));
  EXPECT_FALSE(first == generate("c.dat", "2"));
}

TEST_F(CommandLine, InspectsAFile) {
  ASSERT_EQ(gpp({"generate", "--preset", "tiny", "-o", path("a.dat")}).status, 0);
  const roofline::Finished text = gpp({"inspect", path("a.dat")});
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_TRUE(contains(text.output, "27 G (ncouls)"));
  EXPECT_TRUE(contains(text.output, "branch 2 touches"));
  const json values = json::parse(gpp({"inspect", path("a.dat"), "--json"}).output);
  EXPECT_EQ(values["ncouls"], 27);
  EXPECT_EQ(values["terms"], 27LL * 27 * 20 * 2);
  EXPECT_EQ(values["all"]["branch1"].get<long long>() + values["all"]["branch2"].get<long long>() +
                values["all"]["neither"].get<long long>(),
            values["terms"].get<long long>());
}

TEST_F(CommandLine, BadInputFilesEndWithStatus2) {
  refuses({"inspect", path("none.dat")}, {"none.dat"});
  refuses({"run", "v1", "--model", "serial", "--input", path("none.dat")}, {"none.dat"});
  refuses({"study", "--input", folder.string(), "-o", path("x")}, {folder.string()});
  std::ofstream(folder / "text.dat")
      << "This is no gpp214 file, but long enough to be looked at.\n";
  refuses({"inspect", path("text.dat")}, {"text.dat"});
  ASSERT_EQ(gpp({"generate", "--preset", "tiny", "-o", path("a.dat")}).status, 0);
  fs::resize_file(folder / "a.dat", 5000);
  refuses({"study", "--input", path("a.dat"), "-o", path("x")}, {"a.dat"});
  refuses({"generate", "--preset", "tiny", "-o", path("no/such/folder/a.dat")}, {"no/such/folder"});
}

// ---------------------------------------------------------------- run

TEST_F(CommandLine, RunsOneVariantByIdOrStep) {
  for (const char* name : {"v1", "collapse3"}) {
    const roofline::Finished done = gpp({"run", name, "--model", "serial", "--preset", "tiny"});
    EXPECT_EQ(done.status, 0) << done.errors;
    EXPECT_TRUE(contains(done.output, "Every check passed.")) << done.output;
    EXPECT_TRUE(contains(done.output, "asx")) << done.output;
  }
}

TEST_F(CommandLine, RunsForScripts) {
  const roofline::Finished done =
      gpp({"run", "v1", "--model", "serial", "--preset", "tiny", "--repeat", "3", "--json"});
  EXPECT_EQ(done.status, 0) << done.errors;
  const json result = json::parse(done.output);
  EXPECT_EQ(result["status"], "passed");
  EXPECT_EQ(result["time_s"]["samples"].size(), 3u);
}

TEST_F(CommandLine, AFailedCheckOfARunEndsWithStatus1) {
  const roofline::Finished done =
      gpp({"run", "v1", "--model", "serial", "--preset", "tiny", "--tolerance", "0"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.output, "FAILED: 1 of 1 variants")) << done.output;
}

TEST_F(CommandLine, AVariantThatCannotRunHereSaysWhy) {
  const json rows = json::parse(gpp({"list", "--json"}).output);
  for (const json& row : rows) {
    if (row["runnable"].get<bool>()) continue;
    refuses({"run", row["variant"], "--model", row["model"], "--preset", "tiny"}, {row["reason"]},
            1);
    return;
  }
  GTEST_SKIP() << "every variant runs here";
}

/// Threads are told, and too many of them are not taken in silence.
TEST_F(CommandLine, TellsTheThreadsThatWereUsed) {
  const auto run_with = [](const std::string& threads, const char* more) {
    return roofline::run_program({"env", "OMP_NUM_THREADS=" + threads, GPP_BINARY_DIR "/gpp", "run",
                                  "v8", "--model", "omp", "--device", "host", "--preset", "tiny",
                                  "--repeat", "1", "--ceilings", "off", "--no-build", more});
  };
  const json one = json::parse(run_with("1", "--json").output);
  EXPECT_EQ(one["threads"], 1);
  EXPECT_EQ(one["parent"], "v7");
  const std::string count = std::to_string(std::thread::hardware_concurrency() + 16);
  const roofline::Finished many = run_with(count, "--alone");
  EXPECT_EQ(many.status, 0) << many.errors;
  EXPECT_TRUE(contains(many.output, count + " threads on ")) << many.output;
  EXPECT_TRUE(contains(many.output, "set OMP_NUM_THREADS=")) << many.output;
}

// ---------------------------------------------------------------- study

/// A program that was carried elsewhere may find another tree where its own was.
TEST_F(CommandLine, OnlyAProgramInItsBuildFolderAsksGit) {
  const fs::path git = folder / "git";
  std::ofstream(git) << "#!/bin/sh\ncase $* in *rev-parse*) echo feedface ;; esac\n";
  fs::permissions(git, fs::perms::owner_all);
  fs::copy_file(GPP_BINARY_DIR "/gpp", folder / "gpp");
  const std::string path_with_git = "PATH=" + folder.string() + ":" + std::getenv("PATH");
  const auto revision = [&](const std::string& program, const char* name) {
    roofline::run_program({"env", path_with_git, program, "study", "--preset", "tiny", "--model",
                           "serial", "--repeat", "1", "--ceilings", "off", "--no-build", "-o",
                           path(name)});
    return read(folder / name / "study.json")["git"]["revision"].get<std::string>();
  };
  EXPECT_EQ(revision(GPP_BINARY_DIR "/gpp", "at_home"), "feedface");
  EXPECT_NE(revision(path("gpp"), "carried"), "feedface");
}

TEST_F(CommandLine, AStudyLeavesItsRecordTableAndCsv) {
  const roofline::Finished done = study("s");
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.output, "Every check passed.")) << done.output;
  const json record = read(folder / "s" / "study.json");
  EXPECT_EQ(record["schema_version"], 1);
  EXPECT_EQ(record["input"]["ncouls"], 27);
  EXPECT_EQ(record["results"][0]["status"], "passed");
  EXPECT_EQ(record["results"][0]["time_s"]["samples"].size(), 5u);
  EXPECT_FALSE(record["build"]["compilers"].empty());
  EXPECT_EQ(record["git"]["revision"].get<std::string>().empty(), false);
  EXPECT_TRUE(contains(text(folder / "s" / "study.csv"), "serial,v1,collapse3,host"));
  EXPECT_TRUE(contains_the_lines_of(done.output, text(folder / "s" / "summary.txt")));
  EXPECT_FALSE(fs::exists(folder / "s" / "study.json.partial"));
}

TEST_F(CommandLine, AHostIsCountedFromTheSourceUnlessItIsNotWanted) {
  ASSERT_EQ(study("s").status, 0);
  const json counted = read(folder / "s" / "study.json")["results"][0];
  EXPECT_EQ(counted["counting"]["source"], "analytic");
  EXPECT_GT(counted["metrics"]["fp64_flop"], 0);
  EXPECT_TRUE(counted["roofline"].empty()) << "no roofs, no place under them";
  ASSERT_EQ(study("off", {"--counters", "off"}).status, 0);
  const json off = read(folder / "off" / "study.json")["results"][0];
  EXPECT_EQ(off["counting"]["source"], "");
  EXPECT_TRUE(off["metrics"].empty());
  EXPECT_EQ(study("flag", {"--counters"}).status, 2) << "the option wants a word";
}

TEST_F(CommandLine, AHostHasAPlaceUnderItsRoofs) {
  ::setenv("XDG_CACHE_HOME", path("cache").c_str(), 1);
  const roofline::Finished done = study("s", {"--ceilings", "auto"});
  ::unsetenv("XDG_CACHE_HOME");
  ASSERT_EQ(done.status, 0) << done.errors;
  const json record = read(folder / "s" / "study.json");
  EXPECT_TRUE(record["ceilings"].contains("host")) << done.errors;
  const json point = record["results"][0]["roofline"];
  const json missing = record["ceilings"]["host"]["missing"];
  for (const char* level : {"l1", "l2", "l3", "dram"})
    if (missing.contains(level)) {
      EXPECT_TRUE(point.empty()) << "no roof of a level, no place under it";
      GTEST_SKIP() << "this machine is too busy to show its memory: " << missing[level];
    }
  ASSERT_FALSE(point.empty()) << record.dump(1);
  EXPECT_TRUE(point["analytic"]);
  EXPECT_GT(point["percent_of_roof"], 0);
  EXPECT_TRUE(contains(done.output, "\nRoofline\n")) << done.output;
  EXPECT_TRUE(contains(text(folder / "s" / "study.csv"), "analytic"));
}

/// The first thread of a program whose threads are bound knows one core alone.
TEST_F(CommandLine, BoundThreadsLeaveTheProgramItsCores) {
  const auto cores = [&] {
    for (const json& line : json::parse(gpp({"doctor", "--json"}).output))
      if (line["subject"] == "cores") return line["text"].get<std::string>();
    return std::string("not told");
  };
  const std::string unbound = cores();
  ::setenv("OMP_PROC_BIND", "close", 1);
  ::setenv("OMP_PLACES", "cores", 1);
  const std::string bound = cores();
  ::unsetenv("OMP_PROC_BIND");
  ::unsetenv("OMP_PLACES");
  EXPECT_EQ(bound, unbound);
}

TEST_F(CommandLine, APresetAndItsFileHaveOneHash) {
  ASSERT_EQ(gpp({"generate", "--preset", "tiny", "--seed", "3", "-o", path("a.dat")}).status, 0);
  ASSERT_EQ(study("preset", {"--seed", "3"}).status, 0);
  ASSERT_EQ(gpp({"study", "--input", path("a.dat"), "--model", "serial", "--repeat", "1", "-o",
                 path("file")})
                .status,
            0);
  const json preset = read(folder / "preset" / "study.json");
  const json file = read(folder / "file" / "study.json");
  EXPECT_EQ(preset["input"]["sha256"], file["input"]["sha256"]);
  EXPECT_TRUE(file["reference"]["original"]["correct"].get<bool>());
}

TEST_F(CommandLine, AStudyOfEverythingPasses) {
  const roofline::Finished done =
      gpp({"study", "--preset", "tiny", "--repeat", "2", "-o", path("s")});
  EXPECT_EQ(done.status, 0) << done.output << done.errors;
  const json record = read(folder / "s" / "study.json");
  // Steps of published ladders alone, which have no number, must be asked for.
  std::size_t numbered = 0;
  for (const json& variant : json::parse(gpp({"list", "--json"}).output))
    numbered += number_of(variant["variant"].get<std::string>()) > 0 ? 1 : 0;
  EXPECT_EQ(record["results"].size(), numbered);
  EXPECT_GT(numbered, 20U);
}

TEST_F(CommandLine, AFailedCheckOfAStudyCannotBeMissed) {
  const roofline::Finished done = study("s", {"--tolerance", "1e-30"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.output, "!! FAILED: 1 of 1 variants")) << done.output;
  EXPECT_FALSE(contains(done.output, "Every check passed"));
  const json result = read(folder / "s" / "study.json")["results"][0];
  EXPECT_EQ(result["status"], "failed");
  EXPECT_TRUE(result["time_s"]["median"].is_null());
  EXPECT_NE(result["reason"], "");
}

TEST_F(CommandLine, AStudyInWhichNothingRunsIsNoSuccess) {
  const roofline::Finished done =
      gpp({"study", "--preset", "tiny", "--model", "serial", "--device", "gpu", "-o", path("s")});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.output, "nothing was checked")) << done.output;
}

TEST_F(CommandLine, AStudyForScriptsPrintsItsRecordAlone) {
  const roofline::Finished done = study("s", {"--json"});
  EXPECT_EQ(json::parse(done.output), read(folder / "s" / "study.json"));
}

TEST_F(CommandLine, NoColoursAndNoProgressWhereNobodyLooks) {
  const roofline::Finished done = study("s");
  EXPECT_FALSE(contains(done.output, "\033"));
  EXPECT_EQ(done.errors, "");
}

TEST_F(CommandLine, AStudyOfNothingLeavesNoFolder) {
  refuses({"study", "--preset", "smal", "-o", path("s")}, {"unknown preset"});
  EXPECT_FALSE(fs::exists(folder / "s"));
}

TEST_F(CommandLine, AFolderThatCannotBeWrittenIsNamedBeforeTheWork) {
  std::ofstream(folder / "file") << "x";
  refuses({"study", "--preset", "tiny", "-o", path("file")}, {"-o", path("file")});
}

/// Interrupted in the midst of timing: the record is there, whole, and says what was measured.
TEST_F(CommandLine, AnInterruptedStudyKeepsItsRecord) {
  const fs::path file = folder / "s" / "study.json";
  const std::string shell = "\"" GPP_BINARY_DIR
                            "/gpp\" study --preset tiny --model serial "
                            "--repeat 1000000 -o '" +
                            path("s") +
                            "' & pid=$!; "
                            "i=0; while [ ! -s '" +
                            file.string() +
                            "' ] && [ $i -lt 300 ]; do "
                            "sleep 0.1; i=$((i+1)); done; "
                            "sleep 0.5; kill -TERM $pid; wait $pid";
  const roofline::Finished done = roofline::run_program({"sh", "-c", shell});
  EXPECT_EQ(done.status, 130) << done.output << done.errors;
  EXPECT_TRUE(contains(done.errors, "interrupted")) << done.errors;
  const json result = read(file)["results"][0];
  EXPECT_EQ(result["status"], "passed");
  EXPECT_GT(result["time_s"]["samples"].size(), 0u);

  EXPECT_FALSE(read(file)["complete"].get<bool>());
  EXPECT_TRUE(contains(done.output, "!! PARTIAL")) << done.output;
  EXPECT_FALSE(contains(done.output, "Every check passed")) << done.output;
  EXPECT_TRUE(contains_the_lines_of(done.output, text(folder / "s" / "summary.txt")));
  EXPECT_TRUE(contains(text(folder / "s" / "report.html"), "\"complete\":false"));
  const roofline::Finished report = gpp({"report", path("s")});
  EXPECT_EQ(report.status, 1);
  EXPECT_TRUE(contains(report.output, "!! PARTIAL")) << report.output;
  const roofline::Finished compared = gpp({"compare", path("s"), path("s")});
  EXPECT_EQ(compared.status, 1);
  EXPECT_TRUE(contains(compared.output, "!! PARTIAL")) << compared.output;
}

// ---------------------------------------------------------------- report and compare

TEST_F(CommandLine, ReportsRedrawAStudyAsItWas) {
  const roofline::Finished done = study("s");
  const roofline::Finished again = gpp({"report", path("s"), "-o", path("again")});
  EXPECT_EQ(again.status, 0) << again.errors;
  EXPECT_EQ(text(folder / "again" / "summary.txt"), text(folder / "s" / "summary.txt"));
  const std::string csv = text(folder / "s" / "study.csv");
  EXPECT_EQ(text(folder / "again" / "study.csv"), csv);
  EXPECT_TRUE(contains_the_lines_of(done.output, text(folder / "again" / "summary.txt")));
}

TEST_F(CommandLine, ChartsLieBesideTheRecordAndAreRedrawn) {
  const roofline::Finished done = study("s");
  EXPECT_TRUE(contains(done.output, "\nCharts: ")) << done.output;
  EXPECT_TRUE(contains(text(folder / "s" / "ladder.csv"), "rung,0,v1,"));
  EXPECT_EQ(gpp({"report", path("s"), "-o", path("again")}).status, 0);
  EXPECT_EQ(text(folder / "again" / "ladder.gp"), text(folder / "s" / "ladder.gp"));
  EXPECT_EQ(text(folder / "again" / "ladder.csv"), text(folder / "s" / "ladder.csv"));
  if (roofline::run_program({"gnuplot", "--version"}).status != 0) return;
  EXPECT_TRUE(contains(text(folder / "again" / "ladder.svg"), "collapse3"));
  EXPECT_TRUE(text(folder / "again" / "ladder.png").starts_with("\x89PNG"));
}

TEST_F(CommandLine, ReportsDrawRooflinesAsText) {
  study("s");
  const roofline::Finished done = gpp({"report", path("s"), "--terminal"});
  EXPECT_EQ(done.status, 0) << done.errors;
  const bool placed = !read(folder / "s" / "study.json")["results"][0]["roofline"].empty();
  EXPECT_TRUE(contains(done.output, placed ? "FLOP per byte" : "no step has a place"))
      << done.output;
}

TEST_F(CommandLine, ReportsPutStudiesSideBySide) {
  study("a");
  study("b");
  const roofline::Finished done =
      gpp({"report", path("a"), path("b/study.json"), "-o", path("both")});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.output, "[2] terms/s"));
  const std::string csv = text(folder / "both" / "study.csv");
  EXPECT_TRUE(contains(csv, "\na,serial") && contains(csv, "\nb,serial")) << csv;
}

TEST_F(CommandLine, RanksTeams) {
  study("red");
  study("blue");
  const roofline::Finished done = gpp({"report", "--scoreboard", path("red"), path("blue")});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.output, "By speed") && contains(done.output, "red")) << done.output;
  const roofline::Finished script =
      gpp({"report", "--scoreboard", "--json", path("red"), path("blue")});
  EXPECT_EQ(json::parse(script.output)["by_terms_per_s"].size(), 2u);
  EXPECT_EQ(gpp({"report", "--scoreboard", "--own", path("red")}).status, 1);
  refuses({"report", "--own", path("red")}, {"--own", "--scoreboard"});
  refuses({"report", "--scoreboard", path("red"), "-o", path("x")}, {"--scoreboard", "--output"});
}

TEST_F(CommandLine, ReportsRefuseWhatIsNoRecord) {
  refuses({"report", path("none")}, {"none", "gpp study"});
  refuses({"report", folder.string()}, {"holds no study.json"});
  std::ofstream(folder / "study.json") << "{\"schema_version\": 1}";
  refuses({"report", folder.string()}, {"study.json", "'created' is missing"});
  study("s");
  fs::resize_file(folder / "s" / "study.json", 700);
  refuses({"report", path("s")}, {"cut off"});
  refuses({"compare", path("s"), path("s")}, {"cut off"});
}

TEST_F(CommandLine, ReportsRunNoCommandAndActOnNoTerminal) {
  const char* name = "x'; system('touch PWNED'); y='\x1b[2J";
  study("a");
  study(name);
  json record = read(folder / name / "study.json");
  record["machine"]["cpu"] = "`touch PWNED`\x1b[2J";
  for (json& result : record["results"]) result["device"] = "`touch PWNED`\x1b[2J";
  std::ofstream(folder / name / "study.json") << record.dump();
  const roofline::Finished done = gpp({"report", path("a"), path(name), "-o", path("out")});
  EXPECT_EQ(done.status, 0) << done.errors;
  const roofline::Finished compared = gpp({"compare", path("a"), path(name)});
  const roofline::Finished ranked = gpp({"report", "--scoreboard", path("a"), path(name)});
  for (const std::string& shown :
       {done.output, compared.output, ranked.output, ranked.errors,
        text(folder / "out" / "study.csv"), text(folder / "out" / "ladder.gp")})
    EXPECT_FALSE(contains(shown, "\x1b")) << shown;
  EXPECT_TRUE(contains(done.output, "\\x1b[2J")) << done.output;
  EXPECT_FALSE(fs::exists(folder / "out" / "PWNED"));
  record["results"][0]["variant"] = "`touch PWNED`";
  std::ofstream(folder / name / "study.json") << record.dump();
  refuses({"report", path(name), "-o", path("out")},
          {"study.json", "results[0].variant", "no name"});
  refuses({"report", path("no\x1b[2J")}, {"no\\x1b[2J"});
}

TEST_F(CommandLine, ReportsOfFailuresFail) {
  study("s", {"--tolerance", "0"});
  const roofline::Finished done = gpp({"report", path("s")});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.output, "!! FAILED"));
}

TEST_F(CommandLine, ComparesTwoStudies) {
  study("a");
  set_load("a", 0.0);
  const roofline::Finished same = gpp({"compare", path("a"), path("a")});
  EXPECT_EQ(same.status, 0) << same.errors;
  EXPECT_TRUE(contains(same.output, "same")) << same.output;
  const json rows = json::parse(gpp({"compare", path("a"), path("a"), "--json"}).output);
  EXPECT_EQ(rows[0]["verdict"], "same");
  EXPECT_EQ(rows[0]["factor"], 1.0);
}

/// Nobody is called slower because others used the machine.
TEST_F(CommandLine, DoesNotJudgeDisturbedTimes) {
  study("a");
  set_load("a", 0.0);
  study("b");
  set_load("b", 0.34);
  const json rows = json::parse(gpp({"compare", path("a"), path("b"), "--json"}).output);
  EXPECT_EQ(rows[0]["verdict"], "undecided");
  EXPECT_EQ(rows[0]["remark"], "disturbed in B: others took 34% of the processor");
  const roofline::Finished report = gpp({"report", path("b")});
  EXPECT_EQ(report.status, 0) << "no status depends on the load";
  EXPECT_TRUE(contains(report.output, "Other programs took 34% of the processor")) << report.output;
}

TEST_F(CommandLine, SaysSomethingUsefulOfFewRuns) {
  gpp({"study", "--preset", "tiny", "--model", "serial", "--repeat", "2", "-o", path("a")});
  set_load("a", 0.0);
  const roofline::Finished done = gpp({"compare", path("a"), path("a")});
  EXPECT_TRUE(contains(done.output, "undecided: the runs of both overlap; with 2 and 2 runs"))
      << done.output << done.errors;
}

TEST_F(CommandLine, RefusesToCompareDifferentInputsUnlessForced) {
  study("a");
  study("b", {"--seed", "2"});
  refuses({"compare", path("a"), path("b")}, {"different inputs", "--force"});
  EXPECT_EQ(gpp({"compare", path("a"), path("b"), "--force"}).status, 0);
}

}  // namespace
}  // namespace gpp
