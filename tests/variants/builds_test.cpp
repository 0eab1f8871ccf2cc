// Every build of every variant against the reference, over odd shapes and the real inputs.

#include <gtest/gtest.h>

#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/runtime.h"
#include "gpp/variant.h"
#include "harness/rules/check.h"
#include "problems.h"

namespace gpp::test {
namespace {

struct Tested {
  std::string name;  ///< model_id_step_device: "omp_v7_reciprocal_host"
  Build build;

  friend std::ostream& operator<<(std::ostream& out, const Tested& tested) {
    return out << tested.name;
  }
};

std::vector<Tested> builds() {
  std::vector<Tested> all;
  for (const Variant& variant : catalog())
    for (const Build& build : variant.builds)
      all.push_back(
          {variant.model + "_" + variant.id + "_" + variant.step + "_" + build.device, build});
  return all;
}

std::string name_of(const testing::TestParamInfo<Tested>& tested) { return tested.param.name; }

class VariantBuild : public testing::TestWithParam<Tested> {
 protected:
  void SetUp() override {
    const std::string why = build().runtime->unavailable();
    if (!why.empty()) GTEST_SKIP() << why;
  }

  static const Build& build() { return GetParam().build; }

  static Sums run(const PreparedProblem& problem) {
    return build().runtime->place(problem)->run(build().function).sums;
  }

  static void expect_right(const PreparedProblem& problem) {
    const Check verdict = check(run(problem), compute_reference(problem.view()),
                                problem.view().nfreq, default_tolerance);
    EXPECT_TRUE(verdict.passed) << verdict.reason;
  }
};

TEST_P(VariantBuild, IsRightForOddShapes) {
  for (const Shape& shape : odd_shapes()) {
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(shape.name + ", seed " + std::to_string(seed));
      expect_right(PreparedProblem(random_input(shape, seed)));
    }
  }
}

TEST_P(VariantBuild, IsRightForSilicon) {
  for (const std::string& name : bundled_inputs()) {
    SCOPED_TRACE(name);
    expect_right(PreparedProblem(read_gpp214(bundled_input(name))));
  }
}

TEST_P(VariantBuild, KeepsNothingFromOneCallToTheNext) {
  const PreparedProblem problem(random_input({.name = "", .ncouls = 70}, 1));
  const PreparedProblem other(random_input({.name = "", .poles = Poles::complex}, 2));
  const auto placed = build().runtime->place(problem);
  const Sums before = placed->run(build().function).sums;
  run(other);
  const Sums after = placed->run(build().function).sums;
  Reference first;
  first.sums = before;
  first.magnitude = compute_reference(problem.view()).magnitude;
  const Check verdict = check(after, first, problem.view().nfreq, 1e-12);
  EXPECT_TRUE(verdict.passed) << verdict.reason;
}

INSTANTIATE_TEST_SUITE_P(Catalog, VariantBuild, testing::ValuesIn(builds()), name_of);

/// Builds whose sums must be the same bit for bit every time: GPUs reduce in a fixed order. Threads
/// of a host add their parts in the order they finish.
std::vector<Tested> reproducible_builds() {
  std::vector<Tested> some;
  for (const Tested& tested : builds())
    if (tested.build.device == "gpu" || tested.name.starts_with("serial")) some.push_back(tested);
  return some;
}

class ReproducibleBuild : public VariantBuild {};

TEST_P(ReproducibleBuild, GivesTheSameBitsTwice) {
  for (const int ncouls : {1, 33, 402}) {
    const PreparedProblem problem(
        random_input({.name = "", .ncouls = ncouls, .ngpown = 29, .nbands = 61}, 1));
    const auto placed = build().runtime->place(problem);
    const Sums first = placed->run(build().function).sums;
    for (int i = 0; i < 3; ++i) {
      const Sums again = placed->run(build().function).sums;
      EXPECT_EQ(std::memcmp(&first, &again, sizeof(Sums)), 0) << "ncouls " << ncouls;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, ReproducibleBuild, testing::ValuesIn(reproducible_builds()),
                         name_of);

}  // namespace
}  // namespace gpp::test
