// `roofline record` on programs that crash, hang, fork or end early, and where the machine refuses.
// No test waits for a length of time: files that the program writes say how far it is.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "roofline/inject/program.h"
#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class RecordTrouble : public testing::Test, protected Recorded {};

Words fake_program(const Words& words) {
  Words program = {FAKE_PROGRAM};
  program.insert(program.end(), words.begin(), words.end());
  return program;
}

void end_orphans(const Recorded& place) {
  for (const std::string& process : place.lines("orphans")) kill(std::stoi(process), SIGKILL);
}

TEST_F(RecordTrouble, SuddenEndsLeaveARecord) {
  EXPECT_EQ(run({"launch=k2*3", "sync", "_exit=7"}, {"-o", "exit"}).status, 7);
  expect_exact(profile("exit"), "k2", 3);
  const Words abort = {"launch=k2*3", "sync", "signal=" + std::to_string(SIGABRT)};
  EXPECT_EQ(run(abort, {"-o", "abort"}).status, 128 + SIGABRT);
  expect_exact(profile("abort"), "k2", 3);
  const Words kill = {"launch=k2*3", "sync", "signal=" + std::to_string(SIGKILL)};
  EXPECT_EQ(run(kill, {"-o", "kill"}).status, 128 + SIGKILL);
  expect_exact(profile("kill"), "k2", 3);
}

/// A shell that runs the fake program, and lets its run of that number end by SIGSEGV.
Words crashing_in(int run) {
  const std::string program = FAKE_PROGRAM;
  return {"sh", "-c",
          "echo run >> starts; if [ $(wc -l < starts) = " + std::to_string(run) + " ]; then exec " +
              program + " launch=k2*3 sync signal=11; else exec " + program + " launch=k2*5; fi"};
}

TEST_F(RecordTrouble, ACrashOfTheInstrumentedRunNamesTheWayAround) {
  const Finished instrumented = succeeded(record({"-o", "third"}, crashing_in(3)));
  EXPECT_TRUE(contains_all(instrumented.errors,
                           {"ended with 139 when counted, and with 0 before", "--counters fast"}));
  EXPECT_EQ(kernel_in(profile("third"), "k2")["bytes"]["dram"], 5 * 2 * 6400);
  fs::remove(file("starts"));
  const Finished hardware = record({"-o", "second"}, crashing_in(2));
  EXPECT_TRUE(contains(hardware.errors, "ended with 139 when counted, and with 0 before"));
  EXPECT_FALSE(contains(hardware.errors, "--counters fast counts"));
}

TEST_F(RecordTrouble, AnEndlessProgramIsTimedUntilInterruptedAndCountedAsFar) {
  Running tool(command({}, fake_program({"note=runs", "launch=k1*50", "sync", "note=launched",
                                         "endless=k1"})),
               folder());
  ASSERT_TRUE(wait_for_lines("launched", 1));
  tool.signal(SIGINT);
  const Finished done = ended(tool.wait(), 128 + SIGINT);
  EXPECT_EQ(lines("runs").size(), 3u) << done.errors;
  const json kernel = kernel_in(profile(), "k1");
  ASSERT_GE(kernel["launches"], 50);
  EXPECT_EQ(kernel["bytes"]["dram"], 6400 * kernel["launches"].get<double>());
  EXPECT_TRUE(notes(profile(), "The run for times was interrupted"));
}

TEST_F(RecordTrouble, AnEndlessProgramThatCannotBeCountedIsToldToEnd) {
  environment = {"FAKE_CUPTI_REFUSES=cuptiRangeProfilerEnable"};
  Running tool(command({}, fake_program({"launch=k1*50", "sync", "note=runs", "endless=k1"})),
               folder());
  ASSERT_TRUE(wait_for_lines("runs", 1));
  tool.signal(SIGINT);
  EXPECT_TRUE(contains(tool.wait().errors, "counting ended early"));
  EXPECT_GE(kernel_in(profile(), "k1")["launches"], 50);
}

TEST_F(RecordTrouble, TerminationCountsNothingMoreAndLeavesARecord) {
  Running tool(command({}, fake_program({"launch=k1*50", "sync", "note=runs", "endless=k1"})),
               folder());
  ASSERT_TRUE(wait_for_lines("runs", 1));
  tool.signal(SIGTERM);
  EXPECT_EQ(tool.wait().status, 128 + SIGTERM);
  EXPECT_EQ(lines("runs").size(), 1u);
  EXPECT_TRUE(notes(profile(), "Nothing was counted"));
  EXPECT_GE(kernel_in(profile(), "k1")["launches"], 50);
}

TEST_F(RecordTrouble, AnInterruptEndsTheCounting) {
  for (const int number : {2, 3}) {
    const Recorded place;
    const std::string here = std::to_string(number) + ":runs";
    Running tool(place.command({}, fake_program({"note=runs", "launch=k1*50", "sync",
                                                 "note=reached", "endless-in-run=" + here})),
                 place.folder());
    ASSERT_TRUE(place.wait_for_lines("reached", static_cast<std::size_t>(number)));
    tool.signal(SIGINT);
    succeeded(tool.wait());
    EXPECT_EQ(place.lines("runs").size(), static_cast<std::size_t>(number));
    const json kernel = kernel_in(place.profile(), "k1");
    EXPECT_GE(kernel["launches"], 50);
    EXPECT_EQ(kernel["bytes"]["dram"], 6400 * kernel["launches"].get<double>());
    EXPECT_TRUE(notes(place.profile(), "was interrupted"));
  }
}

TEST_F(RecordTrouble, ExitFromASignalsHandlerWithinALaunchEnds) {
  const Words words = {"exit-on-signal", "launch=k1*50", "launch=interrupts", "note=after"};
  succeeded(run(words));
  EXPECT_TRUE(lines("after").empty()) << "the signal came within the launch";
  EXPECT_EQ(kernel_in(profile(), "k1")["launches"], 50);
}

TEST_F(RecordTrouble, AShellAroundAnEndlessProgramLeavesNothingRunning) {
  const std::string script =
      std::string(FAKE_PROGRAM) + " launch=k1*50 sync note=runs endless=k1; true";
  Running tool(command({"--counters", "fast"}, {"sh", "-c", script}), folder());
  ASSERT_TRUE(wait_for_lines("runs", 1));
  // As a terminal does, which tells all of its processes.
  tool.signal(SIGINT);
  kill(std::stoi(lines("runs").at(0)), SIGINT);
  const Finished done = tool.wait();
  EXPECT_EQ(lines("runs").size(), 2u) << done.errors;
  for (const std::string& process : lines("runs"))
    EXPECT_TRUE(comes_to_its_end(process)) << "it still runs";
}

TEST_F(RecordTrouble, AProcessLeftBehindIsNotWaitedForBeyondAnInterrupt) {
  Running tool(command({}, fake_program({"orphan=orphans", "launch=k1*50", "note=runs"})),
               folder());
  ASSERT_TRUE(wait_for_lines("orphans", 1));
  ASSERT_TRUE(wait_for_lines("runs", 1));
  tool.signal(SIGTERM);
  tool.wait();
  EXPECT_GE(kernel_in(profile(), "k1")["launches"], 50);
  end_orphans(*this);
}

TEST_F(RecordTrouble, AProcessLeftBehindThatTalksOnIsHeardForALimitedTime) {
  inject::Run run;
  run.arguments = command({}, fake_program({"orphan=" + file("orphans"), "launch=k1"}));
  const auto tool = std::find(run.arguments.begin(), run.arguments.end(), ROOFLINE_TOOL);
  run.arguments.erase(tool, std::find(tool, run.arguments.end(), "--") + 1);  // the program alone
  run.library = GPP_BINARY_DIR "/lib/libroofline_inject.so";
  run.afterwards = std::chrono::milliseconds(500);
  const inject::Tally tally = inject::run_watched(run, [](const inject::Tally&) {});
  end_orphans(*this);
  EXPECT_EQ(tally.processes, 2);
  ASSERT_EQ(tally.notes.size(), 1u);
  EXPECT_TRUE(contains(*tally.notes.begin(), "still launched kernels 0.5 s after its end"));
}

/// Until nobody may signal it any more, no stranger can have its number.
TEST_F(RecordTrouble, AnEndedProgramKeepsItsNumberWhileItsChildrenAreHeard) {
  Running tool(command({}, fake_program({"orphan=orphans", "note=runs"})), folder());
  ASSERT_TRUE(wait_for_lines("runs", 1));
  const std::string stat = "/proc/" + lines("runs").at(0) + "/stat";
  EXPECT_TRUE(comes_to_its_end(lines("runs").at(0)));
  EXPECT_TRUE(contains(file_text(stat), ") Z")) << "it is gone";
  tool.signal(SIGTERM);
  tool.wait();
  end_orphans(*this);
}

TEST_F(RecordTrouble, AForkedChildThatExitsDisturbsNothing) {
  succeeded(run({"launch=k1*5", "fork", "launch=k1*5", "say=done"}));
  expect_exact(profile(), "k1", 10);
  EXPECT_EQ(run({"launch=k1*5", "launch=forks"}, {"-o", "within"}).status, 0);
  expect_exact(profile("within"), "k1", 5);
  expect_exact(profile("within"), "forks", 1);
}

TEST_F(RecordTrouble, EveryRunReadsTheSameInput) {
  std::ofstream(file("input")) << "12345678";
  std::string line;
  for (const std::string& word : command({"--json"}, fake_program({"read"})))
    line += "'" + word + "' ";
  const Finished done = succeeded(run_program({"sh", "-c", line + "< '" + file("input") + "'"}));
  EXPECT_TRUE(contains(done.errors, "read 8\n"));
  expect_exact(profile(), "byte", 8);
}

TEST_F(RecordTrouble, IgnoredSignalsStayIgnored) {
  std::string line = "trap '' HUP; exec ";
  for (const std::string& word :
       command({}, fake_program({"launch=k", "sync", "signal=" + std::to_string(SIGHUP)})))
    line += "'" + word + "' ";
  const Finished done = run_program({"sh", "-c", line});
  EXPECT_EQ(done.status, 0) << "as under nohup: " << done.errors;
  expect_exact(profile(), "k", 1);
}

TEST_F(RecordTrouble, GarbageIsNotedAndTheRestCounted) {
  EXPECT_EQ(run({"launch=k2*3", "garbage", "launch=k2"}).status, 0);
  expect_exact(profile(), "k2", 4);
  EXPECT_TRUE(notes(profile(), "no JSON, or cut off"));
  EXPECT_TRUE(notes(profile(), "a kernel that it never named"));
}

TEST_F(RecordTrouble, ClosedFilesEndNothing) {
  const Finished done =
      succeeded(run({"launch=k*3", "sync", "close-files", "launch=k*3", "say=done"}));
  EXPECT_TRUE(contains(done.output, "done"));
  EXPECT_EQ(kernel_in(profile(), "k")["launches"], 3) << "what came before is known";
}

TEST_F(RecordTrouble, FilesOfTheProgramGetNothingOfOurs) {
  const Finished done =
      succeeded(run({"launch=k*3", "sync", "take-numbers", "launch=k*3", "sync", "heard"}));
  EXPECT_TRUE(contains(done.output, "heard 0\n"));
  EXPECT_EQ(kernel_in(profile(), "k")["launches"], 3) << "what came before is known";
}

TEST_F(RecordTrouble, NotesOfRefusedPacketsAreLimited) {
  EXPECT_EQ(run({"launch=k2*3", "wrong-launches=150"}, {"--counters", "fast"}).status, 0);
  EXPECT_EQ(kernel_in(profile(), "k2")["launches"], 3);
  EXPECT_LT(profile()["notes"].size(), 120u);
  EXPECT_TRUE(notes(profile(), "There were more notes than these"));
}

TEST_F(RecordTrouble, ProcessesBeyondWhatTheToolMayOpenAreSaid) {
  std::string line = "ulimit -Sn 64; exec ";
  for (const std::string& word : command(
           {"--counters", "fast"}, fake_program({"launch=k2*3", "connections=80", "launch=k2"})))
    line += "'" + word + "' ";
  EXPECT_EQ(run_program({"sh", "-c", line}).status, 0);
  EXPECT_EQ(kernel_in(profile(), "k2")["launches"], 4);
  EXPECT_TRUE(notes(profile(), "more than 32 processes of the program used CUDA at a time"));
}

TEST_F(RecordTrouble, ProgramsThatCannotStart) {
  std::ofstream(file("plain")) << "no program\n";
  for (const std::string& program : {std::string("no-such-program"), file("plain"), file("")}) {
    refused(record({}, {program}), {"cannot be started"});
  }
}

TEST_F(RecordTrouble, WithoutADriverNothingStarts) {
  std::ofstream(file("libcuda.so.1")) << "no library";
  environment = {"LD_LIBRARY_PATH=" + folder().string()};
  refused(run({"note=runs"}), {"no NVIDIA driver here", "The program was not started"});
  environment = {"FAKE_CUDA_GPUS=0"};
  EXPECT_TRUE(contains(run({"note=runs"}).errors, "no GPU to count on"));
  EXPECT_TRUE(lines("runs").empty());
}

TEST_F(RecordTrouble, ACuptiThatDoesNotFitIsRefused) {
  environment = {"FAKE_CUDA_VERSION=11080"};
  refused(run({"note=runs"}), {"the driver supports CUDA 11.8"});
  EXPECT_TRUE(lines("runs").empty());
}

TEST_F(RecordTrouble, WithoutTheRightToCountOnlyTimesAreKept) {
  for (const char* function : {"cuptiProfilerInitialize", "cuptiRangeProfilerEnable",
                               "cuptiRangeProfilerStart", "cuptiRangeProfilerStop"}) {
    environment = {std::string("FAKE_CUPTI_REFUSES=") + function};
    const Finished done = run({"launch=k*3", "say=done"}, {"-o", function});
    EXPECT_EQ(done.status, 1) << function << done.errors;
    EXPECT_TRUE(contains_all(done.errors, {"counting ended early", function}));
    const json kernel = kernel_in(profile(function), "k");
    EXPECT_EQ(kernel["launches"], 3);
    EXPECT_TRUE(kernel["seconds"].is_number());
    EXPECT_FALSE(kernel["bytes"].contains("dram")) << "not counted is not 0";
  }
}

TEST_F(RecordTrouble, InstructionsAreCountedWhereOnlyTheHardwareRefuses) {
  environment = {"FAKE_CUPTI_REFUSES=hardware"};
  const Finished done = succeeded(run({"launch=k*3"}, {"-o", "record"}));
  EXPECT_TRUE(contains(done.errors, "may not read the GPU's counters"));
  const json kernel = kernel_in(profile("record"), "k");
  EXPECT_FALSE(kernel["bytes"].contains("dram")) << kernel.dump(1);
  EXPECT_EQ(kernel["counters"].value("sm__sass_thread_inst_executed_op_ffma_pred_on.sum", 0.0), 600)
      << kernel.dump(1);
}

TEST_F(RecordTrouble, WithoutTheRightToWatchItIsSaid) {
  for (const char* function : {"cuptiSubscribe", "cuptiActivityEnable"}) {
    environment = {std::string("FAKE_CUPTI_REFUSES=") + function};
    const Finished done = ended(run({"launch=k", "say=done", "exit=3"}), 3);
    EXPECT_EQ(done.output, "done\n") << "the program runs as always";
    EXPECT_TRUE(contains(done.errors, "the kernels could not be watched"));
  }
}

}  // namespace
}  // namespace roofline::test
