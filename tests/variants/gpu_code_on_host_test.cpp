// Tests of the OpenMP variants' GPU code (one lane, several G' per thread), compiled for host
// threads, for machines without a GPU.

#include <gtest/gtest.h>
#include <omp.h>

#include <ostream>
#include <string>

#include "gpp/study/check.h"
#include "gpu_code.h"
#include "tests/gpp/subject.h"

namespace gpp {

void PrintTo(const GpuCode& code, std::ostream* out) { *out << code.name; }

namespace test {
namespace {

class GpuCodeOnHost : public testing::TestWithParam<GpuCode> {
 protected:
  void TearDown() override { omp_set_num_threads(threads_); }

 private:
  const int threads_ = omp_get_max_threads();
};

TEST_P(GpuCodeOnHost, IsRightForOddShapesAndNumbersOfThreads) {
  static const NamedSubjects subjects = subjects_of_odd_shapes({1});
  for (const int threads : {1, 3, 40}) {
    omp_set_num_threads(threads);
    for (const auto& [name, subject] : subjects) {
      const FactoredProblem& problem = subject->problem().view();
      const Check verdict =
          check(GetParam().function(problem), subject->sums(), problem.nfreq, default_tolerance);
      EXPECT_TRUE(verdict.passed) << name << ", " << threads << " threads: " << verdict.reason;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Omp, GpuCodeOnHost, testing::ValuesIn(gpu_code),
                         [](const auto& code) { return std::string(code.param.name); });

}  // namespace
}  // namespace test
}  // namespace gpp
