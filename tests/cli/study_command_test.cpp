// Tests of gpp study, report and compare as processes: files, messages and exit statuses.
#include <cstdlib>

#include "harness/kernel.h"
#include "tests/cli/command_line.h"
#include "tests/harness/kept_text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TEST_F(CommandLine, AStudyLeavesWhatAReportRedraws) {
  const Finished done = succeeded(study("s", {"--details"}));
  EXPECT_TRUE(contains(done.output, "Every check passed."));
  EXPECT_FALSE(contains(done.output, "\033"));
  EXPECT_EQ(done.errors, "") << "no progress where nobody looks";
  const json record = read(folder / "s" / "study.json");
  EXPECT_EQ(record["schema_version"], 2);
  EXPECT_EQ(record["input"]["ncouls"], 27);
  EXPECT_EQ(record["results"][0]["status"], "passed");
  EXPECT_EQ(record["results"][0]["threads"], 1) << "of the model serial";
  EXPECT_EQ(record["results"][0]["time_s"]["samples"].size(), 5u);
  EXPECT_FALSE(record["build"]["compilers"].empty());
  EXPECT_EQ(record["git"]["revision"].get<std::string>().empty(), false);
  EXPECT_TRUE(contains(text(folder / "s" / "study.csv"), "serial,v1,collapse3,host"));
  EXPECT_TRUE(contains_in_order(done.output, lines_of(text(folder / "s" / "summary.txt"))))
      << "on a busy machine with a sentence more";
  EXPECT_FALSE(fs::exists(folder / "s" / "study.json.partial"));
  EXPECT_TRUE(contains(done.output, "\nCharts: "));
  EXPECT_TRUE(contains(text(folder / "s" / "ladder.svg"), "collapse3"));
  succeeded(gpp({"report", path("s"), "-o", path("again")}));
  for (const char* file : {"summary.txt", "study.csv", "ladder.svg"})
    EXPECT_EQ(text(folder / "again" / file), text(folder / "s" / file)) << file;
}

/// Without --details a study's output is short; summary.txt is always complete.
TEST_F(CommandLine, AStudyFitsOnAScreenAndEndsWithWhatWasLearnt) {
  const Finished done =
      succeeded(gpp({"study", "--input", "gpp_si8_medium", "--repeat", "1", "--device", "host",
                     "--counters", "off", "--only", "v9,v11,v12", "-o", path("s")}));
  EXPECT_LE(std::count(done.output.begin(), done.output.end(), '\n'), 40) << done.output;
  EXPECT_FALSE(contains(done.output, "1e-12"));
  const std::string summary = text(folder / "s" / "summary.txt");
  EXPECT_TRUE(contains(summary, "1e-12"));
  const std::size_t next = done.output.rfind("Next: gpp explain v");
  ASSERT_NE(next, std::string::npos) << done.output;
  EXPECT_EQ(done.output.find('\n', next), done.output.size() - 1) << "the last words";
  EXPECT_TRUE(summary.ends_with(done.output.substr(next)));
  Texts run = {"run", "v9", "--model", "omp", "--device", "host", "--preset", "tiny"};
  const Finished ran = gpp(run);
  EXPECT_LE(std::count(ran.output.begin(), ran.output.end(), '\n'), 40) << ran.output;
  EXPECT_TRUE(contains_in_order(ran.output, {"v9 takes ", "Next: gpp explain v"}));
  run.emplace_back("--details");
  EXPECT_TRUE(contains(gpp(run).output, "\n  sources "));
}

TEST_F(CommandLine, AHostIsCountedFromTheSourceUnlessItIsNotWanted) {
  const json counted = json::parse(succeeded(study("s", {"--json"})).output)["results"][0];
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
  const Finished done = study("s", {"--ceilings", "auto", "--json"});
  ::unsetenv("XDG_CACHE_HOME");
  ASSERT_EQ(done.status, 0) << done.errors;
  const json record = json::parse(done.output);
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
  EXPECT_TRUE(contains(text(folder / "s" / "summary.txt"), "\nRoofline of "));
  EXPECT_TRUE(contains(text(folder / "s" / "study.csv"), "analytic"));
}

/// With bound threads, a program's first thread knows only one core. A call of a variant binds the
/// calling thread, which must be undone.
TEST_F(CommandLine, BoundThreadsLeaveTheProgramItsCores) {
  const std::string bound = "OMP_PROC_BIND=close OMP_PLACES=cores";
  const auto cores = [&](const std::string& environment) {
    for (const json& line : json::parse(succeeded(shell(environment, "doctor --json")).output))
      if (line["subject"] == "cores") return line["text"].get<std::string>();
    return std::string("not told");
  };
  EXPECT_EQ(cores(bound), cores(""));
  succeeded(
      shell(bound,
            "study --preset tiny --model omp --device host --only v8 --repeat 1 --ceilings off "
            "--counters off --no-build -o " +
                path("bound")));
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
  succeeded(gpp({"study", "--preset", "tiny", "--repeat", "2", "-o", path("s")}));
  const json record = read(folder / "s" / "study.json");
  std::size_t all = 0;  // except steps that exist only in ladders
  for (const json& row : json::parse(gpp({"list", "--json"}).output))
    all += is_of_ladders_alone(*kernels().front(), row["variant"].get<std::string>()) ? 0 : 1;
  EXPECT_EQ(record["results"].size(), all);
}

TEST_F(CommandLine, AFailedCheckOfAStudyCannotBeMissed) {
  const Finished done = ended(study("s", {"--tolerance", "1e-30"}), 1);
  EXPECT_TRUE(contains(done.output, "!! FAILED: 1 of 1 variants"));
  EXPECT_FALSE(contains(done.output, "Every check passed"));
  EXPECT_TRUE(contains(ended(gpp({"report", path("s")}), 1).output, "!! FAILED"));
  const json result = read(folder / "s" / "study.json")["results"][0];
  EXPECT_EQ(result["status"], "failed");
  EXPECT_FALSE(result["time_s"].contains("median")) << "a record holds facts";
  EXPECT_NE(result["reason"], "");
  const json printed = json::parse(study("t", {"--tolerance", "1e-30", "--json"}).output);
  EXPECT_TRUE(printed["results"][0]["time_s"]["median"].is_null());
}

TEST_F(CommandLine, AStudyOfNothingIsNoSuccess) {
  refuses({"study", "--preset", "smal", "-o", path("s")}, {"unknown preset"});
  EXPECT_FALSE(fs::exists(folder / "s"));
  std::ofstream(folder / "file") << "x";
  refuses({"study", "--preset", "tiny", "-o", path("file")}, {"-o", path("file")});
  EXPECT_TRUE(contains(ended(study("s", {"--device", "gpu"}), 1).output, "nothing was checked"));
  refuses({"report", path("none")}, {"none", "gpp study"});
  study("cut");
  fs::resize_file(folder / "cut" / "study.json", 700);
  refuses({"report", path("cut")}, {"cut off"});
  refuses({"compare", path("cut"), path("cut")}, {"cut off"});
}

TEST_F(CommandLine, AStudyForScriptsPrintsItsRecordAlone) {
  const json printed = json::parse(study("s", {"--json"}).output);
  const json facts = read(folder / "s" / "study.json");
  EXPECT_TRUE(printed["results"][0]["time_s"]["median"].is_number()) << "what follows from facts";
  const json all = printed.flatten(), stored = facts.flatten();
  for (const auto& [place, fact] : stored.items()) {
    if (fact.is_null()) continue;  // the fact is unknown or empty
    ASSERT_TRUE(all.contains(place)) << place;
    EXPECT_EQ(all[place], fact) << place;
  }
}

/// After an interruption during timing, the record is complete and says what was measured.
TEST_F(CommandLine, AnInterruptedStudyKeepsItsRecord) {
  const fs::path file = folder / "s" / "study.json";
  const Finished done = ended(
      shell("", "study --preset tiny --model serial --repeat 1000000 --details -o " + path("s"),
            "& pid=$!; i=0; while [ ! -s " + file.string() +
                " ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i+1)); done; "
                "sleep 0.5; kill -TERM $pid; wait $pid"),
      130);
  EXPECT_TRUE(contains(done.errors, "interrupted"));
  const json result = read(file)["results"][0];
  EXPECT_EQ(result["status"], "passed");
  EXPECT_GT(result["time_s"]["samples"].size(), 0u);

  EXPECT_FALSE(read(file)["complete"].get<bool>());
  EXPECT_TRUE(contains(done.output, "!! PARTIAL"));
  EXPECT_FALSE(contains(done.output, "Every check passed"));
  EXPECT_TRUE(contains_in_order(done.output, lines_of(text(folder / "s" / "summary.txt"))));
  EXPECT_TRUE(contains(text(folder / "s" / "report.html"), "this study was interrupted or killed"));
  EXPECT_TRUE(contains(ended(gpp({"report", path("s")}), 1).output, "!! PARTIAL"));
  EXPECT_TRUE(contains(ended(gpp({"compare", path("s"), path("s")}), 1).output, "!! PARTIAL"));
}

// ---------------------------------------------------------------- report and compare

TEST_F(CommandLine, ReportsSideBySideRunNoCommandAndActOnNoTerminal) {
  const char* name = "x'; system('touch PWNED'); y='\x1b[2J";
  study("a");
  study(name);
  json record = read(folder / name / "study.json");
  record["machine"]["cpu"] = "`touch PWNED`\x1b[2J";
  for (json& result : record["results"]) result["device"] = "`touch PWNED`\x1b[2J";
  std::ofstream(folder / name / "study.json") << record.dump();
  const Finished done =
      succeeded(gpp({"report", path("a"), path(name) + "/study.json", "-o", path("out")}));
  const Finished compared = gpp({"compare", path("a"), path(name)});
  for (const std::string& shown : {done.output, compared.output, text(folder / "out" / "study.csv"),
                                   text(folder / "out" / "ladder.svg")})
    EXPECT_FALSE(contains(shown, "\x1b"));
  EXPECT_TRUE(contains(done.output, "\\x1b[2J"));
  EXPECT_TRUE(contains(text(folder / "out" / "study.csv"), "\na,serial"));
  EXPECT_FALSE(fs::exists(folder / "out" / "PWNED"));
  record["results"][0]["variant"] = "`touch PWNED`";
  std::ofstream(folder / name / "study.json") << record.dump();
  refuses({"report", path(name), "-o", path("out")},
          {"study.json", "results[0].variant", "no name"});
  refuses({"report", path("no\x1b[2J")}, {"no\\x1b[2J"});
}

/// A lower clock explains a longer time, and nothing else does; a variant must not be called slower
/// because others used the machine.
TEST_F(CommandLine, ComparesAtAnEqualClockAndNoDisturbedTimes) {
  const auto compared = [&](const Texts& more) {
    return run_gpp({"compare", path("a"), path("b")}, more);
  };
  study("a");
  study("b", {"--seed", "2"});
  refused(compared({}), {"different inputs"});
  study("b", {"--replace"});
  set_runs("a", 1.0, 2000);
  set_runs("b", 1.1, 2000 / 1.09);
  EXPECT_TRUE(contains_all(succeeded(compared({"--within", "2"})).output,
                           {"1 of 1 times are within 2%", "0.991"}));
  set_runs("b", 1.1, 2000);
  EXPECT_TRUE(
      contains(ended(compared({"--within", "2"}), 1).output, "beyond it: serial v1 by 10.0%"));
  EXPECT_EQ(compared({}).status, 0);
  EXPECT_TRUE(contains(succeeded(gpp({"compare", path("a"), path("a")})).output, "same"));
  set_runs("b", 1.0, 2000, 0.34);
  const json rows = json::parse(compared({"--json"}).output);
  EXPECT_EQ(rows[0]["verdict"], "undecided");
  EXPECT_EQ(rows[0]["remark"], "disturbed in B: others took 34% of the device");
  EXPECT_TRUE(
      contains(succeeded(gpp({"report", path("b")})).output, "Others took 34% of the processor"))
      << "no status depends on the load";
}

}  // namespace
}  // namespace gpp::test
