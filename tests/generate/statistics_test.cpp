// Tests statistics() with hand-made counts, and against a plain loop over the definition.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <tuple>
#include <utility>
#include <vector>

#include "data/generate.h"
#include "data/statistics.h"
#include "gpp/prepare.h"
#include "tests/generate/one_core.h"

namespace gpp {
namespace {

struct Lane {
  Complex wtilde;
  Complex I_eps;
};

// An input with one G', these lanes, and bands at these wx, the first `occupied` occupied.
Input by_hand(const std::vector<Lane>& lanes, const std::vector<double>& wx, int occupied) {
  Input input;
  const auto ncouls = static_cast<std::int32_t>(lanes.size());
  const auto nbands = static_cast<std::int32_t>(wx.size());
  input.sig_ntband = input.peinf_ntband_max = input.peinf_ntband_dist = nbands;
  input.gvec_ng = input.ncoul = input.ncouls = ncouls;
  input.ngpown = input.epsmpi_ngpown_max = 1;
  input.nstart = input.nend = 2;
  input.sig_gamma = 0.5;
  input.sexcut = 4.0;
  input.nvband = occupied;
  input.efermi = 1000.0;
  for (std::size_t n1 = 0; n1 < wx.size(); ++n1) {
    input.peinf_indext_dist.push_back(static_cast<std::int32_t>(n1 + 1));
    input.wfnkq_ekq.push_back(-wx[n1]);
  }
  input.inv_igp_index = {1};
  input.indinv.assign(lanes.size(), 1);
  input.vcoul.assign(lanes.size(), 1.0);
  input.aqsmtemp.assign(lanes.size() * wx.size(), {1.0, 0.0});
  input.aqsntemp = input.aqsmtemp;
  for (const Lane& lane : lanes) {
    input.wtilde_array.push_back(lane.wtilde);
    input.I_eps_array.push_back(lane.I_eps);
  }
  return input;
}

constexpr Lane plain = {{50.0, 0.0}, {0.1, 0.0}};

auto numbers(const BranchMix& mix) {
  return std::array{mix.terms, mix.branch1, mix.branch2,        mix.neither,
                    mix.cut,   mix.groups,  mix.groups_branch2, mix.groups_both};
}

TEST(Statistics, PolesAndScreeningByHand) {
  const PreparedProblem problem(by_hand({{{1e12, 0.0}, {0.1, 0.0}},
                                         {{1e12, 1.0}, {0.0, 0.01}},
                                         {{0.0, 0.0}, {0.0, 0.0}},
                                         {{0.0, 7.0}, {-0.001, 0.0}},
                                         {{5.0, 0.0}, {0.06, -0.08}},
                                         {{3.0, 0.0}, {0.1, 0.0}},
                                         {{4.0, 0.0}, {0.1, 0.0}}},
                                        {2.0}, 0));
  const Statistics s = statistics(problem.view());
  const auto& w = s.wtilde;
  EXPECT_EQ(std::tuple(w.poles, w.invalid, w.zero, w.complex), std::tuple(7, 1, 1, 2));
  EXPECT_EQ(std::tuple(w.valid.min, w.valid.median, w.valid.max), std::tuple(3.0, 4.0, 5.0));
  EXPECT_EQ(s.occupied_bands.terms, 0);
}

TEST(Statistics, EnergiesByHand) {
  const PreparedProblem problem(by_hand({plain}, {3.0, -1.0, 0.5, -2.0, -7.0}, 3));
  const Statistics s = statistics(problem.view());
  const auto facts = [](const auto& of) {
    return std::tuple(of.bands, of.wx_min, of.wx_max, of.negative);
  };
  EXPECT_EQ(facts(s.occupied), std::tuple(3, -1.0, 3.0, 1));
  EXPECT_EQ(facts(s.empty), std::tuple(2, -7.0, -2.0, 2));
  EXPECT_EQ(s.half_occupied, 0);
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
  int half = 0;
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    half += problem.occ_array(n1) == 0.5;
    for (int iw = 0; iw < problem.nfreq; ++iw)
      for (int igp = 0; igp < problem.ngpown; ++igp) {
        count(all, problem, igp, problem.wx_array(iw, n1));
        if (problem.occ_array(n1) > 0.0) count(occupied, problem, igp, problem.wx_array(iw, n1));
      }
  }
  ASSERT_GT(occupied.cut, 0);
  ASSERT_GT(occupied.neither, 0);
  ASSERT_GT(occupied.groups_branch2, 0);
  ASSERT_GT(half, 0);

  const Statistics s = statistics(problem);
  EXPECT_EQ(numbers(s.all), numbers(all));
  EXPECT_EQ(numbers(s.occupied_bands), numbers(occupied));
  EXPECT_EQ(s.half_occupied, half);
  EXPECT_EQ(s.sampled_columns, s.columns);

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
