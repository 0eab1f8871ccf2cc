// Tests that generated inputs resemble real ones: statistics of `medium` against those of the
// silicon input, and statistics of gpp214 against published ones.
//
// Tolerances are a few standard deviations of the random numbers. `medium` draws 80 601 pairs (G,
// G') and 77 184 matrix elements. A share p of n draws has the deviation sqrt(p (1-p) / n), a
// quantile in the body of a distribution about 1%.
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <tuple>
#include <utility>
#include <vector>

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "data/statistics.h"
#include "gpp/prepare.h"
#include "tests/generate/one_core.h"

namespace gpp {
namespace {

double share(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

const PreparedProblem& real() {
  static const PreparedProblem problem(read_gpp214(bundled_input("gpp_si8_medium")));
  return problem;
}

const PreparedProblem& medium() {
  static const PreparedProblem problem(generate(*find_preset("medium"), default_seed, false));
  return problem;
}

const Statistics& real_statistics() {
  static const Statistics result = statistics(real().view());
  return result;
}

const Statistics& medium_statistics() {
  static const Statistics result = statistics(medium().view());
  return result;
}

// |q+G|^2 in Ry of each G vector of an 8-atom cell, from v = 8 pi / (V 8 |q+G|^2).
std::vector<double> lengths2(const Input& input) {
  const double volume = 10.2612 * 10.2612 * 10.2612;
  std::vector<double> lengths2;
  for (int ig = 0; ig < input.ncouls; ++ig)
    lengths2.push_back(M_PI / (volume * input.vcoul[static_cast<std::size_t>(ig)]));
  return lengths2;
}

std::size_t place(const Input& input, int ig, int column) {
  return static_cast<std::size_t>(ig) +
         static_cast<std::size_t>(input.ncouls) * static_cast<std::size_t>(column);
}

TEST(Likeness, TheMeasureAgreesWithTheRecordedFiguresOfTheRealInput) {
  const Statistics& s = real_statistics();
  EXPECT_NEAR(share(s.wtilde.invalid, s.wtilde.poles), 0.361, 5e-4);
  EXPECT_NEAR(share(s.all.branch2, s.all.terms), 0.00042, 5e-6);
  EXPECT_NEAR(share(s.all.cut, s.all.terms), 0.068, 5e-4);
  EXPECT_EQ(s.occupied_bands.cut, 0);
  EXPECT_NEAR(share(s.occupied_bands.groups_branch2, s.occupied_bands.groups), 0.13, 5e-3);
  EXPECT_NEAR(s.wtilde.valid.median, 33.2, 0.05);
  EXPECT_NEAR(s.wtilde.valid.min, 1.79, 0.005);
}

TEST(Likeness, KindsOfPoles) {
  const PoleStatistics& ours = medium_statistics().wtilde;
  const PoleStatistics& theirs = real_statistics().wtilde;
  ASSERT_EQ(ours.poles, theirs.poles);
  // The deviation is 0.17%.
  EXPECT_NEAR(share(ours.invalid, ours.poles), share(theirs.invalid, theirs.poles), 0.006);
  // There are 16 pairs on average, with a deviation of a quarter.
  EXPECT_NEAR(share(ours.zero, ours.poles), share(theirs.zero, theirs.poles), 1e-4);
  EXPECT_GT(ours.zero, 0);
  EXPECT_EQ(ours.complex, 0);
  const auto no_response = std::ranges::count(medium().input().I_eps_array, Complex{0.0, 0.0});
  EXPECT_LT(no_response, ours.zero);  // I_eps is rarely 0 together with wtilde
}

TEST(Likeness, EnergiesOfPoles) {
  const Quantiles& ours = medium_statistics().wtilde.valid;
  const Quantiles& theirs = real_statistics().wtilde.valid;
  EXPECT_NEAR(ours.min, theirs.min, 0.5);
  EXPECT_NEAR(ours.quarter / theirs.quarter, 1.0, 0.03);
  EXPECT_NEAR(ours.median / theirs.median, 1.0, 0.03);
  EXPECT_NEAR(ours.three_quarters / theirs.three_quarters, 1.0, 0.03);
  EXPECT_NEAR(ours.percent99 / theirs.percent99, 1.0, 0.08);
  EXPECT_GT(ours.max, 1000.0);
  EXPECT_LE(ours.max, 1580.0);
}

// log10 of the nonzero off-diagonal |I_eps|, and the shares of their phases by octant.
struct OffDiagonal {
  std::vector<double> log10;
  std::array<double, 8> octants{};
};

OffDiagonal off_diagonal(const Input& input) {
  OffDiagonal result;
  for (int igp = 0; igp < input.ngpown; ++igp) {
    const int own = input.inv_igp_index[static_cast<std::size_t>(igp)];
    const int g = input.indinv[static_cast<std::size_t>(own - 1)] - 1;
    for (int ig = 0; ig < input.ncouls; ++ig) {
      const Complex I_eps = input.I_eps_array[place(input, ig, igp)];
      if (ig == g || abs(I_eps) == 0.0) continue;
      result.log10.push_back(std::log10(abs(I_eps)));
      const double turn = std::atan2(I_eps.im, I_eps.re) / (2.0 * M_PI) + 0.5;
      result.octants[std::min<std::size_t>(7, static_cast<std::size_t>(8.0 * turn))] += 1.0;
    }
  }
  std::sort(result.log10.begin(), result.log10.end());
  for (double& octant : result.octants) octant /= static_cast<double>(result.log10.size());
  return result;
}

double quantile(const std::vector<double>& sorted, double u) {
  return std::pow(
      10.0,
      sorted[static_cast<std::size_t>(std::lround(u * static_cast<double>(sorted.size() - 1)))]);
}

TEST(Likeness, OffDiagonalScreening) {
  const OffDiagonal ours = off_diagonal(medium().input());
  EXPECT_NEAR(quantile(ours.log10, 1.0), 0.18, 0.01);
  const OffDiagonal theirs = off_diagonal(real().input());
  for (const double u : {0.05, 0.25, 0.5, 0.75, 0.95})
    EXPECT_NEAR(quantile(ours.log10, u) / quantile(theirs.log10, u), 1.0, 0.1) << u;
  for (const double octant : ours.octants) EXPECT_NEAR(octant, 0.125, 0.005);
}

TEST(Likeness, DiagonalAndCoulombInteraction) {
  const Input& ours = medium().input();
  const Input& theirs = real().input();
  // Both lists of G are sorted by length and contain the same shells, so G of equal rank are
  // similar. The real cell's atoms are displaced, so its shells are 2% wide.
  for (int ig = 0; ig < ours.ncouls; ++ig) {
    const auto diagonal = [ig](const Input& input, const std::vector<Complex>& array) {
      for (int igp = 0; igp < input.ngpown; ++igp) {
        const int own = input.inv_igp_index[static_cast<std::size_t>(igp)];
        if (input.indinv[static_cast<std::size_t>(own - 1)] == ig + 1)
          return array[place(input, ig, igp)].re;
      }
      return 0.0;
    };
    const double I_eps = diagonal(ours, ours.I_eps_array);
    EXPECT_NEAR(I_eps / diagonal(theirs, theirs.I_eps_array), 1.0, 0.08) << ig;
    EXPECT_NEAR(diagonal(ours, ours.wtilde_array) / diagonal(theirs, theirs.wtilde_array), 1.0,
                0.04)
        << ig;
  }
  for (std::size_t ig = 0; ig < 402; ++ig)
    EXPECT_NEAR(ours.vcoul[ig] / theirs.vcoul[ig], 1.0, 0.06) << ig;
}

// The root mean square of |aqsn| over the bands first..last-1 in each 1-Ry shell.
std::array<double, 8> by_shell(const Input& input, int first, int last) {
  const std::vector<double> length2 = lengths2(input);
  std::array<double, 8> sum{};
  std::array<double, 8> count{};
  for (int ig = 0; ig < input.ncouls; ++ig) {
    const auto shell = static_cast<std::size_t>(length2[static_cast<std::size_t>(ig)]);
    for (int n1 = first; n1 < last; ++n1) {
      sum[shell] += norm(input.aqsntemp[place(input, ig, n1)]);
      count[shell] += 1.0;
    }
  }
  for (std::size_t shell = 0; shell < 8; ++shell) sum[shell] = std::sqrt(sum[shell] / count[shell]);
  return sum;
}

TEST(Likeness, MatrixElements) {
  // A shell of a class has 300 to 3000 elements with a fourth moment of about 7 times the square of
  // the second, so the deviation is 2 to 7%; interpolation between shells adds a little.
  for (const auto& [first, last] : {std::pair{0, 16}, {16, 50}, {50, 100}, {100, 192}}) {
    const auto ours = by_shell(medium().input(), first, last);
    const auto theirs = by_shell(real().input(), first, last);
    for (std::size_t shell = 0; shell < 8; ++shell)
      EXPECT_NEAR(ours[shell] / theirs[shell], 1.0, 0.25)
          << "bands from " << first << ", shell " << shell;
  }
}

// The sum of |aqsn|^2 over occupied bands, averaged over the G of the first 1-Ry shell.
double sum_rule(Preset preset) {
  preset.ngpown = 1;
  const Input input = generate(preset, default_seed, false);
  const double volume = preset.lattice * preset.lattice * preset.lattice;
  double sum = 0;
  int vectors = 0;
  for (int ig = 0; ig < input.ncouls; ++ig) {
    if (M_PI / (volume * input.vcoul[static_cast<std::size_t>(ig)]) > 1.0) continue;
    ++vectors;
    for (int n1 = 0; n1 < input.nvband; ++n1) sum += norm(input.aqsntemp[place(input, ig, n1)]);
  }
  return sum / vectors;
}

TEST(Likeness, MatrixElementsObeyOneSumRuleInCellsOfAnySize) {
  // `small` has 320 elements: deviation 15%.
  const double rule = sum_rule(*find_preset("small"));
  EXPECT_NEAR(rule, 16 * 0.160 * 0.160, 0.2 * rule);
  EXPECT_NEAR(sum_rule(*find_preset("gpp214")), rule, 0.2 * rule);
}

TEST(Likeness, Energies) {
  const Statistics& ours = medium_statistics();
  const Statistics& theirs = real_statistics();
  EXPECT_EQ(ours.empty.bands, theirs.empty.bands);
  EXPECT_EQ(ours.occupied.bands, theirs.occupied.bands);
  EXPECT_EQ(ours.empty.negative, theirs.empty.negative);  // these are 91.7% of all wx
  EXPECT_EQ(ours.occupied.negative, 0);
  EXPECT_NEAR(ours.empty.wx_min, theirs.empty.wx_min, 0.5);
  EXPECT_NEAR(ours.occupied.wx_max, theirs.occupied.wx_max, 0.5);
  EXPECT_NEAR(ours.occupied.wx_min, theirs.occupied.wx_min, 0.2);
  EXPECT_NEAR(ours.empty.wx_max, theirs.empty.wx_max, 0.2);
}

TEST(Likeness, BranchesAndWarpsInThem) {
  const Statistics& ours = medium_statistics();
  const Statistics& theirs = real_statistics();
  ASSERT_EQ(ours.all.terms, theirs.all.terms);
  // 800 pairs have poles within 1 eV of an energy: deviation 3.5%, over the bands half of it.
  EXPECT_NEAR(share(ours.all.branch2, theirs.all.branch2), 1.0, 0.1);
  EXPECT_NEAR(share(ours.occupied_bands.branch2, theirs.occupied_bands.branch2), 1.0, 0.1);
  EXPECT_NEAR(share(ours.all.cut, theirs.all.cut), 1.0, 0.04);
  EXPECT_EQ(ours.occupied_bands.cut, 0);
  // The recorded share is 5e-5 %, from the few poles at 0 near the band edge.
  EXPECT_GT(ours.all.neither, 0);
  EXPECT_LT(share(ours.all.neither, ours.all.terms), 2e-6);
  EXPECT_EQ(ours.occupied_bands.groups_both, ours.occupied_bands.groups_branch2);
  EXPECT_NEAR(share(ours.all.groups_branch2, theirs.all.groups_branch2), 1.0, 0.08);
}

// The paper's input with every 59th of its G' and a quarter of its bands.
TEST(Likeness, PublishedSharesOfGpp214) {
  Preset thin = *find_preset("gpp214");
  thin.ngpown = 24;
  thin.g_ranks = 8 * 59;
  thin.sig_ntband /= 4;
  thin.ntband_dist /= 4;
  thin.nvband /= 4;
  const PreparedProblem problem(generate(thin, default_seed, false));
  const Statistics s = statistics(problem.view());
  ASSERT_EQ(s.sampled_columns, 24);
  EXPECT_EQ(s.occupied.bands, 107);
  EXPECT_EQ(s.occupied.negative, 0);
  EXPECT_EQ(s.empty.negative, 2 * 93);
  // With 170 000 poles, a share of 1.7% near an energy is known to 2%, over the bands to 1%.
  EXPECT_NEAR(share(s.all.groups_branch2, s.all.groups), 0.224, 0.005);
  EXPECT_NEAR(share(s.occupied_bands.groups_branch2, s.occupied_bands.groups), 0.42, 0.01);
  EXPECT_GT(share(s.all.groups_both, s.all.groups_branch2), 0.99999);
  EXPECT_EQ(s.occupied_bands.cut, 0);
  EXPECT_NEAR(share(s.wtilde.invalid, s.wtilde.poles), 0.361, 0.005);
}

// ---- Statistics against a plain loop over the definition ----------------------------------------

auto numbers(const BranchMix& mix) {
  return std::array{mix.terms, mix.branch1, mix.branch2,        mix.neither,
                    mix.cut,   mix.groups,  mix.groups_branch2, mix.groups_both};
}

// One term's branch by the definition (1, 2, 0 for neither), and whether it is cut.
std::pair<int, bool> definition(Complex wtilde, Complex I, double wx, const Limits& limits) {
  using C = std::complex<double>;
  const C w{wtilde.re, wtilde.im};
  const C I_eps{I.re, I.im};
  const C wdiff = wx - w;
  const C delw = w / wdiff;
  int branch = 0;
  C ssx = 0.0;
  if (std::norm(wdiff) > limits.limittwo && std::norm(delw) < limits.limitone) {
    branch = 1;
    ssx = w * w * I_eps / (wx * wx - w * w);
  } else if (std::norm(delw) > TOL_Zero) {
    branch = 2;
    ssx = -(w * w * I_eps) * delw / (4.0 * w * w * (delw + 0.5));
  }
  return {branch, std::abs(ssx) > limits.sexcut * std::abs(I_eps) && wx < 0.0};
}

void count(BranchMix& mix, const Problem& problem, int igp, double wx) {
  for (int first = 0; first < problem.ncouls; first += 32) {
    std::int64_t in[3] = {};
    for (int ig = first; ig < std::min(first + 32, problem.ncouls); ++ig) {
      const auto [branch, cut] = definition(problem.wtilde_array(ig, igp),
                                            problem.I_eps_array(ig, igp), wx, problem.limits);
      ++in[branch];
      mix.cut += cut;
    }
    mix.terms += in[0] + in[1] + in[2];
    mix.neither += in[0];
    mix.branch1 += in[1];
    mix.branch2 += in[2];
    ++mix.groups;
    mix.groups_branch2 += in[2] > 0;
    mix.groups_both += in[1] > 0 && in[2] > 0;
  }
}

// A metal with real, imaginary, complex, invalid and zero poles; some I_eps are 0.
Input everything() {
  Preset preset = *find_preset("metal");
  preset.ncouls = preset.ngpown = 75;
  preset.e_lk = -3.0;
  preset.nstart = 1;
  Input input = generate(preset, 11, false);
  for (std::size_t i = 0; i < input.wtilde_array.size(); ++i) {
    Complex& w = input.wtilde_array[i];
    if (i % 5 == 0 && w.re != 1e12) w = {0.1 * w.re, 0.05 * w.re};
    if (i % 17 == 0) w = {0.0, 0.0};
    if (i % 3 == 0) input.I_eps_array[i] = {0.0, 0.0};
  }
  return input;
}

TEST(Statistics, AgreeWithThePlainLoop) {
  const PreparedProblem prepared(everything());
  const Problem& problem = prepared.view();
  BranchMix all, occupied;
  std::vector<double> wx_empty, wx_occupied;
  int half = 0;
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    half += problem.occ_array(n1) == 0.5;
    for (int iw = 0; iw < problem.nfreq; ++iw) {
      const double wx = problem.wx_array(iw, n1);
      (problem.occ_array(n1) > 0.0 ? wx_occupied : wx_empty).push_back(wx);
      for (int igp = 0; igp < problem.ngpown; ++igp) {
        count(all, problem, igp, wx);
        if (problem.occ_array(n1) > 0.0) count(occupied, problem, igp, wx);
      }
    }
  }
  ASSERT_GT(std::min({occupied.cut, occupied.neither, occupied.groups_branch2}), 0);
  ASSERT_GT(half, 0);

  const Statistics s = statistics(problem);
  EXPECT_EQ(numbers(s.all), numbers(all));
  EXPECT_EQ(numbers(s.occupied_bands), numbers(occupied));
  EXPECT_EQ(s.half_occupied, half);
  EXPECT_EQ(s.sampled_columns, s.columns);
  for (const auto& [bands, wx] : {std::pair(&s.empty, &wx_empty), {&s.occupied, &wx_occupied}}) {
    EXPECT_EQ(static_cast<std::size_t>(bands->bands * problem.nfreq), wx->size());
    EXPECT_EQ(std::pair(bands->wx_min, bands->wx_max),
              std::pair(std::ranges::min(*wx), std::ranges::max(*wx)));
    EXPECT_EQ(bands->negative, std::ranges::count_if(*wx, [](double one) { return one < 0; }));
  }

  std::vector<double> valid;
  std::int64_t invalid = 0, zero = 0, complex = 0;
  for (const Complex w : prepared.input().wtilde_array) {
    invalid += w == Complex{1e12, 0.0};
    zero += w == Complex{};
    complex += w.im != 0.0;
    if (w.re != 1e12 && w != Complex{} && w.im == 0.0) valid.push_back(w.re);
  }
  std::ranges::sort(valid);
  const PoleStatistics& w = s.wtilde;
  EXPECT_EQ(std::tuple(w.invalid, w.zero, w.complex), std::tuple(invalid, zero, complex));
  EXPECT_EQ(std::tuple(w.valid.min, w.valid.max), std::tuple(valid.front(), valid.back()));
  EXPECT_EQ(
      w.valid.median,
      valid[static_cast<std::size_t>(std::llround(0.5 * static_cast<double>(valid.size() - 1)))]);

  const OneCore one_core;
  EXPECT_EQ(numbers(statistics(problem).all), numbers(all));
}

TEST(Statistics, SampleColumnsWhereThereAreTooManyTerms) {
  const PreparedProblem prepared(generate(*find_preset("small"), 1, false));
  const Problem& problem = prepared.view();
  const Statistics whole = statistics(problem);
  EXPECT_EQ(whole.columns, 137);
  EXPECT_EQ(whole.sampled_columns, 137);

  const Statistics part = statistics(problem, problem.terms() / 4);
  EXPECT_EQ(part.columns, 137);
  EXPECT_EQ(part.sampled_columns, 28);  // every 5th: every 4th would be 35, more than a quarter
  EXPECT_EQ(part.all.terms, whole.all.terms / 137 * 28);
  EXPECT_EQ(part.wtilde.poles, 137 * 28);
  const auto branch2 = [](const BranchMix& mix) {
    return static_cast<double>(mix.branch2) / static_cast<double>(mix.terms);
  };
  EXPECT_NEAR(branch2(part.all) / branch2(whole.all), 1.0, 0.25);
  EXPECT_EQ(statistics(problem, 1).sampled_columns, 1);
}

}  // namespace
}  // namespace gpp
