// Tests of what tool and library tell each other: packets, also forged ones, options that select
// launches, and profiles made from tallies, in which unknown values are missing, never 0.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "roofline/base/error.h"
#include "roofline/inject/limits.h"
#include "roofline/inject/record.h"
#include "roofline/inject/selection.h"
#include "roofline/inject/tally.h"
#include "tests/text.h"

namespace roofline::inject {
namespace {

using namespace gpp::test;
using nlohmann::json;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

Seen device(const std::string& name, const std::vector<std::string>& counters, int number = 0) {
  Seen seen;
  seen.device = SeenDevice{name, number, {}, 90, counters, 1, 9, {}};
  return seen;
}

Seen kernel_named(std::int64_t id, const std::string& name) {
  Seen seen;
  seen.kernel = SeenKernel{id, name};
  return seen;
}

/// `launches` is the number of launches until then, or -1 if not reported.
Seen launched(std::int64_t kernel, const std::vector<double>& values, std::int64_t launches = -1,
              std::int64_t range = 0) {
  Seen seen;
  seen.launch = SeenLaunch{kernel, values, range};
  seen.launches = launches;
  return seen;
}

Seen ran(const std::vector<SeenTime>& times, std::int64_t launches) {
  Seen seen;
  seen.times = times;
  seen.launches = launches;
  return seen;
}

Seen words(const std::string& refused, const std::string& note) {
  Seen seen;
  seen.refused = refused;
  seen.note = note;
  return seen;
}

/// A process with counters a and b, and kernel 0.
class Packets : public testing::Test {
 protected:
  Packets() {
    tally_.asked = {"a", "b"};
    add(device("NVIDIA H200", {"a", "b"}));
    add(kernel_named(0, "k"));
  }
  void add(const Seen& seen) { add_packet(seen_packet(seen), process_, tally_); }
  /// Adds a packet from another process.
  void add_other(const Seen& seen) { add_packet(seen_packet(seen), other_, tally_); }
  void add_text(const std::string& text) { add_packet(text, process_, tally_); }
  /// The kernel on the usual device.
  const KernelTally& kernel(const std::string& name = "k") {
    return tally_.kernels.at({name, "NVIDIA H200 0"});
  }

  Connection process_, other_;
  Tally tally_;
};

TEST(Protocol, TasksComeThroughAndWhatIsNoneIsRefused) {
  Task task;
  task.counters = {"a.sum", "b.sum"};
  task.further = {"sign", "harmless", {"c", "d"}};
  task.selection = {"gemm\n\x1b", "range", false, 3, 9};  // regular expressions stay unescaped
  const std::string packet = task_packet(task);
  EXPECT_EQ(task_packet(read_task(packet)), packet);
  EXPECT_EQ(read_task(packet).selection.kernel, task.selection.kernel);
  EXPECT_TRUE(read_task(packet).counts());
  EXPECT_FALSE(read_task(task_packet({})).counts());
  EXPECT_TRUE(read_task(task_packet({})).selection.everything());
  for (const char* text : {"", "{", "[]", "7", "{\"kernel\": 3}"})
    EXPECT_THROW(read_task(text), InputError) << text;
}

TEST(Protocol, EverythingSeenComesThrough) {
  Seen seen;
  seen.device =
      SeenDevice{"NVIDIA H200", 3, "ab", 90, {"a", "b"}, 1, 9, {{"c", "no such counter"}}};
  seen.kernel = SeenKernel{3, "void f<int>"};
  seen.launch = SeenLaunch{3, {0.1, nothing}};
  seen.times = {{3, 2, 1e-6, 1, {{7, 1, 1}, {32, 2, 1}, 40, 16, 48}}};
  seen.launches = 17;
  seen.refused = "why";
  seen.note = "what";
  const std::string packet = seen_packet(seen);
  EXPECT_EQ(seen_packet(read_seen(packet)), packet);
  const Seen read = read_seen(packet), none = read_seen(seen_packet({}));
  EXPECT_EQ(read.device->uuid + read.refused + read.note, "abwhywhat");
  EXPECT_EQ(read.times.at(0).form, seen.times[0].form);
  EXPECT_FALSE(none.device || none.kernel || none.launch);
  EXPECT_TRUE(none.times.empty());
  EXPECT_EQ(none.launches, -1);
}

TEST_F(Packets, LinesAddUpWithinTheirLimits) {
  Seen seen;
  seen.lines.emplace();
  seen.lines->period = 4096;
  seen.lines->counted = {"warp_instructions"};
  for (int line = 1; line <= 3; ++line)
    seen.lines->lines.push_back(
        {{"a.cu", line}, {}, "f", {{"wait", 2}}, {{"warp_instructions", 5}}});
  add(seen);
  add(seen);
  EXPECT_EQ(tally_.lines.period, 4096);
  const std::vector<LineEvidence> lines = tally_.lines.lines.lines();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2].stalls, (Events{{"wait", 4}}));
  EXPECT_EQ(lines[2].counts, (Events{{"warp_instructions", 10}}));
  for (int line = 1; line <= 12'000; line += 1000) {
    seen.lines->lines.clear();
    for (int i = 0; i < 1000; ++i)
      seen.lines->lines.push_back({{"b.cu", line + i}, {}, "", {}, {}});
    add(seen);
  }
  EXPECT_EQ(tally_.lines.lines.size(), most_lines);
  EXPECT_TRUE(tally_.lines.lost.contains("lines beyond the first 10000"));
}

TEST_F(Packets, ProcessesAddUpByNameAndDevicesAreKeptApart) {
  add(launched(0, {1, 10}, 4));
  add_other(device("NVIDIA H200", {"b", "a"}));
  add_other(kernel_named(0, "other"));
  add_other(kernel_named(1, "k"));
  add_other(launched(1, {20, 2}, 3));
  EXPECT_EQ(kernel().launches, 2);
  EXPECT_EQ(kernel().counters, (Counters{{"a", 3}, {"b", 30}})) << "each has an order of its own";
  EXPECT_EQ(tally_.launches, 7);
  add(device("NVIDIA H200", {"a", "b"}, 1));
  add(launched(0, {1, 10}));
  add(ran({{0, 1, 0.5, 0, {}}, {0, 2, 0.25, 1, {}}, {0, 4, 0.25, 7, {}}}, 3));
  EXPECT_EQ(kernel().launches, 3);
  const KernelTally& second = tally_.kernels.at({"k", "NVIDIA H200 1"});
  EXPECT_EQ(second.launches, 7) << "a device that nobody told of is the last one";
  EXPECT_EQ(tally_.launches, 7) << "numbers of launches never shrink";
  EXPECT_EQ(second.counters.at("a"), 1);
  EXPECT_EQ(tally_.gpus.size(), 2u);
}

TEST_F(Packets, FormsAddUpWithinTheirLimits) {
  const auto form = [](std::int64_t blocks) { return LaunchForm{{blocks, 1, 1}, {32, 1, 1}, 8}; };
  add(ran({{0, 2, 0.5, 0, form(1)}, {0, 3, 0.25, 0, form(1)}, {0, 1, 1, 0, form(2)}}, 6));
  EXPECT_EQ(kernel().forms.at(form(1)), (std::pair<std::int64_t, double>{5, 0.75}));
  EXPECT_FALSE(kernel().more_forms);
  for (std::int64_t blocks = 0; blocks < 300; ++blocks)
    add(ran({{0, 1, 0.5, 0, form(blocks)}}, 7 + blocks));
  EXPECT_EQ(kernel().forms.size(), limits::forms);
  EXPECT_TRUE(kernel().more_forms);
}

TEST_F(Packets, NotesRefusalsAndDevicesAreKeptWithinLimits) {
  add(words("no right", "one"));
  add(words("", "one"));
  EXPECT_EQ(tally_.refused, "no right");
  EXPECT_EQ(tally_.notes, (std::set<std::string>{"one"}));
  Tally cut;
  add_packet(seen_packet(words("", std::string(limits::note - 1, 'x') + "\u00e9")), other_, cut);
  EXPECT_NO_THROW(json(*cut.notes.begin()).dump()) << "what is cut off in a letter is still text";
  for (int i = 0; i < 200; ++i) {
    add(device(std::to_string(i), {}));
    add(words("", std::to_string(i) + std::string(5000, 'x')));
  }
  EXPECT_EQ(tally_.gpus.size(), limits::devices);
  EXPECT_EQ(tally_.notes.size(), limits::notes + 1) << "and that there were more";
  for (const std::string& note : tally_.notes) EXPECT_LE(note.size(), limits::note);
}

TEST_F(Packets, HostileOnesAreRefused) {
  for (const char* text : {"", "{", "[]", "7", "\xff\xfe"})
    EXPECT_THROW(add_text(text), InputError) << text;
  EXPECT_THROW(add_text(std::string(100'000, '[')), InputError);
  const std::string device_of = R"({"name": "d", "most_passes": 1, "missing": [], )",
                    time_of = R"([{"kernel": 0, "launches": )";
  const std::map<std::string, std::vector<std::string>> wrong = {
      {"device",
       {"3", R"({"name": 1})", device_of + R"("counters": "a", "passes": 1})",
        device_of + R"("counters": [], "passes": -1})"}},
      {"kernel",
       {R"({"id": 1})", R"({"id": -1, "name": "k"})", R"({"id": 1e300, "name": "k"})",
        R"({"id": 1, "name": 7})"}},
      {"launch",
       {R"({"kernel": 5, "values": [1, 2]})", R"({"kernel": 0, "values": [1]})",
        R"({"kernel": 0, "values": [1, 2, 3]})", R"({"kernel": 0, "values": [1, -2]})",
        R"({"kernel": 0, "values": [1, 1e300]})", R"({"kernel": 0})",
        R"({"kernel": 0, "values": ["1", 2]})"}},
      {"times",
       {"1", "[[0, 1, 1]]", time_of + "1}]", time_of + R"(0, "seconds": 1}])",
        time_of + R"(-3, "seconds": 1}])", time_of + R"(1, "seconds": -1}])",
        time_of + R"(1, "seconds": null}])", time_of + R"(1, "seconds": 1}])",
        time_of + R"(1, "seconds": 1, "device": 0, "form": {}}])"}},
      {"launches", {"-2", "\"9\""}},
      {"refused", {"1"}},
      {"note", {"[]"}}};
  for (const auto& [key, values] : wrong)
    for (const std::string& value : values)
      EXPECT_THROW(add_text("{\"" + key + "\": " + value + "}"), InputError) << key << value;
  EXPECT_THROW(add(device("NVIDIA H200", {"a", "c"})), InputError) << "nobody asked for c";
  Seen lines;
  lines.lines.emplace();
  lines.lines->lines = {{{"a.cu", 1}, {}, "f", {}, {{"sectors", 3}}}};
  EXPECT_THROW(add(lines), InputError) << "a number that 'counted' does not name";
  lines.lines->lines.clear();
  lines.lines->period = -1;
  EXPECT_THROW(add(lines), InputError);
  for (const Seen& out_of_order :
       {kernel_named(2, "later"), kernel_named(0, "again"), launched(1, {1, 2})})
    EXPECT_THROW(add(out_of_order), InputError);
  add_text(R"({"nobody knows": {"this": 1}})");
  EXPECT_TRUE(tally_.kernels.empty()) << "a kernel that was refused is no kernel";
  EXPECT_EQ(tally_.watched, 0);
  EXPECT_EQ(tally_.launches, 0);
}

TEST_F(Packets, NamesBeyondManyOrManyBytesShareOne) {
  for (int id = 1; id <= 20'010; ++id) {
    add(kernel_named(id, std::to_string(id)));
    add(launched(id, {1, 0}));
  }
  EXPECT_EQ(tally_.kernels.size(), 20'000u) << "k is named, but was not launched";
  EXPECT_EQ(kernel("(other kernels)").launches, 11);
  EXPECT_EQ(tally_.watched, 20'010);
  Tally other = {};
  other.asked = tally_.asked;
  tally_ = other;
  tally_.name_bytes = limits::name_bytes - 3 * limits::name;  // bytes used by many other names
  add_other(device("NVIDIA H200", {"a", "b"}));
  for (int id = 0; id < 10; ++id) {
    add_other(kernel_named(id, std::to_string(id) + std::string(limits::name, 'x')));
    add_other(launched(id, {1, 0}));
  }
  EXPECT_EQ(kernel("(other kernels)").launches, 7);
  EXPECT_EQ(tally_.name_bytes, limits::name_bytes);
}

TEST_F(Packets, RangesOfProcessesAreOneTree) {
  const auto named = [](std::int64_t id, std::int64_t parent, const std::string& name) {
    Seen seen;
    seen.range = SeenRange{id, parent, {"", name}};
    return seen;
  };
  for (const Seen& seen : {named(1, 0, "outer"), named(2, 1, "inner"), launched(0, {1, 10}, -1, 2)})
    add(seen);
  for (const Seen& seen :
       {device("NVIDIA H200", {"a", "b"}), kernel_named(0, "k"), named(1, 0, "else"),
        named(2, 0, "outer"), named(3, 2, "inner"), launched(0, {1, 10}, -1, 3)})
    add_other(seen);
  EXPECT_EQ(tally_.ranges.size(), 3);
  const KernelTally& both = tally_.in_ranges.at({-1, 2}).at(KernelKey("k", "NVIDIA H200 0"));
  EXPECT_EQ(both.launches, 2);
  EXPECT_EQ(both.counters.at("b"), 20);
  for (const Seen& wrong : {named(3, 7, "x"), named(9, 0, "x"), launched(0, {1, 10}, -1, 5)})
    EXPECT_THROW(add(wrong), InputError);
}

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
  Selection marked, within;
  marked.from_start = false;
  within.nvtx = "a";
  for (const Selection& some : {launches("2:"), launches(":2"), kernels("a"), within, marked})
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
  runs.instructions->notes = {"a graph ran"};
  const Profile profile = profile_of("p", runs);
  for (const char* part : {"several kinds of devices", "NVIDIA A100, NVIDIA H200", "a graph ran",
                           "The run for bytes ended early: no right"})
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
