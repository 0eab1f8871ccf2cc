// Tests of faults that a study must find: the check of sums, the original program's verdict,
// deliberate faults.
#include <algorithm>
#include <cmath>
#include <limits>

#include "gpp/study/check.h"
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

/// A change of the sample's reference and of right sums, and what is due.
struct Judged {
  const char* what;
  void (*change)(Reference& reference, Sums& sums);
  double error;             ///< the largest error; NaN: any
  const char* reason = "";  ///< part of the reason; empty: the sums pass
  double tolerance = default_tolerance;
};

// Rounding mixes the parts of a complex product, so a part that is exactly 0 may get some of the
// other part's last digit.
const Judged judged[] = {
    {"itself", [](Reference&, Sums&) {}, 0, "", 0},
    {"two wrong numbers",
     [](Reference&, Sums& sums) {
       sums.asx[0].re *= 1 + 1e-6;
       sums.ach[1].im *= 1 + 1e-3;
     },
     1e-3, "ach at frequency 2 of 2, imaginary part"},
    {"a reference that is no number",
     [](Reference& reference, Sums& sums) { sums.asx[0].re = reference.sums.asx[0].re = nan; },
     infinity, "reference", 1},
    {"little where much cancelled",
     [](Reference& reference, Sums& sums) {
       reference.sums.asx[0].re = 1e-9;
       reference.magnitude.asx[0] = {0.6, 0.8};  // modulus 1, so the floor is 1e-3
       sums.asx[0].re = 1e-9 + 0.9e-14;
     },
     0.9e-11},
    {"too much where much cancelled",
     [](Reference& reference, Sums& sums) {
       reference.sums.asx[0].re = 1e-9;
       reference.magnitude.asx[0] = {0.6, 0.8};
       sums.asx[0].re = 1e-9 + 1.1e-14;
     },
     1.1e-11, "asx at frequency 1"},
    {"a vanishing part",
     [](Reference& reference, Sums& sums) {
       reference.sums.ach[0].im = reference.magnitude.ach[0].im = 0.0;  // the real part is 7.5
       sums.ach[0].im = 4e-20;
     },
     nan},
    {"a part that does not vanish",
     [](Reference& reference, Sums& sums) {
       reference.sums.ach[0].im = reference.magnitude.ach[0].im = 0.0;
       sums.ach[0].im = 1.1e-14 * 7.5;
     },
     1.1e-11, "ach at frequency 1"},
    {"a tie",
     [](Reference& reference, Sums& sums) {
       reference.ties.asx[1].re = 1e-3;
       sums.asx[1].re += 1e-3;
     },
     0},
    {"more than a tie",
     [](Reference& reference, Sums& sums) {
       reference.ties.asx[1].re = 1e-3;
       sums.asx[1].re += 1e-3 + 1e-6;
     },
     nan, "asx at frequency 2"},
    {"a tie of the other part",
     [](Reference& reference, Sums& sums) {
       reference.ties.asx[1].re = 1e-3;
       sums.asx[1].im += 1e-3;
     },
     nan, "imaginary part"},
    {"nothing where nothing was added",
     [](Reference& reference, Sums& sums) {
       reference.sums.asx[1] = reference.magnitude.asx[1] = {};
       sums.asx[1] = {0.0, -0.0};
     },
     0},
    {"something where nothing was added",
     [](Reference& reference, Sums& sums) {
       reference.sums.asx[1] = reference.magnitude.asx[1] = {};
       sums.asx[1] = {0.0, 1e-300};
     },
     infinity, "instead of 0.0", 1e10},
    {"a number beyond the frequencies", [](Reference&, Sums& sums) { sums.ach[2].re = 1e-30; },
     infinity, "ach beyond the last frequency"},
};

TEST(Check, SaysWhatIsDue) {
  for (const Judged& one : judged) {
    SCOPED_TRACE(one.what);
    Reference reference = sample();
    Sums sums = reference.sums;
    one.change(reference, sums);
    const Check verdict = check(sums, reference, 2, one.tolerance);
    EXPECT_EQ(verdict.passed, verdict.reason.empty());
    EXPECT_EQ(verdict.passed, std::string(one.reason).empty()) << verdict.reason;
    EXPECT_TRUE(contains(verdict.reason, one.reason)) << verdict.reason;
    if (std::isinf(one.error)) {
      EXPECT_EQ(verdict.max_relative_error, infinity);
    } else if (!std::isnan(one.error)) {
      EXPECT_NEAR(verdict.max_relative_error, one.error, 1e-14 + 1e-6 * one.error);
    }
  }
  EXPECT_FALSE(check(sample().sums, sample(), 1, default_tolerance).passed)
      << "frequency 2 holds a number";
}

/// A comparison with NaN is false, and a maximum may drop NaN.
TEST(Difference, IsRelativeToTheLargestComponentAndInfiniteWhereSomethingIsNotFinite) {
  const Sums due = sample().sums;  // ach: -7.5 + 0.25 i, the largest component
  EXPECT_EQ(difference(due, due) + difference({}, {}), 0.0);
  for (int index = 0; index < 8; ++index) {
    Sums sums = due;
    component(sums, index) += 0.5;
    EXPECT_DOUBLE_EQ(difference(sums, due), 0.5 / std::hypot(7.5, 0.25)) << index;
    for (const double wrong : {nan, infinity, -infinity}) {
      component(sums, index) = wrong;
      for (const double one :
           {difference(sums, due), difference(due, sums), difference(sums, sums)})
        EXPECT_EQ(one, infinity) << wrong << " at " << index;
    }
  }
  Sums sums{};
  sums.asx[2].im = 1;
  EXPECT_EQ(difference(sums, {}), infinity) << "nothing is due";
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

/// A change, the largest difference, and the verdict.
struct Verdict {
  const char* what;
  void (*change)(Input& input, Sums& sums);
  double difference;
  bool correct;
};

/// The original program adds the differences of the first and the last frequency.
const Verdict verdicts[] = {
    {"the initial sums are added", [](Input&, Sums&) {}, 0, true},
    {"less than 1e-12", [](Input&, Sums& sums) { sums.ach[1].im = 0.9e-12; }, 0.9e-12, true},
    {"more than 1e-12", [](Input&, Sums& sums) { sums.ach[1].im = 1.1e-12; }, 1.1e-12, false},
    {"asx and ach are judged apart",
     [](Input&, Sums& sums) { sums.asx[0].re += 0.7e-12, sums.ach[1].re += 0.7e-12; }, 0.7e-12,
     true},
    {"both frequencies of asx",
     [](Input&, Sums& sums) { sums.asx[0].re += 0.7e-12, sums.asx[1].re -= 0.7e-12; }, 1.4e-12,
     false},
    {"a single frequency counts twice",
     [](Input& input, Sums& sums) { input.nend = 2, sums.asx[0].re += 0.6e-12; }, 1.2e-12, false},
    {"the middle one of three is left out",
     [](Input& input, Sums& sums) {
       input.nstart = 1;
       sums = {{{0, 0}, {1e-3, 0}, {3, 1}}, {{0, 0}, {0, 0}, {4, 0}}};
     },
     0, true},
    {"not a number", [](Input&, Sums& sums) { sums.asx[0].re = nan; }, infinity, false},
};

TEST(Original, JudgesByAbsoluteDifferences) {
  for (const Verdict& one : verdicts) {
    SCOPED_TRACE(one.what);
    Input input = input_sample();
    Sums sums = right();
    one.change(input, sums);
    const auto verdict = original_verdict(sums, input);
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->correct, one.correct);
    if (std::isinf(one.difference))
      EXPECT_EQ(verdict->max_difference, infinity);
    else
      EXPECT_NEAR(verdict->max_difference, one.difference, 1e-15);
  }
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

TEST(Original, SaysNothingWithoutAReference) {
  Input input = input_sample();
  input.asxtempref = input.achtempref = {};
  EXPECT_FALSE(original_verdict(right(), input).has_value());
  EXPECT_EQ(disagreement(reference_of(right()), input), "");
}

// ---- Deliberate faults, each of which a study must catch.

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

}  // namespace
}  // namespace gpp::test
