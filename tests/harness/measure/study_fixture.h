// A study of a small problem on a device controlled by a test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "gpp/study/shapes.h"
#include "harness/measure/study.h"
#include "tests/gpp/subject.h"
#include "tests/harness/fake_runtime.h"
#include "tests/text.h"

namespace gpp::test {

/// Untimed runs per variant, for warm-up.
inline constexpr int first_runs = 1;

class Study : public testing::Test {
 protected:
  Study() { options.programs = false; }

  std::vector<Result> run(const std::vector<Variant>& variants) {
    std::vector<Choice> choices;
    for (const Variant& variant : variants) choices.push_back(choose(variant));
    return run_study(gpp_kernel(), *subject, choices, options, events);
  }

  Result run_one(VariantFunction function) {
    return run({make_variant("one", function, runtime)}).front();
  }
  std::vector<Result> run_two_right_ones() {
    return run({make_variant("a", right_sums, runtime), make_variant("b", right_sums, runtime)});
  }

  /// The number of allocations to place a problem once.
  static int pieces_of(const Subject& placed) {
    const FakeRuntime fresh;
    placed.place(fresh);
    return fresh.allocations;
  }

  std::unique_ptr<GppSubject> subject =
      subject_of(random_input({.name = "few", .ncouls = 9, .ngpown = 3, .nbands = 5}, 1));
  const PreparedProblem& problem = subject->problem();
  const Reference& reference = subject->sums();
  FakeRuntime runtime;
  StudyOptions options;
  StudyEvents events;
};

}  // namespace gpp::test
