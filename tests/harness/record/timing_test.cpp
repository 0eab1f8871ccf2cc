// When timing ends, and what samples say.
#include "harness/record/timing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace gpp {
namespace {

TEST(Timing, SummarizesOddAndEvenCounts) {
  const Timing odd = summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 5);
  EXPECT_EQ(summarize({4, 1, 2, 3}).median, 2.5);
  EXPECT_EQ(summarize({7}).median, 7);
  EXPECT_EQ(summarize({}).median, 0);
}

TEST(Timing, IntervalOfAMedianFollowsTheOrderStatistics) {
  // 20 samples: ranks floor(10 - 4.38) = 5 and ceil(11 + 4.38) = 16, as in the tables.
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

TEST(TimingRule, StopsWhenTheMedianIsStableAndNotBefore) {
  const TimingRule rule;
  EXPECT_EQ(stop(rule, {}, 0, 10), Stop::none);
  EXPECT_EQ(stop(rule, {1, 1, 1, 1}, 4, 10), Stop::none) << "too few to know";
  EXPECT_EQ(stop(rule, {1, 1, 1, 1, 1}, 5, 10), Stop::stable);
  EXPECT_EQ(stop(rule, {1, 1, 1, 1, 1.019}, 5, 10), Stop::stable);
  EXPECT_EQ(stop(rule, {1, 1, 1, 1, 1.03}, 5, 10), Stop::none);
  std::vector<double> samples(20, 1.0);
  samples[7] = 5.0;
  EXPECT_EQ(stop(rule, samples, 24, 100), Stop::stable) << "one slow run of many";
  EXPECT_EQ(stop(rule, {3}, 3, 2.5), Stop::time_limit) << "its share of the time";
  EXPECT_EQ(stop(rule, {1, 2}, 3, 10), Stop::none);
  std::vector<double> noisy;
  for (int i = 0; i < rule.max_samples; ++i) noisy.push_back(i % 2 == 0 ? 1 : 2);
  EXPECT_EQ(stop(rule, noisy, 1, 10), Stop::most_samples);
  TimingRule fixed;
  fixed.repeat = 3;
  EXPECT_EQ(stop(fixed, {1, 9}, 1000, 1), Stop::none) << "whatever the time";
  EXPECT_EQ(stop(fixed, {1, 9, 5}, 0, 1), Stop::repeats);
  EXPECT_EQ(stop(fixed, {1}, 0, 1, 2), Stop::repeats) << "so many, whatever they say";
}

TEST(TimingRule, DisturbedRunsDoNotMakeAMedianStable) {
  const TimingRule rule;
  EXPECT_EQ(stop(rule, {}, 5, 10, 30), Stop::none) << "repeats within its limit";
  EXPECT_EQ(stop(rule, {1, 1, 1, 1}, 5, 10, 30), Stop::none);
  EXPECT_EQ(stop(rule, {1, 1, 1, 1, 1}, 5, 10, 30), Stop::stable);
  EXPECT_EQ(stop(rule, {}, 11, 10, 30), Stop::time_limit);
  EXPECT_EQ(stop(rule, {}, 0, 10, rule.most_runs), Stop::most_samples);
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
}

TEST(TimingRule, FivePercentIsTheLimit) {
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
  std::set<std::size_t> before_the_last;  // those that the variant 3 followed
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

}  // namespace
}  // namespace gpp
