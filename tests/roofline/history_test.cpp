// Histories: what is a change, what is noise, and what `roofline history` says and returns.
#include "roofline/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "roofline/view/history_view.h"
#include "roofline/view/svg.h"
#include "tests/roofline/tool.h"
#include "tests/temporary_folder.h"

namespace roofline {
namespace {

using nlohmann::json;
using test::contains;

TEST(Statistics, ProbabilityOfRanksIsExact) {
  // Of the 20 orders of three and three values one is the least likely in each direction.
  EXPECT_NEAR(equal_ranks_probability({1, 2, 3}, {4, 5, 6}), 2.0 / 20, 1e-12);
  EXPECT_NEAR(equal_ranks_probability({4, 5, 6}, {1, 2, 3}), 2.0 / 20, 1e-12);
  EXPECT_NEAR(equal_ranks_probability({1, 2, 4}, {3, 5, 6}), 4.0 / 20, 1e-12);
  EXPECT_EQ(equal_ranks_probability({1, 1, 1}, {1, 1, 1}), 1);
  EXPECT_EQ(equal_ranks_probability({}, {1}), 1);
  std::vector<double> low, high;
  for (int i = 0; i < 30; ++i) low.push_back(i);
  for (int i = 0; i < 30; ++i) high.push_back(i + 100);
  EXPECT_LT(equal_ranks_probability(low, high), 1e-9) << "by the normal approximation";
  EXPECT_GT(equal_ranks_probability(low, low), 0.9);
}

TEST(Statistics, CorrectsForTheNumberByHolm) {
  const std::vector<double> corrected = corrected_for_number({0.04, 0.001, 0.03});
  EXPECT_NEAR(corrected[1], 0.003, 1e-12);
  EXPECT_NEAR(corrected[2], 0.06, 1e-12);
  EXPECT_NEAR(corrected[0], 0.06, 1e-12) << "never below a smaller one";
}

/// Ten runs of each of 20 kernels: noise of 3% from run to run, of 0.3% from record to record.
HistoryRecord drawn_record(std::mt19937& random, double slower = 1, double work = 1e9) {
  std::normal_distribution<double> of_run(0, 0.03), of_record(0, 0.003);
  HistoryRecord record;
  const double start = of_record(random);
  for (int kernel = 0; kernel < 20; ++kernel) {
    HistoryPart& part = record.parts["kernel " + std::to_string(kernel)];
    part.work["fp64"] = kernel == 7 ? work : 1e9;
    for (int run = 0; run < 10; ++run)
      part.runs.push_back((kernel == 7 ? slower : 1) * std::exp(start + of_run(random)));
  }
  return record;
}

TEST(History, SaysWhereNothingCompares) {
  std::mt19937 random(1);
  HistoryRecord other = drawn_record(random);
  EXPECT_EQ(history_of({drawn_record(random), other}).compared, 40u) << "20 counts and 20 times";
  const auto part = other.parts.extract("kernel 1");
  other.parts.clear();
  other.parts["another kernel"] = part.mapped();
  const History history = history_of({drawn_record(random), other});
  EXPECT_EQ(history.compared, 0u);
  EXPECT_TRUE(gpp::test::contains(history_text(history, false, 100), "Nothing of the last record"));
}

TEST(History, RaisesNoAlarmInAHundredEqualRuns) {
  std::mt19937 random(1);
  std::vector<HistoryRecord> records;
  for (int i = 0; i < 100; ++i) records.push_back(drawn_record(random));
  const History history = history_of(records);
  EXPECT_TRUE(history.changes.empty()) << history.changes.front().part;
  EXPECT_TRUE(history.undecided.empty()) << "ten runs are enough for 20 kernels";
}

TEST(History, FindsOnePercentOfOperationsAndTimesBeyondNoise) {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    const History history =
        history_of({drawn_record(random), drawn_record(random), drawn_record(random, 1.2, 1.01e9)});
    ASSERT_EQ(history.changes.size(), 2u) << i;
    EXPECT_TRUE(history.last_is_worse());
    for (const HistoryChange& change : history.changes) {
      EXPECT_EQ(change.record, 2u);
      EXPECT_EQ(change.part, "kernel 7");
    }
  }
}

HistoryRecord one_part(double work, double bytes, std::vector<double> runs = {}) {
  HistoryRecord record;
  record.parts["k"] = {std::move(runs), {{"fp64", work}}, {{"dram", bytes}}};
  return record;
}

TEST(History, KnowsBetterFromWorseAndBytesByTheirBounds) {
  const History better = history_of({one_part(1e9, 1e9), one_part(0.99e9, 1e9)});
  ASSERT_EQ(better.changes.size(), 1u);
  EXPECT_FALSE(better.changes[0].worse());
  EXPECT_FALSE(better.last_is_worse());
  EXPECT_TRUE(history_of({one_part(1, 1e9), one_part(1, 1.04e9)}).changes.empty());
  EXPECT_TRUE(history_of({one_part(1, 1e9), one_part(1, 1.06e9)}).last_is_worse());
  EXPECT_TRUE(history_of({one_part(1, 1e3), one_part(1, 9e5)}).changes.empty())
      << "too few to tell";
  EXPECT_TRUE(
      history_of({one_part(1, 1e9), one_part(1, 1.04e9), one_part(1, 1.08e9)}).changes.empty())
      << "bounds hold all records before";
}

/// Small steps never differ from their neighbours; the first records stay the base.
TEST(History, FindsADrift) {
  std::vector<HistoryRecord> records;
  for (int i = 0; i < 20; ++i) records.push_back(one_part(1e9 * std::pow(1.0005, i), 1e9));
  EXPECT_FALSE(history_of(records).changes.empty());
}

/// An earlier change that stays is no alarm of the last record.
TEST(History, AlarmsOnce) {
  const History history = history_of({one_part(1e9, 1), one_part(2e9, 1), one_part(2e9, 1)});
  ASSERT_EQ(history.changes.size(), 1u);
  EXPECT_EQ(history.changes[0].record, 1u);
  EXPECT_FALSE(history.last_is_worse());
}

TEST(History, SaysWhereRunsAreTooFew) {
  const History history =
      history_of({one_part(1, 1, {1, 1.1, 1.2}), one_part(1, 1, {2, 2.1, 2.2})});
  EXPECT_TRUE(history.changes.empty());
  EXPECT_EQ(history.undecided, std::vector<std::string>{"k"});
  EXPECT_TRUE(contains(history_text(history, false, 100), "Undecided: 1 of"));
}

/// A kernel that is gone, or has another name, is compared with nothing, which must be seen.
TEST(History, NamesWhatIsGoneAndWhatIsNew) {
  HistoryRecord before = one_part(1, 1), last = before;
  before.parts["old"] = last.parts["new"] = before.parts["k"];
  const History history = history_of({before, last});
  EXPECT_EQ(history.gone, std::vector<std::string>{"old"});
  EXPECT_EQ(history.appeared, std::vector<std::string>{"new"});
  const std::string text = history_text(history, false, 100);
  EXPECT_TRUE(contains(text, "Gone since the record before: old.")) << text;
  EXPECT_TRUE(contains(text, "New in the last record, with nothing to compare: new.")) << text;
}

TEST(History, IsDrawnWithIntervalsAndChanges) {
  std::vector<double> before, after;
  for (int i = 0; i < 10; ++i) before.push_back(1 + 0.01 * i);
  for (int i = 0; i < 10; ++i) after.push_back(2 + 0.01 * i);
  HistoryRecord first = one_part(1, 1, before), second = one_part(1, 1, after);
  first.label = "<a>";
  const Chart chart = history_chart(history_of({first, second}));
  ASSERT_EQ(chart.marks.size(), 2u);
  EXPECT_EQ(chart.lines.size(), 1u);
  EXPECT_EQ(chart.marks[1].shape, Shape::triangle) << "worse";
  EXPECT_LT(*chart.marks[0].low, *chart.marks[0].high);
  EXPECT_TRUE(contains(svg_text(chart), "&lt;a&gt;"));
}

class RooflineHistory : public testing::Test {
 protected:
  std::string keep(const std::string& name, const json& profile) {
    std::filesystem::create_directories(temporary / name);
    std::ofstream(temporary / name / "profile.json") << profile;
    return (temporary / name).string();
  }
  static json timed(double seconds, double work) {
    json profile = test::sample_profile({{"k", 1, seconds, work}});
    for (int i = 0; i < 10; ++i) profile["kernels"][0]["runs"].push_back(seconds * (1 + 0.001 * i));
    return profile;
  }

  gpp::test::TemporaryFolder temporary;
};

TEST_F(RooflineHistory, TellsScriptsByItsStatus) {
  const std::string a = keep("a", timed(1, 1e12)), b = keep("b", timed(1, 1e12)),
                    c = keep("c", timed(1.1, 1.01e12)), out = (temporary / "out").string();
  const Finished same = test::roofline({"history", a, b});
  EXPECT_EQ(same.status, 0) << same.errors;
  EXPECT_TRUE(contains(same.output, "No change beyond bounds and noise."));
  const Finished worse = test::roofline({"history", a, b, c, "-o", out});
  EXPECT_EQ(worse.status, 1) << worse.errors;
  for (const char* part : {"fp64", "time", "worse", "The last record is worse."})
    EXPECT_TRUE(contains(worse.output, part)) << part << " in\n" << worse.output;
  EXPECT_TRUE(std::filesystem::exists(temporary / "out" / "history.svg"));
  const json told = json::parse(test::roofline({"history", a, c, "--json"}).output);
  EXPECT_EQ(told["changes"].size(), 2u);
  EXPECT_EQ(told["last_is_worse"], true);
  EXPECT_EQ(test::roofline({"history", c, a}).status, 0) << "better is no alarm";
}

TEST_F(RooflineHistory, RefusesWhatDoesNotCompare) {
  const std::string a = keep("a", timed(1, 1)),
                    other = keep("b", test::sample_profile({{"k"}}, "NVIDIA T4"));
  json twice = timed(1, 1), at_once = timed(1, 1);
  twice["kernels"].push_back(twice["kernels"][0]);
  at_once["kernels"][0]["runs"][3] = 0;
  std::filesystem::create_directory(temporary / "empty");
  for (const auto& [records, part] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{a}, "two profiles or more"},
           {{a, other}, "different devices"},
           {{a, a + "/."}, "named twice"},
           {{a, a + "/profile.json"}, "named twice"},
           {{a, (temporary / "empty").string()}, "no profile.json in this folder"},
           {{a, keep("twice", twice)}, "stands twice"},
           {{a, keep("at_once", at_once)}, "runs[3]"}}) {
    std::vector<std::string> words = {"history"};
    words.insert(words.end(), records.begin(), records.end());
    const Finished done = test::roofline(words);
    EXPECT_EQ(done.status, 2);
    EXPECT_TRUE(contains(done.errors, part)) << done.errors;
  }
}

/// `roofline record` knows what it ran; imports know names of files, which differ by themselves.
TEST_F(RooflineHistory, IsOfOneProgramWithTheSameArguments) {
  const auto run = [&](const std::string& name, const std::string& program,
                       const char* source = "cupti") {
    json profile = timed(1, 1e12);
    profile["program"] = program;
    profile["source"] = source;
    return keep(name, profile);
  };
  const std::string a = run("a", "build1/program 100");
  EXPECT_EQ(test::roofline({"history", a, run("b", "build2/program 100")}).status, 0)
      << "builds of commits lie in folders of their own";
  const std::string other = run("c", "build1/program 200");
  const Finished refused = test::roofline({"history", a, other});
  EXPECT_EQ(refused.status, 2);
  for (const char* part : {"'program 200'", "'program 100'", "--any-program"})
    EXPECT_TRUE(contains(refused.errors, part)) << part << " in\n" << refused.errors;
  const Finished forced = test::roofline({"history", a, other, "--any-program"});
  EXPECT_EQ(forced.status, 0) << forced.errors;
  EXPECT_TRUE(contains(forced.errors, "'program 200'")) << forced.errors;
  EXPECT_EQ(test::roofline({"history", run("d", "1.csv", "ncu"), run("e", "2.csv", "ncu")}).status,
            0);
}

TEST_F(RooflineHistory, TellsRecordsApartAndWhatIsNotInOrder) {
  json newer = timed(1, 1e12);
  newer["created"] = "2026-02-02T03:04:05Z";
  const std::string a = keep("1/same", newer), b = keep("2/same", timed(1, 2e12));
  const Finished done = test::roofline({"history", a, b});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.output, "2/same")) << done.output;
  EXPECT_TRUE(contains(done.output, "the oldest comes first")) << done.output;
  EXPECT_FALSE(contains(test::roofline({"history", b, a}).output, "the oldest comes first"));
}

}  // namespace
}  // namespace roofline
