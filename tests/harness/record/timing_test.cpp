// Tests of the end of timing, of statistics of samples, of verdicts, and of impossible times; of
// the load from others, on a machine made of files.
#include <fmt/format.h>
#include <cmath>
#include <set>

#include "harness/measure/load.h"
#include "harness/record/comparison.h"
#include "harness/record/derive.h"
#include "harness/record/timing.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/measure/fake_machine.h"
#include "tests/harness/sample_study.h"
#include "tests/roofline/sample_chart.h"

namespace gpp::test {
namespace {

TEST(Timing, SummarizesOddAndEvenCountsWithIntervalsOfTheirMedian) {
  const Timing odd = summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 5);
  EXPECT_EQ(summarize({4, 1, 2, 3}).median, 2.5);
  EXPECT_EQ(summarize({7}).median, 7);
  EXPECT_EQ(summarize({}).median, 0);
  // 20 samples have ranks floor(10 - 4.38) = 5 and ceil(11 + 4.38) = 16, as in the tables.
  std::vector<double> samples;
  for (int i = 1; i <= 20; ++i) samples.push_back(i);
  const Timing timing = summarize(samples);
  EXPECT_EQ(timing.low, 5);
  EXPECT_EQ(timing.high, 16);
  EXPECT_DOUBLE_EQ(timing.spread(), 0.5 * 11 / 10.5);
  for (const std::vector<double>& few : {std::vector<double>{1, 2}, {1, 2, 3}, {1, 2, 3, 4, 5}}) {
    EXPECT_EQ(summarize(few).low, few.front());
    EXPECT_EQ(summarize(few).high, few.back());
  }
}

/// Disturbed runs do not make a median stable; the rule repeats within its limit.
TEST(TimingRule, StopsWhenTheMedianIsStableAndNotBefore) {
  using Samples = std::vector<double>;
  using enum Stop;
  const TimingRule rule;
  Samples one_slow(20, 1.0), noisy;
  one_slow[7] = 5.0;
  for (int i = 0; i < rule.max_samples; ++i) noisy.push_back(i % 2 == 0 ? 1 : 2);
  for (const auto& [samples, used, share, disturbed, expected] :
       {std::tuple(Samples{}, 0.0, 10.0, 0, none),
        {{1, 1, 1, 1}, 4, 10, 0, none},
        {{1, 1, 1, 1, 1}, 5, 10, 0, stable},
        {{1, 1, 1, 1, 1.019}, 5, 10, 0, stable},
        {{1, 1, 1, 1, 1.03}, 5, 10, 0, none},
        {one_slow, 24, 100, 0, stable},
        {{3}, 3, 2.5, 0, time_limit},
        {{1, 2}, 3, 10, 0, none},
        {noisy, 1, 10, 0, most_samples},
        {{}, 5, 10, 30, none},
        {{1, 1, 1, 1}, 5, 10, 30, none},
        {{1, 1, 1, 1, 1}, 5, 10, 30, stable},
        {{}, 11, 10, 30, time_limit},
        {{}, 0, 10, rule.most_runs, most_samples}})
    EXPECT_EQ(stop(rule, samples, used, share, disturbed), expected)
        << samples.size() << " samples, " << used << " s of " << share;
  TimingRule fixed;
  fixed.repeat = 3;
  EXPECT_EQ(stop(fixed, {1, 9}, 1000, 1), none) << "whatever the time";
  EXPECT_EQ(stop(fixed, {1, 9, 5}, 0, 1), repeats);
  EXPECT_EQ(stop(fixed, {1}, 0, 1, 2), repeats) << "so many, whatever they say";
}

TEST(TimingRule, UndisturbedRunsSpeakWhereTheyAreEnough) {
  const auto speaks = [](std::size_t quiet, std::size_t disturbed) {
    std::vector<double> samples(quiet, 1.0);
    samples.resize(quiet + disturbed, 9.0);
    std::vector<bool> flags(quiet, false);
    flags.resize(quiet + disturbed, true);
    return trusted(samples, flags);
  };
  EXPECT_EQ(speaks(5, 90).samples, std::vector<double>(5, 1.0));
  EXPECT_FALSE(speaks(5, 90).disturbed);
  EXPECT_FALSE(speaks(1, 1).disturbed) << "half of all";
  EXPECT_EQ(speaks(4, 5).samples.size(), 9u);
  EXPECT_TRUE(speaks(4, 5).disturbed);
  EXPECT_TRUE(speaks(0, 1).disturbed);
  EXPECT_FALSE(speaks(0, 0).disturbed);
  EXPECT_EQ(trusted({1, 2}, {}).samples.size(), 2u) << "records of earlier programs";
  EXPECT_FALSE((LoadShare{0.05, 0.0}.disturbed()));
  EXPECT_TRUE((LoadShare{0.03, 0.021}.disturbed()));
  EXPECT_FALSE(LoadShare{}.disturbed());
  EXPECT_TRUE((LoadShare{std::nan(""), 0.2}.disturbed()));
  EXPECT_EQ(count_throttled({2000, 1950, 1899, 1200}, 2000), 2) << "of the clock, too";
  EXPECT_EQ(count_throttled({0, 0}, 2000), 0) << "unreadable clocks say nothing";
}

TEST(Rounds, NoVariantAlwaysFollowsTheSame) {
  std::mt19937_64 engine(1);
  std::set<std::size_t> firsts;
  std::set<std::size_t> before_the_last;  // variants that variant 3 followed
  for (int round = 0; round < 60; ++round) {
    std::vector<std::size_t> order = order_of_round(4, engine);
    firsts.insert(order.front());
    for (std::size_t place = 1; place < order.size(); ++place)
      if (order[place] == 3) before_the_last.insert(order[place - 1]);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
  }
  EXPECT_EQ(firsts.size(), 4u);
  EXPECT_EQ(before_the_last.size(), 3u);
}

// ---- Comparisons --------------------------------------------------------------------------------

std::vector<double> scaled(std::vector<double> samples, double factor) {
  for (double& sample : samples) sample *= factor;
  return samples;
}

const std::vector<double> steady = {1.000, 1.001, 0.999, 1.002, 0.998, 1.000, 1.001};
const std::vector<double> noisy = {0.8, 1.3, 1.0, 0.9, 1.2, 1.1, 0.7};

TEST(Verdicts, TakeNeitherNoiseNorAPercentForNews) {
  using enum Verdict;
  for (const auto& [samples, factor, verdict] : {std::tuple(steady, 0.9, faster),
                                                 {steady, 1.1, slower},
                                                 {steady, 1.0, same},
                                                 {steady, 0.994, same},
                                                 {steady, 1.006, same},
                                                 {noisy, 0.9, same},
                                                 {noisy, 1.1, same},
                                                 {noisy, 0.5, faster}})
    EXPECT_EQ(compare_times(samples, scaled(samples, factor)), verdict) << factor;
  EXPECT_EQ(compare_times({1, 1, 1, 1}, steady), undecided) << "five are needed";
  EXPECT_EQ(compare_times(scaled(steady, 9), {1}), undecided);
}

/// Compares the sample study with a changed one, in both directions.
std::string told_comparisons(const StudyRecord& b) {
  std::string text;
  StudyRecord a = sample_study();
  a.results[1].kind = b.results[1].kind;
  for (const auto& list : {compare(a, b), compare(b, a)})
    for (const Comparison& one : list)
      text += fmt::format("{}: {}, {:.4g}. {}\n", one.variant, name_of(one.verdict),
                          one.factor.value_or(0), one.remark);
  return text;
}

void slow_down(StudyRecord& study, const char* kind, double others) {
  Result& v7 = study.results[1];
  v7.kind = kind;
  v7.samples = scaled(v7.samples, 2.2);
  v7.load.assign(v7.samples.size(), {others, 0.0});
}

const std::vector<Change<StudyRecord>> comparison_changes = {
    {"slower", [](StudyRecord& study) { slow_down(study, "host", 0); }},
    {"slower and disturbed", [](StudyRecord& study) { slow_down(study, "host", 0.34); }},
    {"on a GPU, which does not wait", [](StudyRecord& study) { slow_down(study, "gpu", 0.34); }},
    {"enough undisturbed runs",
     [](StudyRecord& study) {
       Result& v7 = study.results[1];
       v7.samples.insert(v7.samples.end(), 3, 9.0);
       v7.load.assign(5, {0.01, 0.0});
       v7.load.resize(8, {0.5, 0.0});
     }},
    {"few runs",
     [](StudyRecord& study) {
       study.results[1].samples = {0.1, 0.2, 0.3};
     }},
    {"another variant", [](StudyRecord& study) { study.results[0].variant = "v2"; }}};

TEST(Comparisons, AreThoseThatAreKept) {
  expect_kept("harness/record/comparisons.txt",
              told_with_changes(sample_study(), comparison_changes, told_comparisons));
}

TEST(Comparisons, RefuseOtherKernelsAndInputs) {
  const StudyRecord a = test::sample_study();
  StudyRecord b = a;
  b.input.sha256 = "other";
  EXPECT_THROW(compare(a, b), roofline::InputError);
  b.kernel = "stream";
  EXPECT_THROW(compare(a, b), roofline::InputError);
}

// ---- Times that are impossible ------------------------------------------------------------------

LeastWork work(double operations, const char* precision = "fp64") {
  return {operations, precision, "these triples take time"};
}

roofline::Ceilings with_roofs(const char* kind, std::vector<roofline::Ceiling> list) {
  return {"a device", kind, "", "", 1, std::move(list)};
}

roofline::Ceiling compute(const char* name, double measured) {
  return {name, name, roofline::CeilingKind::compute, measured, std::nullopt, 0, "", {}};
}

TEST(Possible, IsWhatTheHighestRoofOfThePrecisionAllowsWithAMargin) {
  const auto host = with_roofs(
      "host", {compute("fp64_no_fma", 5e10), compute("fp64_fma", 1e11), compute("fp32_fma", 2e11)});
  const auto tensor =
      with_roofs("gpu", {compute("fp64_fma", 3e13), compute("fp64_tensor", 6.5e13)});
  const auto without = with_roofs("gpu", {compute("fp64_fma", 3e13)});
  for (const auto& [ceilings, precision, limit] : {std::tuple(host, "fp64", 1.1e11),
                                                   {host, "fp32", 2.2e11},
                                                   {tensor, "fp64", 1.1 * 6.5e13},
                                                   {without, "fp64", 2.2 * 3e13}}) {
    EXPECT_FALSE(impossible(work(limit * 0.999, precision), 1, ceilings)) << limit;
    EXPECT_TRUE(contains(impossible(work(limit * 1.001, precision), 1, ceilings).value_or(""),
                         "impossible: these triples take time"))
        << limit;
  }
  EXPECT_FALSE(impossible(work(1e99, "int8"), 1, host)) << "without a roof all may be";
  EXPECT_FALSE(impossible(work(8 * 800.0 * 1385 * 11075), 24.7e-3, roofline::test::large_gpu()))
      << "an H200, v12";
}

// ---- The load from others -----------------------------------------------------------------------

class Load : public testing::Test {
 protected:
  LoadMeter meter() {
    return LoadMeter({.root = machine.root(),
                      .clock = [this] { return machine.now; },
                      .own = [this] { return machine.own; }});
  }
  /// The load during a run of two seconds.
  LoadShare during(double ours, double others, double stolen = 0) {
    LoadMeter load = meter();
    load.begin();
    machine.pass(2, ours, others, stolen);
    return load.end();
  }
  static void expect_unknown(const LoadShare& share) {
    EXPECT_TRUE(std::isnan(share.others)) << share.others;
    EXPECT_TRUE(std::isnan(share.steal)) << share.steal;
    EXPECT_FALSE(share.known());
  }

  FakeMachine machine;
};

/// In two seconds of two processors, but for the ticks of their clocks.
TEST_F(Load, IsWhatProcessorsDidBeyondUsAndStolenTime) {
  for (const auto& [ours, did, stolen, others, steal, disturbed] :
       {std::tuple(3.9, 0.04, 0.0, 0.01, 0.0, false),
        {2.6, 1.36, 0, 0.34, 0, true},
        {3, 0, 0.8, 0, 0.2, true},
        {3.7, 0.12, 0.12, 0.03, 0.03, true}}) {
    const LoadShare share = during(ours, did, stolen);
    EXPECT_NEAR(share.others, others, 0.011) << did;
    EXPECT_NEAR(share.steal, steal, 1e-9) << stolen;
    EXPECT_EQ(share.disturbed(), disturbed) << did;
  }
}

TEST_F(Load, IsARunsOwnAndOfAShortOneThatOfAWindowAroundIt) {
  LoadMeter load = meter();
  machine.pass(10, 20, 0);
  load.begin();  // a quiet period before
  machine.pass(0.1, 0.2, 0);
  EXPECT_NEAR(load.end().others, 0, 1e-9);
  for (int run = 0; run < 6; ++run) {
    load.begin();
    machine.pass(0.1, 0.1, 0.1);
    const LoadShare share = load.end();
    if (run < 5) continue;
    EXPECT_NEAR(share.others, 0.5, 0.05) << "half a second of it";
  }
  machine.pass(3, 0, 6);
  load.begin();
  machine.pass(1, 2, 0);
  EXPECT_NEAR(load.end().others, 0, 1e-9) << "the busy seconds were before";
}

TEST_F(Load, IsNotWhatItsOwnProcessesDid) {
  double elsewhere = 0;
  LoadMeter load = meter();
  load.own_too([&elsewhere] { return elsewhere; });
  load.begin();
  machine.pass(2, 0, 4);
  elsewhere += 3;
  EXPECT_NEAR(load.end().others, 0.25, 1e-9);
  load.own_too({});
  load.begin();
  machine.pass(2, 0, 4);
  elsewhere += 3;
  EXPECT_NEAR(load.end().others, 1, 1e-9) << "it asks no more";
}

TEST_F(Load, IsNotKnownFromFilesThatMakeNoSense) {
  for (const char* text :
       {"", "garbage", "cpu0", "cpu0 1 2 3\n", "cpu0 -1 0 0 0 0 0 0 0\ncpu2 1 0 0 0 0 0 0 0\n",
        "cpu0 1e3 0 0 0 0 0 0 0\n", "cpu99999999999999999999 1 1 1 1 1 1 1 1\n",
        "cpu0 99999999999999999999 0 0 0 0 0 0 0\n", "cpu0 9223372036854775807 0 0 0 0 0 0 0\n",
        "cpux 1 1 1 1 1 1 1 1\n", "cpu0 1 1 1 1 1 1 1 1\n"}) {
    LoadMeter load = meter();
    load.begin();
    machine.pass(2, 4, 0);
    machine.write("proc/stat", text);
    expect_unknown(load.end());
  }
  std::filesystem::remove(machine.root() / "proc/stat");
  expect_unknown(during(1, 1));
}

TEST_F(Load, IsNotKnownWhereLittleWasSeenOrTheFilesAreAboutSomethingElse) {
  LoadMeter load = meter();
  load.begin();
  machine.pass(0.01, 0.0, 0.02);
  expect_unknown(load.end());
  expect_unknown(during(2, -1.5));  // a sandbox that counts none of our time
  expect_unknown(during(1, 9));     // more than the processors have
  for (const char* list : {"", "x", "2-1", "0,0", "-1", "0-99999999999", "0-1000000000"}) {
    machine.write("proc/self/status", std::string("Cpus_allowed_list:\t") + list + "\n");
    expect_unknown(during(1, 3));
  }
}

/// On the real machine: a share or nothing, and a processor's clock.
TEST(Processors, TellAffinityClockAndLoad) {
  const FakeMachine machine;
  machine.write("sys/devices/system/cpu/online", "0-3\n");
  machine.write("proc/loadavg", "4.40 2.16 0.99 11/143 10664\n");
  for (const char* cpu : {"cpu0", "cpu2"})
    machine.write(std::string("sys/devices/system/cpu/") + cpu + "/cpufreq/scaling_governor",
                  "powersave\n");
  EXPECT_EQ(roofline::allowed_processors(machine.root()), "0,2");
  EXPECT_EQ(roofline::online_processors(machine.root()), 4);
  EXPECT_EQ(roofline::load_average(machine.root()), 4.4);
  EXPECT_EQ(roofline::clock_governor({0, 2}, machine.root()), "powersave");
  EXPECT_EQ(roofline::clock_governor({0, 1}, machine.root()), "") << "one does not say";
  machine.write("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "performance\n");
  EXPECT_EQ(roofline::clock_governor({0, 2}, machine.root()), "mixed");
  machine.write("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "\033[31mfast\n");
  EXPECT_EQ(roofline::clock_governor({0, 2}, machine.root()), "");
  machine.write("proc/loadavg", "inf");
  EXPECT_FALSE(roofline::load_average(machine.root()));
  EXPECT_EQ(roofline::parse_processors("0-2,5,7-8"), (std::vector<int>{0, 1, 2, 5, 7, 8}));
  EXPECT_EQ(roofline::parse_processors("3"), (std::vector<int>{3}));
  for (const char* wrong : {"", ",", "1,,2", "a", "1-", "-1", "2-1", "1,1", "0-65536", "1 2"})
    EXPECT_TRUE(roofline::parse_processors(wrong).empty()) << wrong;
  LoadMeter load;
  const LoadShare share = load.last();
  EXPECT_TRUE(std::isnan(share.others) || (share.others >= 0 && share.others <= 1));
  const double mhz = roofline::measured_clock_mhz();
  EXPECT_TRUE(mhz == 0 || (mhz > 1 && mhz < 20000)) << mhz;
}

}  // namespace
}  // namespace gpp::test
