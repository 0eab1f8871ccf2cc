// Tests of faults that a study must find: the check of sums, the original program's verdict,
// deliberate faults.
#include <algorithm>
#include <cmath>
#include <limits>

#include "gpp/study/check.h"
#include "gpp/study/every_case.h"
#include "gpp/study/original.h"
#include "gpp/study/shapes.h"
#include "harness/measure/study.h"
#include "tests/gpp/subject.h"
#include "tests/harness/fake_runtime.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

// ---- The check must let right sums pass and nothing else.

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Two frequencies; components of different sizes, without cancellation.
Reference sample() {
  Reference reference;
  for (int iw = 0; iw < 2; ++iw) {
    reference.sums.asx[iw] = {0.25 + iw, -3.0};
    reference.sums.ach[iw] = {-7.5, 0.125 * (1 + iw)};
    reference.magnitude.asx[iw] = {0.25 + iw, 3.0};
    reference.magnitude.ach[iw] = {7.5, 0.125 * (1 + iw)};
  }
  return reference;
}

/// The 8 real numbers of the first two frequencies.
double& component(Sums& sums, int index) {
  Complex& value = index < 4 ? sums.asx[index / 2] : sums.ach[(index - 4) / 2];
  return index % 2 == 0 ? value.re : value.im;
}

TEST(Check, PassesTheReferenceItselfAtToleranceZero) {
  const Reference reference = sample();
  const Check verdict = check(reference.sums, reference, 2, 0.0);
  EXPECT_TRUE(verdict.passed) << verdict.reason;
  EXPECT_EQ(verdict.max_relative_error, 0.0);
  EXPECT_TRUE(verdict.reason.empty());
}

TEST(Check, MeasuresEveryComponentRelativeToItself) {
  const Reference reference = sample();
  for (int index = 0; index < 8; ++index) {
    Sums sums = reference.sums;
    component(sums, index) *= 1 + 1e-8;
    const Check verdict = check(sums, reference, 2, default_tolerance);
    EXPECT_FALSE(verdict.passed) << "component " << index;
    EXPECT_NEAR(verdict.max_relative_error, 1e-8, 1e-14) << "component " << index;
    EXPECT_TRUE(check(sums, reference, 2, 2e-8).passed) << "component " << index;
  }
}

TEST(Check, ReportsTheWorstComponent) {
  const Reference reference = sample();
  Sums sums = reference.sums;
  sums.asx[0].re *= 1 + 1e-6;
  sums.ach[1].im *= 1 + 1e-3;
  const Check verdict = check(sums, reference, 2, default_tolerance);
  EXPECT_NEAR(verdict.max_relative_error, 1e-3, 1e-9);
  EXPECT_TRUE(contains(verdict.reason, "ach at frequency 2 of 2, imaginary part"));
}

TEST(Check, FailsNanAndInfinityAtAnyTolerance) {
  const Reference reference = sample();
  for (const double bad : {nan, infinity, -infinity})
    for (int index = 0; index < 8; ++index) {
      Sums sums = reference.sums;
      component(sums, index) = bad;
      const Check verdict = check(sums, reference, 2, infinity);
      EXPECT_FALSE(verdict.passed) << bad << " in component " << index;
      EXPECT_EQ(verdict.max_relative_error, infinity);
      EXPECT_FALSE(verdict.reason.empty());
    }
}

TEST(Check, FailsAReferenceThatIsNoNumber) {
  Reference reference = sample();
  reference.sums.asx[0].re = nan;
  const Check verdict = check(reference.sums, reference, 2, 1.0);
  EXPECT_FALSE(verdict.passed);
  EXPECT_TRUE(contains(verdict.reason, "reference"));
}

TEST(Check, JudgesWhatCancelsByWhatWasAddedUp) {
  Reference reference = sample();
  reference.sums.asx[0].re = 1e-9;
  reference.magnitude.asx[0] = {0.6, 0.8};  // modulus 1, so the floor is 1e-3
  Sums sums = reference.sums;
  sums.asx[0].re += 0.9e-14;
  EXPECT_TRUE(check(sums, reference, 2, default_tolerance).passed);
  EXPECT_NEAR(check(sums, reference, 2, default_tolerance).max_relative_error, 0.9e-11, 1e-14);
  sums.asx[0].re += 0.2e-14;
  EXPECT_FALSE(check(sums, reference, 2, default_tolerance).passed);
}

/// Rounding mixes the parts of a complex product, so a part that is exactly 0 may get some of the
/// other part's last digit.
TEST(Check, JudgesAPartThatVanishesByTheOtherOne) {
  Reference reference = sample();
  reference.sums.ach[0].im = reference.magnitude.ach[0].im = 0.0;  // the real part is 7.5
  Sums sums = reference.sums;
  sums.ach[0].im = 4e-20;
  EXPECT_TRUE(check(sums, reference, 2, default_tolerance).passed);
  sums.ach[0].im = 1.1e-14 * 7.5;
  EXPECT_FALSE(check(sums, reference, 2, default_tolerance).passed);
}

TEST(Check, AllowsForWhatRoundingDecides) {
  Reference reference = sample();
  reference.ties.asx[1].re = 1e-3;
  Sums sums = reference.sums;
  sums.asx[1].re += 1e-3;
  EXPECT_TRUE(check(sums, reference, 2, default_tolerance).passed);
  EXPECT_LT(check(sums, reference, 2, default_tolerance).max_relative_error, 1e-15);
  sums.asx[1].re += 1e-6;
  EXPECT_FALSE(check(sums, reference, 2, default_tolerance).passed);
  sums = reference.sums;
  sums.asx[1].im += 1e-3;
  EXPECT_FALSE(check(sums, reference, 2, default_tolerance).passed)
      << "a tie of the real part alone";
}

TEST(Check, DemandsExactZeroWhereNothingWasAdded) {
  Reference reference = sample();
  reference.sums.asx[1] = reference.magnitude.asx[1] = {0.0, 0.0};
  Sums sums = reference.sums;
  EXPECT_TRUE(check(sums, reference, 2, default_tolerance).passed);
  sums.asx[1].im = -0.0;
  EXPECT_TRUE(check(sums, reference, 2, default_tolerance).passed);
  sums.asx[1].im = 1e-300;
  const Check verdict = check(sums, reference, 2, 1e10);
  EXPECT_FALSE(verdict.passed);
  EXPECT_TRUE(contains(verdict.reason, "0 is due"));
}

TEST(Check, DemandsZeroBeyondTheFrequencies) {
  const Reference reference = sample();
  Sums sums = reference.sums;
  sums.ach[2].re = 1e-30;
  const Check verdict = check(sums, reference, 2, default_tolerance);
  EXPECT_FALSE(verdict.passed);
  EXPECT_TRUE(contains(verdict.reason, "ach beyond the last frequency"));
  sums = reference.sums;
  EXPECT_FALSE(check(sums, reference, 1, default_tolerance).passed) << "frequency 2 holds a number";
}

TEST(Difference, IsRelativeToTheLargestComponent) {
  const Sums due = sample().sums;  // ach: -7.5 + 0.25 i, the largest component
  const double size = std::hypot(7.5, 0.25);
  EXPECT_EQ(difference(due, due), 0.0);
  EXPECT_EQ(difference({}, {}), 0.0);
  for (int index = 0; index < 8; ++index) {
    Sums sums = due;
    component(sums, index) += 0.5;
    EXPECT_DOUBLE_EQ(difference(sums, due), 0.5 / size) << index;
  }
  Sums sums{};
  sums.asx[2].im = 1;
  EXPECT_EQ(difference(sums, {}), infinity) << "nothing is due";
}

/// A comparison with NaN is false, and a maximum may drop NaN.
TEST(Difference, OfWhatIsNotFiniteIsInfinite) {
  const Sums due = sample().sums;
  for (const double wrong : {nan, infinity, -infinity})
    for (int index = 0; index < 8; ++index) {
      Sums sums = due;
      component(sums, index) = wrong;
      EXPECT_EQ(difference(sums, due), infinity) << wrong << " at " << index;
      EXPECT_EQ(difference(due, sums), infinity) << wrong << " due at " << index;
      EXPECT_EQ(difference(sums, sums), infinity) << wrong << " in both at " << index;
    }
}

// ---- The original program's absolute verdict.

/// An input with frequencies 2..3, initial sums, and a reference that matches the sums of `right`.
Input input_sample() {
  Input input;
  input.nstart = 2;
  input.nend = 3;
  input.asxtemp[1] = {0.5, -0.25};
  input.asxtempref[1] = {1.5, -0.25};
  input.achtempref[1] = {2, 0};
  input.asxtempref[2] = {3, 1};
  input.achtempref[2] = {4, 0};
  return input;
}

Sums right() {
  Sums sums{};
  sums.asx[0] = {1, 0};
  sums.ach[0] = {2, 0};
  sums.asx[1] = {3, 1};
  sums.ach[1] = {4, 0};
  return sums;
}

TEST(Original, AddsTheInitialSums) {
  const auto verdict = original_verdict(right(), input_sample());
  ASSERT_TRUE(verdict.has_value());
  EXPECT_TRUE(verdict->correct);
  EXPECT_EQ(verdict->max_difference, 0.0);
}

TEST(Original, JudgesByAbsoluteDifference) {
  Sums sums = right();
  sums.ach[1].im = 0.9e-12;
  EXPECT_TRUE(original_verdict(sums, input_sample())->correct);
  sums.ach[1].im = 1.1e-12;
  EXPECT_FALSE(original_verdict(sums, input_sample())->correct);
  EXPECT_NEAR(original_verdict(sums, input_sample())->max_difference, 1.1e-12, 1e-18);
}

/// The original program adds the differences of the first and the last frequency.
TEST(Original, AddsTheDifferencesOfBothFrequencies) {
  Sums sums = right();
  sums.asx[0].re += 0.7e-12;
  EXPECT_TRUE(original_verdict(sums, input_sample())->correct);
  sums.ach[1].re += 0.7e-12;
  EXPECT_TRUE(original_verdict(sums, input_sample())->correct) << "asx and ach are judged apart";
  sums.asx[1].re -= 0.7e-12;
  EXPECT_FALSE(original_verdict(sums, input_sample())->correct);
  EXPECT_NEAR(original_verdict(sums, input_sample())->max_difference, 1.4e-12, 1e-15);
}

TEST(Original, CountsASingleFrequencyTwice) {
  Input input = input_sample();
  input.nend = 2;
  Sums sums = right();
  sums.asx[0].re += 0.6e-12;
  EXPECT_FALSE(original_verdict(sums, input)->correct);
}

TEST(Original, LeavesTheMiddleOneOfThreeFrequenciesOut) {
  Input input = input_sample();
  input.nstart = 1;
  Sums sums{};
  sums.asx[1] = {1e-3, 0};
  sums.asx[2] = {3, 1};
  sums.ach[2] = {4, 0};
  EXPECT_TRUE(original_verdict(sums, input)->correct);
}

/// A reference with almost no terms, so that rounding explains nothing.
Reference reference_of(const Sums& sums) {
  Reference reference;
  reference.sums = sums;
  return reference;
}

TEST(Disagreement, IsToldWithItsPlace) {
  Input input = input_sample();
  input.ncouls = input.ngpown = input.peinf_ntband_dist = 1;
  EXPECT_EQ(disagreement(reference_of(right()), input), "");
  Sums sums = right();
  sums.ach[1].im += 1e-11;
  const std::string text = disagreement(reference_of(sums), input);
  EXPECT_TRUE(contains(text, "ach at frequency 3 differs from record 18"));
  sums = right();
  sums.asx[0].re = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(disagreement(reference_of(sums), input), "");
}

TEST(Disagreement, IsNoneWhereAPlainSumMayErrAsMuch) {
  Input input = input_sample();
  input.ncouls = input.ngpown = input.peinf_ntband_dist = 1000;
  Reference reference = reference_of(right());
  reference.sums.asx[0].re += 1e-11;
  EXPECT_NE(disagreement(reference, input), "");
  reference.magnitude.asx[0].re = 10;  // bound for 1e9 terms: 2.2e-16 x 3e4 x 10
  EXPECT_EQ(disagreement(reference, input), "");
}

TEST(Disagreement, IsNoneWithoutAReference) {
  Input input = input_sample();
  input.asxtempref = input.achtempref = {};
  EXPECT_EQ(disagreement(reference_of(right()), input), "");
}

TEST(Original, FailsNan) {
  Sums sums = right();
  sums.asx[0].re = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(original_verdict(sums, input_sample())->correct);
  EXPECT_TRUE(std::isinf(original_verdict(sums, input_sample())->max_difference));
}

TEST(Original, SaysNothingWithoutAReference) {
  Input input = input_sample();
  input.asxtempref = input.achtempref = {};
  EXPECT_FALSE(original_verdict(right(), input).has_value());
}

// ---- Deliberate faults, each of which a study must catch.

/// Everything that the faults affect: complex poles close to occupied bands, wx of both signs,
/// terms large enough to be cut for either sign, half occupations, two frequencies.
GppSubject& subject() {
  static const std::unique_ptr<GppSubject> instance = subject_of([] {
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

/// Studies a function on the problems with every case, until it fails.
Result study_of(VariantFunction function) {
  static const auto both = [] {
    std::vector<std::unique_ptr<GppSubject>> subjects;
    for (Input& input : every_case()) subjects.push_back(subject_of(std::move(input)));
    return subjects;
  }();
  const FakeRuntime runtime;
  const Variant variant = make_variant("faulty", function, runtime);
  StudyOptions options;
  options.programs = false;
  options.timing.repeat = 10;
  Result result;
  for (const std::unique_ptr<GppSubject>& one : both) {
    result = run_study(gpp_kernel(), *one, {choose(variant)}, options).front();
    if (result.status == Status::failed) break;
  }
  return result;
}

TEST(Mutations, TheLoopWithoutFaultPasses) {
  const Result result = study_of(right_sums);
  EXPECT_EQ(result.status, Status::passed) << result.reason;
  EXPECT_EQ(result.samples.size(), 10u);
}

class Mutation : public testing::TestWithParam<FaultyVariant> {};

TEST_P(Mutation, IsCaught) {
  const Result result = study_of(GetParam().function);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_FALSE(result.reason.empty());
  EXPECT_FALSE(result.check.passed);
}

INSTANTIATE_TEST_SUITE_P(All, Mutation, testing::ValuesIn(faulty_variants()),
                         [](const auto& faulty) { return faulty.param.fault; });

/// Each fault is also found on a second problem.
TEST(Mutations, EveryFaultOfTheLoopFailsTheCheckAlone) {
  const Reference reference = compute_reference(problem().view());
  for (const FaultyVariant& faulty : faulty_variants()) {
    if (faulty.fault == "nan") break;  // later faults are not in the loop
    const Check verdict = check(faulty.function(problem().view()), reference,
                                problem().view().nfreq, default_tolerance);
    EXPECT_FALSE(verdict.passed) << faulty.fault;
  }
}

}  // namespace
}  // namespace gpp::test
