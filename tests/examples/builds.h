// All builds of a kernel's variants, for tests that run each build.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/measure/study.h"
#include "runtimes/runtime.h"

namespace gpp::test {

struct TestedBuild {
  std::string name;  ///< "cuda_triad_gpu", "omp_v7_reciprocal_host"
  Variant variant;
  Build build;
  const Kernel* kernel = nullptr;  ///< where several are tested

  friend std::ostream& operator<<(std::ostream& out, const TestedBuild& tested) {
    return out << tested.name;
  }
};

inline std::vector<TestedBuild> builds_of(const std::vector<Variant>& catalog) {
  std::vector<TestedBuild> all;
  for (const Variant& variant : catalog) {
    const std::string id = variant.id == variant.step ? "" : variant.id + "_";
    for (const Build& build : variant.builds)
      all.push_back({variant.model + "_" + id + variant.step + "_" + build.kind, variant, build});
  }
  return all;
}

inline std::string name_of_build(const testing::TestParamInfo<TestedBuild>& tested) {
  return tested.param.name;
}

/// Runs the build on the subject and on varied problems in the same memory; answers must be right
/// and inputs unchanged.
inline void expect_right(const TestedBuild& tested, const Kernel& kernel, const Subject& subject) {
  const Runtime& runtime = *tested.build.runtime;
  const auto placement = subject.place(runtime);
  for (const std::uint64_t seed : {0ULL, 1ULL, 99ULL}) {
    placement->vary(seed);
    runtime.time([&] { placement->run(tested.variant, tested.build.call); });
    const Check verdict = placement->check(kernel.tolerance(tested.variant.step));
    EXPECT_TRUE(verdict.passed) << subject.input().path << ", seed " << seed << ": "
                                << verdict.reason;
    EXPECT_EQ(placement->repair(), "");
  }
}

/// Skips a build that cannot run here.
class RunsBuild : public testing::TestWithParam<TestedBuild> {
 protected:
  void SetUp() override {
    const std::string why = GetParam().build.runtime->unavailable();
    if (!why.empty()) GTEST_SKIP() << why;
  }
};

/// A study of a function in place of OpenMP's build of a step for the host.
inline Result study_of(const Kernel& kernel, std::string_view step, Call call, Subject& subject) {
  for (Variant variant : kernel.catalog()) {
    if (variant.step != step || variant.model != "omp") continue;
    variant.builds = {{"host", std::move(call), &host_runtime()}};  // perhaps not built here
    StudyOptions options;
    options.programs = false;  // this program is no worker, and the function is its own
    options.timing.repeat = 4;
    return run_study(kernel, subject, {choose(variant)}, options).front();
  }
  throw std::logic_error("no such step");
}

/// A study of a function that may remember things between its runs.
template <class Problem>
Result study_of(const Kernel& kernel, std::string_view step, Subject& subject,
                const std::function<void(const Problem&)>& function) {
  return study_of(
      kernel, step,
      Call::of<Problem, NoAnswer>([function](const Problem& all, NoAnswer&) { function(all); }),
      subject);
}

/// Expects that the right function passes a study, and that each faulty one fails it with a reason:
/// those given, the right one with a result that is spoilt after it, and some that forget numbers
/// of the `result`.
template <class Problem, class Numbers>
void expect_only_right_passes(const Kernel& kernel, std::string_view step, Subject& subject,
                              void (*right)(const Problem&), Numbers (*result)(const Problem&),
                              const std::vector<std::function<void(const Problem&)>>& spoils,
                              std::vector<std::function<void(const Problem&)>> faults = {}) {
  for (const auto& spoil : spoils)
    faults.push_back([=](const Problem& all) {
      right(all);
      spoil(all);
    });
  faults.push_back([](const Problem& /*does nothing*/) {});
  faults.push_back([=](const Problem& all) {
    const auto before = result(all).back();
    right(all);
    result(all).back() = before;
  });
  using Kept = std::vector<typename Numbers::value_type>;
  faults.push_back([=, kept = std::make_shared<Kept>()](const Problem& all) {
    const Numbers numbers = result(all);
    if (kept->size() != numbers.size()) {
      right(all);
      kept->assign(numbers.begin(), numbers.end());
    }
    std::copy(kept->begin(), kept->end(), numbers.begin());
  });
  const Result passed = study_of<Problem>(kernel, step, subject, right);
  EXPECT_EQ(passed.status, Status::passed) << passed.reason;
  for (const auto& fault : faults) {
    const Result failed = study_of<Problem>(kernel, step, subject, fault);
    EXPECT_EQ(failed.status, Status::failed);
    EXPECT_FALSE(failed.reason.empty());
  }
}

/// A variant whose problem is in host memory.
inline const Variant& on_hosts(const std::vector<Variant>& catalog, std::string_view step) {
  for (const Variant& one : catalog)
    if (one.step == step && one.model == "omp") return one;
  throw std::logic_error("no such step");
}

}  // namespace gpp::test
