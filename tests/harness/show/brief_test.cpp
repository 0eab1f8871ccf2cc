// A study on one screen, and the sentence that it ends with.
#include "harness/view/brief.h"

#include <algorithm>

#include "harness/report/write_study.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

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

TEST(Learnt, NamesNoStepThatTheModelLacks) {
  StudyRecord study = read_record(GPP_SOURCE_DIR "/results/xeon-16-cores/silicon8");
  std::erase_if(study.results, [](const Result& result) { return result.model != "serial"; });
  EXPECT_TRUE(contains(learnt(study), "gpp explain v1 --model serial"));
}

TEST(InFull, HoldsTheChartsToo) {
  const StudyRecord study = roofline_study();
  EXPECT_TRUE(contains_all(in_full(study, false, {}), {"FLOP per byte", "\nRoofline\n"}));
}

}  // namespace
}  // namespace gpp::test
