// Tests of selected launches: by number, name, ranges and profiler marks. Tests of profiles made
// from tallies: unknown values are missing, never 0.
#include <algorithm>
#include <limits>
#include <thread>
#include <tuple>

#include "roofline/base/error.h"
#include "roofline/inject/record.h"
#include "roofline/inject/selection.h"
#include "tests/text.h"

namespace roofline::inject {
namespace {

using namespace gpp::test;

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

Selection launches(const std::string& text) {
  Selection selection;
  read_launches(text, selection);
  return selection;
}

Selection kernels(const std::string& expression) {
  Selection selection;
  selection.kernel = expression;
  return selection;
}

Selection within(const std::string& range) {
  Selection selection;
  selection.nvtx = range;
  return selection;
}

/// The selection among launches of one kernel: "-++-".
std::string choices(Chooser& chooser, int count, const std::string& kernel = "k") {
  std::string all;
  for (int i = 0; i < count; ++i) all.push_back(chooser.chosen(kernel) ? '+' : '-');
  return all;
}

TEST(Launches, AreReadFromTextOrRefused) {
  const std::tuple<const char*, std::int64_t, std::int64_t> texts[] = {
      {"10:20", 10, 20}, {"10:", 10, no_end}, {":20", 1, 20},
      {"10", 10, 10},    {"7:7", 7, 7},       {"9223372036854775807", no_end, no_end}};
  for (const auto& [text, first, last] : texts) {
    EXPECT_EQ(launches(text).first, first) << text;
    EXPECT_EQ(launches(text).last, last) << text;
  }
  for (const char* text :
       {"", ":", "0", "0:3", ":0", "-1", "+1", " 1", "1 ", "a", "1:b", "1:2:3", "1.5", "0x10",
        "20:10", "9223372036854775808", "1:99999999999999999999", "\x1b[2J"}) {
    const std::string message = thrown<InputError>([&] { launches(text); });
    EXPECT_TRUE(contains(message, "--launch")) << text;
    EXPECT_FALSE(contains(message, "\x1b"));
  }
}

TEST(Launches, EverythingIsEverythingAlone) {
  EXPECT_TRUE(Selection{}.everything() && launches("1:").everything());
  Selection marked;
  marked.from_start = false;
  for (const Selection& some : {launches("2:"), launches(":2"), kernels("a"), within("a"), marked})
    EXPECT_FALSE(some.everything());
}

TEST(Chooser, FindsTheExpressionAnywhereInTheName) {
  Chooser chooser(kernels("gemm|^add$")), endless(kernels("(a|b)*c$"));
  EXPECT_TRUE(chooser.chosen("void cutlass::gemm<int>(int*)"));
  EXPECT_TRUE(chooser.chosen("add"));
  EXPECT_FALSE(chooser.chosen("add_more"));
  EXPECT_TRUE(chooser.suits("sgemm"));
  EXPECT_FALSE(chooser.suits(""));
  const std::string name(100'000, 'a');
  EXPECT_FALSE(endless.chosen(name));
  EXPECT_TRUE(endless.chosen(name + "c"));
  for (const char* text : {"(", "[a", "a{2", "*("})
    EXPECT_TRUE(
        contains(thrown<InputError>([&] { const Chooser none(kernels(text)); }), "--kernel"));
}

TEST(Chooser, NumbersWhatTheOtherFiltersLeave) {
  Selection selection = launches("2:3"), marks = launches("2");
  selection.kernel = "k";
  Chooser by_name(selection);
  EXPECT_EQ(choices(by_name, 1), "-");
  EXPECT_EQ(choices(by_name, 5, "other"), "-----");
  EXPECT_EQ(choices(by_name, 4), "++--");
  marks.from_start = false;
  Chooser within_marks(marks), unasked(Selection{});
  EXPECT_EQ(choices(within_marks, 3), "---");
  within_marks.profiler(true);
  EXPECT_EQ(choices(within_marks, 3), "-+-");
  within_marks.profiler(false);
  EXPECT_EQ(choices(within_marks, 3), "---");
  unasked.profiler(false);
  EXPECT_EQ(choices(unasked, 2), "++") << "marks mean nothing where nobody asked";
}

TEST(Chooser, RangesNestAndEndInOrderInEachDomain) {
  Chooser chooser(within("mine")), domains(within("step"));
  EXPECT_EQ(choices(chooser, 1), "-");
  chooser.push("outer");
  EXPECT_EQ(choices(chooser, 1), "-");
  chooser.push("mine");
  chooser.push("inner");
  EXPECT_EQ(choices(chooser, 1), "+") << "the asked one is open around it";
  chooser.pop();
  EXPECT_EQ(choices(chooser, 1), "+");
  chooser.pop();
  EXPECT_EQ(choices(chooser, 1), "-");
  for (int i = 0; i < 3; ++i) chooser.pop();  // more pops than pushes
  chooser.push("mine");
  EXPECT_EQ(choices(chooser, 1), "+");
  const int ours = 0, other = 0;
  domains.push("step", &ours);
  domains.push("library", &other);
  domains.pop(&ours);
  EXPECT_FALSE(domains.chosen("k")) << "the other domain's range is none of ours";
  domains.push("step", &ours);
  domains.pop(&other);
  EXPECT_TRUE(domains.chosen("k"));
}

TEST(Chooser, PushedRangesAreOfTheirThreadAndStartedOnesOfAll) {
  Chooser pushed(within("mine")), started(within("mine"));
  pushed.push("mine");
  started.start(1, "other");
  EXPECT_EQ(choices(started, 1), "-");
  started.start(2, "mine");
  started.start(3, "mine");
  std::string other;
  std::thread([&] {
    other += choices(pushed, 1);
    pushed.pop();  // a pop without a push
    pushed.push("mine");
    other += choices(pushed, 1) + choices(started, 1);
  }).join();
  EXPECT_EQ(other, "-++");
  EXPECT_EQ(choices(pushed, 1), "+");
  pushed.pop();
  EXPECT_EQ(choices(pushed, 1), "-");
  started.end(2);
  started.end(77);  // ends a range with an unknown number
  EXPECT_EQ(choices(started, 1), "+") << "the third is still open";
  started.end(3);
  EXPECT_EQ(choices(started, 1), "-");
}

constexpr const char* dfma = "sm__sass_thread_inst_executed_op_dfma_pred_on.sum";
constexpr const char* dram = "dram__bytes.sum";

KernelTally timed(std::int64_t launches, double seconds) { return {launches, seconds, {}, {}}; }
KernelTally counted(std::int64_t launches, const Counters& counters) {
  return {launches, 0, counters, {}};
}

Tally run(const std::string& name, const KernelTally& kernel) {
  Tally tally;
  tally.kernels[name] = kernel;
  tally.gpus[""] = {"NVIDIA H200", 0, 90};
  tally.processes = 1;
  tally.watched = tally.launches = kernel.launches;
  return tally;
}

/// Three runs with equal numbers of launches.
Runs three_runs() {
  return {run("k", timed(2, 0.5)), run("k", counted(2, {{dram, 64}})),
          run("k", counted(2, {{dfma, 32}}))};
}

bool notes(const Texts& all, const std::string& part) {
  return std::ranges::any_of(all, [&](const std::string& note) { return contains(note, part); });
}

bool asks(const Task& task, const std::string& name) {
  return std::find(task.counters.begin(), task.counters.end(), name) != task.counters.end();
}

TEST(TaskOf, EachRunCountsItsOwn) {
  Selection selection;
  selection.kernel = "a";
  const Task time = task_of(Purpose::time, selection), hardware = task_of(Purpose::hardware, {}),
             instructions = task_of(Purpose::instructions, {});
  EXPECT_FALSE(time.counts());
  EXPECT_EQ(time.selection.kernel, "a");
  EXPECT_TRUE(asks(hardware, dram) && !asks(hardware, dfma));
  EXPECT_TRUE(asks(instructions, dfma) && !asks(instructions, dram));
  EXPECT_FALSE(hardware.further.sign.empty() || hardware.further.counters.empty());
  EXPECT_TRUE(instructions.further.counters.empty());
  for (const std::string& name : hardware.further.counters)
    EXPECT_FALSE(asks(hardware, name)) << name << " would be counted twice";
}

TEST(ProfileOf, RunsComeTogetherScaledToTheOneForBytes) {
  Runs runs = three_runs();
  const Profile profile = profile_of("./a.out x", runs);
  EXPECT_EQ(profile.source, "cupti");
  EXPECT_EQ(profile.program, "./a.out x");
  EXPECT_EQ(profile.device, "NVIDIA H200");
  ASSERT_EQ(profile.kernels.size(), 1u);
  EXPECT_TRUE(profile.kernels[0].missing.empty() && profile.kernels[0].notes.empty());
  runs.timed = run("k", timed(4, 1));
  runs.instructions = run("k", counted(1, {{dfma, 16}}));
  const Profile scaled = profile_of("./a.out x", runs);
  for (const KernelProfile& kernel : {profile.kernels[0], scaled.kernels.at(0)}) {
    EXPECT_EQ(kernel.launches, 2);
    EXPECT_EQ(kernel.seconds, 0.5);
    EXPECT_EQ(kernel.counters, (Counters{{dram, 64}, {dfma, 32}}));
  }
  EXPECT_TRUE(notes(scaled.kernels[0].notes, "4 timed, 2 counted, 1 instrumented"));
  runs.timed.kernels.clear();
  const KernelProfile untimed = profile_of("p", runs).kernels.at(0);
  EXPECT_FALSE(untimed.seconds);
  EXPECT_EQ(only(untimed.missing).name, "seconds");
  EXPECT_TRUE(contains(only(untimed.missing).reason, "timed run"));
}

TEST(ProfileOf, SaysWhatMakesItDoubtful) {
  Runs runs = three_runs();
  runs.timed.gpus["b"] = {"NVIDIA A100", 1, 80};
  runs.hardware->refused = "no right";
  runs.hardware->most_passes = 9;
  runs.instructions->notes = {"a graph ran"};
  const Profile profile = profile_of("p", runs);
  for (const char* part : {"several kinds of devices", "NVIDIA A100, NVIDIA H200", "a graph ran",
                           "The run for bytes ended early: no right", "ran 9 times each"})
    EXPECT_TRUE(notes(profile.notes, part)) << part;
  EXPECT_FALSE(notes(profile_of("p", three_runs()).notes, "kinds of devices"));
}

TEST(ExpectedSeconds, InstrumentedKernelsTakeLonger) {
  const Tally tally = three_runs().timed;
  EXPECT_GT(expected_seconds(tally, Purpose::hardware), tally.seconds + 0.5);
  EXPECT_GT(expected_seconds(tally, Purpose::instructions),
            10 * expected_seconds(tally, Purpose::hardware));
}

}  // namespace
}  // namespace roofline::inject
