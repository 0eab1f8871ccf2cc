// Tests of groups of empty bands: their series, its error, and the choice of groups.
#include "gpp/moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "data/generate.h"
#include "gpp/forms/divide.h"
#include "gpp/forms/moments.h"
#include "gpp/forms/real_poles.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "tests/gpp/band_groups.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

// ---- The series ---------------------------------------------------------------------------------

template <class Rank>
class OfRank : public testing::Test {};
using Ranks = testing::Types<std::integral_constant<int, 4>, std::integral_constant<int, 5>,
                             std::integral_constant<int, 6>>;
TYPED_TEST_SUITE(OfRank, Ranks);

/// The polynomial that replaces y^rank has the error T_rank(y) / 2^(rank-1), and T_n(cos phi) =
/// cos(n phi).
TYPED_TEST(OfRank, EconomisedPowerIsOffByChebyshevsPolynomial) {
  constexpr int rank = TypeParam::value;
  constexpr EconomisedPower<rank> power;
  for (const double y : sweep()) {
    double polynomial = 0;
    for (int k = rank - 1; k >= 0; --k) polynomial = power.coefficient[k] + y * polynomial;
    EXPECT_NEAR(std::pow(y, rank) - polynomial,
                std::cos(rank * std::acos(y)) / std::pow(2.0, rank - 1), 1e-15)
        << y;
  }
}

/// The series of some bands, as a variant computes it.
template <int rank, class Real>
MomentSeries<Real, rank> series_of(const std::vector<Real>& t,
                                   const std::vector<BasicComplex<Real>>& m, Real half_width) {
  MomentSeries<Real, rank> series{};
  for (std::size_t band = 0; band < t.size(); ++band) {
    Real power = 1;
    for (int k = 0; k < rank; ++k) {
      series.M[k] += power * m[band];
      power *= t[band];
    }
  }
  series.economise(half_width);
  return series;
}

/// For one band, whose first term is 1, the series' error stays below truncation() and reaches it
/// at the group's edge near the pole. Computed in extended precision.
TYPED_TEST(OfRank, TruncationIsTheLargestErrorThereIs) {
  constexpr int rank = TypeParam::value;
  using Long = long double;
  for (const double u : {1e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9}) {
    for (const double distance : {1.0, 25.0}) {  // between the centre and the pole
      Long largest = 0, last = 0;
      for (const double y : sweep()) {
        const Long h = Long(u) * Long(distance), t = h * Long(y), a = 3;
        const auto series = series_of<rank, Long>({t}, {{1, 0}}, h);
        BasicComplex<Long> sum{};
        series.add_to(sum, a, a - Long(distance));
        last = std::fabs(sum.re * Long(distance) - 1 / (1 - Long(u) * Long(y)));
        largest = std::max(largest, last);
        EXPECT_EQ(sum.im, 0);
      }
      const double bound = truncation(u, rank);
      EXPECT_LT(double(largest), bound * (1 + 1e-9) + 1e-18) << u;
      EXPECT_NEAR(double(last), bound, 1e-6 * bound + 1e-18) << u;
    }
  }
}

TYPED_TEST(OfRank, ManyBandsLeaveTheirSumAtEveryFrequency) {
  constexpr int rank = TypeParam::value;
  std::mt19937_64 random(rank);
  std::uniform_real_distribution<double> evenly(-1.0, 1.0);
  for (const double u : {1e-3, 0.02, 0.2}) {
    for (const double a : {0.3, 17.0, 400.0}) {
      const double centre = -11.0;
      const double half_width = u * (a - centre);
      std::vector<double> t;
      std::vector<Complex> m;
      double size = 0;
      for (int band = 0; band < 50; ++band) {
        t.push_back(half_width * evenly(random));
        m.push_back({evenly(random), evenly(random)});
        size += std::sqrt(norm(m.back()));
      }
      const auto series = series_of<rank>(t, m, half_width);
      for (const double frequency : {0.0, -1.0, -50.0}) {  // farther away is better still
        const double c = centre + frequency;
        const Complex before{3.0, -2.0};
        Complex sum = before, exact = before;
        for (std::size_t band = 0; band < t.size(); ++band)
          exact += (1.0 / (a - (c + t[band]))) * m[band];
        series.add_to(sum, a, c);
        const double allowed = truncation(half_width / (a - c), rank) * size / (a - c) + 1e-14;
        EXPECT_LT(std::sqrt(norm(sum - exact)), allowed) << u << " " << a << " " << frequency;
      }
    }
  }
}

TEST(Moments, ThreeProductsMakeAComplexOne) {
  const Complex aqsn{3.0, -5.0}, aqsm{7.0, 11.0};
  const double a = aqsn.re, b = aqsn.im, c = conj(aqsm).re, d = conj(aqsm).im;
  EXPECT_EQ(from_products(c * (a + b), a * (d - c), b * (c + d)), conj(aqsm) * aqsn);
}

TEST(Moments, EachOneMoreTakesTheErrorDown) {
  for (const double u : {0.0, 0.01, 0.1, 0.5, 0.9})
    for (int rank = lowest_moment_rank; rank < highest_moment_rank; ++rank)
      EXPECT_LE(truncation(u, rank + 1), truncation(u, rank)) << u;
  EXPECT_EQ(truncation(0.0, 4), 0.0);
}

// ---- The distribution of the poles --------------------------------------------------------------

TEST(PoleDistribution, PutsEachEnergyAboveTheLowerEdgeOfItsBin) {
  for (int bin = 0; bin < PoleDistribution::bins; ++bin) {
    PoleDistribution poles;
    const double edge = PoleDistribution::lower_edge(bin);
    poles.add(bin == 0 ? 0.0 : 1.001 * edge, 2.0);
    poles.add(
        bin + 1 == PoleDistribution::bins ? 1e12 : 0.999 * PoleDistribution::lower_edge(bin + 1),
        3.0);
    EXPECT_EQ(poles.weight[bin], 5.0) << bin;
    EXPECT_EQ(poles.lowest, 0.0);
  }
}

TEST(PoleDistribution, JoinsAnother) {
  PoleDistribution one, other;
  one.add(5.0, 1.0);
  other.add(-7.0, 2.0);
  other.add(5.0, 4.0);
  one.add(other);
  EXPECT_EQ(one.lowest, -7.0);
  EXPECT_EQ(one.weight[0], 2.0);
  EXPECT_EQ(*std::max_element(std::begin(one.weight), std::end(one.weight)), 5.0);
}

// ---- The plan -----------------------------------------------------------------------------------

/// A problem with empty bands at the energies x of the first frequency, and poles at some energies.
/// It is as large as gpp214, so that plans are worthwhile.
class Sketch {
 public:
  explicit Sketch(const std::vector<double>& x, const std::vector<double>& poles = {15.0, 40.0},
                  int frequencies = 2) {
    for (const double first : x)
      for (int iw = 0; iw < frequencies; ++iw) wx_.push_back(first + 1.0 * iw);
    for (std::size_t n1 = 0; n1 < x.size(); ++n1) bands_.push_back(static_cast<int>(n1));
    problem.nbands = static_cast<int>(x.size());
    problem.nfreq = frequencies;
    problem.ncouls = 11075;
    problem.ngpown = 1385;
    problem.limits = make_limits(0.5, 4.0);
    problem.real_poles = true;
    problem.poles.lowest = std::numeric_limits<double>::infinity();
    for (const double energy : poles) problem.poles.add(energy, 1.0);
    problem.wx_array = {wx_.data(), frequencies, problem.nbands};
    problem.empty_bands = view_of(bands_);
  }
  Sketch(const Sketch&) = delete;

  FactoredProblem problem;

 private:
  std::vector<double> wx_;
  std::vector<int> bands_;
};

/// Numbers in descending order from `first`.
std::vector<double> falling(double first, double distance, int bands) {
  std::vector<double> x;
  for (int i = 0; i < bands; ++i) x.push_back(first - distance * i);
  return x;
}

/// Expects sound groups, and a rank if there are any.
void expect_sound(const FactoredProblem& problem, const MomentPlan& plan) {
  EXPECT_EQ(plan.rank == 0, plan.groups.empty());
  if (plan.rank != 0) {
    EXPECT_GE(plan.rank, lowest_moment_rank);
    EXPECT_LE(plan.rank, highest_moment_rank);
  }
  expect_sound_groups(problem, plan);
}

MomentPlan sound_plan(const Sketch& sketch) {
  MomentPlan plan = plan_moments(sketch.problem);
  expect_sound(sketch.problem, plan);
  return plan;
}

TEST(MomentPlan, GroupsFarBandsAndGoesAwayFromThePoles) {
  for (const int frequencies : {1, 2, 3}) {
    const Sketch sketch(falling(-10.0, 0.002, 1000), {15.0, 40.0}, frequencies);
    const MomentPlan plan = sound_plan(sketch);
    ASSERT_GT(plan.groups.size(), 3U);
    EXPECT_TRUE(plan.other_bands.empty());
    for (std::size_t i = 1; i < plan.groups.size(); ++i)
      EXPECT_LT(plan.groups[i].centre[0], plan.groups[i - 1].centre[0]);
  }
}

TEST(MomentPlan, TakesBandsInAnyOrder) {
  std::vector<double> x = falling(-10.0, 0.01, 500);
  std::shuffle(x.begin(), x.end(), std::mt19937_64(1));
  const MomentPlan mixed = sound_plan(Sketch(x));
  const MomentPlan plan = sound_plan(Sketch(falling(-10.0, 0.01, 500)));
  EXPECT_EQ(mixed.rank, plan.rank);
  ASSERT_EQ(mixed.groups.size(), plan.groups.size());
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    EXPECT_EQ(mixed.groups[i].bands, plan.groups[i].bands);
    EXPECT_EQ(mixed.groups[i].half_width, plan.groups[i].half_width);
  }
}

TEST(MomentPlan, MakesFartherGroupsWider) {
  const MomentPlan plan = sound_plan(Sketch(falling(-10.0, 0.01, 5000)));
  ASSERT_GT(plan.groups.size(), 5U);
  for (std::size_t i = 1; i + 1 < plan.groups.size(); ++i)  // the last group ends with the bands
    EXPECT_GE(plan.groups[i].half_width, plan.groups[i - 1].half_width * (1 - 1e-9));
  EXPECT_GT(plan.groups[plan.groups.size() - 2].half_width, 1.5 * plan.groups[0].half_width);
}

TEST(MomentPlan, NeedsFewerMomentsWhereBandsLieClose) {
  EXPECT_EQ(sound_plan(Sketch(falling(-10.0, 1e-5, 800))).rank, lowest_moment_rank);
  EXPECT_EQ(sound_plan(Sketch(falling(-10.0, 0.013, 800))).rank, highest_moment_rank);
  const MomentPlan one_energy = sound_plan(Sketch(std::vector<double>(401, -10.0)));
  EXPECT_EQ(one_energy.rank, lowest_moment_rank);
  EXPECT_EQ(only(one_energy.groups).half_width, 0.0);
  EXPECT_EQ(only(one_energy.groups).bands, 416);
  EXPECT_EQ(one_energy.bands[400].n1, 400);
  EXPECT_EQ(one_energy.bands[401].n1, -1);
}

TEST(MomentPlan, SpansNoGap) {
  std::vector<double> x;
  for (const double top : {-10.0, -1e3, -1e6})
    for (const double one : falling(top, 1e-4, 64)) x.push_back(one);
  const MomentPlan plan = sound_plan(Sketch(x));
  ASSERT_EQ(plan.groups.size(), 3U);
  for (const MomentGroup& group : plan.groups) EXPECT_LT(group.half_width, 0.01);
}

TEST(MomentPlan, HasNoGroupWhereNothingIsGainedOrPolesAreComplexOrNegative) {
  const std::vector<double> many = falling(-10.0, 0.01, 800);
  for (const auto& [x, lowest, real] : {std::tuple(std::vector<double>{}, 15.0, true),
                                        {{-10.0}, 15.0, true},
                                        {falling(-10.0, 0.01, 16), 15.0, true},
                                        {falling(-10.0, 30.0, 100), 15.0, true},
                                        {many, 15.0, false},
                                        {many, -1e-9, true},
                                        {many, -100.0, true}}) {
    Sketch sketch(x, {lowest, 40.0});
    sketch.problem.real_poles = real;
    const MomentPlan plan = sound_plan(sketch);
    EXPECT_EQ(plan.rank, 0) << lowest;
    EXPECT_EQ(plan.other_bands.size(), x.size());
  }
}

/// No group comes near a pole, however small the pole's weight.
TEST(MomentPlan, LeavesBandsNearPolesToTheOthers) {
  for (const double lowest : {0.0, 0.3, 2.0}) {
    std::vector<double> x = falling(3.003, 0.01, 1600);  // no band exactly at the border
    std::shuffle(x.begin(), x.end(), std::mt19937_64(1));
    Sketch sketch(x, {15.0, 40.0});
    sketch.problem.poles.add(lowest, 1e-30);
    const MomentPlan plan = sound_plan(sketch);
    ASSERT_FALSE(plan.groups.empty());
    // The second frequency is 1 eV higher, and the pole needs 0.5 eV.
    EXPECT_GE(plan.other_bands.size(), static_cast<std::size_t>((3.0 - (lowest - 1.5)) / 0.01));
    EXPECT_LT(plan.other_bands.size(), 1000U);
  }
}

/// A pole with weight near the bands makes groups narrow; one far away does not.
TEST(MomentPlan, JudgesByWherePolesWeigh) {
  const std::vector<double> x = falling(-8.0, 0.002, 800);
  const auto widest = [&x](const std::vector<double>& poles) {
    double width = 0;
    const MomentPlan plan = sound_plan(Sketch(x, poles));
    for (const MomentGroup& group : plan.groups) width = std::max(width, group.half_width);
    return width;
  };
  EXPECT_LT(widest({0.5, 15.0}), widest({15.0, 40.0}));
  EXPECT_LT(widest({15.0, 40.0}), widest({300.0, 1e12}));
}

/// Only relative weights matter, and overflowing weights are not trusted.
TEST(MomentPlan, KnowsNoUnitOfWeight) {
  Sketch sketch(falling(-8.0, 0.01, 800));
  const auto groups_at = [&sketch](double weight) {
    for (double& one : sketch.problem.poles.weight) one = one == 0.0 ? 0.0 : weight;
    return sound_plan(sketch).groups.size();
  };
  const std::size_t groups = groups_at(1.0);
  EXPECT_GT(groups, 0U);
  EXPECT_EQ(groups_at(1e-9), groups);
  EXPECT_EQ(groups_at(1e9), groups);
  EXPECT_EQ(groups_at(std::numeric_limits<double>::infinity()), 0U);
}

// ---- The sum ------------------------------------------------------------------------------------

/// ach of the groups at one pair of G and G'.
template <int rank>
void add_groups(Sums& sums, const FactoredProblem& problem, int ig, int igp) {
  const MomentBand* bands = problem.moment_bands.data;
  Complex minus_P[max_frequencies] = {};
  for (int i = 0; i < problem.moment_groups.size; ++i) {
    const MomentGroup& group = problem.moment_groups(i);
    std::vector<double> t;
    std::vector<Complex> m;
    for (const MomentBand* band = bands; band < bands + group.bands; ++band) {
      if (band->n1 < 0) continue;
      t.push_back(band->t);
      m.push_back(conj(problem.aqsmtemp_local(igp, band->n1)) * problem.aqsntemp(ig, band->n1));
    }
    bands += group.bands;
    const auto series = series_of<rank>(t, m, group.half_width);
    for (int iw = 0; iw < problem.nfreq; ++iw)
      series.add_to(minus_P[iw], problem.wtilde_array(ig, igp).re, group.centre[iw]);
  }
  for (int iw = 0; iw < problem.nfreq; ++iw)
    sums.ach[iw] +=
        0.5 * problem.vcoul_loc(igp) *
        moments_sch(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp), minus_P[iw]);
}

/// Adds a band's ach at one pair, term by term.
void add_band(Sums& sums, const FactoredProblem& problem, int n1, int ig, int igp) {
  const Complex m = conj(problem.aqsmtemp_local(igp, n1)) * problem.aqsntemp(ig, n1);
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    const Term term = divide(problem.wtilde_array(ig, igp), problem.I_eps_array(ig, igp),
                             problem.wx_array(iw, n1), problem.limits);
    sums.ach[iw] += 0.5 * problem.vcoul_loc(igp) * (term.sch * m);
  }
}

Sums ach_by_moments(const FactoredProblem& problem) {
  std::vector<int> others(problem.other_empty_bands.data,
                          problem.other_empty_bands.data + problem.other_empty_bands.size);
  for (const auto& list : {problem.occupied_bands, problem.exceptional_bands})
    others.insert(others.end(), list.data, list.data + list.size);
  Sums sums{};
  for (int igp = 0; igp < problem.ngpown; ++igp) {
    for (int ig = 0; ig < problem.ncouls; ++ig) {
      if (problem.moment_rank == 4) add_groups<4>(sums, problem, ig, igp);
      if (problem.moment_rank == 5) add_groups<5>(sums, problem, ig, igp);
      if (problem.moment_rank == 6) add_groups<6>(sums, problem, ig, igp);
      for (const int n1 : others) add_band(sums, problem, n1, ig, igp);
    }
  }
  return sums;
}

/// One of many ranks, with its bands from `first` on.
Preset many_bands(int first, int bands, int frequencies) {
  Preset preset = *find_preset("small");
  preset.ncouls = 71;
  preset.ngpown = 69;
  preset.sig_ntband = 6397;  // like gpp214: all bands differ in energy
  preset.nvband = 428;
  preset.first_band = first;
  preset.ntband_dist = bands;
  preset.nstart = 4 - frequencies;
  preset.nend = 3;
  preset.offdiagonal = true;
  return preset;
}

void expect_right_sums(const Preset& preset) {
  SCOPED_TRACE(preset.first_band);
  const PreparedProblem prepared(generate(preset, 1, false));
  const FactoredProblem& problem = prepared.view();
  ASSERT_GT(problem.moment_groups.size, 0) << "nothing is tested";
  EXPECT_GT(problem.moment_groups(0).half_width, 0.0);
  const Reference reference = compute_reference(problem);
  Sums sums = ach_by_moments(problem);
  for (int iw = 0; iw < max_frequencies; ++iw) sums.asx[iw] = reference.sums.asx[iw];
  const Check verdict = check(sums, reference, problem.nfreq, 1e-12);
  EXPECT_TRUE(verdict.passed) << verdict.reason;
}

TEST(MomentSums, AreRightOverTheGroupsThatArePlanned) {
  expect_right_sums(many_bands(0, 700, 2));
  Preset dense = many_bands(80000, 333, 1);  // one frequency: only worthwhile if dense
  dense.sig_ntband *= 100;
  dense.nvband *= 100;
  expect_right_sums(dense);
  expect_right_sums(many_bands(2000, 301, 3));
  expect_right_sums(many_bands(4000, 496, 2));
}

}  // namespace
}  // namespace gpp::test
