// On a host, a `target` region must cost no more than the same loop under plain `parallel for`.

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "gpp/prepare.h"
#include "plain_pairs.h"
#include "problems.h"

namespace gpp::test {
namespace {

const Problem& problem() {
  static const PreparedProblem prepared(
      random_input({.name = "", .ncouls = 402, .ngpown = 100, .nbands = 192, .occupied = 16}, 1));
  return prepared.view();
}

double seconds(VariantFunction function) {
  const auto start = std::chrono::steady_clock::now();
  function(problem());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median of the ratio of neighbouring runs: what disturbs the machine for longer than one run
/// disturbs both.
double paired_ratio(const PlainPair& pair) {
  seconds(pair.target);
  seconds(pair.plain);
  std::vector<double> ratios;
  for (int i = 0; i < 10; ++i) {
    const bool target_first = i % 2 == 0;
    const double first = seconds(target_first ? pair.target : pair.plain);
    const double second = seconds(target_first ? pair.plain : pair.target);
    ratios.push_back(target_first ? first / second : second / first);
  }
  return median(ratios);
}

class HostTarget : public testing::TestWithParam<PlainPair> {};

TEST_P(HostTarget, CostsNoMoreThanParallelFor) {
  double ratio = paired_ratio(GetParam());
  for (int again = 0; again < 3 && ratio > 1.10; ++again)
    ratio = std::min(ratio, paired_ratio(GetParam()));  // a busy machine only ever adds time
  std::printf("target / parallel for: %.3f\n", ratio);
  RecordProperty("ratio", std::to_string(ratio));
  EXPECT_LE(ratio, 1.10);
}

INSTANTIATE_TEST_SUITE_P(Variants, HostTarget, testing::ValuesIn(plain_pairs),
                         [](const auto& tested) { return std::string(tested.param.name); });

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
