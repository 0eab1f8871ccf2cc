// Tests that a host's `target` region costs no more than a loop with `parallel for`.

#include <gtest/gtest.h>
#include <omp.h>

#include <cstddef>
#include <cstdio>
#include <ctime>

#include "gpp/prepare.h"
#include "gpp/study/kernel.h"
#include "gpp/study/shapes.h"
#include "tests/variants/compiled.h"

namespace gpp::test {
namespace {

/// Each thread has the same work on any machine, because waking many threads takes a while.
const FactoredProblem& problem() {
  const int ngpown = 50 * std::max(2, omp_get_max_threads());
  static const PreparedProblem prepared(random_input(
      {.name = "", .ncouls = 402, .ngpown = ngpown, .nbands = 192, .occupied = 16}, 1));
  return prepared.view();
}

/// The processor time of all threads, which other programs do not affect. Another test checks that
/// a region uses all threads.
double cpu_seconds(const Call& variant) {
  const std::clock_t start = std::clock();
  call_variant(variant, problem());
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A variant and its copy without `target`.
struct PlainPair {
  std::string name;
  Call target, plain;
};

std::vector<PlainPair> plain_pairs() {
  std::vector<PlainPair> pairs;
  for (const Registration* plain : compiled_for("plain"))
    for (const Registration* one : compiled_for("host", file_name(*plain)))
      if (std::string_view(one->file).find("/omp/") != std::string_view::npos)
        pairs.push_back({file_name(*plain), Call(*one), Call(*plain)});
  return pairs;
}

/// The median ratio of neighbouring runs, in alternating order, so that changes of clock or cache
/// affect both.
double paired_ratio(const PlainPair& pair) {
  cpu_seconds(pair.target);
  cpu_seconds(pair.plain);
  std::vector<double> ratios;
  double spent = 0;
  while (ratios.size() < 6 || (ratios.size() < 40 && spent < 1.5)) {
    const bool target_first = ratios.size() % 2 == 0;
    const double first = cpu_seconds(target_first ? pair.target : pair.plain);
    const double second = cpu_seconds(target_first ? pair.plain : pair.target);
    ratios.push_back(target_first ? first / second : second / first);
    spent += first + second;
  }
  return median(ratios);
}

class HostTarget : public testing::TestWithParam<PlainPair> {};

TEST_P(HostTarget, CostsNoMoreThanParallelFor) {
  double ratio = paired_ratio(GetParam());
  for (int again = 0; again < 9 && ratio > 1.10; ++again)
    ratio = std::min(ratio, paired_ratio(GetParam()));  // load from other programs only adds time
  std::printf("target / parallel for: %.3f\n", ratio);
  RecordProperty("ratio", std::to_string(ratio));
  EXPECT_LE(ratio, 1.10);
}

INSTANTIATE_TEST_SUITE_P(Variants, HostTarget, testing::ValuesIn(plain_pairs()),
                         [](const auto& tested) { return tested.param.name; });

double thread_cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TEST_P(HostTarget, SharesItsWorkEqually) {
  const int threads = omp_get_max_threads();
  if (threads == 1) GTEST_SKIP() << "there is one core only";
  const double limit = 1.15 / threads;  // linear in cores, under any load
  double share = 1;
  double spent = 0;
  while (share > limit && spent < 20) {  // other load makes the core need longer for its half
    const double start = thread_cpu_seconds();
    const double all = cpu_seconds(GetParam().target);
    share = std::min(share, (thread_cpu_seconds() - start) / all);
    spent += all;
  }
  EXPECT_LE(share, limit);
}

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
