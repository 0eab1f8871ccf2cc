// Tests that generated inputs resemble real ones: statistics of `medium` against those of the
// silicon input, and statistics of gpp214 against published ones.
//
// Tolerances are a few standard deviations of the random numbers. `medium` draws 80 601 pairs (G,
// G') and 77 184 matrix elements. A share p of n draws has the deviation sqrt(p (1-p) / n), a
// quantile in the body of a distribution about 1%.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "data/statistics.h"
#include "gpp/prepare.h"
#include "tests/generate/one_core.h"
#include "tests/text.h"

namespace gpp::test {
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

struct Figure {
  const char* name;
  double (*of)(const Statistics& s);
  double real;       // as recorded of the real input; 0: not recorded
  double tolerance;  // of `medium` from the real input
};

// 800 pairs have poles within 1 eV of an energy: deviation of branch 2 3.5%, over the bands half of
// it. There are 16 pairs at 0 on average, with a deviation of a quarter.
const Figure figures[] = {
    {"invalid poles", [](auto& s) { return share(s.wtilde.invalid, s.wtilde.poles); }, 0.361, 6e-3},
    {"poles at 0", [](auto& s) { return share(s.wtilde.zero, s.wtilde.poles); }, 0, 1e-4},
    {"complex poles", [](auto& s) { return share(s.wtilde.complex, 1); }, 0, 0},
    {"lowest pole", [](auto& s) { return s.wtilde.valid.min; }, 1.79, 0.5},
    {"first quarter", [](auto& s) { return std::log(s.wtilde.valid.quarter); }, 0, 0.03},
    {"median", [](auto& s) { return std::log(s.wtilde.valid.median); }, std::log(33.2), 0.03},
    {"third quarter", [](auto& s) { return std::log(s.wtilde.valid.three_quarters); }, 0, 0.03},
    {"99%", [](auto& s) { return std::log(s.wtilde.valid.percent99); }, 0, 0.08},
    {"terms", [](auto& s) { return share(s.all.terms, 1); }, 0, 0},
    {"branch 2", [](auto& s) { return share(s.all.branch2, s.all.terms); }, 4.2e-4, 4.2e-5},
    {"branch 2 of occupied bands",
     [](auto& s) { return std::log(share(s.occupied_bands.branch2, s.occupied_bands.terms)); }, 0,
     0.1},
    {"cut", [](auto& s) { return share(s.all.cut, s.all.terms); }, 0.068, 0.0027},
    {"cut in occupied bands", [](auto& s) { return share(s.occupied_bands.cut, 1); }, 0, 0},
    {"in neither branch", [](auto& s) { return share(s.all.neither, s.all.terms); }, 0, 2e-6},
    {"warps", [](auto& s) { return std::log(share(s.all.groups_branch2, s.all.groups)); }, 0, 0.08},
    {"warps of occupied bands",
     [](auto& s) { return share(s.occupied_bands.groups_branch2, s.occupied_bands.groups); }, 0.13,
     0.02},
    {"empty bands", [](auto& s) { return 1.0 * s.empty.bands; }, 0, 0},
    {"occupied bands", [](auto& s) { return 1.0 * s.occupied.bands; }, 0, 0},
    {"wx < 0 of empty bands", [](auto& s) { return 1.0 * s.empty.negative; }, 0, 0},
    {"wx < 0 of occupied bands", [](auto& s) { return 1.0 * s.occupied.negative; }, 0, 0},
    {"lowest wx", [](auto& s) { return s.empty.wx_min; }, 0, 0.5},
    {"highest wx", [](auto& s) { return s.occupied.wx_max; }, 0, 0.5},
    {"lowest wx of occupied bands", [](auto& s) { return s.occupied.wx_min; }, 0, 0.2},
    {"highest wx of empty bands", [](auto& s) { return s.empty.wx_max; }, 0, 0.2}};

TEST(Likeness, FiguresAreThoseOfTheRealInput) {
  const Statistics ours = statistics(medium().view()), theirs = statistics(real().view());
  for (const auto& [name, of, recorded, tolerance] : figures) {
    EXPECT_NEAR(of(ours), of(theirs), tolerance) << name;
    if (recorded == 0) continue;
    EXPECT_NEAR(of(theirs), recorded, 0.04 * recorded) << name;
  }
  EXPECT_GT(std::min(ours.wtilde.zero, ours.all.neither), 0);
  EXPECT_GT(ours.wtilde.valid.max, 1000.0);
  EXPECT_LE(ours.wtilde.valid.max, 1580.0);
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

// ---- Statistics of terms of every kind
// -----------------------------------------------------------

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

std::string text_of(const BranchMix& mix) {
  return fmt::format("{} = {} + {} + {} terms, {} cut; {} warps, {} with branch 2, {} with both\n",
                     mix.terms, mix.branch1, mix.branch2, mix.neither, mix.cut, mix.groups,
                     mix.groups_branch2, mix.groups_both);
}

std::string text_of(const BandClass& bands) {
  return fmt::format("{} bands, wx {} to {}, {} negative\n", bands.bands, bands.wx_min,
                     bands.wx_max, bands.negative);
}

/// The kept numbers were those of a plain loop over the definition.
TEST(Statistics, AreThoseOfAPlainLoopAlsoOnOneCore) {
  const PreparedProblem prepared(everything());
  const Statistics s = statistics(prepared.view());
  const PoleStatistics& w = s.wtilde;
  expect_kept(
      "generate/statistics.txt",
      text_of(s.all) + text_of(s.occupied_bands) + text_of(s.empty) + text_of(s.occupied) +
          fmt::format("{} half occupied, {} of {} columns\n{} poles: {} invalid, {} zero, {} "
                      "complex, valid {} to {}, median {}\n",
                      s.half_occupied, s.sampled_columns, s.columns, w.poles, w.invalid, w.zero,
                      w.complex, w.valid.min, w.valid.max, w.valid.median));
  const OneCore one_core;
  EXPECT_EQ(text_of(statistics(prepared.view()).all), text_of(s.all));
}

TEST(Statistics, SampleColumnsWhereThereAreTooManyTerms) {
  const PreparedProblem prepared(generate(*find_preset("small"), 1, false));
  const Problem& problem = prepared.view();
  const Statistics whole = statistics(problem), part = statistics(problem, problem.terms() / 4);
  EXPECT_EQ(std::pair(whole.columns, whole.sampled_columns), std::pair(137, 137));
  // Every 5th: every 4th would be 35, more than a quarter.
  EXPECT_EQ(std::pair(part.columns, part.sampled_columns), std::pair(137, 28));
  EXPECT_EQ(part.all.terms, whole.all.terms / 137 * 28);
  EXPECT_EQ(part.wtilde.poles, 137 * 28);
  EXPECT_NEAR(share(part.all.branch2, part.all.terms) / share(whole.all.branch2, whole.all.terms),
              1.0, 0.25);
  EXPECT_EQ(statistics(problem, 1).sampled_columns, 1);
}

}  // namespace
}  // namespace gpp::test
