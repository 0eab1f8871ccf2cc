// Tests of what tool and library tell each other: packets, also forged ones, options that select
// launches, and profiles made from tallies, in which unknown values are missing, never 0.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "roofline/base/text.h"
#include "roofline/inject/record.h"
#include "roofline/inject/selection.h"
#include "tests/text.h"

namespace roofline::inject {
namespace {

using namespace gpp::test;
using nlohmann::json;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

Seen gpu(const std::string& name, const std::string& key, int number = 0) {
  return {.gpu = SeenGpu{key, name, number, 90}};
}

Seen launched(const std::string& kernel, const KernelTally& tally,
              const std::vector<RangeName>& ranges = {}, const std::string& key = "one") {
  return {.launched = SeenLaunches{kernel, key, ranges, tally}};
}

KernelTally counted(std::int64_t launches, const Counters& counters) {
  return {launches, 0, counters};
}

/// A program with counters a and b.
class Packets : public testing::Test {
 protected:
  Packets() {
    tally_.asked = {"a", "b"};
    add(gpu("NVIDIA H200", "one"));
  }
  void add(const Seen& seen) { add_text(facts_text(seen)); }
  void add_text(const std::string& text) { add_packet(text, rank_, tally_); }
  /// The kernel on the usual device, in any range.
  KernelTally kernel(const std::string& name = "k", const std::string& key = "one") {
    return tally_.ranks.at(no_rank).kernels().at({name, key});
  }

  int rank_ = no_rank;
  Tally tally_;
};

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

TEST_F(Packets, AddUpByNameDeviceRangeAndRank) {
  const std::vector<RangeName> outer = {{"", "outer"}}, inner = {{"", "outer"}, {"", "inner"}};
  add(gpu("NVIDIA H200", "two", 1));
  add(launched("k", counted(1, {{"a", 1}, {"b", nothing}}), inner));
  add(launched("k", counted(2, {{"a", 2}, {"b", 20}}), inner));
  add(launched("k", counted(4, {{"a", 4}}), outer));
  add(launched("k", counted(7, {{"a", 7}}), {}, "two"));
  EXPECT_EQ(kernel().launches, 7);
  EXPECT_EQ(kernel().counters.at("a"), 7);
  EXPECT_FALSE(std::isfinite(kernel().counters.at("b"))) << "a launch has none";
  EXPECT_EQ(kernel("k", "two").launches, 7);
  const std::vector<RangeTally>& ranges = tally_.ranks.at(no_rank).ranges;
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[2].path, inner);
  EXPECT_EQ(ranges[2].parent, 1u);
  EXPECT_EQ(ranges[2].kernels.at({"k", "one"}).launches, 3);
  EXPECT_EQ(tally_.watched, 14);
  tally_.by_rank = true;
  add({.launches = 9, .rank = 3});
  add(launched("k", counted(5, {})));
  EXPECT_EQ(tally_.ranks.at(3).kernels().at({"k", "one"}).launches, 5);
  add({.launches = 7});
  EXPECT_EQ(tally_.launches, 16);
}

TEST_F(Packets, FormsAddUpWithinTheirLimits) {
  const auto ran = [](std::int64_t blocks, std::int64_t launches, double seconds) {
    const LaunchForm form{{blocks, 1, 1}, {32, 1, 1}, 8};
    return launched("k", {launches, seconds, {}, {{form, launches, seconds}}});
  };
  for (const Seen& seen : {ran(1, 2, 0.5), ran(1, 3, 0.25), ran(2, 1, 1)}) add(seen);
  EXPECT_EQ(kernel().forms.at(0).launches, 5);
  EXPECT_EQ(kernel().forms.at(0).seconds, 0.75);
  EXPECT_FALSE(kernel().more_forms);
  for (std::int64_t blocks = 0; blocks < 300; ++blocks) add(ran(blocks, 1, 0.5));
  EXPECT_EQ(kernel().forms.size(), limits::forms);
  EXPECT_TRUE(kernel().more_forms);
}

TEST_F(Packets, NotesRefusalsAndDevicesAreKeptWithinLimits) {
  add({.refused = "no right", .note = "one"});
  add({.note = "one"});
  EXPECT_EQ(tally_.refused, "no right");
  EXPECT_EQ(tally_.notes, (std::set<std::string>{"one"}));
  Tally cut;
  add_packet(facts_text(Seen{.note = std::string(limits::note - 1, 'x') + "\u00e9"}), rank_, cut);
  EXPECT_NO_THROW(json(*cut.notes.begin()).dump()) << "what is cut off in a letter is still text";
  for (int i = 0; i < 200; ++i) {
    add(gpu("some", std::to_string(i)));
    add({.note = std::to_string(i) + std::string(5000, 'x')});
  }
  EXPECT_EQ(tally_.gpus.size(), limits::devices);
  EXPECT_EQ(tally_.notes.size(), limits::notes + 1) << "and that there were more";
  for (const std::string& note : tally_.notes) EXPECT_LE(note.size(), limits::note);
}

TEST_F(Packets, HostileOnesAreRefused) {
  for (const char* text : {"", "{", "[]", "7", "\xff\xfe"})
    EXPECT_THROW(add_text(text), InputError) << text;
  EXPECT_THROW(add_text(std::string(100'000, '[')), InputError);
  const std::string of = R"({"kernel": "k", "gpu": "", "ranges": [], "tally": {"launches": )",
                    rest = R"(, "seconds": 0, "counters": {}, "forms": [], "more_forms": false}})";
  add_text("{\"launched\": " + of + "1" + rest + "}");
  EXPECT_EQ(tally_.watched, 1);
  const std::map<std::string, std::vector<std::string>> wrong = {
      {"gpu", {"3", R"({"name": 1})"}},
      {"launched",
       {"1", "[]", of + "0" + rest, of + "-3" + rest, of + "1e300" + rest, of + "\"1\"" + rest,
        of + R"(1, "seconds": -1, "counters": {}, "forms": [], "more_forms": false}})",
        of + R"(1, "seconds": 0, "counters": {"a": -2}, "forms": [], "more_forms": false}})",
        of + R"(1, "seconds": 0, "counters": {"a": "1"}, "forms": [], "more_forms": false}})",
        of + R"(1, "seconds": 0, "counters": {}, "forms": [{}], "more_forms": false}})",
        of + R"(1, "seconds": 0, "counters": {"c": 1}, "forms": [], "more_forms": false}})"}},
      {"launches", {"-2", "\"9\""}},
      {"refused", {"1"}},
      {"note", {"[]"}}};
  for (const auto& [key, values] : wrong)
    for (const std::string& value : values)
      EXPECT_THROW(add_text("{\"" + key + "\": " + value + "}"), InputError) << key << value;
  Seen lines;
  lines.lines.emplace();
  lines.lines->lines = {{{"a.cu", 1}, {}, "f", {}, {{"sectors", 3}}}};
  EXPECT_THROW(add(lines), InputError) << "a number that 'counted' does not name";
  lines.lines->lines.clear();
  lines.lines->period = -1;
  EXPECT_THROW(add(lines), InputError);
  add_text(R"({"nobody knows": {"this": 1}})");
  EXPECT_EQ(tally_.watched, 1);
  EXPECT_EQ(tally_.launches, 0);
}

TEST_F(Packets, KernelsBeyondManyOrManyBytesShareOneName) {
  tally_.kernels = limits::kernels - 5;  // as if there were many
  for (int id = 0; id < 15; ++id) add(launched(std::to_string(id), counted(1, {})));
  EXPECT_EQ(tally_.ranks.at(no_rank).kernels().size(), 6u);
  EXPECT_EQ(kernel("(other kernels)", "").launches, 10);
  EXPECT_EQ(tally_.watched, 15);
  Tally other;
  other.name_bytes = limits::name_bytes - 3 * limits::name;  // bytes used by many other names
  for (int id = 0; id < 10; ++id)
    add_packet(facts_text(launched(std::to_string(id) + std::string(limits::name, 'x'),
                                   counted(1, {}), {{"", "range"}})),
               rank_, other);
  EXPECT_EQ(other.ranks.at(no_rank).kernels().at({"(other kernels)", ""}).launches, 8);
  EXPECT_LE(other.name_bytes, limits::name_bytes);
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

KernelTally timed(std::int64_t launches, double seconds) { return {launches, seconds}; }

Tally run(const std::string& name, const KernelTally& kernel) {
  Tally tally;
  RankTally& rank = tally.ranks[no_rank];
  rank.ranges[0].kernels[{name, ""}] = kernel;
  tally.gpus[""] = {"", "NVIDIA H200", 0, 90};
  tally.processes = 1;
  rank.watched = tally.watched = tally.launches = kernel.launches;
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
  runs.timed.ranks.clear();
  const KernelProfile untimed = profile_of("p", runs).kernels.at(0);
  EXPECT_FALSE(untimed.seconds);
  EXPECT_EQ(only(untimed.missing).name, "seconds");
  EXPECT_TRUE(contains(only(untimed.missing).reason, "timed run"));
}

TEST(ProfileOf, SaysWhatMakesItDoubtful) {
  Runs runs = three_runs();
  runs.timed.gpus["b"] = {"b", "NVIDIA A100", 1, 80};
  runs.timed.ranks[no_rank].ranges[0].kernels[{"k", "b"}] = timed(1, 0.1);
  runs.hardware->refused = "no right";
  runs.instructions->notes = {"a graph ran"};
  const Profile profile = profile_of("p", runs);
  for (const char* part :
       {"several kinds of devices", "NVIDIA A100, NVIDIA H200", "for operations: a graph ran",
        "The run for bytes ended early: no right"})
    EXPECT_TRUE(notes(profile.notes, part)) << part;
  EXPECT_FALSE(notes(profile_of("p", three_runs()).notes, "kinds of devices"));
}

}  // namespace
}  // namespace roofline::inject
