// A study on one screen, and the sentence that it ends with.
#include "harness/view/brief.h"

#include <algorithm>

#include "harness/report/write_study.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

/// v1 in 2 s and v7 in 0.5 s: nothing failed.
StudyRecord sound_study() {
  StudyRecord study = sample_study();
  std::erase_if(study.results,
                [](const Result& result) { return result.status == Status::failed; });
  return study;
}

void set_scalar(StudyRecord& study, double before, double after) {
  study.results[0].counted.metrics = {{"scalar_fraction", before}};
  study.results[1].counted.metrics = {{"scalar_fraction", after}};
}

/// At most 40 lines of 100 columns.
void fits(const StudyRecord& study, const std::string& name) {
  const std::string text = brief(study, false) + "Recorded in a\nReport: a/b\n" + learnt(study);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40) << name << "\n" << text;
  EXPECT_LE(longest_line(text), 100u) << text;
}

TEST(Brief, FitsOnOneScreen) {
  for (const char* name :
       {"xeon-2-cores/silicon8", "xeon-2-cores/stream", "h200/silicon8", "h200/gpp214",
        "h200/stream", "h200/epsilon", "h200/ladders/sc20", "h100/silicon8"})
    fits(read_record(std::string(GPP_SOURCE_DIR "/results/") + name), name);
  StudyRecord failed = read_record(GPP_SOURCE_DIR "/results/h200/silicon8");
  for (Result& result : failed.results) {
    result.status = Status::failed;
    result.reason = std::string(150, 'x') + " " + std::string(150, 'y');
  }
  failed.complete = false;
  for (Result& result : failed.results) result.reason = "it is wrong in a place that is far away";
  fits(failed, "all failed");
}

TEST(Brief, ShowsTheFirstAndTheFastestWhereThereIsNoRoomForAll) {
  StudyRecord study = read_record(GPP_SOURCE_DIR "/results/h200/silicon8");
  const std::string text = brief(study, false);
  EXPECT_TRUE(contains(text, "cuda        v12") && contains(text, "omp gpu     v1 ")) << text;
  EXPECT_TRUE(contains(text, "more variants: --details shows all."));
}

TEST(Learnt, IsTheLargestGainAndWhatExplainsIt) {
  StudyRecord study = sound_study();
  EXPECT_EQ(learnt(study), "v7 is 4.0 times as fast as v1. Next: gpp explain v7 --model omp\n");
  set_scalar(study, 1, 0.12);
  EXPECT_TRUE(contains(learnt(study),
                       "v7 is 4.0 times as fast as v1: the loop became vector code (scalar "
                       "instructions 100.0% to 12.0%).\nNext: "));
  set_scalar(study, 1, 0.95);
  EXPECT_TRUE(learnt(study).starts_with("v7 is 4.0 times as fast as v1. Next:"))
      << "that is no reason for so much";
}

TEST(Learnt, NamesNoStepThatTheModelLacks) {
  StudyRecord study = read_record(GPP_SOURCE_DIR "/results/xeon-16-cores/silicon8");
  std::erase_if(study.results, [](const Result& result) { return result.model != "serial"; });
  EXPECT_TRUE(contains(learnt(study), "gpp explain v1 --model serial"));
}

TEST(Learnt, SaysThatNothingIsBeyondNoise) {
  StudyRecord study = sound_study();
  study.results[1].samples = study.results[0].samples;
  EXPECT_TRUE(learnt(study).starts_with("No step is faster than the one before it beyond noise."));
  study.results[1].samples.resize(2);
  EXPECT_TRUE(learnt(study).starts_with("Runs are too few to tell a gain from noise"));
}

TEST(Learnt, NamesTroubleFirst) {
  EXPECT_TRUE(contains(learnt(sample_study()), "v8 failed, as told above")) << "and no gain";
  EXPECT_FALSE(contains(learnt(sample_study()), "times as fast"));
  EXPECT_TRUE(contains(learnt(sample_study()), "Next: gpp check v8"));
  StudyRecord study = sound_study();
  study.results[1].load.assign(study.results[1].samples.size(), {0.34, 0.0});
  EXPECT_TRUE(learnt(study).starts_with("Others disturbed the time of 1 variant."));
  EXPECT_FALSE(contains(learnt(study), "times as fast"));
  study = sound_study();
  study.complete = false;
  EXPECT_TRUE(learnt(study).starts_with("The study was interrupted. v7 is 4.0 times"));
  study.reference.disagreement = "they differ";
  EXPECT_TRUE(learnt(study).starts_with("The input is in doubt"));
  study = sound_study();
  for (Result& result : study.results) result.status = Status::unavailable;
  EXPECT_EQ(learnt(study), "Nothing was timed. Next: gpp doctor\n");
}

TEST(Learnt, OfARunIsItsTimeItsRoofAndItsParent) {
  StudyRecord study = sound_study();
  std::swap(study.results[0], study.results[1]);
  study.results.resize(2);
  EXPECT_TRUE(learnt_of_run(study).starts_with("v7 takes 500.0 ms, at 93.8% of its nearest roof"))
      << learnt_of_run(study);
  EXPECT_TRUE(
      contains_all(learnt_of_run(study), {"It is 4.0 times as fast as v1.", "gpp check v7"}));
  study.results.resize(1);
  EXPECT_TRUE(contains(learnt_of_run(study), "Next: gpp explain v"));
}

TEST(InFull, HoldsTheChartsToo) {
  const StudyRecord study = roofline_study();
  EXPECT_TRUE(contains_all(in_full(study, false, {}), {"FLOP per byte", "\nRoofline\n"}));
}

}  // namespace
}  // namespace gpp::test
