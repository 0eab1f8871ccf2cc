// Tests of the OpenMP variants' GPU code (one lane, several G' per thread), compiled for host
// threads, for machines without a GPU.

#include <gtest/gtest.h>
#include <omp.h>

#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "tests/gpp/subject.h"
#include "tests/variants/compiled.h"

namespace gpp::test {
namespace {

class GpuCodeOnHost : public testing::TestWithParam<const Registration*> {
 protected:
  void TearDown() override { omp_set_num_threads(threads_); }

 private:
  const int threads_ = omp_get_max_threads();
};

TEST_P(GpuCodeOnHost, IsRightForOddShapesAndNumbersOfThreads) {
  static const NamedSubjects subjects = subjects_of_odd_shapes({1});
  const Call variant(*GetParam());
  for (const int threads : {1, 3, 40}) {
    omp_set_num_threads(threads);
    for (const auto& [name, subject] : subjects) {
      const FactoredProblem& problem = subject->problem().view();
      const Check verdict =
          check(call_variant(variant, problem), subject->sums(), problem.nfreq, default_tolerance);
      EXPECT_TRUE(verdict.passed) << name << ", " << threads << " threads: " << verdict.reason;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Omp, GpuCodeOnHost, testing::ValuesIn(compiled_for("gpu code on host")),
                         [](const auto& tested) { return file_name(*tested.param); });

TEST(HostTargetRegion, UsesEveryThreadOfOneTeam) {
  int teams = 0;
  int threads = 0;
#pragma omp target teams distribute parallel for map(from : teams, threads)
  for (int i = 0; i < 1000; ++i) {
    if (i > 0) continue;
    teams = omp_get_num_teams();
    threads = omp_get_num_threads();
  }
  EXPECT_EQ(teams, 1);
  EXPECT_EQ(threads, omp_get_max_threads());
}

}  // namespace
}  // namespace gpp::test
