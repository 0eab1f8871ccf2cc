// Tests of the small check inputs: they are valid and awkward, and each detects some fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "data/statistics.h"
#include "data/validate.h"
#include "gpp/forms/divide.h"
#include "gpp/forms/factored.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "gpp/study/inputs.h"
#include "gpp/study/shapes.h"
#include "harness/measure/counting.h"
#include "tests/gpp/subject.h"

namespace gpp::test {
namespace {

// ---- Each awkward input must be sound, and catch what it is there for.

/// A careless variant's wrong assumption.
struct Carelessness {
  /// The problem with changed loop ends, as this variant sees it.
  std::function<void(Problem&)> see = [](Problem&) {};
  /// A term and its weight for asx, as this variant computes them.
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

const std::map<std::string, Carelessness> carelessness = {
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
    {"what is above the cutoff is a number", COMPUTES({
       const double inverse = 1 / norm(w + wx);
       if (norm(w + wx) == 0) term.ssx = inverse * I_eps - inverse * I_eps;
     })},
    {"single precision", COMPUTES({ term.sch.re = static_cast<float>(term.sch.re); })},
};

/// The inputs that must detect each fault.
const std::map<std::string, std::vector<std::string>> caught_by = {
    {"more than one frequency", {"one_term", "first_frequency", "last_frequency"}},
    {"bands in pairs", {"one_band"}},
    {"some band is occupied", {"one_empty_band", "all_empty"}},
    {"own G in pairs", {"one_own_G"}},
    {"G in pairs", {"one_G"}},
    {"G in eights", {"ncouls_7", "ncouls_131"}},
    {"a rest after whole eights", {"ncouls_8"}},
    {"bands in fours", {"ncouls_70_bands_131"}},
    {"an own G without weight is the last", {"own_more_than_G", "outside"}},
    {"two frequencies", {"three_frequencies"}},
    {"some band is empty", {"all_occupied", "deep_all_occupied"}},
    {"occupations are 0 or 1",
     {"half_occupied", "all_half_occupied", "deep_half_occupied", "complex_half_occupied"}},
    {"the first empty band ends the occupied ones", {"mixed_bands", "mixed_bands_deep"}},
    {"energies differ", {"equal_energies"}},
    {"energies are small", {"far_bands"}},
    {"nothing is cut", {"deep", "complex_deep", "everything_real"}},
    {"wx is not 0", {"wx_zero", "complex_wx_zero"}},
    {"poles are real", {"complex", "everything_complex"}},
    {"Re wtilde is positive", {"imaginary"}},
    {"poles are no larger than a float holds well", {"invalid_poles"}},
    {"wtilde is not 0", {"zero_poles"}},
    {"tiny poles are 0", {"tiny_poles", "tiny_poles_deep"}},
    {"resonances have their limit", {"resonance"}},
    {"what is above the cutoff is a number", {"antiresonance"}},
    {"single precision", {"cancelling"}},
    {"sixteen bands have one energy", {"many_far_bands"}},
};

/// The fault that an input must detect.
std::string caught_with(const std::string& input) {
  for (const auto& [fault, inputs] : caught_by)
    if (std::find(inputs.begin(), inputs.end(), input) != inputs.end()) return fault;
  ADD_FAILURE() << "say what " << input << " catches";
  return "single precision";
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
    const std::string fault = caught_with(input.name);
    const PreparedProblem problem{input.make()};
    const Reference reference = compute_reference(problem.view());
    const auto verdict = [&](const Sums& sums) {
      return check(sums, reference, problem.view().nfreq, default_tolerance);
    };
    const Check right = verdict(careless_sums(problem.view(), {}));
    EXPECT_TRUE(right.passed) << right.reason;
    EXPECT_FALSE(verdict(careless_sums(problem.view(), carelessness.at(fault))).passed) << fault;
  }
}

TEST(Awkward, ManyFarBandsFormGroups) {
  int groups = 0;
  for (const AwkwardInput& input : awkward_inputs())
    if (input.name == "many_far_bands")
      groups = PreparedProblem{input.make()}.view().moment_groups.size;
  EXPECT_GT(groups, 1);
}

// ---- The problems of every case must hold them.

TEST(EveryCase, HasEveryKindOfBand) {
  for (const Input& input : every_case()) {
    const PreparedProblem problem{Input(input)};
    const FactoredProblem& view = problem.view();
    EXPECT_GT(view.empty_bands.size, 0);
    EXPECT_GT(view.occupied_bands.size, 0);
    EXPECT_GT(view.exceptional_bands.size, 0);
    const double* occ = view.occ_array.data;
    for (const double value : {0.0, 0.5, 1.0})
      EXPECT_GT(std::count(occ, occ + view.nbands, value), 0) << value;
    const double* wx = view.wx_array.data;
    EXPECT_GT(std::count(wx, wx + view.wx_array.count(), TOL_Zero), 0) << "wx = 0";
  }
}

TEST(EveryCase, HasEveryKindOfPole) {
  const std::vector<Input> both = every_case();
  const auto share = [](const Input& input, auto is_one) {
    const auto& poles = input.wtilde_array;
    return static_cast<double>(std::count_if(poles.begin(), poles.end(), is_one)) /
           static_cast<double>(poles.size());
  };
  for (const Input& input : both) {
    const Limits limits = make_limits(input.sig_gamma, input.sexcut);
    EXPECT_GT(share(input, [](Complex w) { return w == Complex{}; }), 0.0);
    EXPECT_GT(share(input, [](Complex w) { return w.re == 1e12; }), 0.0);
    EXPECT_GT(share(input, [&](Complex w) { return is_tiny(w, limits); }), 0.0);
    EXPECT_TRUE(PreparedProblem{Input(input)}.view().resonant_poles);
  }
  EXPECT_TRUE(PreparedProblem{Input(both[0])}.view().real_poles);
  EXPECT_GT(share(both[1], [](Complex w) { return w.im != 0.0 && w.re != 0.0; }), 0.1);
  EXPECT_GT(share(both[1], [](Complex w) { return w.im != 0.0 && w.re == 0.0; }), 0.0);
}

TEST(EveryCase, HasNoTies) {
  for (const Input& input : every_case())
    EXPECT_EQ(compute_reference(PreparedProblem{Input(input)}.view()).tied_terms, 0)
        << "rounding must not excuse anything";
}

// ---- A slice must be a sound problem, of the columns it says, in which a term is what it was.

Input seven_own_g() { return random_input({.name = "seven", .ngpown = 7}, 1); }

std::vector<double> reals(const std::vector<Complex>& values) {
  std::vector<double> flat;
  for (const Complex& value : values) flat.insert(flat.end(), {value.re, value.im});
  return flat;
}

/// The columns of an array in sequence.
std::vector<double> columns(const Input& input, const std::vector<Complex>& array,
                            const std::vector<int>& wanted) {
  std::vector<Complex> kept;
  for (const int column : wanted)
    for (int ig = 0; ig < input.ncouls; ++ig)
      kept.push_back(array[static_cast<std::size_t>(column * input.ncouls + ig)]);
  return reals(kept);
}

/// A slice differs from the input in its G', which are evenly spread, and has no sums of the whole
/// to be compared with.
TEST(Slice, HasEvenlySpreadOwnGAndAllElse) {
  Input input = seven_own_g();
  input.inv_igp_index = {5, 3, 1, 7, 6, 2, 4, 9};
  input.asxtempref[1] = input.achtempref[1] = input.asxtemp[1] = input.achtemp[1] = {1, 2};
  for (const std::vector<int>& own_g :
       {std::vector{0}, {0, 2, 4}, {0, 1, 2, 4, 5}, {0, 1, 2, 3, 4, 5, 6}}) {
    SCOPED_TRACE(own_g.size());
    const Input slice = slice_of(input, static_cast<int>(own_g.size()));
    Input due = input;
    due.ngpown = due.epsmpi_ngpown_max = static_cast<int>(own_g.size());
    due.inv_igp_index.clear();
    for (const int igp : own_g)
      due.inv_igp_index.push_back(input.inv_igp_index[static_cast<std::size_t>(igp)]);
    EXPECT_EQ(slice.terms() * 7, input.terms() * slice.ngpown);
    EXPECT_EQ(slice.inv_igp_index, due.inv_igp_index);
    EXPECT_EQ(reals(slice.wtilde_array), columns(input, input.wtilde_array, own_g));
    EXPECT_EQ(reals(slice.I_eps_array), columns(input, input.I_eps_array, own_g));
    due.wtilde_array = slice.wtilde_array;
    due.I_eps_array = slice.I_eps_array;
    due.asxtempref = due.achtempref = due.asxtemp = due.achtemp = {};
    EXPECT_EQ(sha256_of(slice), sha256_of(due));
  }
}

TEST(Slice, IsAConsistentInputForEveryShape) {
  for (const auto& [shape, meaning, hint] : odd_shapes()) {
    const Input input = random_input(shape, 1);
    for (const int ngpown : {1, (input.ngpown + 1) / 2, input.ngpown})
      EXPECT_NO_THROW(validate(slice_of(input, ngpown), shape.name)) << shape.name;
  }
}

TEST(Slice, OfAllOwnGHasTheInputsSums) {
  const PreparedProblem problem(seven_own_g());
  const PreparedProblem all(slice_of(problem.input(), 7));
  const PreparedProblem some(slice_of(problem.input(), 6));
  const Reference reference = compute_reference(problem.view());
  const int nfreq = problem.view().nfreq;
  const Check same = check(compute_reference(all.view()).sums, reference, nfreq, 1e-14);
  EXPECT_TRUE(same.passed) << same.reason;
  EXPECT_FALSE(check(compute_reference(some.view()).sums, reference, nfreq, 1e-10).passed);
}

TEST(OwnGOfSlice, StaysWithinTheTermsWantedAndTheInput) {
  const Input input = seven_own_g();
  const std::int64_t one = input.terms() / 7;
  EXPECT_EQ(own_g_of_slice(input, 0), 1) << "one at least";
  EXPECT_EQ(own_g_of_slice(input, one - 1), 1);
  EXPECT_EQ(own_g_of_slice(input, 2 * one - 1), 1);
  EXPECT_EQ(own_g_of_slice(input, 2 * one), 2);
  EXPECT_EQ(own_g_of_slice(input, 7 * one - 1), 6);
  EXPECT_EQ(own_g_of_slice(input, 7 * one), 7);
  EXPECT_EQ(own_g_of_slice(input, 1000 * one), 7) << "no more than there are";
}

TEST(OwnGOfSlice, TheBundledInputsAreCountedWhole) {
  for (const std::string& name : bundled_inputs())
    EXPECT_LE(read_gpp214(bundled_input(name)).terms(), CountingOptions{}.countable_terms) << name;
}

}  // namespace
}  // namespace gpp::test
