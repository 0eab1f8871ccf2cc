// A study counts from the source and places results on rooflines.
#include "harness/measure/counting.h"

#include "gpp/study/operations.h"
#include "gpp/study/shapes.h"
#include "harness/record/derive.h"
#include "tests/gpp/subject.h"
#include "tests/harness/sample_study.h"
#include "tests/roofline/fake_recorder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

using roofline::Counted;
using roofline::CountedBy;

Variant variant_in(const std::string& source, const std::string& operations) {
  Variant variant;
  variant.model = "omp";
  variant.source = source;
  variant.operations = operations;
  return variant;
}

TEST(CountBySource, SaysThatItIsComputedAndWhy) {
  const auto subject = subject_of(random_input({}, 1));
  const Counted counted = count_by_source(
      *subject, variant_in("variants/omp/v08_power2.cpp", "power2; m at every frequency"), "gpu",
      "no counters here");
  StepCounter counter(subject->problem().view());
  EXPECT_EQ(counted.source, CountedBy::analytic);
  EXPECT_EQ(counted.reason, "no counters here");
  EXPECT_EQ(counted.metrics.at("fp64_flop"), counter.operations({"power2", true}).flop());
  EXPECT_EQ(counted.metrics.at("dram_bytes"), counter.compulsory_bytes());
  EXPECT_TRUE(counted.counters.empty());
  EXPECT_FALSE(counted.metrics.contains("l1_bytes")) << "a warp shares what it loads";
}

TEST(CountBySource, AVariantThatDoesNotSayIsNotCounted) {
  const auto subject = subject_of(random_input({}, 1));
  const Counted counted = count_by_source(*subject, variant_in("variants/omp/reduction.h", ""),
                                          "host", "no counters here");
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_TRUE(counted.metrics.empty());
  EXPECT_TRUE(contains(counted.reason, "no counters here"));
  EXPECT_TRUE(contains(counted.reason, "has no line '// Operations: ...'"));
}

/// The sample study with v1 counted: 1e12 FLOP in 2 s, on a device of 3.3e13 FLOP/s.
StudyRecord counted_study(CountedBy source) {
  StudyRecord study = sample_study();
  Counted& counted = study.results[0].counted;
  counted.source = source;
  counted.metrics = {{"fp64_flop", 1e12}, {"dram_bytes", 1e9}};
  return study;
}

TEST(Place, PutsWhatPassedUnderItsDevicesRoofs) {
  StudyRecord study = counted_study(CountedBy::analytic);
  derive(study, study.results[0]);
  const roofline::RooflinePoint* point = study.results[0].roofline();
  ASSERT_TRUE(point);
  EXPECT_DOUBLE_EQ(point->flop_per_s, 0.5e12) << "over the median of the timed runs";
  EXPECT_TRUE(point->analytic);
  EXPECT_DOUBLE_EQ(only(point->levels).intensity, 1000);
  EXPECT_TRUE(point->defects.empty()) << point->defects.front();
}

TEST(Place, SaysWhichLevelsHardwareDidNotCount) {
  StudyRecord study = counted_study(CountedBy::cupti);
  derive(study, study.results[0]);
  const roofline::RooflinePoint* point = study.results[0].roofline();
  ASSERT_TRUE(point);
  EXPECT_FALSE(point->analytic);
  ASSERT_EQ(point->defects.size(), 3u);
  EXPECT_TRUE(contains(point->defects[0], "l1_bytes is missing"));
  EXPECT_TRUE(contains(point->defects[1], "l2_bytes is missing"));
  EXPECT_TRUE(contains(point->defects[2], "l3_bytes is missing"));
}

TEST(Place, LeavesOutWhatFailedWasNotCountedOrHasNoRoofs) {
  const auto is_placed = [](CountedBy source, Status status, const char* kind) {
    StudyRecord study = counted_study(source);
    study.results[0].status = status;
    study.results[0].kind = kind;
    derive(study, study.results[0]);
    return study.results[0].roofline() != nullptr;
  };
  EXPECT_TRUE(is_placed(CountedBy::cupti, Status::passed, "host"));
  EXPECT_FALSE(is_placed(CountedBy::cupti, Status::failed, "host"));
  EXPECT_FALSE(is_placed(CountedBy::nobody, Status::passed, "host"));
  EXPECT_FALSE(is_placed(CountedBy::cupti, Status::passed, "gpu")) << "all roofs are a host's";
}

}  // namespace
}  // namespace gpp::test
