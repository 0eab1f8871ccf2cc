// Deliberate faults, each of which a study must catch.
#include <gtest/gtest.h>

#include <algorithm>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/study/check.h"
#include "gpp/study/shapes.h"
#include "harness/measure/study.h"
#include "tests/gpp/subject.h"
#include "tests/harness/fake_runtime.h"
#include "tests/harness/faulty.h"

namespace gpp {
namespace {

/// Everything the faults touch is there: complex poles close to occupied bands, wx of both signs
/// among them, terms large enough to be cut at either sign, half occupations, two frequencies.
GppSubject& subject() {
  static const std::unique_ptr<GppSubject> instance = test::subject_of([] {
    Input input = random_input({.name = "everything",
                                .nbands = 12,
                                .occupied = 8,
                                .half_occupied = 2,
                                .poles = ShapePoles::complex,
                                .state = ShapeState::deep},
                               3);
    input.sexcut = 0.5;
    return input;
  }());
  return *instance;
}

const PreparedProblem& problem() { return subject().problem(); }

Result study_of(VariantFunction function) {
  const test::FakeRuntime runtime;
  const Variant variant = test::make_variant("faulty", function, runtime);
  StudyOptions options;
  options.timing.repeat = 10;
  return run_study(gpp_kernel(), subject(), {choose(variant)}, options).front();
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

/// A default run: on the bundled input, which has one kind of pole, two frequencies and an even
/// number of G'. What it does not show, the small problems before it do.
TEST(Mutations, ADefaultRunNoticesWhatItsInputDoesNotShow) {
  static const auto silicon = test::subject_of(read_gpp214(bundled_input()));
  const test::FakeRuntime runtime;
  for (const char* fault : {"cutoff_ignored", "half_occupation_ignored", "imaginary_poles_ignored",
                            "neither_as_branch_2", "third_frequency_ignored", "odd_own_g_lost"}) {
    const auto& all = test::faulty_variants();
    const auto faulty = std::find_if(all.begin(), all.end(),
                                     [fault](const auto& one) { return one.fault == fault; });
    ASSERT_NE(faulty, all.end()) << fault;
    const Variant variant = test::make_variant(fault, faulty->function, runtime);
    const Result result = run_study(gpp_kernel(), *silicon, {choose(variant)}, {}).front();
    EXPECT_EQ(result.status, Status::failed) << fault;
    EXPECT_TRUE(result.samples.empty()) << fault;
  }
}

/// What only large problems show is caught where it matters: no two timed runs have the same
/// result.
TEST(Mutations, AResultKeptByAddressIsCaughtInTheTimedRuns) {
  const auto large =
      test::subject_of(random_input({.name = "large", .ncouls = 201, .ngpown = 4, .nbands = 5}, 1));
  const test::FakeRuntime runtime;
  const Variant variant = test::make_variant("cheat", test::kept_by_address_of_large_ones, runtime);
  StudyOptions options;
  options.timing.repeat = 3;
  const Result result = run_study(gpp_kernel(), *large, {choose(variant)}, options).front();
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_NE(result.reason.find("in timed run"), std::string::npos) << result.reason;
}

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
