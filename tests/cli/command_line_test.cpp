// Tests of the program itself: messages, files and exit statuses.
#include <sys/stat.h>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "roofline/ceilings/measure.h"
#include "tests/cli/command_line.h"
#include "tests/harness/sample_study.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// ---------------------------------------------------------------- inputs that are in doubt

TEST_F(CommandLine, AnInputThatDisagreesWithItsOwnReferenceIsToldLoudly) {
  Input input = read_gpp214(bundled_input("gpp_si2_tiny"));
  input.vcoul[3] *= 1 + 1e-7;  // changes a number like a flipped bit
  write_gpp214(folder / "damaged.dat", input);
  for (const char* command : {"run", "study"}) {
    Texts arguments = {command, "--input", path("damaged.dat"), "--repeat", "1", "--counters",
                       "off",   "-o",      path(command)};
    if (arguments[0] == "run")
      arguments.insert(arguments.begin() + 1, "v8");
    else
      arguments.insert(arguments.end(), {"--only", "v8", "--model", "omp"});
    const roofline::Finished done = gpp(arguments);
    EXPECT_EQ(done.status, 1) << command << done.errors;
    EXPECT_TRUE(contains(done.output, "THE INPUT IS IN DOUBT"));
    EXPECT_FALSE(contains(done.output, "Every check passed"));
    EXPECT_FALSE(read(folder / command / "study.json")["reference"]["disagreement"].empty());
  }
  EXPECT_EQ(gpp({"report", path("study")}).status, 1);
}

// ---------------------------------------------------------------- the program as a whole

TEST_F(CommandLine, HelpIsEverywhereAndHasExamples) {
  const std::string help_of_all = succeeded(gpp({"--help"})).output;
  EXPECT_EQ(succeeded(gpp({})).output, help_of_all);
  EXPECT_TRUE(contains_in_order(help_of_all, {"\nLearn:\n  learn ", "\nMeasure:\n  doctor ",
                                              "\nCompare:\n  compare ", "\nWrite:\n  new "}));
  EXPECT_FALSE(contains(help_of_all, "Subcommands:")) << "a command outside of all groups";
  for (const std::string command :
       {"doctor", "list", "explain", "learn", "run", "check", "study", "lines", "compare", "report",
        "new", "judge", "scale", "trajectory", "inspect", "generate"}) {
    EXPECT_TRUE(contains(help_of_all, "\n  " + command + " "));
    EXPECT_TRUE(contains_in_order(succeeded(gpp({command, "--help"})).output,
                                  {"Examples:\n  ", "gpp " + command}));
  }
  EXPECT_EQ(gpp({"--version"}).status, 0);
}

/// The system may refuse to examine a path.
TEST_F(CommandLine, PathsThatNobodyCanLookAtAreExplained) {
  fs::create_symlink("loop", folder / "loop");
  const std::string loop = path("loop"), below = path("loop/a"), name(300, 'x');
  for (const std::string& bad : {loop, below, name}) {
    refuses({"report", bad}, {bad});
    refuses({"report", path("no"), "-o", bad}, {path("no")});
    refuses({"compare", bad, bad}, {bad});
    refuses({"inspect", bad}, {bad});
    refuses({"run", "v1", "--model", "serial", "--input", bad}, {bad});
  }
  for (const std::string& bad : {loop, below, name})
    refuses({"study", "--preset", "tiny", "-o", bad}, {"-o " + bad});
  refuses({"generate", "--preset", "tiny", "-o", below}, {below});
  refuses({"report", path("no")}, {"no such file or folder", "gpp study"});
}

/// Arguments, and parts of the message.
const std::vector<std::pair<Texts, Texts>> refusals = {
    {{"stuudy"}, {"unknown command 'stuudy'", "gpp --help"}},
    {{"list", "--jsno"}, {"--jsno", "gpp list --help"}},
    {{"--frobnicate"}, {"gpp --help"}},
    {{"inspect"}, {"FILE is required", "gpp_si2_tiny", "gpp_si8_medium"}},
    {{"inspect", "gpp_si2_tny"}, {"gpp_si2_tny: there is no such file", "gpp_si8_medium"}},
    {{"compare", "one"}, {"B is required"}},
    {{"report", "a", "--json", "-o", "b"}, {"--json", "--output"}},
    {{"study", "--input", ""}, {"-input"}},
    {{"study", "--time-limit", "0", "-o", ""}, {"-o"}},
    {{"study", "--model", ""}, {"-model"}},
    {{"study", "--only", ""}, {"unknown variant ''"}},
    {{"study", "--device", "abacus"}, {"--device"}},
    {{"run", "v1", "--counters", "maybe"}, {"--counters", "maybe", "{all,auto,off,source}"}},
    {{"study", "--ceilings", "on"}, {"--ceilings", "{auto,fresh,off}"}},
    {{"study", "--input", "a", "--preset", "tiny"}, {"--preset", "--input"}},
    {{"run", "v99"}, {"unknown variant 'v99'", "Known: v1, collapse3"}},
    {{"run", "v1", "--model", "serial,om"}, {"unknown model 'om'", "omp"}},
    {{"study", "--only", "v1,nothing"}, {"unknown variant 'nothing'"}},
    {{"run", "v99", "--model", "serial"}, {"unknown variant 'v99'"}},
    {{"study", "--preset", "smal"}, {"unknown preset 'smal'. Known: tiny, small"}},
    {{"generate", "--preset", "huge", "-o", "no.dat"}, {"unknown preset", "gpp214"}},
    {{"explain", "v7", "--model", "cda"}, {"unknown model 'cda'"}},
    {{"explain", "WORD"},
     {"unknown variant, ladder or word 'WORD'; gpp list shows variants and ladders"}},
    {{"study", "--ladder", "sc18"}, {"unknown ladder 'sc18'"}},
    {{"study", "--ladder", "none"}, {"sc19, arxiv, sc20, tutorial, between, tried"}},
    {{"study", "--ladder", ""}, {"unknown ladder ''"}},
    {{"study", "--ladder", "sc19", "--only", "v12"}, {"unknown step of the ladder sc19 'v12'"}},
    {{"check", "v1", "--only", "one_bond"}, {"one_band"}},
    {{"check", "v1", "--tolerance", "nan"}, {"--tolerance"}},
    {{"run", "v1", "--model", "serial", "--predict", "2"}, {"no step before v1 runs here"}},
    {{"lines", "v4", "--period", "40"}, {"--period"}},
    {{"lines", "v4", "--from", "a", "--preset", "tiny"}, {"--from"}},
    {{"lines", "v99"}, {"unknown variant 'v99'"}},
    {{"trajectory", "v8", "--device", "host", "--sizes", "tiny", "--units", "1,-1"},
     {"--units", "from 1 to ", "cores"}},
    {{"trajectory", "v8", "--device", "host", "--sizes", "tny"}, {"tny: there is no such file"}},
    {{"trajectory", "v99", "--device", "host"}, {"unknown variant 'v99'", "v1"}},
    {{"trajectory", "v8,v8", "--device", "host"}, {"twice"}},
    {{"trajectory", "v8", "--model", "opm"}, {"unknown model 'opm'", "omp"}}};

TEST_F(CommandLine, WhatItCannotDoIsExplained) {
  for (const auto& [arguments, parts] : refusals) refuses(arguments, parts);
  for (const char* value : {"-1", "nan", "inf", "much", ""})
    refuses({"run", "v1", "--tolerance", value}, {"--tolerance"});
  for (const char* value : {"0", "-3", "1.5", "often"})
    refuses({"run", "v1", "--repeat", value}, {"--repeat"});
  for (const char* value : {"-1", "1.5", "99999999999999999999", "one"})
    refuses({"generate", "--preset", "tiny", "-o", path("a.dat"), "--seed", value}, {"--seed"});
  for (const char* value : {"nan", "0", "1e999", "inf", "fast", ""})
    refuses({"run", "v7", "--predict", value}, {"--predict"});
}

// ---------------------------------------------------------------- list and doctor

TEST_F(CommandLine, ListsForScripts) {
  const json rows = json::parse(gpp({"list", "--json"}).output);
  bool serial = false;
  for (const json& row : rows) {
    EXPECT_EQ(row.size(), 8u);
    EXPECT_TRUE(!row["runs_on"].empty() || !row["runnable"].get<bool>()) << row;

    const bool runnable = row["runnable"].get<bool>();
    EXPECT_EQ(runnable, row["reason"].get<std::string>().empty()) << row;
    EXPECT_TRUE(row["built"].get<bool>() || !runnable) << row;
    serial = serial || (row["variant"] == "v1" && row["model"] == "serial" && runnable);
  }
  EXPECT_TRUE(serial);
  EXPECT_TRUE(contains(succeeded(gpp({"list"})).output, "variants/serial/v01_collapse3.cpp"));
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

/// Fixed roofs of this machine's processor, so that none need be measured.
roofline::Benchmarks made_up_roofs() {
  roofline::Benchmarks made_up = roofline::host_benchmarks();
  made_up.add_ceilings = [](roofline::Ceilings& ceilings, const roofline::Progress&) {
    using enum roofline::CeilingKind;
    ceilings.device = "An Abacus";
    ceilings.list = {{"fp64_fma", "FP64, FMA", compute, 1.5e11, 2e11, 2995, "beads", {}},
                     {"dram", "DRAM", bandwidth, 4.21e10, {}, 0, "", {{49152, 4.21e10}}}};
    ceilings.missing = {{"l3", "one wire only"}};
  };
  return made_up;
}

class CeilingsCommand : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    kept = roofline::known_ceilings(made_up_roofs(), roofline::cache_folder(), true);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    CommandLine::TearDown();
  }
  static roofline::Finished roofline_tool(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), GPP_BINARY_DIR "/bin/roofline");
    return roofline::run_program(arguments);
  }
  roofline::Ceilings kept;
};

TEST_F(CeilingsCommand, ShowsWhatIsKept) {
  const roofline::Finished done = succeeded(roofline_tool({"ceilings", "--device", "host"}));
  EXPECT_TRUE(
      contains_all(done.output, {"An Abacus", "FP64, FMA", "200.0 GFLOP/s", "2995 MHz", "DRAM",
                                 "No l3: one wire only.", "--fresh measures again"}));
  EXPECT_FALSE(contains(done.output, "48 KiB"));
  EXPECT_TRUE(contains(roofline_tool({"ceilings", "--device", "host", "--sweep"}).output,
                       "48 KiB  42.10 GB/s  DRAM"));
  const json ceilings =
      json::parse(roofline_tool({"ceilings", "--device", "host", "--json"}).output);
  EXPECT_EQ(ceilings.size(), 1u);
  EXPECT_EQ(ceilings["host"]["list"][0]["measured"], kept.list[0].measured);
  EXPECT_EQ(ceilings["host"]["missing"]["l3"], "one wire only");
}

TEST_F(CeilingsCommand, SaysWhyTheGpuHasNone) {
  const std::string reason = roofline::gpu_benchmarks().unavailable();
  if (reason.empty()) GTEST_SKIP() << "this machine has a GPU";
  const roofline::Finished done = ended(roofline_tool({"ceilings", "--device", "gpu"}), 1);
  EXPECT_TRUE(contains_all(done.errors, {"no ceilings of the gpu", reason.substr(0, 20)}));
  EXPECT_TRUE(
      contains_all(succeeded(roofline_tool({"ceilings"})).output, {"No gpu: ", "An Abacus"}));
}

// ---------------------------------------------------------------- generate and inspect

TEST_F(CommandLine, InspectsAFile) {
  ASSERT_EQ(gpp({"generate", "--preset", "tiny", "-o", path("a.dat")}).status, 0);
  const roofline::Finished text = succeeded(gpp({"inspect", path("a.dat")}));
  EXPECT_TRUE(
      contains_all(text.output, {"27 G (ncouls)", "2.916e+04 terms, ", "branch 2 touches"}));
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

/// An option takes only its own word, so the variant may follow it.
TEST_F(CommandLine, RunsAVariantByIdOrStep) {
  const auto run = [&](const Texts& variant_and_more) {
    Texts arguments = {"run", "--preset", "tiny", "--repeat", "3", "--model", "serial"};
    arguments.insert(arguments.end(), variant_and_more.begin(), variant_and_more.end());
    return gpp(arguments);
  };
  EXPECT_TRUE(contains(succeeded(run({"v1", "--details"})).output, "Every check passed."));
  const json result = json::parse(succeeded(run({"collapse3", "--json"})).output);
  EXPECT_EQ(result["status"], "passed");
  EXPECT_EQ(result["time_s"]["samples"].size(), 3u);
  EXPECT_TRUE(
      contains(ended(run({"v1", "--tolerance", "0"}), 1).output, "FAILED: 1 of 1 variants"));
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

/// The number of threads is reported, and too many are refused.
TEST_F(CommandLine, TellsTheThreadsThatWereUsed) {
  const auto run_with = [](const std::string& threads, const char* more) {
    return shell(
        "OMP_NUM_THREADS=" + threads,
        "run v8 --model omp --device host --preset tiny --repeat 1 --ceilings off --no-build",
        more);
  };
  const json one = json::parse(run_with("1", "--json").output);
  EXPECT_EQ(one["threads"], 1);
  EXPECT_EQ(one["parent"], "v7");
  const std::string count = std::to_string(std::thread::hardware_concurrency() + 16);
  const roofline::Finished many = succeeded(run_with(count, ""));
  EXPECT_TRUE(contains_all(many.output, {"More threads than the ", "OMP_NUM_THREADS="}));
}

// ---- gpp check ----------------------------------------------------------------------------------

Finished gpp_check(const Texts& arguments) { return run_gpp({"check"}, arguments); }

const char* const few = "gpp_si2_tiny,tiny,one_band,mixed_bands,resonance";

TEST(CheckCommand, TellsOfEachInputWhatItIsAndThatItPassed) {
  const Finished done = succeeded(gpp_check({"v1", "--model", "serial", "--only", few}));
  EXPECT_TRUE(contains_all(
      done.output, {"serial v1_collapse3 (host)", "occupied bands do not come first",
                    "bundled: real silicon", "one band", "1e-11", "5 of 5 inputs passed."}));
  EXPECT_TRUE(contains_all(
      succeeded(gpp_check({"v1", "v2", "--model", "serial,omp", "--only", "one_band"})).output,
      {"serial v1_collapse3", "omp v1_collapse3", "omp v2_collapse2"}));
  EXPECT_TRUE(contains(succeeded(run_example("stream", {"check", "add", "--model", "omp"})).output,
                       "one element, one lane"));
}

/// No double-precision sum is exact to 1e-30.
TEST(CheckCommand, NamesTheSumThatIsOff) {
  const Finished done = ended(
      gpp_check({"v1", "--model", "omp", "--only", "complex,tiny", "--tolerance", "1e-30"}), 1);
  EXPECT_TRUE(contains_all(done.output,
                           {"FAILED", "complex: ", "relative error", "0 of 2 inputs passed."}));
}

TEST(CheckCommand, SpeaksJson) {
  const json report = json::parse(
      succeeded(gpp_check({"v1", "--model", "serial", "--only", few, "--json"})).output);
  EXPECT_EQ(report.at("variant"), "v1");
  EXPECT_EQ(report.at("passed"), true);
  ASSERT_EQ(report.at("inputs").size(), 5u);
  for (const json& input : report.at("inputs")) {
    EXPECT_EQ(input.at("passed"), true);
    EXPECT_EQ(input.at("tolerance"), 1e-11);
    EXPECT_LE(input.at("max_relative_error"), 1e-11);
    EXPECT_EQ(input.at("reason"), "");
  }
}

// ---- Foreign files, destinations of output, environment variables -------------------------------

class Outside : public CommandLine {
 protected:
  /// Expects that every command that reads records refuses the one in the folder, and names it.
  void every_reader_refuses(const std::string& part) const {
    const std::string at = path("at");
    for (const std::vector<std::string>& command : {std::vector<std::string>{"report", at},
                                                    {"report", at, "-o", path("page")},
                                                    {"compare", at, at}})
      refuses(command, {"study.json", part});
  }
};

TEST_F(Outside, RecordsAreRegularFilesOfBoundedSizeAndDepth) {
  const fs::path record = folder / "at/study.json";
  write_record(folder, sample_study());
  std::string deep = text(folder / "study.json");
  fs::remove(folder / "study.json");
  fs::create_directory(folder / "at");
  ASSERT_EQ(mkfifo(record.c_str(), 0600), 0);
  every_reader_refuses("not a file but a pipe");
  fs::remove(record);
  fs::create_symlink("/dev/zero", record);
  every_reader_refuses("a device");
  fs::remove(record);
  std::ofstream(record).flush();
  fs::resize_file(record, 500'000'000);
  every_reader_refuses("500 MB are more than any such file has");
  fs::remove(record);
  deep.insert(1, "\"zz\":" + std::string(131000, '[') + std::string(131000, ']') + ",");
  std::ofstream(record) << deep;
  every_reader_refuses("nested more than 64 levels deep");
  ASSERT_EQ(mkfifo(path("a.json").c_str(), 0600), 0);
  fs::create_directory(folder / "t");
  ASSERT_EQ(mkfifo(path("t/trajectory.json").c_str(), 0600), 0);
  refuses({"report", path("t")}, {"trajectory.json: not a file"});
  refuses({"inspect", path("a.json")}, {"not a regular file"});
}

/// A failed write of output must not be a success.
TEST_F(Outside, OutputThatCannotBeWrittenIsAnError) {
  write_record(folder, sample_study());
  const std::string record = folder.string();
  const std::string tiny = "--preset tiny --model serial --repeat 1 --ceilings off --counters off ";
  for (const std::string& command :
       {std::string(), std::string("--help"), std::string("--version"), std::string("list"),
        std::string("list --json"), std::string("doctor"), std::string("doctor --json"),
        std::string("inspect --help"), "generate --preset tiny -o " + path("tiny.dat"),
        "inspect " + path("tiny.dat"), "run v1 " + tiny, "run --json v1 " + tiny,
        std::string("check v1 --model serial --only one_band"),
        "study -o " + path("s") + " " + tiny, "study --json -o " + path("j") + " " + tiny,
        "compare " + record + " " + record, "report " + record, std::string("explain v7")}) {
    const roofline::Finished done = shell("", command, "> /dev/full");
    EXPECT_EQ(done.status, 2) << command << "\n" << done.errors;
    EXPECT_TRUE(contains(done.errors, "gpp: what was printed did not arrive")) << command;
  }
  for (const char* made : {"s", "j"})
    EXPECT_TRUE(read_record(folder / made).complete) << "what was measured is kept all the same";
}

TEST_F(Outside, ThreadsThatNoMachineHasAreRefusedByName) {
  const std::string tiny = " --preset tiny --ceilings off --counters off";
  for (const std::string& command :
       {"study -o " + path("s") + tiny, "run v1" + tiny, std::string("inspect none.dat"),
        std::string("doctor"), std::string("list"),
        std::string("check v1 --model serial --only one_band")}) {
    const roofline::Finished done = shell("OMP_NUM_THREADS=100000", command);
    EXPECT_EQ(done.status, 2) << command;
    EXPECT_TRUE(contains(done.errors, "gpp: OMP_NUM_THREADS asks for 100000 threads")) << command;
  }
  EXPECT_EQ(shell("OMP_NUM_THREADS=100000", "--help").status, 0);
}

TEST_F(Outside, VariablesThatMayChangeResultsStandInTheRecord) {
  const roofline::Finished done = succeeded(shell(
      "OMP_NUM_THREADS=1 GLIBC_TUNABLES=glibc.malloc.arena_max=1 CUDA_CACHE_DISABLE=1",
      "study --preset tiny --model serial --repeat 1 --ceilings off --details -o " + path("s")));
  const auto set = read(folder / "s/study.json")["machine"]["environment"];
  EXPECT_EQ(set["OMP_NUM_THREADS"], "1");
  EXPECT_EQ(set["GLIBC_TUNABLES"], "glibc.malloc.arena_max=1");
  EXPECT_EQ(set["CUDA_CACHE_DISABLE"], "1");
  EXPECT_FALSE(set.contains("HOME"));
  for (const std::string& told : {done.output, text(folder / "s/summary.txt")})
    EXPECT_TRUE(contains_all(told, {"CUDA_CACHE_DISABLE=1", "OMP_NUM_THREADS=1"}));
}

// ---- No driver ----------------------------------------------------------------------------------

/// Every command that needs an NVIDIA GPU has the same message and remedy.
TEST_F(CommandLine, AMissingDriverIsToldByEveryCommandOfBothPrograms) {
  const json rows = json::parse(gpp({"list", "--json"}).output);
  if (!std::ranges::any_of(
          rows, [](const json& row) { return row["model"] == "cuda" && row["built"] == true; }))
    GTEST_SKIP() << "CUDA is not built";
  // This fake file is found before the machine's driver.
  std::ofstream(folder / "libcuda.so.1") << "no library";
  const std::string build = GPP_BINARY_DIR;
  const std::vector<std::vector<std::string>> commands = {
      {"/gpp", "list"},
      {"/gpp", "doctor"},
      {"/gpp", "run", "v1", "--model", "cuda", "--preset", "tiny"},
      {"/gpp", "check", "v1", "--model", "cuda"},
      {"/gpp", "lines", "v1", "--model", "cuda", "--preset", "tiny"},
      {"/gpp", "trajectory", "v1", "--model", "cuda", "-o", path("t")},
      {"/bin/roofline", "ceilings", "--device", "gpu"},
      {"/bin/roofline", "record", "-o", path("r"), "--", "/bin/true"}};
  const char* const before = std::getenv("LD_LIBRARY_PATH");
  const std::string path_of_libraries =
      "LD_LIBRARY_PATH=" + folder.string() + (before == nullptr ? "" : std::string(":") + before);
  for (std::vector<std::string> command : commands) {
    const std::string name = command[0] + " " + command[1];
    command[0] = build + command[0];
    command.insert(command.begin(), {"env", path_of_libraries});
    const roofline::Finished done = roofline::run_program(command);
    const std::string said = done.output + done.errors;
    EXPECT_TRUE(contains_all(said, {"no NVIDIA driver here", "docker run --gpus all"})) << name;
    EXPECT_FALSE(contains(said, "insufficient")) << name;
  }
}

}  // namespace
}  // namespace gpp::test
