// Tests of counted operations: as they are kept, and against published counts; bytes.
#include "gpp/study/operations.h"
#include "gpp/study/kernel.h"
#include "harness/program/source_files.h"

#include <fmt/format.h>

#include <set>

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "gpp/integers.h"
#include "gpp/prepare.h"
#include "gpp/study/shapes.h"
#include "tests/text.h"

namespace gpp {
namespace {

/// The arithmetic that the source of a step states.
Arithmetic arithmetic_of(const std::string& model, const std::string& step) {
  for (const Variant& variant : catalog()) {
    if (variant.step != step || variant.model != model) continue;
    const auto found = parse_arithmetic(variant.operations);
    EXPECT_TRUE(found) << variant.source;
    return found.value_or(Arithmetic{"divide", false});
  }
  ADD_FAILURE() << "no " << step << " in the model " << model;
  return {"divide", false};
}

/// The counts of every kind of step by its line, for one problem.
std::string counts_of(const FactoredProblem& problem) {
  std::set<std::string> lines;
  for (const Variant& variant : catalog())
    if (!variant.operations.empty()) lines.insert(variant.operations);
  std::string text;
  StepCounter counter(problem);
  for (const std::string& line : lines) {
    const Operations of = counter.operations(*parse_arithmetic(line));
    text += fmt::format("{} + {} * {} / {} root {}\n", line, of.additions, of.multiplications,
                        of.divisions, of.square_roots);
  }
  return text;
}

/// Every branch, class of bands and kind of pole. The kept numbers were those of loops that ran
/// over every term with counting numbers.
TEST(Analytic, CountsAreThoseOfEveryTerm) {
  std::string text;
  for (const Shape& shape : odd_shapes())
    if (std::set<std::string>{"complex_deep", "tiny_poles_deep", "half_occupied", "wx_zero"}
            .contains(shape.name))
      text += shape.name + "\n" + counts_of(PreparedProblem(random_input(shape, 1)).view());
  Preset preset = *find_preset("small");  // bands far below their poles
  preset.g_ranks = 8;
  preset.ngpown = 18;
  preset.sig_ntband = 2500;
  preset.first_band = 2000;
  preset.ntband_dist = 300;
  text += "groups\n" + counts_of(PreparedProblem(generate(preset, 1, false)).view());
  test::expect_kept("gpp/operations.txt", text);
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
  EXPECT_TRUE(parse_arithmetic("power2, pole at every term; m once")->pole_at_every_term);
  EXPECT_TRUE(parse_arithmetic("power2, weights after the bands; m once")->weights_after_bands);
  for (const char* line :
       {"", "powr2; m once", "power2", "divide, pole at every term; m once",
        "factored, weights after the bands; m once", "power2, pole at any term; m once"})
    EXPECT_FALSE(parse_arithmetic(line)) << line;
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
