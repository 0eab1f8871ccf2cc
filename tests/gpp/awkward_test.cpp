// Each awkward input must be sound, and catch what it is there for.
#include "gpp/study/awkward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "data/validate.h"
#include "gpp/forms/divide.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "tests/harness/faulty.h"

namespace gpp {
namespace {

/// The assumption of a careless variant.
struct Carelessness {
  /// The problem as it sees it, with the loops' ends changed.
  std::function<void(Problem&)> see = [](Problem&) {};
  /// A term and its weight for asx, as it computes them.
  std::function<void(const Problem&, int n1, double wx, Complex w, Complex I_eps, Term<double>&,
                     double& occ)>
      compute = [](const Problem&, int, double, Complex, Complex, Term<double>&, double&) {};
};

Sums careless_sums(Problem p, const Carelessness& careless) {
  careless.see(p);
  Sums sums{};
  for (int n1 = 0; n1 < p.nbands; ++n1)
    for (int igp = 0; igp < p.ngpown; ++igp)
      for (int ig = 0; ig < p.ncouls; ++ig)
        for (int iw = 0; iw < p.nfreq; ++iw) {
          const Complex w = p.wtilde_array(ig, igp);
          const Complex I_eps = p.I_eps_array(ig, igp);
          const double wx = p.wx_array(iw, n1);
          Term<double> term = divide(w, I_eps, wx, p.limits);
          double occ = p.occ_array(n1);
          careless.compute(p, n1, wx, w, I_eps, term, occ);
          const Complex m = conj(p.aqsmtemp_local(igp, n1)) * p.aqsntemp(ig, n1);
          sums.asx[iw] -= p.vcoul_loc(igp) * occ * term.ssx * m;
          sums.ach[iw] += p.vcoul_loc(igp) * 0.5 * term.sch * m;
        }
  return sums;
}

#define COMPUTES(body)                                                                             \
  Carelessness {                                                                                   \
    .compute =                                                                                     \
        []([[maybe_unused]] const Problem& p, [[maybe_unused]] int n1, [[maybe_unused]] double wx, \
           [[maybe_unused]] Complex w, [[maybe_unused]] Complex I_eps,                             \
           [[maybe_unused]] Term<double>& term, [[maybe_unused]] double& occ) body                 \
  }

const std::map<std::string, Carelessness>& carelessness() {
  static const std::map<std::string, Carelessness> all = {
      {"bands in pairs", {.see = [](Problem& p) { p.nbands -= p.nbands % 2; }}},
      {"bands in fours", {.see = [](Problem& p) { p.nbands -= p.nbands % 4; }}},
      {"own G in pairs", {.see = [](Problem& p) { p.ngpown -= p.ngpown % 2; }}},
      {"G in pairs", {.see = [](Problem& p) { p.ncouls -= p.ncouls % 2; }}},
      {"G in eights", {.see = [](Problem& p) { p.ncouls -= p.ncouls % 8; }}},
      {"a rest after whole eights",
       {.see = [](Problem& p) { p.ncouls = 8 * ((p.ncouls - 1) / 8) + p.ncouls % 8; }}},
      {"two frequencies", {.see = [](Problem& p) { p.nfreq = std::min(p.nfreq, 2); }}},
      {"more than one frequency", {.see = [](Problem& p) { p.nfreq -= p.nfreq == 1 ? 1 : 0; }}},
      {"an own G without weight is the last",
       {.see =
            [](Problem& p) {
              for (int igp = 0; igp < p.ngpown; ++igp)
                if (p.vcoul_loc(igp) == 0) p.ngpown = igp;
            }}},
      {"some band is occupied", COMPUTES({
         if (n1 == 0 && occ == 0) occ = 1;
       })},
      {"some band is empty", COMPUTES({
         if (n1 == p.nbands - 1) occ = 0;
       })},
      {"the first empty band ends the occupied ones", COMPUTES({
         for (int before = 0; before < n1; ++before)
           if (p.occ_array(before) == 0) occ = 0;
       })},
      {"occupations are 0 or 1", COMPUTES({ occ = occ > 0 ? 1 : 0; })},
      {"energies differ", COMPUTES({
         if (n1 > 0 && p.wx_array(0, n1) == p.wx_array(0, n1 - 1)) term = {};
       })},
      {"sixteen bands have one energy", COMPUTES({
         const double shared = p.wx_array(0, n1 - n1 % 16) - p.wx_array(0, n1);
         term = divide(w, I_eps, wx + shared, p.limits);
       })},
      {"energies are small", COMPUTES({
         if (std::abs(wx) > 1e5) term = {};
       })},
      {"nothing is cut", COMPUTES({
         Limits none = p.limits;
         none.sexcut = std::numeric_limits<double>::infinity();
         term = divide(w, I_eps, wx, none);
       })},
      {"wx is not 0", COMPUTES({
         if (std::abs(wx) <= TOL_Zero) term = {};
       })},
      {"poles are real", COMPUTES({
         term = divide({w.re, 0}, I_eps, wx, p.limits);
       })},
      {"Re wtilde is positive", COMPUTES({
         if (w.re <= 0) term = {};
       })},
      {"poles are no larger than a float holds well", COMPUTES({
         if (w.re > 1e6) term = divide({1e6, w.im}, I_eps, wx, p.limits);
       })},
      {"wtilde is not 0", COMPUTES({
         if (w == Complex{}) term.sch = I_eps * (1.0 / norm(w));
       })},
      {"tiny poles are 0", COMPUTES({
         if (norm(w) < 1e-10) term = {};
       })},
      {"resonances have their limit", COMPUTES({
         if (norm(wx - w) == 0) term.ssx = -0.25 * I_eps;
       })},
      {"single precision", COMPUTES({ term.sch.re = static_cast<float>(term.sch.re); })},
  };
  return all;
}

/// The fault that each input is there to catch.
const std::map<std::string, std::string>& catches() {
  static const std::map<std::string, std::string> all = {
      {"one_term", "more than one frequency"},
      {"one_band", "bands in pairs"},
      {"one_empty_band", "some band is occupied"},
      {"one_own_G", "own G in pairs"},
      {"one_G", "G in pairs"},
      {"ncouls_7", "G in eights"},
      {"ncouls_8", "a rest after whole eights"},
      {"ncouls_70_bands_131", "bands in fours"},
      {"ncouls_131", "G in eights"},
      {"own_more_than_G", "an own G without weight is the last"},
      {"outside", "an own G without weight is the last"},
      {"first_frequency", "more than one frequency"},
      {"three_frequencies", "two frequencies"},
      {"last_frequency", "more than one frequency"},
      {"all_empty", "some band is occupied"},
      {"all_occupied", "some band is empty"},
      {"half_occupied", "occupations are 0 or 1"},
      {"all_half_occupied", "occupations are 0 or 1"},
      {"mixed_bands", "the first empty band ends the occupied ones"},
      {"mixed_bands_deep", "the first empty band ends the occupied ones"},
      {"equal_energies", "energies differ"},
      {"far_bands", "energies are small"},
      {"deep", "nothing is cut"},
      {"deep_half_occupied", "occupations are 0 or 1"},
      {"deep_all_occupied", "some band is empty"},
      {"wx_zero", "wx is not 0"},
      {"complex", "poles are real"},
      {"complex_deep", "nothing is cut"},
      {"complex_half_occupied", "occupations are 0 or 1"},
      {"complex_wx_zero", "wx is not 0"},
      {"imaginary", "Re wtilde is positive"},
      {"invalid_poles", "poles are no larger than a float holds well"},
      {"zero_poles", "wtilde is not 0"},
      {"tiny_poles", "tiny poles are 0"},
      {"tiny_poles_deep", "tiny poles are 0"},
      {"resonance", "resonances have their limit"},
      {"cancelling", "single precision"},
      {"many_far_bands", "sixteen bands have one energy"},
      {"everything_real", "nothing is cut"},
      {"everything_complex", "poles are real"},
  };
  return all;
}

TEST(Awkward, IsConsistentAndHasAMeaning) {
  std::set<std::string> names;
  for (const AwkwardInput& input : awkward_inputs()) {
    EXPECT_NO_THROW(validate(input.make(), input.name));
    EXPECT_TRUE(names.insert(input.name).second) << input.name;
    EXPECT_FALSE(input.meaning.empty()) << input.name;
    EXPECT_FALSE(input.hint.empty()) << input.name;
    EXPECT_LT(input.make().terms(), 500'000) << input.name;
  }
}

TEST(Awkward, EachInputCatchesWhatItIsThereFor) {
  for (const AwkwardInput& input : awkward_inputs()) {
    SCOPED_TRACE(input.name);
    ASSERT_TRUE(catches().contains(input.name)) << "say what it catches";
    const PreparedProblem problem{input.make()};
    const Reference reference = compute_reference(problem.view());
    const auto verdict = [&](const Sums& sums) {
      return check(sums, reference, problem.view().nfreq, default_tolerance);
    };
    const Check right = verdict(careless_sums(problem.view(), {}));
    EXPECT_TRUE(right.passed) << right.reason;
    const Carelessness& careless = carelessness().at(catches().at(input.name));
    EXPECT_FALSE(verdict(careless_sums(problem.view(), careless)).passed)
        << catches().at(input.name);
  }
}

TEST(Awkward, ManyFarBandsFormGroups) {
  int groups = 0;
  for (const AwkwardInput& input : awkward_inputs())
    if (input.name == "many_far_bands")
      groups = PreparedProblem{input.make()}.view().moment_groups.size;
  EXPECT_GT(groups, 1);
}

}  // namespace
}  // namespace gpp
