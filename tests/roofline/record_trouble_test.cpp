// `roofline record` on programs that crash, hang, fork or end early, and where the machine refuses.
// No test waits for a length of time: files that the program writes say how far it is.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "roofline/inject/program.h"
#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::contains;
using test::expect_exact;
using test::kernel_in;
using test::notes;
using test::Recorded;
using test::Running;
using test::Words;

Words fake_program(const Words& words) {
  Words program = {FAKE_PROGRAM};
  program.insert(program.end(), words.begin(), words.end());
  return program;
}

void end_orphans(const Recorded& place) {
  for (const std::string& process : place.lines("orphans")) kill(std::stoi(process), SIGKILL);
}

TEST(RecordTrouble, SuddenEndsLeaveARecord) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k2*3", "sync", "_exit=7"}, {"-o", "exit"}).status, 7);
  expect_exact(place.profile("exit"), "k2", 3);
  const Words abort = {"launch=k2*3", "sync", "signal=" + std::to_string(SIGABRT)};
  EXPECT_EQ(place.run(abort, {"-o", "abort"}).status, 128 + SIGABRT);
  expect_exact(place.profile("abort"), "k2", 3);
  const Words kill = {"launch=k2*3", "sync", "signal=" + std::to_string(SIGKILL)};
  EXPECT_EQ(place.run(kill, {"-o", "kill"}).status, 128 + SIGKILL);
  expect_exact(place.profile("kill"), "k2", 3);
}

/// A shell that runs the fake program, and lets its run of that number end by SIGSEGV.
Words crashing_in(int run) {
  const std::string program = FAKE_PROGRAM;
  return {"sh", "-c",
          "echo run >> starts; if [ $(wc -l < starts) = " + std::to_string(run) + " ]; then exec " +
              program + " launch=k2*3 sync signal=11; else exec " + program + " launch=k2*5; fi"};
}

TEST(RecordTrouble, ACrashOfTheInstrumentedRunNamesTheWayAround) {
  const Recorded place;
  const Finished instrumented = place.record({"-o", "third"}, crashing_in(3));
  EXPECT_EQ(instrumented.status, 0);
  EXPECT_TRUE(contains(instrumented.errors, "ended with 139 when counted, and with 0 before"));
  EXPECT_TRUE(contains(instrumented.errors, "--counters fast")) << instrumented.errors;
  EXPECT_EQ(kernel_in(place.profile("third"), "k2")["bytes"]["dram"], 5 * 2 * 6400);
  fs::remove(place.file("starts"));
  const Finished hardware = place.record({"-o", "second"}, crashing_in(2));
  EXPECT_TRUE(contains(hardware.errors, "ended with 139 when counted, and with 0 before"));
  EXPECT_FALSE(contains(hardware.errors, "--counters fast counts")) << hardware.errors;
}

TEST(RecordTrouble, AnEndlessProgramIsTimedUntilInterruptedAndCountedAsFar) {
  const Recorded place;
  Running tool(place.command({}, fake_program({"note=runs", "launch=k1*50", "sync", "note=launched",
                                               "endless=k1"})),
               place.folder());
  ASSERT_TRUE(place.wait_for_lines("launched", 1));
  tool.signal(SIGINT);
  const Finished done = tool.wait();
  EXPECT_EQ(done.status, 128 + SIGINT) << done.errors;
  EXPECT_EQ(place.lines("runs").size(), 3u) << done.errors;
  const json kernel = kernel_in(place.profile(), "k1");
  ASSERT_GE(kernel["launches"], 50);
  EXPECT_EQ(kernel["bytes"]["dram"], 6400 * kernel["launches"].get<double>());
  EXPECT_TRUE(notes(place.profile(), "The run for times was interrupted"));
}

TEST(RecordTrouble, AnEndlessProgramThatCannotBeCountedIsToldToEnd) {
  Recorded place;
  place.environment = {"FAKE_CUPTI_REFUSES=cuptiRangeProfilerEnable"};
  Running tool(place.command({}, fake_program({"launch=k1*50", "sync", "note=runs", "endless=k1"})),
               place.folder());
  ASSERT_TRUE(place.wait_for_lines("runs", 1));
  tool.signal(SIGINT);
  EXPECT_TRUE(contains(tool.wait().errors, "counting ended early"));
  EXPECT_GE(kernel_in(place.profile(), "k1")["launches"], 50);
}

TEST(RecordTrouble, TerminationCountsNothingMoreAndLeavesARecord) {
  const Recorded place;
  Running tool(place.command({}, fake_program({"launch=k1*50", "sync", "note=runs", "endless=k1"})),
               place.folder());
  ASSERT_TRUE(place.wait_for_lines("runs", 1));
  tool.signal(SIGTERM);
  EXPECT_EQ(tool.wait().status, 128 + SIGTERM);
  EXPECT_EQ(place.lines("runs").size(), 1u);
  EXPECT_TRUE(notes(place.profile(), "Nothing was counted"));
  EXPECT_GE(kernel_in(place.profile(), "k1")["launches"], 50);
}

TEST(RecordTrouble, AnInterruptEndsTheCounting) {
  for (const int run : {2, 3}) {
    const Recorded place;
    const std::string here = std::to_string(run) + ":runs";
    Running tool(place.command({}, fake_program({"note=runs", "launch=k1*50", "sync",
                                                 "note=reached", "endless-in-run=" + here})),
                 place.folder());
    ASSERT_TRUE(place.wait_for_lines("reached", static_cast<std::size_t>(run)));
    tool.signal(SIGINT);
    const Finished done = tool.wait();
    EXPECT_EQ(done.status, 0) << done.errors;
    EXPECT_EQ(place.lines("runs").size(), static_cast<std::size_t>(run));
    const json kernel = kernel_in(place.profile(), "k1");
    EXPECT_GE(kernel["launches"], 50);
    EXPECT_EQ(kernel["bytes"]["dram"], 6400 * kernel["launches"].get<double>());
    EXPECT_TRUE(notes(place.profile(), "was interrupted"));
  }
}

TEST(RecordTrouble, ExitFromASignalsHandlerWithinALaunchEnds) {
  const Recorded place;
  const Words words = {"exit-on-signal", "launch=k1*50", "launch=interrupts", "note=after"};
  const Finished done = place.run(words);
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(place.lines("after").empty()) << "the signal came within the launch";
  EXPECT_EQ(kernel_in(place.profile(), "k1")["launches"], 50);
}

TEST(RecordTrouble, AShellAroundAnEndlessProgramLeavesNothingRunning) {
  const Recorded place;
  const std::string script =
      std::string(FAKE_PROGRAM) + " launch=k1*50 sync note=runs endless=k1; true";
  Running tool(place.command({"--counters", "fast"}, {"sh", "-c", script}), place.folder());
  ASSERT_TRUE(place.wait_for_lines("runs", 1));
  // As a terminal does, which tells all of its processes.
  tool.signal(SIGINT);
  kill(std::stoi(place.lines("runs").at(0)), SIGINT);
  const Finished done = tool.wait();
  EXPECT_EQ(place.lines("runs").size(), 2u) << done.errors;
  for (const std::string& process : place.lines("runs"))
    EXPECT_TRUE(test::comes_to_its_end(process)) << "it still runs";
}

TEST(RecordTrouble, AProcessLeftBehindIsNotWaitedForBeyondAnInterrupt) {
  const Recorded place;
  Running tool(place.command({}, fake_program({"orphan=orphans", "launch=k1*50", "note=runs"})),
               place.folder());
  ASSERT_TRUE(place.wait_for_lines("orphans", 1));
  ASSERT_TRUE(place.wait_for_lines("runs", 1));
  tool.signal(SIGTERM);
  tool.wait();
  EXPECT_GE(kernel_in(place.profile(), "k1")["launches"], 50);
  end_orphans(place);
}

TEST(RecordTrouble, AProcessLeftBehindThatTalksOnIsHeardForALimitedTime) {
  const Recorded place;
  inject::Run run;
  run.arguments = place.command({}, fake_program({"orphan=" + place.file("orphans"), "launch=k1"}));
  const auto tool = std::find(run.arguments.begin(), run.arguments.end(), ROOFLINE_TOOL);
  run.arguments.erase(tool, std::find(tool, run.arguments.end(), "--") + 1);  // the program alone
  run.library = GPP_BINARY_DIR "/lib/libroofline_inject.so";
  run.afterwards = std::chrono::milliseconds(500);
  const inject::Tally tally = inject::run_watched(run, [](const inject::Tally&) {});
  end_orphans(place);
  EXPECT_EQ(tally.processes, 2);
  ASSERT_EQ(tally.notes.size(), 1u);
  EXPECT_TRUE(contains(*tally.notes.begin(), "still launched kernels 0.5 s after its end"));
}

/// Until nobody may signal it any more, no stranger can have its number.
TEST(RecordTrouble, AnEndedProgramKeepsItsNumberWhileItsChildrenAreHeard) {
  const Recorded place;
  Running tool(place.command({}, fake_program({"orphan=orphans", "note=runs"})), place.folder());
  ASSERT_TRUE(place.wait_for_lines("runs", 1));
  const std::string stat = "/proc/" + place.lines("runs").at(0) + "/stat";
  EXPECT_TRUE(test::comes_to_its_end(place.lines("runs").at(0)));
  EXPECT_TRUE(contains(gpp::test::file_text(stat), ") Z")) << "it is gone";
  tool.signal(SIGTERM);
  tool.wait();
  end_orphans(place);
}

TEST(RecordTrouble, AForkedChildThatExitsDisturbsNothing) {
  const Recorded place;
  const Finished done = place.run({"launch=k1*5", "fork", "launch=k1*5", "say=done"});
  EXPECT_EQ(done.status, 0) << done.errors;
  expect_exact(place.profile(), "k1", 10);
  EXPECT_EQ(place.run({"launch=k1*5", "launch=forks"}, {"-o", "within"}).status, 0);
  expect_exact(place.profile("within"), "k1", 5);
  expect_exact(place.profile("within"), "forks", 1);
}

TEST(RecordTrouble, EveryRunReadsTheSameInput) {
  const Recorded place;
  std::ofstream(place.file("input")) << "12345678";
  std::string line;
  for (const std::string& word : place.command({"--json"}, fake_program({"read"})))
    line += "'" + word + "' ";
  const Finished done = run_program({"sh", "-c", line + "< '" + place.file("input") + "'"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.errors, "read 8\n"));
  expect_exact(place.profile(), "byte", 8);
}

TEST(RecordTrouble, IgnoredSignalsStayIgnored) {
  const Recorded place;
  std::string line = "trap '' HUP; exec ";
  for (const std::string& word :
       place.command({}, fake_program({"launch=k", "sync", "signal=" + std::to_string(SIGHUP)})))
    line += "'" + word + "' ";
  const Finished done = run_program({"sh", "-c", line});
  EXPECT_EQ(done.status, 0) << "as under nohup: " << done.errors;
  expect_exact(place.profile(), "k", 1);
}

TEST(RecordTrouble, GarbageIsNotedAndTheRestCounted) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k2*3", "garbage", "launch=k2"}).status, 0);
  expect_exact(place.profile(), "k2", 4);
  EXPECT_TRUE(notes(place.profile(), "no JSON, or cut off"));
  EXPECT_TRUE(notes(place.profile(), "a kernel that it never named"));
}

TEST(RecordTrouble, ClosedFilesEndNothing) {
  const Recorded place;
  const Finished done = place.run({"launch=k*3", "sync", "close-files", "launch=k*3", "say=done"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.output, "done"));
  EXPECT_EQ(kernel_in(place.profile(), "k")["launches"], 3) << "what came before is known";
}

TEST(RecordTrouble, FilesOfTheProgramGetNothingOfOurs) {
  const Recorded place;
  const Finished done =
      place.run({"launch=k*3", "sync", "take-numbers", "launch=k*3", "sync", "heard"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.output, "heard 0\n")) << done.output;
  EXPECT_EQ(kernel_in(place.profile(), "k")["launches"], 3) << "what came before is known";
}

TEST(RecordTrouble, NotesOfRefusedPacketsAreLimited) {
  const Recorded place;
  EXPECT_EQ(place.run({"launch=k2*3", "wrong-launches=150"}, {"--counters", "fast"}).status, 0);
  EXPECT_EQ(kernel_in(place.profile(), "k2")["launches"], 3);
  EXPECT_LT(place.profile()["notes"].size(), 120u);
  EXPECT_TRUE(notes(place.profile(), "There were more notes than these"));
}

TEST(RecordTrouble, ProcessesBeyondWhatTheToolMayOpenAreSaid) {
  const Recorded place;
  std::string line = "ulimit -Sn 64; exec ";
  for (const std::string& word : place.command(
           {"--counters", "fast"}, fake_program({"launch=k2*3", "connections=80", "launch=k2"})))
    line += "'" + word + "' ";
  EXPECT_EQ(run_program({"sh", "-c", line}).status, 0);
  EXPECT_EQ(kernel_in(place.profile(), "k2")["launches"], 4);
  EXPECT_TRUE(notes(place.profile(), "more than 32 processes of the program used CUDA at a time"));
}

TEST(RecordTrouble, ProgramsThatCannotStart) {
  const Recorded place;
  std::ofstream(place.file("plain")) << "no program\n";
  for (const std::string& program :
       {std::string("no-such-program"), place.file("plain"), place.file("")}) {
    const Finished done = place.record({}, {program});
    EXPECT_EQ(done.status, 2) << done.errors;
    EXPECT_TRUE(contains(done.errors, "cannot be started")) << done.errors;
  }
}

TEST(RecordTrouble, WithoutADriverNothingStarts) {
  Recorded place;
  std::ofstream(place.file("libcuda.so.1")) << "no library";
  place.environment = {"LD_LIBRARY_PATH=" + place.folder().string()};
  const Finished done = place.run({"note=runs"});
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(contains(done.errors, "no NVIDIA driver here")) << done.errors;
  EXPECT_TRUE(contains(done.errors, "The program was not started")) << done.errors;
  place.environment = {"FAKE_CUDA_GPUS=0"};
  EXPECT_TRUE(contains(place.run({"note=runs"}).errors, "no GPU to count on"));
  EXPECT_TRUE(place.lines("runs").empty());
}

TEST(RecordTrouble, ACuptiThatDoesNotFitIsRefused) {
  Recorded place;
  place.environment = {"FAKE_CUDA_VERSION=11080"};
  const Finished done = place.run({"note=runs"});
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(contains(done.errors, "the driver supports CUDA 11.8")) << done.errors;
  EXPECT_TRUE(place.lines("runs").empty());
}

TEST(RecordTrouble, WithoutTheRightToCountOnlyTimesAreKept) {
  Recorded place;
  for (const char* function : {"cuptiProfilerInitialize", "cuptiRangeProfilerEnable",
                               "cuptiRangeProfilerStart", "cuptiRangeProfilerStop"}) {
    place.environment = {std::string("FAKE_CUPTI_REFUSES=") + function};
    const Finished done = place.run({"launch=k*3", "say=done"}, {"-o", function});
    EXPECT_EQ(done.status, 1) << function << done.errors;
    EXPECT_TRUE(contains(done.errors, "counting ended early")) << done.errors;
    EXPECT_TRUE(contains(done.errors, function)) << done.errors;
    const json kernel = kernel_in(place.profile(function), "k");
    EXPECT_EQ(kernel["launches"], 3);
    EXPECT_TRUE(kernel["seconds"].is_number());
    EXPECT_FALSE(kernel["bytes"].contains("dram")) << "not counted is not 0";
  }
}

TEST(RecordTrouble, InstructionsAreCountedWhereOnlyTheHardwareRefuses) {
  Recorded place;
  place.environment = {"FAKE_CUPTI_REFUSES=hardware"};
  const Finished done = place.run({"launch=k*3"}, {"-o", "record"});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(contains(done.errors, "may not read the GPU's counters")) << done.errors;
  const json kernel = kernel_in(place.profile("record"), "k");
  EXPECT_FALSE(kernel["bytes"].contains("dram")) << kernel.dump(1);
  EXPECT_EQ(kernel["counters"].value("sm__sass_thread_inst_executed_op_ffma_pred_on.sum", 0.0), 600)
      << kernel.dump(1);
}

TEST(RecordTrouble, WithoutTheRightToWatchItIsSaid) {
  Recorded place;
  for (const char* function : {"cuptiSubscribe", "cuptiActivityEnable"}) {
    place.environment = {std::string("FAKE_CUPTI_REFUSES=") + function};
    const Finished done = place.run({"launch=k", "say=done", "exit=3"});
    EXPECT_EQ(done.status, 3);
    EXPECT_EQ(done.output, "done\n") << "the program runs as always";
    EXPECT_TRUE(contains(done.errors, "the kernels could not be watched")) << done.errors;
  }
}

}  // namespace
}  // namespace roofline
