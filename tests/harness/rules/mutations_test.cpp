// Deliberate faults, each of which a study must catch.
#include <gtest/gtest.h>

#include "harness/study/study.h"
#include "tests/harness/fake_runtime.h"
#include "tests/harness/faulty.h"
#include "tests/variants/problems.h"

namespace gpp {
namespace {

/// Everything the faults touch is there: complex poles close to occupied bands, wx of both signs
/// among them, terms large enough to be cut at either sign, half occupations, two frequencies.
const PreparedProblem& problem() {
  static const PreparedProblem instance([] {
    Input input = test::random_input({.name = "everything",
                                      .nbands = 12,
                                      .occupied = 8,
                                      .half_occupied = 2,
                                      .poles = test::Poles::complex,
                                      .state = test::State::deep},
                                     3);
    input.sexcut = 0.5;
    return input;
  }());
  return instance;
}

Result study_of(VariantFunction function) {
  static const Reference reference = compute_reference(problem().view());
  const test::FakeRuntime runtime;
  const Variant variant = test::make_variant("faulty", function, runtime);
  StudyOptions options;
  options.timing.repeat = 10;
  return run_study(problem(), reference, {choose(variant)}, options).front();
}

TEST(Mutations, TheLoopWithoutFaultPasses) {
  const Result result = study_of(test::right_sums);
  EXPECT_EQ(result.status, Status::passed) << result.reason;
  EXPECT_EQ(result.samples.size(), 10u);
}

class Mutation : public testing::TestWithParam<test::FaultyVariant> {};

TEST_P(Mutation, IsCaught) {
  const Result result = study_of(GetParam().function);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_FALSE(result.reason.empty());
  EXPECT_FALSE(result.check.passed);
}

INSTANTIATE_TEST_SUITE_P(All, Mutation, testing::ValuesIn(test::faulty_variants()),
                         [](const auto& faulty) { return faulty.param.fault; });

/// Each fault is caught on the problem itself as well, not only on the smaller one run first.
TEST(Mutations, EveryFaultOfTheLoopFailsTheCheckAlone) {
  const Reference reference = compute_reference(problem().view());
  for (const test::FaultyVariant& faulty : test::faulty_variants()) {
    if (faulty.fault == "nan") break;  // from here on: faults of a sequence of calls, or of all
    const Check verdict = check(faulty.function(problem().view()), reference,
                                problem().view().nfreq, default_tolerance);
    EXPECT_FALSE(verdict.passed) << faulty.fault;
  }
}

}  // namespace
}  // namespace gpp
