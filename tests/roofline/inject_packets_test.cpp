// What the tool and the library tell each other, and what the tool makes of packets that anybody
// may send.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/inject/limits.h"
#include "roofline/inject/tally.h"

namespace roofline::inject {
namespace {

using nlohmann::json;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

Seen device(const std::string& name, const std::vector<std::string>& counters) {
  Seen seen;
  seen.device = SeenDevice{name, 0, {}, 90, counters, 1, 9, {}};
  return seen;
}

Seen kernel_named(std::int64_t id, const std::string& name) {
  Seen seen;
  seen.kernel = SeenKernel{id, name};
  return seen;
}

/// `launches`: how many there were until then; -1 where nothing is said.
Seen launched(std::int64_t kernel, const std::vector<double>& values, std::int64_t launches = -1) {
  Seen seen;
  seen.launch = SeenLaunch{kernel, values};
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

/// A process that named its counters a and b, and kernel 0.
class Packets : public testing::Test {
 protected:
  void SetUp() override {
    tally_.asked = {"a", "b"};
    add(device("NVIDIA H200", {"a", "b"}));
    add(kernel_named(0, "k"));
  }
  void add(const Seen& seen) { add_packet(seen_packet(seen), process_, tally_); }
  void add_text(const std::string& text) { add_packet(text, process_, tally_); }
  /// On the device that all tests but one have.
  const KernelTally& kernel(const std::string& name = "k") {
    return tally_.kernels.at({name, "NVIDIA H200 0"});
  }

  Connection process_;
  Tally tally_;
};

TEST(Protocol, TasksComeThrough) {
  Task task;
  task.counters = {"a.sum", "b.sum"};
  task.further = {"sign", "harmless", {"c", "d"}};
  task.selection = {"gemm\n\x1b", "range", false, 3, 9};
  task.singles = 11;
  const Task read = read_task(task_packet(task));
  EXPECT_EQ(read.counters, task.counters);
  EXPECT_TRUE(read.counts());
  EXPECT_EQ(read.further.sign, "sign");
  EXPECT_EQ(read.further.harmless, "harmless");
  EXPECT_EQ(read.further.counters, task.further.counters);
  EXPECT_EQ(read.selection.kernel, task.selection.kernel) << "an expression is not made visible";
  EXPECT_EQ(read.selection.nvtx, "range");
  EXPECT_FALSE(read.selection.from_start);
  EXPECT_EQ(read.selection.first, 3);
  EXPECT_EQ(read.selection.last, 9);
  EXPECT_EQ(read.singles, 11);
  EXPECT_FALSE(read_task(task_packet({})).counts());
  EXPECT_TRUE(read_task(task_packet({})).selection.everything());
}

TEST(Protocol, WhatIsNoTaskIsRefused) {
  for (const char* text : {"", "{", "[]", "7", "{\"kernel\": 3}"})
    EXPECT_THROW(read_task(text), InputError) << text;
}

TEST(Protocol, EverythingSeenComesThrough) {
  Seen seen;
  seen.device =
      SeenDevice{"NVIDIA H200", 3, "ab", 90, {"a", "b"}, 1, 9, {{"c", "no such counter"}}};
  seen.kernel = SeenKernel{3, "void f<int>(int*)"};
  seen.launch = SeenLaunch{3, {0.1, nothing}};
  seen.times = {{3, 2, 1e-6, 1, {{7, 1, 1}, {32, 2, 1}, 40, 16, 48}}};
  seen.launches = 17;
  seen.refused = "why";
  seen.note = "what";
  const Seen read = read_seen(seen_packet(seen));
  ASSERT_TRUE(read.device && read.kernel && read.launch);
  EXPECT_EQ(read.device->name, "NVIDIA H200");
  EXPECT_EQ(read.device->counters, seen.device->counters);
  EXPECT_EQ(read.device->passes, 1);
  EXPECT_EQ(read.device->most_passes, 9);
  ASSERT_EQ(read.device->missing.size(), 1u);
  EXPECT_EQ(read.device->missing[0].reason, "no such counter");
  EXPECT_EQ(read.kernel->id, 3);
  EXPECT_EQ(read.kernel->name, "void f<int>(int*)");
  EXPECT_EQ(read.launch->values.at(0), 0.1);
  EXPECT_FALSE(std::isfinite(read.launch->values.at(1)));
  ASSERT_EQ(read.times.size(), 1u);
  EXPECT_EQ(read.times[0].launches, 2);
  EXPECT_EQ(read.times[0].seconds, 1e-6);
  EXPECT_EQ(read.times[0].device, 1);
  EXPECT_EQ(read.times[0].form, seen.times[0].form);
  EXPECT_EQ(read.device->uuid, "ab");
  EXPECT_EQ(read.device->compute_capability, 90);
  EXPECT_EQ(read.launches, 17);
  EXPECT_EQ(read.refused, "why");
  EXPECT_EQ(read.note, "what");
}

TEST(Protocol, NothingSeenIsNothing) {
  const Seen read = read_seen(seen_packet({}));
  EXPECT_FALSE(read.device || read.kernel || read.launch);
  EXPECT_TRUE(read.times.empty());
  EXPECT_EQ(read.launches, -1);
}

TEST(Protocol, NamesArriveFitToBeShown) {
  const auto name = [](const std::string& sent) {
    return read_seen(seen_packet(kernel_named(0, sent))).kernel->name;
  };
  EXPECT_EQ(name("a\x1b[2J\n"), "a\\x1b[2J\\n");
  EXPECT_EQ(name("<b>"), "<b>");
  EXPECT_NE(name("a\xff\xfe z").find(" z"), std::string::npos) << "not UTF-8";
  const std::string long_name(limits::name, '\x01');
  EXPECT_LT(seen_packet(kernel_named(0, long_name)).size(), limits::packet);
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

TEST_F(Packets, LaunchesOfAKernelAddUp) {
  add(launched(0, {1, 10}, 1));
  add(launched(0, {2, 20}, 5));
  EXPECT_EQ(kernel().launches, 2);
  EXPECT_EQ(kernel().counters, (Counters{{"a", 3}, {"b", 30}}));
  EXPECT_EQ(tally_.watched, 2);
  EXPECT_EQ(tally_.launches, 5);
  EXPECT_EQ(tally_.passes, 1);
  EXPECT_EQ(tally_.most_passes, 9);
}

TEST_F(Packets, ProcessesAddUpByName) {
  add(launched(0, {1, 10}, 4));
  Connection other;
  const auto tell = [&](const Seen& seen) { add_packet(seen_packet(seen), other, tally_); };
  tell(device("NVIDIA H200", {"b", "a"}));
  tell(kernel_named(0, "other"));
  tell(kernel_named(1, "k"));
  tell(launched(1, {20, 2}, 3));
  EXPECT_EQ(kernel().launches, 2);
  EXPECT_EQ(kernel().counters, (Counters{{"a", 3}, {"b", 30}})) << "each has an order of its own";
  EXPECT_EQ(tally_.launches, 7);
}

TEST_F(Packets, DevicesAreKeptApart) {
  Seen other = device("NVIDIA H200", {"a", "b"});
  other.device->number = 1;
  add(other);
  add(launched(0, {1, 10}));
  add(ran({{0, 1, 0.5, 0, {}}, {0, 2, 0.25, 1, {}}, {0, 4, 0.25, 7, {}}}, 3));
  EXPECT_EQ(kernel().launches, 1);
  const KernelTally& second = tally_.kernels.at({"k", "NVIDIA H200 1"});
  EXPECT_EQ(second.launches, 7) << "a device that nobody told of is the last one";
  EXPECT_EQ(second.counters.at("a"), 1);
  EXPECT_EQ(tally_.gpus.size(), 2u);
}

TEST_F(Packets, FormsAddUpAndAreLimited) {
  const auto form = [](std::int64_t blocks) { return LaunchForm{{blocks, 1, 1}, {32, 1, 1}, 8}; };
  add(ran({{0, 2, 0.5, 0, form(1)}, {0, 3, 0.25, 0, form(1)}, {0, 1, 1, 0, form(2)}}, 6));
  EXPECT_EQ(kernel().forms.at(form(1)), (std::pair<std::int64_t, double>{5, 0.75}));
  EXPECT_FALSE(kernel().more_forms);
  for (std::int64_t blocks = 0; blocks < 300; ++blocks)
    add(ran({{0, 1, 0.5, 0, form(blocks)}}, 7 + blocks));
  EXPECT_EQ(kernel().forms.size(), limits::forms);
  EXPECT_TRUE(kernel().more_forms);
}

TEST_F(Packets, TimesAddUp) {
  add(ran({{0, 2, 0.5}, {0, 1, 0.25}}, 3));
  add(ran({{0, 1, 0.25}}, 4));
  EXPECT_EQ(kernel().launches, 4);
  EXPECT_EQ(kernel().seconds, 1);
  EXPECT_EQ(tally_.watched, 4);
  EXPECT_EQ(tally_.launches, 4);
}

TEST_F(Packets, NumbersOfLaunchesNeverShrink) {
  add(ran({}, 9));
  add(ran({}, 4));
  EXPECT_EQ(tally_.launches, 9);
}

TEST_F(Packets, ACounterLostOnceIsLost) {
  add(launched(0, {1, 10}));
  add(launched(0, {1, nothing}));
  EXPECT_EQ(kernel().lost, (std::set<std::string>{"b"}));
  EXPECT_EQ(kernel().counters.at("a"), 2);
}

TEST_F(Packets, NotesAndRefusalsAreKept) {
  add(words("no right", "one"));
  add(words("", "one"));
  add(words("", "two"));
  EXPECT_EQ(tally_.refused, "no right");
  EXPECT_EQ(tally_.notes, (std::set<std::string>{"one", "two"}));
}

TEST_F(Packets, HostileOnesAreRefused) {
  for (
      const char* text :
      {"",
       "{",
       "\xff\xfe",
       "{\"device\": 3}",
       R"({"device": {"name": 1}})",
       R"({"device": {"name": "d", "counters": "a", "passes": 1, "most_passes": 1, "missing": []}})",
       R"({"device": {"name": "d", "counters": [], "passes": -1, "most_passes": 1, "missing": []}})",
       R"({"kernel": {"id": 1}})",
       R"({"kernel": {"id": -1, "name": "k"}})",
       R"({"kernel": {"id": 1e300, "name": "k"}})",
       R"({"kernel": {"id": 1, "name": 7}})",
       R"({"launch": {"kernel": 5, "values": [1, 2]}})",
       R"({"launch": {"kernel": 0, "values": [1]}})",
       R"({"launch": {"kernel": 0, "values": [1, 2, 3]}})",
       R"({"launch": {"kernel": 0, "values": [1, -2]}})",
       R"({"launch": {"kernel": 0, "values": [1, 1e300]}})",
       R"({"launch": {"kernel": 0, "values": ["1", 2]}})",
       R"({"launch": {"kernel": 0}})",
       R"({"times": 1})",
       R"({"times": [{"kernel": 0, "launches": 1}]})",
       R"({"times": [[0, 1, 1]]})",
       R"({"times": [{"kernel": 0, "launches": 0, "seconds": 1}]})",
       R"({"times": [{"kernel": 0, "launches": -3, "seconds": 1}]})",
       R"({"times": [{"kernel": 0, "launches": 1, "seconds": -1}]})",
       R"({"times": [{"kernel": 0, "launches": 1, "seconds": null}]})",
       R"({"times": [{"kernel": 0, "launches": 1, "seconds": 1}]})",
       R"({"times": [{"kernel": 0, "launches": 1, "seconds": 1, "device": 0, "form": {}}]})",
       R"({"lines": {"period": -1}})",
       R"({"lines": {"period": 2, "dropped": 0, "elsewhere": 0, "counted": [], "code": [], "lost": [],
           "lines": [{"file": "a", "line": 1, "function": "", "stalls": {}, "sectors": 3}]}})",
       R"({"launches": -2})",
       R"({"launches": "9"})",
       R"({"refused": 1})",
       R"({"note": []})"})
    EXPECT_THROW(add_text(text), InputError) << text;
  EXPECT_TRUE(tally_.kernels.empty()) << "a kernel that was refused is no kernel";
  EXPECT_EQ(tally_.watched, 0);
  EXPECT_EQ(tally_.launches, 0);
}

TEST_F(Packets, DeepAndStrangeJsonIsHarmless) {
  EXPECT_THROW(add_text(std::string(100'000, '[')), InputError);
  for (const char* text : {"[]", "7"}) EXPECT_THROW(add_text(text), InputError) << text;
  add_text(R"({"nobody knows": {"this": 1}})");
  EXPECT_TRUE(tally_.kernels.empty());
}

TEST_F(Packets, NamesBeyondManyShareOne) {
  for (int id = 1; id <= 20'010; ++id) {
    add(kernel_named(id, std::to_string(id)));
    add(launched(id, {1, 0}));
  }
  EXPECT_EQ(tally_.kernels.size(), 20'000u) << "k is named, but was not launched";
  EXPECT_EQ(kernel("(other kernels)").launches, 11);
  EXPECT_EQ(tally_.watched, 20'010);
}

TEST_F(Packets, LongNamesBeyondManyBytesShareOne) {
  tally_.name_bytes = limits::name_bytes - 3 * limits::name;  // those of many others
  for (int id = 1; id <= 10; ++id) {
    add(kernel_named(id, std::to_string(id) + std::string(limits::name, 'x')));
    add(launched(id, {1, 0}));
  }
  EXPECT_EQ(kernel("(other kernels)").launches, 7);
  EXPECT_EQ(tally_.name_bytes, limits::name_bytes);
}

TEST_F(Packets, OnlyCountersThatWereAskedForAreKept) {
  EXPECT_THROW(add(device("NVIDIA H200", {"a", "c"})), InputError);
  add(launched(0, {1, 2}));
  EXPECT_EQ(kernel().counters.size(), 2u);
}

TEST_F(Packets, KernelsAreNumberedInTheirOrder) {
  EXPECT_THROW(add(kernel_named(2, "later")), InputError);
  EXPECT_THROW(add(kernel_named(0, "again")), InputError);
  EXPECT_THROW(add(launched(1, {1, 2})), InputError);
}

TEST_F(Packets, RangesOfProcessesAreOneTree) {
  const auto named = [](std::int64_t id, std::int64_t parent, const std::string& name) {
    Seen seen;
    seen.range = SeenRange{id, parent, {"", name}};
    return seen;
  };
  const auto in_range = [](std::int64_t range) {
    Seen seen = launched(0, {1, 10});
    seen.launch->range = range;
    return seen;
  };
  add(named(1, 0, "outer"));
  add(named(2, 1, "inner"));
  add(in_range(2));
  Connection other;
  const auto tell = [&](const Seen& seen) { add_packet(seen_packet(seen), other, tally_); };
  tell(device("NVIDIA H200", {"a", "b"}));
  tell(kernel_named(0, "k"));
  tell(named(1, 0, "else"));
  tell(named(2, 0, "outer"));
  tell(named(3, 2, "inner"));
  tell(in_range(3));
  EXPECT_EQ(tally_.ranges.size(), 3);
  const KernelTally& both = tally_.in_ranges.at({-1, 2}).at(KernelKey("k", "NVIDIA H200 0"));
  EXPECT_EQ(both.launches, 2);
  EXPECT_EQ(both.counters.at("b"), 20);
  for (const Seen& wrong : {named(3, 7, "x"), named(9, 0, "x"), in_range(5)})
    EXPECT_THROW(add(wrong), InputError);
}

TEST_F(Packets, SingleLaunchesAreLimited) {
  Seen seen;
  for (int i = 1; i <= 5; ++i)
    seen.singles.push_back({0, 0, 7, i, 1e-6, {i, {1, 1, 1}, {1, 1, 1}}});
  add(seen);
  EXPECT_TRUE(tally_.kernels["k"].singles.empty()) << "nobody asked for any";
  tally_.most_singles = 3;
  add(seen);
  add(seen);
  EXPECT_EQ(kernel().singles.size(), 3u);
  EXPECT_EQ(kernel().singles[2].start, 3);
}

TEST_F(Packets, DevicesAndNotesAreLimited) {
  for (int i = 0; i < 200; ++i) {
    add(device(std::to_string(i), {}));
    add(words("", std::to_string(i) + std::string(5000, 'x')));
  }
  EXPECT_EQ(tally_.gpus.size(), limits::devices);
  EXPECT_EQ(tally_.notes.size(), limits::notes + 1) << "and that there were more";
  for (const std::string& note : tally_.notes) EXPECT_LE(note.size(), limits::note);
}

TEST_F(Packets, WhatIsCutOffInALetterIsStillText) {
  add(words("", std::string(limits::note - 1, 'x') + "\u00e9"));
  EXPECT_NO_THROW(json(*tally_.notes.begin()).dump());
}

}  // namespace
}  // namespace roofline::inject
