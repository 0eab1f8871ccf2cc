// Verdicts on handmade samples.
#include "harness/record/comparison.h"

#include <gtest/gtest.h>

#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"

namespace gpp {
namespace {

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
    EXPECT_EQ(compare_times(samples, scaled(samples, factor), 1, 1), verdict) << factor;
  EXPECT_EQ(compare_times({1, 1, 1, 1}, steady, 1, 1), undecided) << "five are needed";
  EXPECT_EQ(compare_times(scaled(steady, 9), {1}, 1, 1), undecided);
  EXPECT_EQ(compare_times(steady, scaled(steady, 2), 1e6, 2e6), same) << "of as many terms";
  EXPECT_EQ(compare_times(steady, steady, 1e6, 2e6), faster);
}

TEST(Comparisons, DisturbedTimesDecideNothing) {
  const StudyRecord a = test::sample_study();
  StudyRecord b = test::sample_study();
  Result& slower = b.results[1];
  slower.samples = scaled(slower.samples, 2.2);
  EXPECT_EQ(compare(a, b)[1].verdict, Verdict::slower);
  slower.load.assign(slower.samples.size(), {0.34, 0.0});
  const Comparison undecided = compare(a, b)[1];
  EXPECT_EQ(undecided.verdict, Verdict::undecided);
  EXPECT_EQ(undecided.remark, "disturbed in B: others took 34% of the device");
  EXPECT_EQ(compare(b, a)[1].remark, "disturbed in A: others took 34% of the device");
  slower.kind = "gpu";
  StudyRecord on_gpu = a;
  on_gpu.results[1].kind = "gpu";
  EXPECT_EQ(compare(on_gpu, b)[1].verdict, Verdict::slower) << "a GPU does not wait for the cores";
  Result& v7 = b.results[1] = a.results[1];
  for (int run = 0; run < 3; ++run) v7.samples.push_back(9);
  v7.load.assign(5, {0.01, 0.0});
  v7.load.resize(8, {0.5, 0.0});
  EXPECT_EQ(compare(a, b)[1].verdict, Verdict::same) << "undisturbed runs are enough";
}

TEST(Comparisons, FewRunsSayWhatWasSeen) {
  StudyRecord a = test::sample_study();
  StudyRecord b = test::sample_study();
  a.results[1].samples = {1.0, 1.1};
  b.results[1].samples = {0.7, 0.8, 0.9};
  EXPECT_EQ(compare(a, b)[1].verdict, Verdict::undecided);
  EXPECT_NE(compare(a, b)[1].remark.find("every run of B was faster than every run of A; with 2 "
                                         "and 3 runs"),
            std::string::npos)
      << compare(a, b)[1].remark;
  EXPECT_NE(compare(b, a)[1].remark.find("slower"), std::string::npos);
  b.results[1].samples = {1.05};
  EXPECT_NE(compare(a, b)[1].remark.find("overlap"), std::string::npos);
}

TEST(Comparisons, MatchVariantsAndSayWhatCannotBeMatched) {
  const StudyRecord a = test::sample_study();
  StudyRecord b = test::sample_study();
  b.results[1].samples = scaled(b.results[1].samples, 0.5);
  b.results[0].variant = "v2";
  const std::vector<Comparison> list = compare(a, b);
  ASSERT_EQ(list.size(), 4u) << "v1, v7, v8 and v2; what ran nowhere is left out";
  EXPECT_EQ(list[0].remark, "not run in B");
  EXPECT_EQ(list[1].verdict, Verdict::faster);
  EXPECT_NEAR(list[1].factor(), 2.0, 1e-12);
  EXPECT_EQ(list[2].remark, "failed in A");
  EXPECT_EQ(list[2].verdict, Verdict::not_comparable);
  EXPECT_EQ(list[2].factor(), 0.0);
  EXPECT_EQ(list[3].variant, "v2");
  EXPECT_EQ(list[3].remark, "not run in A");
}

TEST(Comparisons, RefuseOtherKernelsAndInputs) {
  const StudyRecord a = test::sample_study();
  StudyRecord b = a;
  b.input.sha256 = "other";
  EXPECT_THROW(require_comparable(a, b), roofline::InputError);
  EXPECT_NO_THROW(require_comparable(a, b, true));
  b.kernel = "stream";
  EXPECT_THROW(require_comparable(a, b, true), roofline::InputError);
}

}  // namespace
}  // namespace gpp
