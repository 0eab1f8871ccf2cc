// Tests every arithmetic form against an extended-precision value and against every other form, on
// named awkward cases and on random ones.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "extended.h"
#include "gpp/forms/divide.h"
#include "gpp/forms/factored.h"
#include "gpp/forms/power2.h"
#include "gpp/forms/real_poles.h"
#include "gpp/forms/reciprocal.h"
#include "gpp/forms/sign_first.h"
#include "gpp/forms/simplified.h"
#include "gpp/forms/without_division.h"
#include "gpp/forms/without_division_or_root.h"
#include "gpp/forms/without_root.h"

namespace gpp::test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double roundings = 24;  // limit of consecutive operations in any form
const Limits limits = make_limits(0.5, 4.0);

struct Form {
  std::string name;
  bool conditioned;  // true: forms x^2 - w^2 or delw + 1/2, which may cancel; others lose nothing
  std::function<Term<double>(Complex wtilde, Complex I_eps, double wx)> term;
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"divide", true, [](Complex w, Complex I, double x) { return divide(w, I, x, limits); }},
      {"simplified", true,
       [](Complex w, Complex I, double x) {
         return simplified(make_pole(w, I, limits), x, limits);
       }},
      {"reciprocal", true,
       [](Complex w, Complex I, double x) {
         return reciprocal(make_pole(w, I, limits), x, limits);
       }},
      {"power2", true,
       [](Complex w, Complex I, double x) {
         return power2(make_squared_pole(w, I, limits), x, limits);
       }},
      {"sign_first", true,
       [](Complex w, Complex I, double x) {
         return sign_first(make_squared_pole(w, I, limits), x, limits);
       }},
      {"without_division", true,
       [](Complex w, Complex I, double x) { return without_division(w, I, x, limits); }},
      {"without_division_or_root", true,
       [](Complex w, Complex I, double x) { return without_division_or_root(w, I, x, limits); }},
      {"without_root", true,
       [](Complex w, Complex I, double x) {
         return without_root(make_squared_pole(w, I, limits), x, limits);
       }},
      {"factored", false, [](Complex w, Complex I, double x) { return factored(w, I, x, limits); }},
  };
  return all;
}

/// The allowed error of a form in ssx, relative to |ssx|.
Extended ssx_bound(const Form& form, const ExtendedTerm& exact) {
  return roundings * epsilon * (form.conditioned ? exact.definition_condition : 1);
}

std::string describe(Complex w, Complex I, double x) {
  return "wtilde " + std::to_string(w.re) + " + " + std::to_string(w.im) + "i, I_eps " +
         std::to_string(I.re) + " + " + std::to_string(I.im) + "i, wx " + std::to_string(x);
}

/// Checks |computed - exact| <= bound |exact|; an exact 0 must be met exactly.
testing::AssertionResult close(Complex computed, ExtendedComplex exact, Extended bound) {
  const Extended error = std::abs(extended(computed) - exact);
  if (error <= bound * std::abs(exact)) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "computed " << computed.re << " + " << computed.im << "i, exact " << exact
         << ", relative error " << error / std::abs(exact) << ", allowed " << bound;
}

void expect_all_forms(Complex w, Complex I, double x) {
  SCOPED_TRACE(describe(w, I, x));
  const ExtendedTerm exact = extended_term(w, I, x, limits);
  for (const Form& form : forms()) {
    SCOPED_TRACE(form.name);
    const Term<double> term = form.term(w, I, x);
    EXPECT_TRUE(close(term.sch, exact.sch, roundings * epsilon)) << "sch";
    EXPECT_TRUE(close(term.ssx, exact.ssx, ssx_bound(form, exact))) << "ssx";
    for (const Form& other : forms()) {
      const Term<double> theirs = other.term(w, I, x);
      const Extended size = std::abs(exact.ssx);
      EXPECT_LE(abs(term.sch - theirs.sch), 2 * roundings * epsilon * std::abs(exact.sch))
          << "sch against " << other.name;
      EXPECT_LE(abs(term.ssx - theirs.ssx),
                (ssx_bound(form, exact) + ssx_bound(other, exact)) * size)
          << "ssx against " << other.name;
    }
  }
}

/// Compares the sums of a single band, weighted with m, with the exact ones.
template <class BandSums, class Pole, class Sch, class Ssx>
void expect_sums(const char* kind, const Pole& pole, Sch sch, Ssx ssx, Complex w, Complex I,
                 double x, Complex m) {
  SCOPED_TRACE(kind);
  const ExtendedTerm exact = extended_term(w, I, x, limits);
  const Extended bound = roundings * epsilon;
  BandSums sums{};
  add_resonant(sums, pole, m, x);
  EXPECT_TRUE(close(sch(w, I, sums), exact.sch * extended(m), bound)) << "sch";
  if (exact.cut || is_tiny(w, limits)) return;
  add_antiresonant(sums, pole, m, x);
  EXPECT_TRUE(close(ssx(w, I, sums), exact.ssx * extended(m), bound * exact.difference_condition))
      << "ssx";
}

void expect_sums_of_one_band(Complex w, Complex I, double x, Complex m) {
  SCOPED_TRACE(describe(w, I, x));
  expect_sums<FactoredSums<double>>("factored", make_factored_pole(w, limits), factored_sch<double>,
                                    factored_ssx<double>, w, I, x, m);
  if (w.im == 0)
    expect_sums<RealPoleSums<double>>("real", make_real_pole(w, limits), real_pole_sch<double>,
                                      real_pole_ssx<double>, w, I, x, m);
}

struct Case {
  std::string name;
  Complex wtilde;
  double wx;
  Branch branch;
  bool cut = false;
};

const std::vector<Case>& awkward_cases() {
  static const std::vector<Case> cases = {
      {"ordinary", {33.2, 0}, 5.3, Branch::one},
      {"negative_wx", {33.2, 0}, -20.0, Branch::one},
      {"complex_pole", {20.0, 3.0}, 7.5, Branch::one},
      {"complex_pole_negative_parts", {20.0, -3.0}, -7.5, Branch::one},
      {"imaginary_pole", {0.0, 12.0}, 7.5, Branch::one},
      {"imaginary_pole_negative_wx", {0.0, -12.0}, -7.5, Branch::one},
      {"just_outside_the_resonance", {7.0, 0}, 7.5000001, Branch::one},
      {"just_inside_the_resonance", {7.0, 0}, 7.4999999, Branch::two},
      {"close_resonance", {7.0, 0}, 7.1, Branch::two},
      {"very_close_resonance", {7.0, 0}, 7.0 + 1e-9, Branch::two},
      {"complex_resonance", {7.0, 0.2}, 7.1, Branch::two},
      {"resonance_below", {7.0, 0}, 6.6, Branch::two},
      {"resonance_of_a_large_pole", {1e4, 0}, 1e4 + 5.0, Branch::two},
      {"large_pole_off_resonance", {1e4, 0}, 1e4 + 30.0, Branch::one},
      {"cut", {30.2, 0}, -30.0, Branch::one, true},
      {"cut_close_to_the_antiresonance", {30.000001, 0}, -30.0, Branch::one, true},
      {"cut_complex", {30.2, 0.5}, -30.0, Branch::one, true},
      {"nearly_cut", {30.0, 0}, -24.0, Branch::one},
      {"cut_in_branch_two", {0.21, 0}, -0.2, Branch::two, true},
      {"antiresonance_of_a_negative_pole", {-30.001, 0}, 30.0, Branch::one},
      {"small_resonance", {0.2, 0}, 0.3, Branch::two},
      {"tiny_pole", {1e-5, 0}, 3.0, Branch::one},
      {"tiny_pole_in_branch_two", {1e-5, 0}, 0.3, Branch::two},
      {"tiny_complex_pole", {1e-5, 1e-6}, 0.3, Branch::two},
      {"neither", {1e-8, 0}, 0.3, Branch::neither},
      {"neither_complex", {1e-8, 1e-9}, 0.3, Branch::neither},
      {"neither_negative_wx", {1e-8, 0}, -0.3, Branch::neither},
      {"neither_smallest", {1e-13, 0}, 0.4, Branch::neither},
      {"invalid_pole", {1e12, 0}, 5.3, Branch::one},
      {"invalid_pole_negative_wx", {1e12, 0}, -5.3, Branch::one},
      {"invalid_pole_wx_zero", {1e12, 0}, TOL_Zero, Branch::one},
      {"zero_pole", {0, 0}, 5.3, Branch::one},
      {"zero_pole_negative_wx", {0, 0}, -5.3, Branch::one},
      {"zero_pole_small_wx", {0, 0}, 0.3, Branch::neither},
      {"zero_pole_wx_zero", {0, 0}, TOL_Zero, Branch::neither},
      {"wx_zero", {33.2, 0}, TOL_Zero, Branch::one},
      {"wx_zero_complex", {20.0, 3.0}, TOL_Zero, Branch::one},
      {"wx_zero_small_pole", {0.3, 0}, TOL_Zero, Branch::two},
      {"wx_zero_tiny_pole", {1e-8, 0}, TOL_Zero, Branch::two},
  };
  return cases;
}

class AwkwardCase : public testing::TestWithParam<Case> {};

TEST_P(AwkwardCase, IsTheSameInAllForms) {
  const Case& c = GetParam();
  const ExtendedTerm exact = extended_term(c.wtilde, {0.02, -0.01}, c.wx, limits);
  EXPECT_EQ(exact.branch, c.branch);
  EXPECT_EQ(exact.cut, c.cut);

  for (const Complex I_eps :
       {Complex{0.02, -0.01}, Complex{-0.9, 0.0}, Complex{1e-7, 3e-7}, Complex{0.0, 0.0}}) {
    expect_all_forms(c.wtilde, I_eps, c.wx);
    expect_sums_of_one_band(c.wtilde, I_eps, c.wx, {0.05, -0.03});
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, AwkwardCase, testing::ValuesIn(awkward_cases()),
                         [](const auto& tested) { return tested.param.name; });

/// At exactly wx = -wtilde, ssx diverges, so a form that divides by 0 there must cut it.
TEST(Forms, CutWhatHasNoBound) {
  for (const Form& form : forms()) {
    SCOPED_TRACE(form.name);
    const Term<double> term = form.term({7.0, 0.0}, {0.02, -0.01}, -7.0);
    EXPECT_EQ(term.ssx, Complex{});
    EXPECT_TRUE(close(term.sch, extended_term({7.0, 0.0}, {0.02, -0.01}, -7.0, limits).sch,
                      roundings * epsilon));
  }
}

/// Random poles and energies over many orders of magnitude, with many terms near resonance.
class Sweep {
 public:
  explicit Sweep(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  double modulus(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  double sign() { return engine_() % 2 == 0 ? 1.0 : -1.0; }
  Complex with_phase(double size) {
    const double phase = uniform(-3.14159, 3.14159);
    return {size * std::cos(phase), size * std::sin(phase)};
  }
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }

 private:
  std::mt19937_64 engine_;
};

struct Branches {
  int one = 0, two = 0, neither = 0, cut = 0, on_a_border = 0;
};

/// Runs `expect` on `count` random terms away from every border, at which rounding decides.
template <class Expect>
Branches sweep(std::uint64_t seed, int count, bool real_poles, Expect&& expect) {
  Sweep random(seed);
  Branches seen;
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    const double x = random.sign() * random.modulus(1e-12, 60.0);
    Complex w = random.with_phase(random.modulus(1e-9, 1e3));
    if (real_poles || random.below(2) == 0) w = {std::abs(w.re), 0.0};
    if (random.below(3) == 0) w.re = x + random.uniform(-0.6, 0.6);   // near resonance
    if (random.below(5) == 0) w.re = -x + random.uniform(-0.6, 0.6);  // cut for x < 0
    if (random.below(20) == 0) w = {1e12, 0.0};
    const Complex I_eps = random.with_phase(random.modulus(1e-6, 1.0));
    const ExtendedTerm exact = extended_term(w, I_eps, x, limits);
    const Extended condition = std::max(exact.definition_condition, exact.difference_condition);
    if (exact.distance_to_border < 100 * epsilon * condition) {
      ++seen.on_a_border;
      continue;
    }
    expect(w, I_eps, x);
    seen.one += exact.branch == Branch::one;
    seen.two += exact.branch == Branch::two;
    seen.neither += exact.branch == Branch::neither;
    seen.cut += exact.cut;
  }
  return seen;
}

void expect_all_branches(const Branches& seen, int count) {
  EXPECT_GT(seen.one, count / 4);
  EXPECT_GT(seen.two, count / 20);
  EXPECT_GT(seen.neither, count / 100);
  EXPECT_GT(seen.cut, count / 100);
  EXPECT_LT(seen.on_a_border, count / 100);
}

TEST(Forms, AgreeOnRandomComplexPoles) {
  expect_all_branches(sweep(1, 20000, false, expect_all_forms), 20000);
}

TEST(Forms, AgreeOnRandomRealPoles) {
  expect_all_branches(sweep(2, 20000, true, expect_all_forms), 20000);
}

TEST(Forms, SumsOfOneRandomBandAgree) {
  const auto expect = [](Complex w, Complex I_eps, double x) {
    expect_sums_of_one_band(w, I_eps, x, {0.7, 0.4});
  };
  expect_all_branches(sweep(3, 20000, false, expect), 20000);
  expect_all_branches(sweep(4, 20000, true, expect), 20000);
}

TEST(Forms, PolesThatCanBeNeitherAreTiny) {
  Sweep random(5);
  for (int i = 0; i < 20000; ++i) {
    const Complex w = random.with_phase(random.modulus(1e-9, 1e-5));
    const double x = random.sign() * random.modulus(1e-12, 60.0);
    const bool neither = extended_term(w, {0.02, 0.0}, x, limits).branch == Branch::neither;
    ASSERT_TRUE(!neither || is_tiny(w, limits)) << describe(w, {0.02, 0.0}, x);
  }
  EXPECT_FALSE(is_tiny(Complex{1.8, 0.0}, limits));
  EXPECT_FALSE(is_tiny(Complex{0.0, 0.0}, limits));
  EXPECT_FALSE(is_tiny(Complex{0.0, 0.02}, limits));
  EXPECT_TRUE(is_tiny(Complex{1e-6, 0.0}, limits));
  EXPECT_TRUE(is_tiny(Complex{0.5, 0.0}, make_limits(1e6, 4.0)));  // broad: no branch extends far
}

}  // namespace
}  // namespace gpp::test
