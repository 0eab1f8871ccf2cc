// Tests the reference against a plain loop in extended precision, from the input's records.

#include "gpp/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "extended.h"
#include "gpp/prepare.h"
#include "gpp/study/inputs.h"
#include "gpp/study/shapes.h"

namespace gpp::test {
namespace {

/// One real component of a sum, with its scale and allowed error.
struct Plain {
  Extended sum = 0;
  Extended magnitude = 0;
  Extended uncertainty =
      0;  ///< sum of |term| times its condition; times epsilon it is the allowed error

  void add(Extended term, Extended modulus) {
    sum += term;
    magnitude += std::abs(term);
    uncertainty += modulus;
  }
};

struct PlainSums {
  Plain asx_re, asx_im, ach_re, ach_im;
};

ExtendedComplex element(const std::vector<Complex>& array, int rows, int row, int column) {
  return extended(array[static_cast<std::size_t>(row) +
                        static_cast<std::size_t>(rows) * static_cast<std::size_t>(column)]);
}

Complex narrow(ExtendedComplex z) {
  return {static_cast<double>(z.real()), static_cast<double>(z.imag())};
}

double occupation(const Input& input, int band) {
  if (band > input.nvband) return 0;
  const double energy = input.wfnkq_ekq[static_cast<std::size_t>(band - 1)];
  return std::abs(energy - input.efermi) < input.tol ? 0.5 : 1;
}

/// Sums all terms of one frequency; iw counts from 1 as in the file.
PlainSums plain_sums(const Input& input, int iw) {
  const Limits limits = make_limits(input.sig_gamma, input.sexcut);
  PlainSums sums;
  for (int n1 = 0; n1 < input.peinf_ntband_dist; ++n1) {
    const int band = input.peinf_indext_dist[static_cast<std::size_t>(n1)];
    const double occ = occupation(input, band);
    double wx =
        input.e_lk + input.sig_dw * (iw - 2) - input.wfnkq_ekq[static_cast<std::size_t>(band - 1)];
    if (std::abs(wx) < TOL_Zero) wx = TOL_Zero;
    for (int igp = 0; igp < input.ngpown; ++igp) {
      const int own = input.inv_igp_index[static_cast<std::size_t>(igp)];
      const int g = input.indinv[static_cast<std::size_t>(own - 1)];
      if (g < 1 || g > input.ncouls) continue;
      const Extended vcoul = input.vcoul[static_cast<std::size_t>(g - 1)];
      for (int ig = 0; ig < input.ncouls; ++ig) {
        const Complex wtilde = narrow(element(input.wtilde_array, input.ncouls, ig, igp));
        if (wtilde == Complex{wx, 0.0}) continue;  // 0 / 0: comparisons are false, nothing is added
        const ExtendedTerm term = extended_term(
            wtilde, narrow(element(input.I_eps_array, input.ncouls, ig, igp)), wx, limits);
        const ExtendedComplex m = std::conj(element(input.aqsmtemp, input.ncouls, g - 1, n1)) *
                                  element(input.aqsntemp, input.ncouls, ig, n1);
        const ExtendedComplex asx = -vcoul * Extended(occ) * term.ssx * m;
        const ExtendedComplex ach = vcoul * Extended(0.5) * term.sch * m;
        // A cut term is exactly 0, whatever cancels in its quotient.
        const Extended uncertainty = term.cut ? 0 : std::abs(asx) * term.definition_condition;
        sums.asx_re.add(asx.real(), uncertainty);
        sums.asx_im.add(asx.imag(), uncertainty);
        sums.ach_re.add(ach.real(), std::abs(ach));
        sums.ach_im.add(ach.imag(), std::abs(ach));
      }
    }
  }
  return sums;
}

void expect_component(double sum, double magnitude, const Plain& plain) {
  constexpr Extended epsilon = 2.3e-16L;
  const auto error = static_cast<double>(std::abs(sum - plain.sum));
  EXPECT_LE(error, static_cast<double>(16 * epsilon * plain.uncertainty));
  EXPECT_NEAR(magnitude, static_cast<double>(plain.magnitude),
              static_cast<double>(1e-12L * plain.uncertainty));
}

/// The problem with a single one of its G'.
struct OneOwnG {
  std::vector<Complex> aqsm;
  Problem view;
};

OneOwnG only(const Problem& problem, int igp) {
  OneOwnG one{.aqsm = {}, .view = problem};
  for (int n1 = 0; n1 < problem.nbands; ++n1) one.aqsm.push_back(problem.aqsmtemp_local(igp, n1));
  one.view.ngpown = 1;
  one.view.wtilde_array = {&problem.wtilde_array(0, igp), problem.ncouls, 1};
  one.view.I_eps_array = {&problem.I_eps_array(0, igp), problem.ncouls, 1};
  one.view.aqsmtemp_local = {one.aqsm.data(), 1, problem.nbands};
  one.view.vcoul_loc = {&problem.vcoul_loc(igp), 1};
  return one;
}

/// Every awkward input, and some G' of each small preset.
std::vector<AwkwardInput> inputs() {
  std::vector<AwkwardInput> all = awkward_inputs();
  for (const Preset& preset : presets())
    if (preset.terms() < 10'000'000)
      all.push_back({"preset_" + preset.name, {}, [preset] {
                       const Input input = generate(preset, 3, false);
                       return slice_of(input, std::min(input.ngpown, 4));
                     }});
  return all;
}

class ReferenceOf : public testing::TestWithParam<AwkwardInput> {};

TEST_P(ReferenceOf, IsThePlainSum) {
  const PreparedProblem prepared(GetParam().make());
  const Input& input = prepared.input();
  const Reference reference = compute_reference(prepared.view());
  for (int iw = input.nstart; iw <= input.nend; ++iw) {
    SCOPED_TRACE("iw " + std::to_string(iw));
    const PlainSums plain = plain_sums(input, iw);
    const auto i = static_cast<std::size_t>(iw - input.nstart);
    const Sums& sums = reference.sums;
    const Sums& magnitude = reference.magnitude;
    expect_component(sums.asx[i].re, magnitude.asx[i].re, plain.asx_re);
    expect_component(sums.asx[i].im, magnitude.asx[i].im, plain.asx_im);
    expect_component(sums.ach[i].re, magnitude.ach[i].re, plain.ach_re);
    expect_component(sums.ach[i].im, magnitude.ach[i].im, plain.ach_im);
  }
  for (int i = input.nfreq(); i < max_frequencies; ++i) {
    EXPECT_EQ(reference.sums.asx[i], Complex{});
    EXPECT_EQ(reference.sums.ach[i], Complex{});
    EXPECT_EQ(reference.magnitude.asx[i], Complex{});
    EXPECT_EQ(reference.magnitude.ach[i], Complex{});
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, ReferenceOf, testing::ValuesIn(inputs()),
                         [](const auto& tested) { return tested.param.name; });

/// Neighbours near a pole must not affect a term's sum: alone, each G' gives the same bits as among
/// others.
TEST(Reference, OfAGAloneIsThatAmongOthers) {
  for (const AwkwardInput& awkward : inputs()) {
    SCOPED_TRACE(awkward.name);
    const PreparedProblem prepared(awkward.make());
    const Problem& all = prepared.view();
    const Reference reference = compute_reference(all);
    ASSERT_EQ(reference.of_own_g.size(), static_cast<std::size_t>(all.ngpown));
    const int igp = all.ngpown / 2;
    const Reference alone = compute_reference(only(all, igp).view);
    EXPECT_TRUE(alone.of_own_g.at(0) == reference.of_own_g[static_cast<std::size_t>(igp)]);
  }
}

TEST(Reference, IsExactWhereEverythingCancels) {
  // Two bands differ only in the sign of aqsn, so the sum is 0 however large its terms are.
  Input input = random_input({.name = "", .ncouls = 19, .nbands = 2, .occupied = 2}, 4);
  input.wfnkq_ekq[1] = input.wfnkq_ekq[0];
  input.e_lk = input.wfnkq_ekq[0] + 3.0;
  for (std::size_t ig = 0; ig < 19; ++ig) {
    input.aqsmtemp[19 + ig] = input.aqsmtemp[ig];
    input.aqsntemp[19 + ig] = -input.aqsntemp[ig];
  }
  const Reference reference = compute_reference(PreparedProblem(std::move(input)).view());
  EXPECT_EQ(reference.sums.ach[0], (Complex{0.0, 0.0}));
  EXPECT_EQ(reference.sums.asx[0], (Complex{0.0, 0.0}));
  EXPECT_GT(reference.magnitude.ach[0].re, 0.0);
}

TEST(Reference, KeepsSmallTermsBesideLargeOnes) {
  // wtilde = 1, wx = 3 and I_eps = 1 give sch exactly 1/2, so each band adds exactly m / 4. Between
  // two large ones that cancel, 50 bands with m = 1 would be lost without compensation.
  const int bands = 52;
  Input input = random_input(
      {.name = "", .ncouls = 1, .ngpown = 1, .nbands = bands, .map = ShapeMap::identity}, 6);
  input.wfnkq_ekq.assign(input.wfnkq_ekq.size(), 0.0);
  input.e_lk = 3.0;
  input.nend = input.nstart;
  input.vcoul[0] = 1.0;
  input.wtilde_array = {{1.0, 0.0}};
  input.I_eps_array = {{1.0, 0.0}};
  input.aqsmtemp.assign(input.aqsmtemp.size(), {1.0, 0.0});
  input.aqsntemp.assign(input.aqsntemp.size(), {1.0, 0.0});
  input.aqsntemp[0] = {0x1p80, 0.0};
  input.aqsntemp[bands - 1] = {-0x1p80, 0.0};
  const Reference reference = compute_reference(PreparedProblem(std::move(input)).view());
  EXPECT_EQ(reference.sums.ach[0], (Complex{12.5, 0.0}));
}

/// docs/trust.md says that the bundled inputs have no ties.
TEST(Reference, FindsNoTiesInTheBundledInputs) {
  for (const std::string& name : bundled_inputs())
    EXPECT_EQ(
        compute_reference(PreparedProblem(read_gpp214(bundled_input(name))).view()).tied_terms, 0)
        << name;
}

/// For terms within rounding of a limit, size and number are known.
TEST(Reference, KnowsWhatRoundingDecides) {
  Input input = random_input({.name = "ties", .occupied = 20, .state = ShapeState::deep}, 1);
  EXPECT_EQ(compute_reference(PreparedProblem(Input(input)).view()).tied_terms, 0);
  input.sexcut = 1.0;  // |ssx| of an invalid pole, 1e12, equals |I_eps| within rounding
  const PreparedProblem problem{Input(input)};
  const Problem& view = problem.view();
  const Reference reference = compute_reference(view);
  Sums ties{};
  long long count = 0;
  for (int n1 = 0; n1 < view.nbands; ++n1)
    for (int igp = 0; igp < view.ngpown; ++igp)
      for (int ig = 0; ig < view.ncouls; ++ig)
        for (int iw = 0; iw < view.nfreq; ++iw) {
          if (view.wtilde_array(ig, igp).re != 1e12 || !(view.wx_array(iw, n1) < 0)) continue;
          ++count;
          const Complex m = conj(view.aqsmtemp_local(igp, n1)) * view.aqsntemp(ig, n1);
          const Complex term =
              view.vcoul_loc(igp) * view.occ_array(n1) * view.I_eps_array(ig, igp) * m;
          ties.asx[iw] += Complex{std::abs(term.re), std::abs(term.im)};
        }
  EXPECT_GT(count, 0);
  EXPECT_EQ(reference.tied_terms, count);
  for (int iw = 0; iw < view.nfreq; ++iw) {
    EXPECT_GE(reference.ties.asx[iw].re, ties.asx[iw].re) << "all of it may be there or not";
    EXPECT_LE(reference.ties.asx[iw].re, 10 * ties.asx[iw].re);
    EXPECT_EQ(reference.ties.ach[iw], Complex{}) << "the cutoff is of ssx";
  }
}

TEST(Reference, IsTheSameBitForBitEveryTimeAndTellsItsProgress) {
  const PreparedProblem prepared(
      random_input({.name = "", .ncouls = 131, .ngpown = 400, .nbands = 100}, 5));
  const Reference first = compute_reference(prepared.view());
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(compute_reference(prepared.view()) == first);
  std::vector<double> told;
  EXPECT_TRUE(compute_reference(prepared.view(), [&](double p) { told.push_back(p); }) == first);
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_GE(told.front(), 0.0);
  EXPECT_LE(told.back(), 1.0);
}

}  // namespace
}  // namespace gpp::test
