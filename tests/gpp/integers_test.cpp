// Tests of moments in integers: digits, their diagonals, the series, its error, and the choice of
// groups.

#include "gpp/integers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "data/generate.h"
#include "gpp/forms/divide.h"
#include "gpp/forms/integers.h"
#include "gpp/forms/real_poles.h"
#include "gpp/moments.h"
#include "gpp/prepare.h"
#include "tests/gpp/band_groups.h"

namespace gpp::test {
namespace {

// ---- Digits -------------------------------------------------------------------------------------

int digit(const Digits& digits, int p) { return static_cast<std::int8_t>(digits.byte(p)); }

/// The number represented by the first digits.
double value_of(const Digits& digits, int first) {
  double value = 0;
  for (int p = first - 1; p >= 0; --p) value = value / 256 + digit(digits, p);
  return value;
}

TEST(Digits, StandForTheNearestNumberAndBeginWithTheNearestDigit) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> evenly(-top_aqsn, top_aqsn);
  for (int count = 1; count <= most_digits; ++count) {
    const double last = std::pow(256.0, 1 - count);
    std::vector<double> numbers = {0.0, 1.0, -1.0, 127.49, -127.49, 0.5 * last, 127 + 127.0 / 256};
    while (numbers.size() < 2000) numbers.push_back(evenly(random));
    for (const double number : numbers)
      EXPECT_LE(std::abs(value_of(Digits(number, count), count) - number), 0.5 * last) << number;
  }
  for (const double number : {0.4, -0.4, 0.6, 100.2, -100.7, 127.4, -127.4})
    EXPECT_EQ(digit(Digits(number, most_digits), 0), std::lround(number)) << number;
}

/// A bias of the digits would bias every dropped product.
TEST(Digits, SpreadEvenly) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> evenly(-1.0, 1.0);
  for (int p = 1; p < most_digits; ++p) {
    double sum = 0, squares = 0;
    constexpr int count = 20000;
    for (int i = 0; i < count; ++i) {
      const int one = digit(Digits(100 * evenly(random), most_digits), p);
      sum += one;
      squares += one * one;
    }
    EXPECT_NEAR(sum / count, -0.5, 2.0) << p;
    EXPECT_NEAR(std::sqrt(squares / count), 74.0, 1.5) << p;
  }
}

TEST(Diagonals, AreNumberedOneAfterTheOther) {
  int next = 0;
  for (int d = 0; d < most_digits; ++d) {
    EXPECT_EQ(moments_before(d), next);
    for (int k = 0; k < integer_moments; ++k)
      EXPECT_EQ(k < moments_with(d), d < digits_of(k)) << d << " " << k;
    next += moments_with(d);
  }
  EXPECT_EQ(all_diagonals, next);
}

// ---- Diagonals ----------------------------------------------------------------------------------

template <class Moment>
class OfMoment : public testing::Test {};
using Moments = testing::Types<std::integral_constant<int, 0>, std::integral_constant<int, 1>,
                               std::integral_constant<int, 2>, std::integral_constant<int, 3>,
                               std::integral_constant<int, 4>, std::integral_constant<int, 5>>;
TYPED_TEST_SUITE(OfMoment, Moments);

/// The weights of the diagonals in extended precision.
template <int k>
double due_of(const int (&diagonals)[most_digits]) {
  long double due = 0;
  for (int d = digits_of(k) - 1; d >= 0; --d) due = due / 256 + diagonals[d];
  return static_cast<double>(due * std::pow(2.0L, k == 0 ? 0 : 1 - k));
}

TYPED_TEST(OfMoment, JoinsItsDiagonals) {
  constexpr int k = TypeParam::value;
  std::mt19937_64 random(k);
  std::uniform_int_distribution<int> evenly(-2'000'000, 2'000'000);
  const double unit = std::pow(2.0, (k == 0 ? 0 : 1 - k) - 30);
  const double kept = digits_of(k) >= 5 ? 0.5 * unit * 1.01 : 0.0;
  double sum = 0;
  constexpr int count = 5000;
  for (int i = 0; i < count; ++i) {
    int diagonals[most_digits];
    for (int& one : diagonals) one = evenly(random);
    const double off = join_diagonals<k>(diagonals) - due_of<k>(diagonals);
    EXPECT_LE(std::abs(off), kept * 1.6);  // two roundings of the result
    sum += off;
  }
  EXPECT_LE(std::abs(sum / count), 0.15 * unit) << "a bias";
}

/// The largest sums of a group, of either sign, must not overflow.
TYPED_TEST(OfMoment, JoinsTheLargestSums) {
  constexpr int k = TypeParam::value;
  for (const int bands : {16, full_scale_bands, most_group_bands}) {
    for (const double sign : {1.0, -1.0}) {
      int diagonals[most_digits];
      for (int d = 0; d < most_digits; ++d) {
        const double first = scale_of_group(bands) * 128 * 106;  // scale of first digits
        diagonals[d] = static_cast<int>(sign * 2 * bands *
                                        (d == 0   ? first
                                         : d == 1 ? 128 * (106 + 128 * scale_of_group(bands))
                                                  : (d + 1) * 16384.0));
      }
      const double due = due_of<k>(diagonals);
      EXPECT_NEAR(join_diagonals<k>(diagonals), due, 1e-12 * std::abs(due)) << bands;
    }
  }
}

// ---- The series ---------------------------------------------------------------------------------

TEST(IntegerSeries, HasChebyshevsPolynomials) {
  for (const double y : sweep())
    for (int k = 0; k < integer_moments; ++k)
      EXPECT_NEAR(chebyshev(k, y), std::cos(k * std::acos(y)), 1e-14) << k << " " << y;
}

/// One band, whose first term is 1, in extended precision.
TEST(IntegerSeries, LacksNoMoreThanIsSaid) {
  using Long = long double;
  for (const double u : {1e-3, 0.01, 0.03, 0.1, 0.3, 0.6}) {
    for (const double distance : {1.0, 25.0}) {
      Long largest = 0;
      for (const double y : sweep()) {
        const Long h = Long(u) * Long(distance);
        const PoleSeries<Long> series(Long(3), Long(3) - Long(distance), h);
        Long sum = 0;
        for (int k = integer_moments - 1; k >= 0; --k)
          sum = std::cos(k * std::acos(Long(y))) * std::pow(Long(2), k == 0 ? 0 : 1 - k) +
                series.s * sum;
        largest = std::max(
            largest, std::fabs(series.weight * sum * Long(distance) - 1 / (1 - Long(u) * Long(y))));
      }
      EXPECT_LT(double(largest), integer_truncation(u) + 1e-18) << u;
      EXPECT_GT(double(largest), 0.3 * integer_truncation(u) - 1e-18) << u;
    }
  }
}

// ---- Sums by digits -----------------------------------------------------------------------------

/// aqsn and conj(aqsm) of a pair at some bands, and the bands' t/h.
struct PairOfRows {
  std::vector<Complex> aqsn, aqsm;
  std::vector<double> y;
};

double larger_component(Complex z) { return std::max(std::abs(z.re), std::abs(z.im)); }

double largest_of(const std::vector<Complex>& row) {
  double largest = 0;
  for (const Complex z : row) largest = std::max(largest, larger_component(z));
  return largest;
}

/// The joined moment k of a pair, as the variant computes it. `part` is 0 for the real part.
template <int k>
double moment_by_digits(const PairOfRows& rows, int part) {
  const int bands = static_cast<int>(rows.y.size());
  const double top = top_aqsn * scale_of_group(bands);
  const double to_aqsn = top / largest_of(rows.aqsn), to_aqsm = top_aqsm / largest_of(rows.aqsm);
  int diagonals[most_digits] = {};
  for (int n = 0; n < bands; ++n) {
    const auto at = static_cast<std::size_t>(n);
    const Complex x = rows.aqsn[at];
    const Complex y = chebyshev(k, rows.y[at]) * rows.aqsm[at];
    const double second[2] = {part == 0 ? y.re : y.im, part == 0 ? -y.im : y.re};
    for (int component = 0; component < 2; ++component) {
      const Digits a((component == 0 ? x.re : x.im) * to_aqsn, most_digits);
      const Digits b(second[component] * to_aqsm, digits_of(k));
      for (int p = 0; p < digits_of(k); ++p)
        for (int q = 0; p + q < digits_of(k); ++q) diagonals[p + q] += digit(a, p) * digit(b, q);
    }
  }
  return join_diagonals<k>(diagonals) / (to_aqsn * to_aqsm);
}

template <int k = 0>
void all_moments(const PairOfRows& rows, std::array<Complex, integer_moments>& moments) {
  moments[k] = {moment_by_digits<k>(rows, 0), moment_by_digits<k>(rows, 1)};
  if constexpr (k + 1 < integer_moments) all_moments<k + 1>(rows, moments);
}

/// The sum m/(a - x) of a group, computed by digits.
Complex sum_by_digits(const PairOfRows& rows, double a, double c, double h) {
  std::array<Complex, integer_moments> moments{};
  all_moments(rows, moments);
  const PoleSeries<double> series(a, c, h);
  Complex sum{};
  for (int k = integer_moments - 1; k >= 0; --k) sum = moments[k] + series.s * sum;
  return series.weight * sum;
}

/// Rows whose numbers extend over some decades.
PairOfRows some_rows(int bands, double decades, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> evenly(-1.0, 1.0);
  PairOfRows rows;
  for (int n = 0; n < bands; ++n) {
    for (std::vector<Complex>* row : {&rows.aqsn, &rows.aqsm}) {
      const double size = std::pow(10.0, decades * 0.5 * (evenly(random) - 1.0));
      row->push_back({size * normal(random), size * normal(random)});
    }
    rows.y.push_back(evenly(random));
  }
  return rows;
}

/// The actual range of a row.
double range_of(const std::vector<Complex>& row) {
  double sum = 0;
  for (const Complex z : row) sum += larger_component(z);
  return largest_of(row) * static_cast<double>(row.size()) / sum;
}

/// The error of digits alone, without the series, relative to digit_error for rows with this range.
double error_over_estimate(int bands, double u, double decades, int pairs) {
  std::mt19937_64 random(static_cast<unsigned>(bands));
  using Long = long double;
  double errors = 0, estimates = 0;
  for (int i = 0; i < pairs; ++i) {
    const PairOfRows rows = some_rows(bands, decades, random);
    const double a = 1.0, c = 0.0, h = u;
    const Complex sum = sum_by_digits(rows, a, c, h);
    Long re = 0, im = 0;
    double size = 0;
    for (std::size_t n = 0; n < rows.y.size(); ++n) {
      const Long w = 1 / (1 - Long(u) * Long(rows.y[n]));
      const Complex x = rows.aqsn[n], y = rows.aqsm[n];
      re += w * (Long(x.re) * Long(y.re) - Long(x.im) * Long(y.im));
      im += w * (Long(x.re) * Long(y.im) + Long(x.im) * Long(y.re));
      size += std::sqrt(norm(x) * norm(y));
    }
    errors += std::pow(double(Long(sum.re) - re), 2) + std::pow(double(Long(sum.im) - im), 2);
    const double range = range_of(rows.aqsn) * range_of(rows.aqsm);
    const double relative =
        std::hypot(digit_error(u, bands) * range / (assumed_range(bands) * assumed_range(bands)),
                   integer_truncation(u));
    estimates += std::pow(size * relative, 2);
  }
  return std::sqrt(errors / estimates);
}

TEST(DigitError, IsThatOfSums) {
  for (const int bands : {16, 32, 64, most_group_bands})
    for (const double u : {1e-4, 0.004, 0.01, 0.02})
      for (const double decades : {0.0, 2.0}) {
        const double ratio = error_over_estimate(bands, u, decades, bands > 64 ? 60 : 200);
        EXPECT_LT(ratio, 1.0) << bands << " " << u << " " << decades;
        EXPECT_GT(ratio, 0.1) << bands << " " << u << " " << decades;
      }
}

TEST(DigitError, GrowsWithTheGroupsWidth) {
  for (const int bands : {16, 64, most_group_bands})
    for (double u = 0.001; u < 0.1; u *= 2)
      EXPECT_LT(digit_error(u, bands), digit_error(2 * u, bands));
}

// ---- The plan -----------------------------------------------------------------------------------

/// A rank of gpp214 with fewer G and G'.
const FactoredProblem& rank_of(int first_band, int bands) {
  static std::map<int, std::unique_ptr<PreparedProblem>> by_first_band;
  std::unique_ptr<PreparedProblem>& made = by_first_band[first_band];
  if (!made) {
    Preset preset = *find_preset("gpp214");
    preset.ncouls = 2200;
    preset.ngpown = 275;
    preset.first_band = first_band;
    preset.ntband_dist = bands;
    made = std::make_unique<PreparedProblem>(generate(preset, 1, false));
  }
  return made->view();
}

void expect_sound(const FactoredProblem& problem, const IntegerPlan& plan) {
  expect_sound_groups(problem, plan);
  for (const MomentGroup& group : plan.groups) EXPECT_LE(group.bands, most_group_bands);
}

TEST(IntegerPlan, HoldsItsEstimate) {
  for (const int first : {800, 1600, 4800}) {
    const FactoredProblem& problem = rank_of(first, 800);
    const IntegerPlan plan = plan_integers(problem);
    expect_sound(problem, plan);
    ASSERT_GT(plan.groups.size(), 5U);
    EXPECT_TRUE(plan.other_bands.empty());
    EXPECT_LE(plan.estimate, largest_estimate);
    EXPECT_GT(plan.estimate, 0.7 * largest_estimate) << "narrower groups than need be";
    EXPECT_EQ(plan.estimate, estimated_error(problem, plan.groups));
  }
}

TEST(IntegerPlan, MakesFartherGroupsWiderAndLeavesBandsNearPolesToOthers) {
  EXPECT_LT(plan_integers(rank_of(4800, 800)).groups.size(),
            plan_integers(rank_of(800, 800)).groups.size());
  const FactoredProblem& problem = rank_of(0, 6397);
  const IntegerPlan plan = plan_integers(problem);
  expect_sound(problem, plan);
  EXPECT_GT(plan.groups.size(), 20U);
  EXPECT_GT(plan.other_bands.size(), 50U);
  EXPECT_LT(plan.other_bands.size(), 400U);
}

TEST(IntegerPlan, TakesNoProblemThatItCannotDoRight) {
  const FactoredProblem& problem = rank_of(800, 800);
  const auto groups = [&](const auto& change) {
    FactoredProblem changed = problem;
    change(changed);
    const IntegerPlan plan = plan_integers(changed);
    expect_sound(changed, plan);
    return plan.groups.size();
  };
  EXPECT_GT(groups([](FactoredProblem&) {}), 0U);
  EXPECT_EQ(groups([](FactoredProblem& p) { p.real_poles = false; }), 0U);
  EXPECT_EQ(groups([](FactoredProblem& p) { p.poles.lowest = -1.0; }), 0U);
  EXPECT_EQ(groups([](FactoredProblem& p) { p.ngpown = heavy_igp; }), 0U);
  EXPECT_EQ(groups([](FactoredProblem& p) { p.empty_bands.size = 0; }), 0U);
  // A single pair has all the weight, so no errors cancel.
  EXPECT_EQ(groups([](FactoredProblem& p) {
              for (int bin = 0; bin < PoleDistribution::bins; ++bin)
                p.poles.square[bin] = p.poles.weight[bin] * p.poles.weight[bin];
            }),
            0U);
  EXPECT_EQ(groups([](FactoredProblem& p) {
              p.poles.weight[20] = std::numeric_limits<double>::infinity();
            }),
            0U);
}

/// A problem with all poles at one energy, weighted like `pairs` pairs.
FactoredProblem with_poles_at(const FactoredProblem& problem, int bin, double pairs) {
  FactoredProblem changed = problem;
  changed.poles = {};
  changed.poles.weight[bin] = 1.0;
  changed.poles.square[bin] = 1.0 / pairs;
  return changed;
}

/// This holds for any weight of the lowest pole.
TEST(IntegerPlan, KeepsClearOfEveryPole) {
  const FactoredProblem problem = with_poles_at(rank_of(0, 6397), 25, 1e7);
  const IntegerPlan plan = plan_integers(problem);
  ASSERT_FALSE(plan.groups.empty());
  expect_sound(problem, plan);
}

TEST(IntegerEstimate, IsThatOfDigitsAndSeries) {
  constexpr int bin = 18;
  FactoredProblem problem = with_poles_at(rank_of(800, 800), bin, 1.0);
  problem.nfreq = 1;
  for (const double half_width : {1e-3, 0.1, 1.0, 4.0}) {
    const MomentGroup group{{-20.0}, half_width, 48};
    const double u = half_width / (PoleDistribution::lower_edge(bin) + 20.0);
    const double one = std::hypot(integer_truncation(u), digit_error(u, 48));
    EXPECT_NEAR(estimated_error(problem, {group}), one, 1e-9 * one);
    EXPECT_NEAR(estimated_error(problem, {group, group}), one / std::sqrt(2.0), 1e-9 * one);
  }
}

/// Small problems have too few pairs.
TEST(IntegerPlan, LeavesSmallProblemsToMoments) {
  for (const char* name : {"tiny", "small", "medium"}) {
    const PreparedProblem problem(generate(*find_preset(name), 1, false));
    EXPECT_EQ(problem.view().integer_groups.size, 0) << name;
    EXPECT_EQ(problem.view().other_integer_bands.size, problem.view().empty_bands.size);
  }
}

// ---- The estimate -------------------------------------------------------------------------------

/// The difference in ach of some pairs, by digits and term by term, in a plan's groups, relative to
/// the plan's estimate.
double error_over_plan(const FactoredProblem& problem, int pairs) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int> ig_of(0, problem.ncouls - 1);
  std::uniform_int_distribution<int> igp_of(heavy_igp, problem.ngpown - 1);
  double errors = 0, estimates = 0;
  for (int i = 0; i < pairs; ++i) {
    const int ig = ig_of(random), igp = igp_of(random);
    const double a = problem.wtilde_array(ig, igp).re;
    const MomentBand* band = problem.integer_bands.data;
    for (int g = 0; g < problem.integer_groups.size; ++g) {
      const MomentGroup& group = problem.integer_groups(g);
      PairOfRows rows;
      Complex due{};
      double size = 0;
      for (int n = 0; n < group.bands; ++n, ++band) {
        const bool is_band = band->n1 >= 0;
        rows.aqsn.push_back(is_band ? problem.aqsntemp(ig, band->n1) : Complex{});
        rows.aqsm.push_back(is_band ? conj(problem.aqsmtemp_local(igp, band->n1)) : Complex{});
        rows.y.push_back(band->t / group.half_width);
        const Complex m = rows.aqsm.back() * rows.aqsn.back();
        if (!is_band) continue;
        due += (1.0 / (a - problem.wx_array(0, band->n1))) * m;
        size += std::sqrt(norm(m)) / (a - group.centre[0]);
      }
      const Complex sum = sum_by_digits(rows, a, group.centre[0], group.half_width);
      const double u = group.half_width / (a - group.centre[0]);
      errors += norm(sum - due);
      estimates +=
          std::pow(size * std::hypot(digit_error(u, group.bands), integer_truncation(u)), 2);
    }
  }
  return std::sqrt(errors / estimates);
}

TEST(IntegerEstimate, HoldsOnGeneratedRows) {
  const double ratio = error_over_plan(rank_of(800, 800), 60);
  EXPECT_LT(ratio, 1.0);
  EXPECT_GT(ratio, 0.15);
}

}  // namespace
}  // namespace gpp::test
