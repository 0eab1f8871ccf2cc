// Tests of `roofline record` with programs that crash, hang, fork or end early, and with refusals.
// No test waits for a fixed time: files written by the program show its progress.

#include <csignal>
#include <fstream>

#include "tests/roofline/recorded.h"
#include "tests/roofline/tool.h"

namespace roofline::test {
namespace {

Words fake_program(const Words& words) {
  Words program = {FAKE_PROGRAM};
  program.insert(program.end(), words.begin(), words.end());
  return program;
}

/// A shell command line with every word quoted.
std::string quoted(const Words& command) {
  std::string line;
  for (const std::string& word : command) line += "'" + word + "' ";
  return line;
}

class RecordTrouble : public testing::Test, protected Recorded {
 protected:
  /// The tool's output after a signal, sent once the program has written to its file `reached`.
  Finished signalled(int number, const Words& words, const std::string& reached = "runs") {
    Running tool(command({}, fake_program(words)), folder());
    EXPECT_TRUE(wait_for_lines(reached, 1));
    tool.signal(number);
    return tool.wait();
  }
};

TEST_F(RecordTrouble, SuddenEndsLeaveARecord) {
  const std::pair<std::string, int> ends[] = {{"_exit=7", 7},
                                              {"signal=" + std::to_string(SIGABRT), 128 + SIGABRT},
                                              {"signal=" + std::to_string(SIGKILL), 128 + SIGKILL}};
  for (const auto& [end, status] : ends) {
    ended(run({"launch=k2*3", "sync", end}, {"-o", end}), status);
    expect_exact(profile(end), "k2", 3);
  }
}

/// A shell that runs the fake program, and ends by SIGSEGV in that run.
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
  const Finished done =
      ended(signalled(SIGINT, {"note=runs", "launch=k1*50", "sync", "note=launched", "endless=k1"},
                      "launched"),
            128 + SIGINT);
  EXPECT_EQ(lines("runs").size(), 3u) << done.errors;
  const json kernel = kernel_in(profile(), "k1");
  ASSERT_GE(kernel["launches"], 50);
  EXPECT_EQ(kernel["bytes"]["dram"], 6400 * kernel["launches"].get<double>());
  EXPECT_TRUE(notes(profile(), "The run for times was interrupted"));
}

TEST_F(RecordTrouble, AnEndlessProgramThatCannotBeCountedOrIsTerminatedIsToldToEnd) {
  const Words endless = {"launch=k1*50", "sync", "note=runs", "endless=k1"};
  ended(signalled(SIGTERM, endless), 128 + SIGTERM);
  EXPECT_EQ(lines("runs").size(), 1u) << "nothing more is counted";
  EXPECT_TRUE(notes(profile(), "Nothing was counted"));
  EXPECT_GE(kernel_in(profile(), "k1")["launches"], 50);
  fs::remove_all(folder() / "roofline-fake_program");
  fs::remove(file("runs"));
  environment = {"FAKE_CUPTI_REFUSES=cuptiRangeProfilerEnable"};
  EXPECT_TRUE(contains(signalled(SIGINT, endless).errors, "counting ended early"));
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
  // A terminal signals all its processes.
  tool.signal(SIGINT);
  kill(std::stoi(lines("runs").at(0)), SIGINT);
  const Finished done = tool.wait();
  EXPECT_EQ(lines("runs").size(), 2u) << done.errors;
  for (const std::string& process : lines("runs"))
    EXPECT_TRUE(comes_to_its_end(process)) << "it still runs";
}

/// The ended program's id must not be reused while it may still be signalled.
TEST_F(RecordTrouble, AProcessLeftBehindIsHeardForALimitedTime) {
  Running tool(command({"--counters", "fast"}, fake_program({"orphan=orphans", "note=runs"})),
               folder());
  ASSERT_TRUE(wait_for_lines("runs", 1));
  EXPECT_TRUE(comes_to_its_end(lines("runs").at(0)));
  EXPECT_TRUE(contains(file_text("/proc/" + lines("runs").at(0) + "/stat"), ") Z")) << "it is gone";
  succeeded(tool.wait());
  EXPECT_TRUE(notes(profile(), "In the run for times: Processes that outlived the program"));
  ASSERT_EQ(lines("orphans").size(), 2u);
  EXPECT_TRUE(comes_to_its_end(lines("orphans").at(1))) << "one of a hidden run";
  kill(std::stoi(lines("orphans").at(0)), SIGKILL);
}

TEST_F(RecordTrouble, AForkedChildThatExitsDisturbsNothing) {
  succeeded(run({"launch=k1*5", "fork", "launch=k1*5", "say=done"}));
  expect_exact(profile(), "k1", 10);
  succeeded(run({"launch=k1*5", "launch=forks"}, {"-o", "within"}));
  expect_exact(profile("within"), "k1", 5);
  expect_exact(profile("within"), "forks", 1);
}

TEST_F(RecordTrouble, InputsSignalsAndLimitsOfTheShellAreThoseOfEveryRun) {
  const auto shell = [](const std::string& line) {
    return succeeded(run_program({"sh", "-c", line}));
  };
  std::ofstream(file("input")) << "12345678";
  const std::string reads = quoted(command({"--json"}, fake_program({"read"})));
  EXPECT_TRUE(contains(shell(reads + "< '" + file("input") + "'").errors, "read 8\n"));
  expect_exact(profile(), "byte", 8);
  const Words hung_up = fake_program({"launch=k", "sync", "signal=" + std::to_string(SIGHUP)});
  shell("trap '' HUP; exec " + quoted(command({"--replace"}, hung_up)));
  expect_exact(profile(), "k", 1);
  succeeded(
      run({"launch=k2*3", "connections=520", "launch=k2"}, {"--counters", "fast", "--replace"}));
  EXPECT_EQ(kernel_in(profile(), "k2")["launches"], 4);
  EXPECT_TRUE(notes(profile(), "processes were not watched: too many at a time"));
}

TEST_F(RecordTrouble, GarbageIsNotedAndTheRestCounted) {
  succeeded(run({"launch=k2*3", "garbage", "launch=k2"}));
  expect_exact(profile(), "k2", 4);
  EXPECT_TRUE(notes(profile(), "no JSON, or cut off"));
  EXPECT_TRUE(notes(profile(), "launched: 'gpu' is missing"));
}

TEST_F(RecordTrouble, ClosedFilesEndNothing) {
  EXPECT_TRUE(contains(
      succeeded(run({"launch=k*3", "sync", "close-files", "launch=k*3", "sync", "hear"})).output,
      "silence"));
  EXPECT_EQ(kernel_in(profile(), "k")["launches"], 3) << "what came before is known";
}

TEST_F(RecordTrouble, WithoutADriverOrAGpuNothingStarts) {
  std::ofstream(file("libcuda.so.1")) << "no library";
  environment = {"LD_LIBRARY_PATH=" + folder().string()};
  refused(run({"note=runs"}), {"no NVIDIA driver here", "The program was not started"});
  environment = {"FAKE_CUDA_GPUS=0"};
  EXPECT_TRUE(contains(run({"note=runs"}).errors, "no GPU to count on"));
  EXPECT_TRUE(lines("runs").empty());
  environment.clear();
  std::ofstream(file("plain")) << "no program\n";
  for (const std::string& program : {std::string("no-such-program"), file("plain"), file("")})
    refused(record({}, {program}), {"cannot be started"});
}

TEST_F(RecordTrouble, WithoutTheRightToCountOnlyTimesAreKeptOrInstructions) {
  for (const char* function : {"cuptiProfilerInitialize", "cuptiRangeProfilerEnable",
                               "cuptiRangeProfilerStart", "cuptiRangeProfilerStop"}) {
    environment = {std::string("FAKE_CUPTI_REFUSES=") + function};
    const Finished done = ended(run({"launch=k*3", "say=done"}, {"-o", function}), 1);
    EXPECT_TRUE(contains_all(done.errors, {"counting ended early", function}));
    const json kernel = kernel_in(profile(function), "k");
    EXPECT_EQ(kernel["launches"], 3);
    EXPECT_TRUE(kernel["seconds"].is_number());
    EXPECT_FALSE(kernel["bytes"].contains("dram")) << "not counted is not 0";
  }
  environment = {"FAKE_CUPTI_REFUSES=hardware"};
  EXPECT_TRUE(contains(succeeded(run({"launch=k*3"})).errors, "may not read the GPU's counters"));
  const json kernel = kernel_in(profile(), "k");
  EXPECT_FALSE(kernel["bytes"].contains("dram")) << kernel.dump(1);
  EXPECT_EQ(kernel["counters"].value("sm__sass_thread_inst_executed_op_ffma_pred_on.sum", 0.0),
            600);
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
