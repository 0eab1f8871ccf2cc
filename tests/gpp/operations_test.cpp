// Tests of counted operations: by branches against term by term, against published counts; bytes.
#include "gpp/study/operations.h"
#include "gpp/study/kernel.h"
#include "harness/program/source_files.h"

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "gpp/forms/divide.h"
#include "gpp/forms/factored.h"
#include "gpp/forms/moments.h"
#include "gpp/forms/power2.h"
#include "gpp/forms/real_poles.h"
#include "gpp/forms/reciprocal.h"
#include "gpp/forms/sign_first.h"
#include "gpp/forms/simplified.h"
#include "gpp/forms/without_division.h"
#include "gpp/forms/without_division_or_root.h"
#include "gpp/forms/without_root.h"
#include "gpp/integers.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "gpp/study/shapes.h"
#include "tests/text.h"

namespace gpp {
namespace {

// The variants' loops as in their files, with a counting type.

template <class Truth>
using ComplexCounter = BasicComplex<CountedReal<Truth>>;

template <class Truth>
struct CountedSums {
  ComplexCounter<Truth> asx[max_frequencies]{}, ach[max_frequencies]{};

  Sums values() const {
    Sums sums{};
    for (int iw = 0; iw < max_frequencies; ++iw) {
      sums.asx[iw] = {asx[iw].re.value, asx[iw].im.value};
      sums.ach[iw] = {ach[iw].re.value, ach[iw].im.value};
    }
    return sums;
  }
};

template <class Truth>
ComplexCounter<Truth> at(const Array2<const Complex>& array, int row, int column) {
  return counting<Truth>(array(row, column));
}

template <class Body>
void for_each_pole(const Problem& p, const Body& body) {
  for (int igp = 0; igp < p.ngpown; ++igp)
    for (int ig = 0; ig < p.ncouls; ++ig) body(ig, igp);
}

template <class Truth>
ComplexCounter<Truth> m_at(const Problem& p, int ig, int igp, int n1) {
  return conj(at<Truth>(p.aqsmtemp_local, igp, n1)) * at<Truth>(p.aqsntemp, ig, n1);
}

using Number = CountedReal<bool>;
using TermOfAll = Term<Number> (*)(ComplexCounter<bool> wtilde, ComplexCounter<bool> I_eps,
                                   Number wx, const BasicLimits<Number>& limits);

/// A term that makes its own pole.
template <auto make, auto form>
Term<Number> with_own_pole(ComplexCounter<bool> wtilde, ComplexCounter<bool> I_eps, Number wx,
                           const BasicLimits<Number>& limits) {
  return form(make(wtilde, I_eps, limits), wx, limits);
}

/// The loops of v1 to v3, and with `again` of v4 and v5; with other forms those of ladders.
template <bool again, TermOfAll form = divide<Number>>
Sums divided(const Problem& p) {
  CountedSums<bool> sums;
  const auto limits = counting<bool>(p.limits);
  for_each_pole(p, [&](int ig, int igp) {
    const Number vcoul = p.vcoul_loc(igp);
    for (int n1 = 0; n1 < p.nbands; ++n1) {
      ComplexCounter<bool> m = m_at<bool>(p, ig, igp, n1);
      const Number occ = p.occ_array(n1);
      for (int iw = 0; iw < p.nfreq; ++iw) {
        if (again && iw > 0) m = m_at<bool>(p, ig, igp, n1);
        const auto term = form(at<bool>(p.wtilde_array, ig, igp), at<bool>(p.I_eps_array, ig, igp),
                               Number(p.wx_array(iw, n1)), limits);
        sums.asx[iw] -= vcoul * occ * term.ssx * m;
        sums.ach[iw] += vcoul * Number(0.5) * term.sch * m;
      }
    }
  });
  return sums.values();
}

/// The loops of v6 to v8; with weights_wait those of v9 and v10.
template <bool weights_wait = false, class Make, class Form>
Sums poled(const Problem& p, Make make, Form form) {
  CountedSums<bool> sums;
  const auto limits = counting<bool>(p.limits);
  for (int iw = 0; iw < p.nfreq; ++iw)
    for_each_pole(p, [&](int ig, int igp) {
      const auto pole =
          make(at<bool>(p.wtilde_array, ig, igp), at<bool>(p.I_eps_array, ig, igp), limits);
      const Number vcoul = p.vcoul_loc(igp);
      Term<Number> sum{};
      for (int n1 = 0; n1 < p.nbands; ++n1) {
        const auto m = m_at<bool>(p, ig, igp, n1);
        const Number occ = p.occ_array(n1);
        const auto term = form(pole, Number(p.wx_array(iw, n1)), limits);
        if (weights_wait) {
          sum.ssx += occ * term.ssx * m;
          sum.sch += term.sch * m;
        } else {
          sums.asx[iw] -= vcoul * occ * term.ssx * m;
          sums.ach[iw] += vcoul * Number(0.5) * term.sch * m;
        }
      }
      if (!weights_wait) return;
      sums.asx[iw] -= vcoul * sum.ssx;
      sums.ach[iw] += vcoul * Number(0.5) * sum.sch;
    });
  return sums.values();
}

Sums simplified_loop(const Problem& p) {
  return poled(p, make_pole<CountedReal<bool>>, simplified<CountedReal<bool>>);
}
Sums reciprocal_loop(const Problem& p) {
  return poled(p, make_pole<CountedReal<bool>>, reciprocal<CountedReal<bool>>);
}
Sums power2_loop(const Problem& p) {
  return poled(p, make_squared_pole<CountedReal<bool>>, power2<CountedReal<bool>>);
}
Sums sign_first_loop(const Problem& p) {
  return poled<true>(p, make_squared_pole<CountedReal<bool>>, sign_first<CountedReal<bool>>);
}

using Lane = CountedReal<BothSides>;

/// m, whose operations count only at the first frequency, because variants keep it for the others.
auto m_kept(const Problem& p, int ig, int igp, int n1, int iw) {
  const Operations before = CountedReal<BothSides>::tally();
  const auto m = m_at<BothSides>(p, ig, igp, n1);
  if (iw > 0) CountedReal<BothSides>::tally() = before;
  return m;
}

Term<Lane> term_by_term(const Problem& p, const Array1<const int>& bands, int ig, int igp, int iw) {
  Term<Lane> sum{};
  for (int i = 0; i < bands.size; ++i) {
    const auto m = m_kept(p, ig, igp, bands(i), iw);
    const auto term =
        factored(at<BothSides>(p.wtilde_array, ig, igp), at<BothSides>(p.I_eps_array, ig, igp),
                 Lane(p.wx_array(iw, bands(i))), counting<BothSides>(p.limits));
    sum.sch += term.sch * m;
    sum.ssx += Lane(p.occ_array(bands(i))) * term.ssx * m;
  }
  return sum;
}

/// The loops of v11 and v12, with m once per band.
template <class BandSums, class Make, class Sch, class Ssx>
Sums factored_loop(const FactoredProblem& p, Make make, Sch sch, Ssx ssx) {
  CountedSums<BothSides> sums;
  const auto limits = counting<BothSides>(p.limits);
  for (int iw = 0; iw < p.nfreq; ++iw)
    for_each_pole(p, [&](int ig, int igp) {
      const auto w = at<BothSides>(p.wtilde_array, ig, igp);
      const auto I_eps = at<BothSides>(p.I_eps_array, ig, igp);
      const auto pole = make(w, limits);
      Term<Lane> sum = term_by_term(p, p.exceptional_bands, ig, igp, iw);
      BandSums empty{}, occupied{};
      for (int i = 0; i < p.empty_bands.size; ++i) {
        const int n1 = p.empty_bands(i);
        add_resonant(empty, pole, m_kept(p, ig, igp, n1, iw), Lane(p.wx_array(iw, n1)));
      }
      sum.sch += sch(w, I_eps, empty);
      if (is_tiny(w, limits).value) {
        const auto& rest = term_by_term(p, p.occupied_bands, ig, igp, iw);
        sum.sch.re.value += rest.sch.re.value;  // uncounted, because it belongs to the schedule
        sum.sch.im.value += rest.sch.im.value;
        sum.ssx.re.value += rest.ssx.re.value;
        sum.ssx.im.value += rest.ssx.im.value;
      } else {
        for (int i = 0; i < p.occupied_bands.size; ++i) {
          const int n1 = p.occupied_bands(i);
          const auto m = m_kept(p, ig, igp, n1, iw);
          const Lane x = p.wx_array(iw, n1);
          add_resonant(occupied, pole, m, x);
          add_antiresonant(occupied, pole, m, x);
        }
        sum.sch += sch(w, I_eps, occupied);
        sum.ssx += ssx(w, I_eps, occupied);
      }
      sums.asx[iw] -= Lane(p.vcoul_loc(igp)) * sum.ssx;
      sums.ach[iw] += Lane(p.vcoul_loc(igp)) * Lane(0.5) * sum.sch;
    });
  return sums.values();
}

Sums factored_loop(const FactoredProblem& p) {
  return factored_loop<FactoredSums<Lane>>(p, make_factored_pole<Lane>, factored_sch<Lane>,
                                           factored_ssx<Lane>);
}
Sums real_poles_loop(const FactoredProblem& p) {
  if (!p.real_poles) return factored_loop(p);
  return factored_loop<RealPoleSums<Lane>>(p, make_real_pole<Lane>, real_pole_sch<Lane>,
                                           real_pole_ssx<Lane>);
}

/// A group's sum m / (wtilde - x) at one pair, with three real products per moment and band.
template <int rank>
void add_group(const FactoredProblem& p, const MomentGroup& group, const MomentBand* bands, int ig,
               int igp, BasicComplex<Lane> (&minus_P)[max_frequencies]) {
  Lane products[rank][product_parts] = {};
  for (int i = 0; i < group.bands; ++i) {
    if (bands[i].n1 < 0) continue;
    const Complex n = p.aqsntemp(ig, bands[i].n1);
    const Complex m = conj(p.aqsmtemp_local(igp, bands[i].n1));
    const double first[] = {n.re + n.im, n.re, n.im}, second[] = {m.re, m.im - m.re, m.re + m.im};
    for (int k = 0; k < rank; ++k)
      for (int part = 0; part < product_parts; ++part)
        products[k][part] += Lane(first[part]) * Lane(second[part] * std::pow(bands[i].t, k));
  }
  MomentSeries<Lane, rank> series;
  for (int k = 0; k < rank; ++k)
    series.M[k] = from_products(products[k][0], products[k][1], products[k][2]);
  series.economise(group.half_width);
  for (int iw = 0; iw < p.nfreq; ++iw)
    series.add_to(minus_P[iw], at<BothSides>(p.wtilde_array, ig, igp).re, group.centre[iw]);
}

Sums moments_loop(const FactoredProblem& p) {
  if (p.moment_rank == 0) return real_poles_loop(p);
  FactoredProblem others = p;
  others.empty_bands = p.other_empty_bands;
  Sums total = real_poles_loop(others);
  CountedSums<BothSides> sums;
  for_each_pole(p, [&](int ig, int igp) {
    BasicComplex<Lane> minus_P[max_frequencies] = {};
    const MomentBand* bands = p.moment_bands.data;
    for (int g = 0; g < p.moment_groups.size; ++g) {
      const MomentGroup& group = p.moment_groups(g);
      if (p.moment_rank == 4) add_group<4>(p, group, bands, ig, igp, minus_P);
      if (p.moment_rank == 5) add_group<5>(p, group, bands, ig, igp, minus_P);
      if (p.moment_rank == 6) add_group<6>(p, group, bands, ig, igp, minus_P);
      bands += group.bands;
    }
    for (int iw = 0; iw < p.nfreq; ++iw)
      sums.ach[iw] += Lane(0.5) * Lane(p.vcoul_loc(igp)) *
                      moments_sch(at<BothSides>(p.wtilde_array, ig, igp),
                                  at<BothSides>(p.I_eps_array, ig, igp), minus_P[iw]);
  });
  total += sums.values();
  return total;
}

/// A loop that needs only a Problem.
template <Sums (*loop)(const Problem&)>
Sums plain(const FactoredProblem& problem) {
  return loop(problem);
}

/// A loop, and the steps that have it.
struct Loop {
  Sums (*sums)(const FactoredProblem& problem);
  std::vector<const char*> steps;
};

template <auto make, auto form>
constexpr auto again_with = plain<divided<true, with_own_pole<make, form>>>;
template <auto make, auto form>
constexpr auto once_with = plain<divided<false, with_own_pole<make, form>>>;
constexpr auto pole = make_pole<Number>, squared_pole = make_squared_pole<Number>;

const Loop loops[] = {
    {plain<divided<false>>, {"collapse3", "collapse2", "block512"}},
    {plain<divided<true>>,
     {"iw_outside", "swap_indices", "arxiv_0_collapse3", "tutorial_2_iw_outside"}},
    {plain<simplified_loop>, {"simplify"}},
    {plain<reciprocal_loop>, {"reciprocal"}},
    {plain<power2_loop>, {"power2", "sc19_9_strided"}},
    {plain<sign_first_loop>, {"cache_blocking", "shared_memory"}},
    {factored_loop, {"factored"}},
    {real_poles_loop, {"real_poles"}},
    {moments_loop, {"moments", "integers"}},  // integers: for so few pairs of G and G'
    {plain<divided<true, without_division<Number>>>, {"arxiv_1_reciprocal"}},
    {again_with<pole, reciprocal<Number>>, {"arxiv_2_branches"}},
    {again_with<squared_pole, power2<Number>>, {"arxiv_4_collapse2", "arxiv_8_block32"}},
    {once_with<pole, simplified<Number>>, {"sc20_1_baseline"}},
    {once_with<squared_pole, without_root<Number>>, {"sc20_3_power2"}},
    {once_with<squared_pole, power2<Number>>, {"sc20_6_occupancy"}},
    {plain<divided<true, without_division_or_root<Number>>>, {"tutorial_4_block512"}},
};

/// The operations that the loop counted, term by term. Its sums must be right, otherwise it is not
/// the variants' loop.
Operations counted(const Loop& loop, const FactoredProblem& problem, const Reference& reference) {
  CountedReal<bool>::tally() = {};
  CountedReal<BothSides>::tally() = {};
  const Sums sums = loop.sums(problem);
  const Operations operations = CountedReal<bool>::tally() + CountedReal<BothSides>::tally();
  const Check verdict = check(sums, reference, problem.nfreq, default_tolerance);
  EXPECT_TRUE(verdict.passed) << loop.steps.front() << ": " << verdict.reason;
  return operations;
}

/// The arithmetic that the source of a step states.
Arithmetic arithmetic_of(const std::string& model, const std::string& step) {
  for (const Variant& variant : catalog()) {
    if (variant.step != step || variant.model != model) continue;
    std::string problem;
    const auto found = parse_arithmetic(variant.operations, problem);
    EXPECT_TRUE(found) << variant.source << ": " << problem;
    return found.value_or(Arithmetic{"divide", false});
  }
  ADD_FAILURE() << "no " << step << " in the model " << model;
  return {"divide", false};
}

/// Steps that hosts lack are counted as on a GPU.
std::string model_of(const std::string& step) {
  for (const Variant& variant : catalog())
    if (variant.step == step && variant.model == "omp" && !variant.source.ends_with(".md"))
      return "omp";
  return "cuda";
}

void expect_equal_counts(const PreparedProblem& problem) {
  const Reference reference = compute_reference(problem.view());
  StepCounter counter(problem.view());
  for (const Loop& loop : loops) {
    const Operations by_terms = counted(loop, problem.view(), reference);
    for (const char* step : loop.steps) {
      const Operations by_ways = counter.operations(arithmetic_of(model_of(step), step));
      EXPECT_EQ(by_ways.additions, by_terms.additions) << step;
      EXPECT_EQ(by_ways.multiplications, by_terms.multiplications) << step;
      EXPECT_EQ(by_ways.divisions, by_terms.divisions) << step;
      EXPECT_EQ(by_ways.square_roots, by_terms.square_roots) << step;
    }
  }
}

TEST(Analytic, CountsEveryTermOfOddProblems) {
  for (const auto& [shape, meaning, hint] : odd_shapes()) {
    SCOPED_TRACE(shape.name);
    expect_equal_counts(PreparedProblem(random_input(shape, 1)));
  }
}

TEST(Analytic, CountsEveryTermOfARealInput) {
  expect_equal_counts(
      PreparedProblem(std::make_shared<Input>(read_gpp214(bundled_input("gpp_si2_mpi3_r2_ipe3")))));
}

// Empty bands far below their poles, as in seven of eight ranks of a large calculation.
TEST(Analytic, CountsGroupsOfEmptyBands) {
  Preset preset = *find_preset("small");
  preset.g_ranks = 8;
  preset.ngpown = 18;  // number of its first rank
  preset.sig_ntband = 2500;
  preset.first_band = 2000;
  preset.ntband_dist = 300;
  for (const int frequencies : {1, 2, 3}) {
    preset.nstart = 1;
    preset.nend = frequencies;
    const PreparedProblem problem(generate(preset, 1, false));
    ASSERT_GT(problem.view().moment_rank, 0);
    expect_equal_counts(problem);
  }
}

/// A group in integers has only the series, except for the heavy G'.
TEST(Analytic, CountsGroupsInIntegers) {
  Preset preset = *find_preset("small");
  preset.sig_ntband = 2500;
  preset.first_band = 2000;
  preset.ntband_dist = 300;
  const PreparedProblem prepared(generate(preset, 1, false));
  FactoredProblem problem = prepared.view();
  problem.integer_groups = problem.moment_groups;
  problem.other_integer_bands = problem.other_empty_bands;
  const auto flop_of = [&](int groups) {
    problem.integer_groups.size = groups;
    return StepCounter(problem).operations(arithmetic_of("cuda", "integers")).flop();
  };
  const double series = (flop_of(3) - flop_of(2)) / (1.0 * problem.ncouls * problem.ngpown);
  EXPECT_GT(series, problem.nfreq * 30);
  EXPECT_LT(series, problem.nfreq * 70);
  // The moments of a band take 18 products and as many additions.
  const double light = 1.0 * problem.ncouls * (problem.ngpown - heavy_igp);
  const int grouped = problem.empty_bands.size - problem.other_empty_bands.size;
  const double moments = StepCounter(problem).operations(arithmetic_of("cuda", "moments")).flop();
  EXPECT_GT(moments - flop_of(problem.moment_groups.size), 0.5 * light * grouped * 18 * 2);
}

double per_term(const FactoredProblem& problem, const char* step, const char* model) {
  return StepCounter(problem).operations(arithmetic_of(model, step)).flop() /
         static_cast<double>(problem.terms());
}

// results/published/sc19-v100.csv over gpp214's 2.454e10 terms. A profiler counts all instructions
// of a division, root or absolute value (one, one and four here): 3 to 8 times more.
TEST(Analytic, LiesBelowThePublishedCountsByDivisionsAndRoots) {
  const PreparedProblem problem(std::make_shared<Input>(read_gpp214(bundled_input())));
  const std::pair<const char*, double> published[] = {{"collapse3", 151},
                                                      {"iw_outside", 143},
                                                      {"simplify", 134},
                                                      {"reciprocal", 85},
                                                      {"power2", 81}};
  for (const auto& [step, flop] : published) {
    SCOPED_TRACE(step);
    const double terms = static_cast<double>(problem.view().terms());
    const Operations counted = StepCounter(problem.view()).operations(arithmetic_of("omp", step));
    const double slow = (counted.divisions + counted.square_roots) / terms;
    EXPECT_LT(counted.flop() / terms + 2 * slow, flop);
    EXPECT_GT(counted.flop() / terms + 12 * slow, flop);
  }
}

// In FLOPs: m 6 for two frequencies; d 1, t 2, the reciprocal, d r 1, sums 8.
TEST(Analytic, FactoredStepsNeedFewOperations) {
  Shape shape;
  shape.occupied = 0;
  shape.ncouls = 64;
  shape.nbands = 1000;
  const PreparedProblem empty(random_input(shape, 1));
  EXPECT_NEAR(per_term(empty.view(), "factored", "cuda"), 3 + 13, 0.1);
  EXPECT_NEAR(per_term(empty.view(), "factored", "omp"), 3 + 13, 0.1);
  EXPECT_NEAR(per_term(empty.view(), "real_poles", "cuda"), 3 + 6, 0.1);
}

TEST(Analytic, WhatIsNotKnownIsNotCounted) {
  std::string problem;
  EXPECT_FALSE(parse_arithmetic("powr2; m once", problem));
  EXPECT_TRUE(test::contains(problem, "unknown "));
  EXPECT_FALSE(parse_arithmetic("power2", problem));
  EXPECT_TRUE(test::contains(problem, "'; m once'"));
  EXPECT_FALSE(parse_arithmetic("", problem));
  EXPECT_TRUE(parse_arithmetic("power2, pole at every term; m once", problem)->pole_at_every_term);
  EXPECT_FALSE(parse_arithmetic("divide, pole at every term; m once", problem));
  EXPECT_TRUE(test::contains(problem, "'divide' takes no pole"));
  EXPECT_TRUE(
      parse_arithmetic("power2, weights after the bands; m once", problem)->weights_after_bands);
  EXPECT_FALSE(parse_arithmetic("divide, weights after the bands; m once", problem));
  EXPECT_FALSE(parse_arithmetic("power2, pole at any term; m once", problem));
}

TEST(Analytic, EveryVariantSaysWhatItsOperationsAre) {
  for (const Variant& variant : catalog())
    if (variant.source.starts_with("variants/") && !variant.source.ends_with(".md"))
      arithmetic_of(variant.model, variant.step);
}

TEST(Analytic, LoadedBytesAreThoseOfTheLoops) {
  const PreparedProblem prepared(random_input({}, 1));
  const FactoredProblem& problem = prepared.view();
  const StepCounter counter(problem);
  const double poles = 1.0 * problem.nfreq * problem.ncouls * problem.ngpown;
  const double terms = poles * problem.nbands;
  EXPECT_EQ(counter.loaded_bytes({"power2", true}), terms * (32 + 8 + 8) + poles * (32 + 8));
  EXPECT_EQ(counter.loaded_bytes({"divide", true}), terms * (32 + 8 + 16) + poles * 32);
  EXPECT_EQ(counter.loaded_bytes({"divide", false}),
            terms / problem.nfreq * (32 + 16) + terms * (8 + 32));
  EXPECT_EQ(counter.loaded_bytes({"factored", false}),
            terms / problem.nfreq * 32 + terms * 8 + poles * (32 + 8));
}

TEST(Analytic, OnlyStepsThatWriteDivisionsDivide) {
  const PreparedProblem prepared(random_input({}, 1));
  StepCounter counter(prepared.view());
  EXPECT_GT(counter.divisions({"simplified", true}), counter.divisions({"reciprocal", true}));
  EXPECT_EQ(counter.divisions({"factored", false}), 0);
}

TEST(Analytic, CompulsoryBytesAreEveryArrayOnce) {
  Shape shape;
  shape.ncouls = 9;
  shape.ngpown = 3;
  shape.nbands = 5;
  const PreparedProblem problem(random_input(shape, 1));
  ASSERT_EQ(problem.view().nfreq, 2);
  // Arrays: wtilde, I_eps 27 complex each; aqsn 45; aqsm 15; sums 4; wx 10 reals, vcoul 3, occ 5.
  EXPECT_EQ(StepCounter(problem.view()).compulsory_bytes(),
            16 * (27 + 27 + 45 + 15 + 4) + 8 * (10 + 3 + 5));
}

}  // namespace
}  // namespace gpp
