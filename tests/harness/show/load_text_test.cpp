// What people are told of threads and of the load of others.
#include "harness/view/load_text.h"

#include "harness/view/summary.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

/// Others took so much during every run of v7.
StudyRecord disturbed_study(double others, double steal = 0) {
  StudyRecord study = sample_study();
  Result& v7 = study.results[1];
  v7.load.assign(v7.samples.size(), {others, steal});
  return study;
}

TEST(LoadText, EndsWithOneSentenceWhereOthersDisturbed) {
  EXPECT_EQ(doubts(disturbed_study(0.04), false), "");
  EXPECT_EQ(doubts(disturbed_study(0.34), false),
            "Other programs took 34% of the processor during the timed runs of 1 variant: its time "
            "is not to be trusted; run again on an idle machine.\n");
  EXPECT_TRUE(
      contains(doubts(disturbed_study(0.2, 0.1), false),
               "Other programs took 20%, and the machine below this virtual one, or a quota "
               "of CPU time, took 10% of the processor"));
  EXPECT_TRUE(doubts(disturbed_study(0, 0.1), false).starts_with("The machine below"));
}

TEST(LoadText, TellsOfANeighbourOnTheGpu) {
  StudyRecord study = sample_study();
  Result& v7 = study.results[1];
  v7.kind = "gpu";
  v7.load.assign(v7.samples.size(), {0.5, 0, 0.0});
  EXPECT_EQ(doubts(study, false), "") << "a GPU does not wait for the host's cores";
  for (LoadShare& share : v7.load) share.gpu = 0.87;
  EXPECT_EQ(doubts(study, false),
            "Other programs took 87% of the GPU during the timed runs of 1 variant: its time is "
            "not to be trusted; run again on an idle GPU (gpp doctor tells who is there).\n");
  EXPECT_TRUE(contains(summary(study, false), "disturbed"));
}

TEST(LoadText, MarksTimesThatThePowerCapDecided) {
  StudyRecord study = sample_study();
  Result& v7 = study.results[1];
  v7.kind = "gpu";
  v7.clocks.throttled = 0;
  v7.clocks.limited = {{"power", 2}};
  EXPECT_FALSE(contains(summary(study, false), "power cap")) << "two runs of five";
  v7.clocks.limited = {{"power", 3}};
  const std::string text = summary(study, false);
  EXPECT_TRUE(contains_all(text, {"msP", "P: the card's power cap held the clock back"}));
}

TEST(LoadText, TellsGainsInCyclesWhereTheClockDecides) {
  StudyRecord study = sample_study();
  for (Result& result : study.results) {
    result.kind = "gpu";
    result.clocks.samples.assign(result.samples.size(), 1965);
  }
  EXPECT_FALSE(contains(summary(study, false), "in cycles"));
  study.results[0].clocks.samples.assign(study.results[0].samples.size(), 1310);
  const double time = speedup(study, study.results[1]).value();
  EXPECT_NEAR(speedup_in_cycles(study, study.results[1]).value(), time * 1310 / 1965, 1e-9);
  EXPECT_TRUE(contains(summary(study, false), "in cycles"));
}

TEST(LoadText, SaysThatALoadIsNotKnown) {
  StudyRecord study = disturbed_study(0.04);
  std::vector<LoadShare>& load = study.results[1].load;
  for (std::size_t i = 1; i < load.size(); ++i) load[i] = {};
  EXPECT_TRUE(doubts(study, false).starts_with("It is not known what others took of the processor"))
      << doubts(study, false);
}

TEST(LoadText, MarksTheTableTheCsvAndStudiesSideBySide) {
  const StudyRecord study = disturbed_study(0.34);
  const std::string text = summary(study, false);
  const std::size_t line =
      text.find("omp     v7") != std::string::npos ? text.find("omp     v7") : text.find(" v7 ");
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_TRUE(contains(text.substr(line, text.find('\n', line) - line), "disturbed")) << text;
  EXPECT_TRUE(contains(text, "others took at most 34% of the processor"));
  EXPECT_TRUE(contains(csv({{"a", study}}), ",0.34,5,1,true\n"));
  EXPECT_TRUE(contains(side_by_side({{"a", study}, {"b", study}}, false), "2.000e+09 disturbed"));
  EXPECT_FALSE(contains(summary(disturbed_study(0.01), false), "disturbed"));
}

TEST(LoadText, TellsThreadsFromCores) {
  StudyRecord study = sample_study();
  EXPECT_EQ(describe_threads(study), "2 cores") << "a record of earlier programs";
  study.results[0].threads = 2;
  EXPECT_EQ(describe_threads(study), "2 cores");
  study.results[0].threads = 1;
  EXPECT_EQ(describe_threads(study), "1 thread of 2 cores");
  EXPECT_TRUE(contains(summary(study, false), "a processor (1 thread of 2 cores)"));
  EXPECT_EQ(doubts(study, false), "");
  study.results[0].threads = 1000;
  EXPECT_EQ(describe_threads(study), "1000 threads on 2 cores");
  EXPECT_TRUE(
      contains_all(doubts(study, false), {"1000 threads shared 2 cores", "OMP_NUM_THREADS=2"}));
}

TEST(LoadText, TellsWhichProcessors) {
  StudyRecord study = sample_study();
  EXPECT_EQ(describe_processors(study.machine), "");
  study.machine.affinity = "0-1";
  study.machine.online_cores = 4;
  study.machine.governor = "powersave";
  study.machine.load_average = 0.5;
  EXPECT_EQ(describe_processors(study.machine),
            "processors 0-1 of 4 online, governor powersave, load average 0.50 before the study");
  EXPECT_TRUE(contains(summary(study, false), "processors 0-1 of 4 online"));
}

TEST(LoadText, DoesNotTakeSilenceForQuiet) {
  StudyRecord study = sample_study();
  EXPECT_EQ(describe_load(study), "");
  study.results[1].load.assign(5, {});
  EXPECT_TRUE(contains(describe_load(study), "not known"));
}

}  // namespace
}  // namespace gpp::test
