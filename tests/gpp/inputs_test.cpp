// Tests of the small check inputs: they are valid and awkward, and each detects some fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

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
#include "harness/measure/study.h"
#include "tests/gpp/subject.h"
#include "tests/harness/fake_runtime.h"

namespace gpp::test {
namespace {

// ---- Each awkward input must be sound, and catch what it is there for.

/// A careless variant's wrong assumption, and the inputs that must detect it.
struct Careless {
  const char* assumes;
  Fault fault;
  std::vector<std::string> caught_by;
};

constexpr double no_limit = std::numeric_limits<double>::infinity();

int first_without_weight(const Problem& p) {
  const double* const first = p.vcoul_loc.data;
  return static_cast<int>(std::find(first, first + p.ngpown, 0.0) - first);
}
int first_empty_band(const Problem& p) {
  const double* const first = p.occ_array.data;
  return static_cast<int>(std::find(first, first + p.nbands, 0.0) - first);
}

const Careless careless[] = {
    {"bands in pairs", {.see = [](Problem& p) { p.nbands -= p.nbands % 2; }}, {"one_band"}},
    {"bands in fours",
     {.see = [](Problem& p) { p.nbands -= p.nbands % 4; }},
     {"ncouls_70_bands_131"}},
    {"own G in pairs", {.see = [](Problem& p) { p.ngpown -= p.ngpown % 2; }}, {"one_own_G"}},
    {"G in pairs", {.see = [](Problem& p) { p.ncouls -= p.ncouls % 2; }}, {"one_G"}},
    {"G in eights",
     {.see = [](Problem& p) { p.ncouls -= p.ncouls % 8; }},
     {"ncouls_7", "ncouls_131"}},
    {"a rest after whole eights",
     {.see = [](Problem& p) { p.ncouls = 8 * ((p.ncouls - 1) / 8) + p.ncouls % 8; }},
     {"ncouls_8"}},
    {"two frequencies",
     {.see = [](Problem& p) { p.nfreq = std::min(p.nfreq, 2); }},
     {"three_frequencies"}},
    {"more than one frequency",
     {.see = [](Problem& p) { p.nfreq -= p.nfreq == 1 ? 1 : 0; }},
     {"one_term", "first_frequency", "last_frequency"}},
    {"an own G without weight is the last",
     {.see = [](Problem& p) { p.ngpown = first_without_weight(p); }},
     {"own_more_than_G", "outside"}},
    {"some band is occupied",
     {.compute = [](LoopStep& s) { s.occ += s.n1 == 0 && s.occ == 0; }},
     {"one_empty_band", "all_empty"}},
    {"some band is empty",
     {.compute = [](LoopStep& s) { s.occ *= s.n1 < s.p.nbands - 1; }},
     {"all_occupied", "deep_all_occupied"}},
    {"the first empty band ends the occupied ones",
     {.compute = [](LoopStep& s) { s.occ *= s.n1 < first_empty_band(s.p); }},
     {"mixed_bands", "mixed_bands_deep"}},
    {"occupations are 0 or 1",
     {.compute = [](LoopStep& s) { s.occ = s.occ > 0 ? 1 : 0; }},
     {"half_occupied", "all_half_occupied", "deep_half_occupied", "complex_half_occupied"}},
    {"energies differ",
     {.compute = [](LoopStep& s) { s.drop_if(s.n1 > 0 && s.wx == s.p.wx_array(s.iw, s.n1 - 1)); }},
     {"equal_energies"}},
    {"sixteen bands have one energy",
     {.compute = [](LoopStep& s) { s.take(s.w, s.p.wx_array(s.iw, s.n1 - s.n1 % 16)); }},
     {"many_far_bands"}},
    {"energies are small",
     {.compute = [](LoopStep& s) { s.drop_if(std::abs(s.wx) > 1e5); }},
     {"far_bands"}},
    {"nothing is cut",
     {.see = [](Problem& p) { p.limits.sexcut = no_limit; }},
     {"deep", "complex_deep", "everything_real"}},
    {"wx is not 0",
     {.compute = [](LoopStep& s) { s.drop_if(std::abs(s.wx) <= TOL_Zero); }},
     {"wx_zero", "complex_wx_zero"}},
    {"poles are real",
     {.compute =
          [](LoopStep& s) {
            s.take({s.w.re, 0}, s.wx);
          }},
     {"complex", "everything_complex"}},
    {"Re wtilde is positive",
     {.compute = [](LoopStep& s) { s.drop_if(s.w.re <= 0); }},
     {"imaginary"}},
    {"poles are no larger than a float holds well",
     {.compute =
          [](LoopStep& s) {
            s.take({std::min(s.w.re, 1e6), s.w.im}, s.wx);
          }},
     {"invalid_poles"}},
    {"wtilde is not 0",
     {.compute =
          [](LoopStep& s) { s.term.sch = s.w == Complex{} ? s.I_eps * no_limit : s.term.sch; }},
     {"zero_poles"}},
    {"tiny poles are 0",
     {.compute = [](LoopStep& s) { s.drop_if(norm(s.w) < 1e-10); }},
     {"tiny_poles", "tiny_poles_deep"}},
    {"resonances have their limit",
     {.compute =
          [](LoopStep& s) {
            s.term.ssx = s.w == Complex{s.wx, 0} ? -0.25 * s.I_eps : s.term.ssx;
          }},
     {"resonance"}},
    {"what is above the cutoff is a number",
     {.compute =
          [](LoopStep& s) {
            s.term.ssx = norm(s.w + s.wx) == 0 ? s.I_eps * no_limit : s.term.ssx;
          }},
     {"antiresonance"}},
    {"single precision",
     {.compute = [](LoopStep& s) { s.term.sch.re = static_cast<float>(s.term.sch.re); }},
     {"cancelling"}},
};

TEST(Awkward, IsConsistentAndHasAMeaning) {
  std::set<std::string> names;
  for (const AwkwardInput& input : awkward_inputs()) {
    EXPECT_NO_THROW(validate(input.make(), input.name));
    EXPECT_TRUE(names.insert(input.name).second) << input.name;
    EXPECT_FALSE(input.meaning.empty()) << input.name;
    EXPECT_LT(input.make().terms(), 500'000) << input.name;
  }
}

TEST(Awkward, EachInputCatchesWhatItIsThereFor) {
  for (const AwkwardInput& input : awkward_inputs()) {
    SCOPED_TRACE(input.name);
    const auto one = std::ranges::find_if(careless, [&input](const Careless& of) {
      return std::ranges::find(of.caught_by, input.name) != of.caught_by.end();
    });
    ASSERT_NE(one, std::end(careless)) << "say what it catches";
    const PreparedProblem problem{input.make()};
    const Reference reference = compute_reference(problem.view());
    const auto verdict = [&](const Sums& sums) {
      return check(sums, reference, problem.view().nfreq, default_tolerance);
    };
    const Check right = verdict(right_sums(problem.view()));
    EXPECT_TRUE(right.passed) << right.reason;
    EXPECT_FALSE(verdict(sums_with(one->fault, problem.view())).passed) << one->assumes;
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

/// A slice differs from the input in its G', which are evenly spread, and has no sums of the whole
/// to be compared with.
TEST(Slice, HasEvenlySpreadOwnGAndAllElse) {
  Input input = seven_own_g();
  input.inv_igp_index = {5, 3, 1, 7, 6, 2, 4, 9};
  input.asxtempref[1] = input.achtempref[1] = input.asxtemp[1] = input.achtemp[1] = {1, 2};
  for (const std::vector<int>& own_g :
       {std::vector{0}, {0, 2, 4}, {0, 1, 2, 4, 5}, {0, 1, 2, 3, 4, 5, 6}}) {
    Input due = input;
    due.ngpown = due.epsmpi_ngpown_max = static_cast<int>(own_g.size());
    due.inv_igp_index = {};
    due.wtilde_array = due.I_eps_array = {};
    for (const int igp : own_g) {
      due.inv_igp_index.push_back(input.inv_igp_index[static_cast<std::size_t>(igp)]);
      for (const auto array : {&Input::wtilde_array, &Input::I_eps_array}) {
        const auto column = (input.*array).begin() + igp * input.ncouls;
        (due.*array).insert((due.*array).end(), column, column + input.ncouls);
      }
    }
    due.asxtempref = due.achtempref = due.asxtemp = due.achtemp = {};
    const Input slice = slice_of(input, due.ngpown);
    EXPECT_EQ(sha256_of(slice), sha256_of(due)) << own_g.size();
    EXPECT_NO_THROW(validate(slice, "slice"));
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

/// One at least, and no more than there are.
TEST(OwnGOfSlice, StaysWithinTheTermsWantedAndTheInput) {
  const Input input = seven_own_g();
  const std::int64_t one = input.terms() / 7;
  for (const auto& [terms, own_g] : {std::pair<std::int64_t, int>(0, 1),
                                     {one - 1, 1},
                                     {2 * one - 1, 1},
                                     {2 * one, 2},
                                     {7 * one - 1, 6},
                                     {1000 * one, 7}})
    EXPECT_EQ(own_g_of_slice(input, terms), own_g) << terms;
}

TEST(OwnGOfSlice, TheBundledInputsAreCountedWhole) {
  for (const std::string& name : bundled_inputs())
    EXPECT_LE(read_gpp214(bundled_input(name)).terms(), CountingOptions{}.countable_terms) << name;
}

}  // namespace
}  // namespace gpp::test
