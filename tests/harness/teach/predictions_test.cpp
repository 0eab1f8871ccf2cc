// Predictions: what can be one, what it earns, what a record answers.
#include "harness/teach/predictions.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

#include "harness/record/derive.h"
#include "harness/teach/quiz.h"
#include "harness/view/summary.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

TEST(Points, FollowTheRatio) {
  EXPECT_EQ(points_of(2.0, 2.0), 3);
  EXPECT_EQ(points_of(1.1, 1.0), 3);
  EXPECT_EQ(points_of(1.0, 1.1), 3);
  EXPECT_EQ(points_of(1.11, 1.0), 2);
  EXPECT_EQ(points_of(1.25, 1.0), 2);
  EXPECT_EQ(points_of(1.26, 1.0), 1);
  EXPECT_EQ(points_of(1.0, 1.5), 1);
  EXPECT_EQ(points_of(1.0, 1.51), 0);
}

TEST(Points, AreThreeOrNoneForAWord) {
  EXPECT_EQ(points_of(std::string("l1"), std::string("l1")), 3);
  EXPECT_EQ(points_of(std::string("l2"), std::string("l1")), 0);
  EXPECT_EQ(points_of(std::string("l2"), 1.0), 0);
}

TEST(Points, AreNoneForWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double endless = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, endless, 0.0, -1.0}) {
    EXPECT_EQ(points_of(bad, 1.0), 0) << bad;
    EXPECT_EQ(points_of(bad, bad), 0) << bad;
  }
}

TEST(Guess, IsANumberThatAStepCanReach) {
  EXPECT_EQ(parse_guess(Asked::speedup, "1.8", {}), Guess(1.8));
  EXPECT_EQ(parse_guess(Asked::speedup, "1.8x", {}), Guess(1.8));
  EXPECT_EQ(parse_guess(Asked::registers, "128", {}), Guess(128.0));
  for (const char* bad : {"", "nan", "inf", "-inf", "-1", "0", "1e999", "1e5", "1,8", "fast",
                          "1.8 ", "1.8xx", "x", "0x10"})
    EXPECT_FALSE(parse_guess(Asked::speedup, bad, {}).has_value()) << bad;
  for (const char* bad : {"0", "12.5", "5000", "12x"})
    EXPECT_FALSE(parse_guess(Asked::registers, bad, {}).has_value()) << bad;
}

TEST(Guess, IsOneOfTheWords) {
  const std::vector<std::string> words = words_for("host");
  EXPECT_EQ(parse_guess(Asked::bound_by, "Compute", words), Guess(std::string("compute")));
  EXPECT_FALSE(parse_guess(Asked::bound_by, "memory", words).has_value());
  EXPECT_FALSE(parse_guess(Asked::bound_by, "1", words).has_value());
}

/// In the sample study v1 took 2 s, v7 0.5 s, v8 failed.
Outcome of_sample(std::size_t result, std::optional<std::size_t> before) {
  const StudyRecord study = sample_study();
  return outcome_of(study, study.results[result], before ? &study.results[*before] : nullptr);
}

TEST(Outcome, IsWhatTheRecordShows) {
  const Outcome outcome = of_sample(1, 0);
  EXPECT_EQ(outcome.variant, "v7");
  EXPECT_DOUBLE_EQ(std::get<double>(outcome.known.at(Asked::speedup)), 4);
  EXPECT_DOUBLE_EQ(std::get<double>(outcome.known.at(Asked::flop_per_term)), 1.5e12 / 1e9);
  EXPECT_EQ(outcome.known.at(Asked::registers), Guess(128.0));
  EXPECT_EQ(outcome.known.at(Asked::bound_by), Guess(std::string("l1")));
  EXPECT_TRUE(outcome.lacking.empty());
}

TEST(Outcome, RegistersAreThoseOfTheKernelThatTakesMost) {
  StudyRecord study = sample_study();
  std::vector<Launch>& launches = study.results[1].launches;
  ASSERT_FALSE(launches.empty());
  Launch small = launches.front();
  small.registers = 30;
  launches.push_back(small);
  launches.insert(launches.begin(), small);
  EXPECT_EQ(outcome_of(study, study.results[1], nullptr).known.at(Asked::registers), Guess(128.0));
}

TEST(Outcome, WhereNothingMoreIsKnownThereIsNoCause) {
  StudyRecord study = sample_study();
  Result& result = study.results[1];
  ASSERT_FALSE(result.rooflines.empty());
  result.rooflines.front().percent_of_roof = 10;
  result.counted.metrics.clear();
  const Outcome outcome = outcome_of(study, result, nullptr);
  EXPECT_FALSE(outcome.known.contains(Asked::bound_by));
  EXPECT_TRUE(contains(outcome.lacking.at(Asked::bound_by), "machine code"));
  const std::vector<std::string> words = words_for("host");
  EXPECT_EQ(std::count(words.begin(), words.end(), "no roof near"), 0);
}

TEST(Outcome, WhereARoofIsMissingItSaysWhich) {
  StudyRecord study = test::roofline_study();
  ASSERT_FALSE(study.results.empty());
  study.results = {study.results.back()};
  Result& result = study.results.front();
  ASSERT_EQ(result.kind, "host");
  result.counted.source = roofline::CountedBy::analytic;
  result.counted.metrics = {
      {"fp64_flop", 1e12}, {"l1_bytes", 1e11}, {"l2_bytes", 1e11}, {"dram_bytes", 1e11}};
  derive(study);
  EXPECT_NE(result.roofline(), nullptr);
  for (roofline::Ceilings& one : study.ceilings)
    std::erase_if(one.list, [](const roofline::Ceiling& roof) { return roof.name == "l2"; });
  derive(study);
  ASSERT_EQ(result.roofline(), nullptr);
  const Outcome outcome = outcome_of(study, result, nullptr);
  EXPECT_EQ(outcome.lacking.at(Asked::bound_by),
            "it has no place on the roofline: the roof of L2 was not measured");
  EXPECT_TRUE(contains(summary(study, false), "because the roof of L2 was not measured."));
}

TEST(Outcome, KnowsHowFarTheSpeedupCanBeTrusted) {
  const Outcome outcome = of_sample(1, 0);
  const auto [low, high] = outcome.speedup_range;
  EXPECT_GT(low, 0);
  EXPECT_LE(low, 4);
  EXPECT_GE(high, 4);
  const auto list = held_against(outcome, {{Asked::speedup, 5.0}}, "ann", {"a/b"});
  EXPECT_TRUE(contains_all(text_of(list, outcome, "terms", 80),
                           {"The speedup lies between ", "speedup over v1"}));
}

TEST(Questions, AskForTheSourceWhereNoHardwareCounts) {
  const auto question = [](const std::string& kind) {
    return question_on(Asked::flop_per_term, "v7", "v6", "terms", kind);
  };
  EXPECT_TRUE(contains(question("host"), "the source of v7 write for a term"));
  EXPECT_TRUE(contains(question("gpu"), "does v7 do for a term"));
}

TEST(Outcome, OfAFailedStepThereIsNone) {
  const Outcome failed = of_sample(2, 1);
  EXPECT_TRUE(failed.known.empty());
  EXPECT_TRUE(contains(failed.lacking.at(Asked::speedup), "v8 failed: "));
  const Outcome after_failed = of_sample(1, 2);
  EXPECT_FALSE(after_failed.known.contains(Asked::speedup));
  EXPECT_TRUE(contains(after_failed.lacking.at(Asked::speedup), "v8 failed: "));
  EXPECT_TRUE(after_failed.known.contains(Asked::registers));
}

TEST(Outcome, OfAStepThatWasNotTimedThereIsNone) {
  StudyRecord study = sample_study();
  study.results[1].samples.clear();
  const Outcome outcome = outcome_of(study, study.results[1], &study.results[0]);
  EXPECT_TRUE(outcome.known.empty());
  EXPECT_EQ(outcome.lacking.at(Asked::bound_by), "v7 was not timed");
}

TEST(Outcome, KnowsTimesThatOthersDisturbed) {
  StudyRecord study = sample_study();
  EXPECT_FALSE(outcome_of(study, study.results[1], &study.results[0]).disturbed);
  study.results[0].load.assign(study.results[0].samples.size(), {0.3, 0.0});
  EXPECT_TRUE(outcome_of(study, study.results[1], &study.results[0]).disturbed);
}

TEST(Predictions, AreShownBesideTheOutcome) {
  const Outcome outcome = of_sample(1, 0);
  const std::vector<Prediction> list = held_against(
      outcome, {{Asked::speedup, 5.0}, {Asked::bound_by, std::string("dram")}}, "ann", {"a/b"});
  const Points points = total(list);
  EXPECT_EQ(points.earned, 2);
  EXPECT_EQ(points.possible, 6);
  const std::string text = text_of(list, outcome, "terms", 80);
  EXPECT_TRUE(contains_all(text, {"5.00x    4.00x       2\n", "2 of 6 points.\n"}));
  EXPECT_TRUE(contains(text, "at most 1.1: 3")) << "the rule";
  EXPECT_FALSE(contains(text, "after a run"));
  const auto late = held_against(outcome, {{Asked::speedup, std::nullopt}}, "ann", {"a/b", true});
  EXPECT_TRUE(contains_all(
      text_of(late, outcome, "terms", 80),
      {"Predicted after a run", "don't know    4.00x       0\n", "Why, speedup over v1: "}));
  const auto json = to_json(list, outcome, "a/b");
  EXPECT_EQ(json["predictions"][0]["question"], "speedup");
  EXPECT_EQ(json["predictions"][0]["points"], 2);
  EXPECT_EQ(json["predictions"][1]["outcome"], "l1");
  EXPECT_EQ(json["possible"], 6);
}

TEST(Predictions, WithoutAnOutcomeEarnNothingAndSayWhy) {
  const Outcome outcome = of_sample(2, 1);
  const std::vector<Prediction> list = held_against(outcome, {{Asked::speedup, 2.0}}, "ann", {"a"});
  EXPECT_FALSE(only(list).points().has_value());
  EXPECT_EQ(total(list).possible, 0);
  EXPECT_TRUE(contains(text_of(list, outcome, "terms", 80), "v8 failed: "));
  EXPECT_FALSE(contains(text_of(list, outcome, "terms", 80), " of 0 points"));
  EXPECT_TRUE(to_json(list, outcome, "a")["predictions"][0]["points"].is_null());
}

// ---------------------------------------------------------------- the dialogue

struct Told {
  Guesses guesses;
  std::string text;
};

Told answered(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out;
  const Guesses guesses =
      ask_predictions({{Asked::speedup, "How much faster?", {}},
                       {Asked::bound_by, "By what?", {"compute", "l1", "dram"}}},
                      in, out, {80, false});
  return {guesses, out.str()};
}

TEST(AskPredictions, TakesNumbersWordsAndLetters) {
  for (const char* input : {"1.8\nl1\n", " 1.8x \r\nB\n", "1.8\nL1", "1.8\n2)\n"}) {
    const Told told = answered(input);
    EXPECT_EQ(told.guesses.made.at(Asked::speedup), Guess(1.8)) << input;
    EXPECT_EQ(told.guesses.made.at(Asked::bound_by), Guess(std::string("l1"))) << input;
    EXPECT_FALSE(told.guesses.ended);
  }
}

TEST(AskPredictions, TakesIDontKnowForAnAnswer) {
  for (const char* input : {"?\nI don't know\n", "dunno\n\n", "Don't know\nno idea"}) {
    const Told told = answered(input);
    EXPECT_EQ(told.guesses.made.size(), 2u) << input;
    EXPECT_EQ(told.guesses.made.at(Asked::speedup), std::nullopt) << input;
    EXPECT_EQ(told.guesses.made.at(Asked::bound_by), std::nullopt) << input;
    EXPECT_TRUE(contains(told.text, "?) I don't know")) << input;
  }
  Prediction one = sample_prediction("ann", "v7", 2);
  one.guess = std::nullopt;
  EXPECT_EQ(one.points(), 0) << "and not none: a second try does not count";
}

TEST(AskPredictions, EndsAtQ) {
  const Told told = answered("1.8\nq\nl1\n");
  EXPECT_TRUE(told.guesses.ended);
  EXPECT_EQ(told.guesses.made.size(), 1u);
}

TEST(AskPredictions, OffersNumbersByLetters) {
  std::istringstream in("b\n2\n");
  std::ostringstream out;
  const std::vector<std::string> choices = choices_for(Asked::speedup, "host");
  const Guesses guesses = ask_predictions(
      {{Asked::speedup, "How much?", choices}, {Asked::flop_per_term, "How many?", {"5", "10"}}},
      in, out, {80, false});
  EXPECT_EQ(guesses.made.at(Asked::speedup), parse_guess(Asked::speedup, choices[1], {}));
  EXPECT_EQ(guesses.made.at(Asked::flop_per_term), Guess(2.0)) << "digits are a number";
  for (const Asked asked : all_asked)
    for (const std::string& choice : choices_for(asked, "gpu"))
      EXPECT_TRUE(parse_guess(asked, choice, words_for("gpu")).has_value()) << choice;
}

TEST(AskPredictions, AsksAgainAndLetsPass) {
  const Told told = answered("nan\n-1\nfast\x1b[2J\n2\n\n");
  EXPECT_EQ(told.guesses.made.at(Asked::speedup), Guess(2.0));
  EXPECT_EQ(told.guesses.made.at(Asked::bound_by), std::nullopt);
  EXPECT_TRUE(contains(told.text, "'nan' is no answer: a number from"));
  EXPECT_FALSE(contains(told.text, "\x1b")) << "what was typed does not act on the terminal";
  EXPECT_FALSE(told.guesses.ended);
}

TEST(AskPredictions, EndsWithItsInput) {
  const Told told = answered("2\nwhat");
  EXPECT_EQ(told.guesses.made.size(), 1u);
  EXPECT_TRUE(told.guesses.ended);
}

}  // namespace
}  // namespace gpp::test
