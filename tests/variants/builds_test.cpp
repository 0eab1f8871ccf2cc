// Tests of every build of every variant against the reference, with odd shapes and the real inputs;
// of v14 with integers, on problems with enough pairs; of the catalog made from the files.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <utility>

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "gpp/integers.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "gpp/study/record.h"
#include "gpp/study/shapes.h"
#include "tests/examples/builds.h"
#include "tests/gpp/subject.h"

namespace gpp::test {
namespace {

// Inputs are made once for all builds, because the reference is slower than a variant.
class VariantBuild : public RunsBuild {
 protected:
  static const Build& build() { return GetParam().build; }

  static void run(Placement& placement) {
    build().runtime->time([&placement] { placement.run(GetParam().variant, build().call); });
  }

  static void expect_right(const GppSubject& subject, double tolerance = default_tolerance) {
    const auto placement = subject.place(*build().runtime);
    run(*placement);
    const Check verdict = placement->check(tolerance);
    EXPECT_TRUE(verdict.passed) << verdict.reason;
  }
  static void expect_right(const NamedSubjects& subjects, double tolerance = default_tolerance) {
    for (const auto& [name, subject] : subjects) {
      SCOPED_TRACE(name);
      expect_right(*subject, tolerance);
    }
  }
};

/// Among them poles exactly at energies, where the definition gives 0, and sums that cancel.
TEST_P(VariantBuild, IsRightForAwkwardInputs) {
  static const NamedSubjects subjects = [] {
    NamedSubjects made = subjects_of_odd_shapes({2});
    for (const AwkwardInput& one : awkward_inputs())
      made.emplace_back(one.name, subject_of(one.make()));
    return made;
  }();
  expect_right(subjects);
}

TEST_P(VariantBuild, IsRightForSilicon) {
  static const NamedSubjects subjects = [] {
    NamedSubjects made;
    for (const std::string& name : bundled_inputs())
      made.emplace_back(name, subject_of(read_gpp214(bundled_input(name))));
    return made;
  }();
  expect_right(subjects);
}

/// Cutoffs at which |ssx| of invalid poles (1e12) equals or almost equals the cutoff.
TEST_P(VariantBuild, IsRightAtCutoffsWhereRoundingDecides) {
  static const NamedSubjects subjects = [] {
    NamedSubjects made;
    for (const double sexcut : {0.999, 1.0}) {
      Input input = read_gpp214(bundled_input("gpp_si2_q0_band1"));
      input.sexcut = sexcut;
      made.emplace_back(fmt::format("a cutoff of {}", sexcut), subject_of(std::move(input)));
    }
    return made;
  }();
  expect_right(subjects);
}

/// Input of one of many ranks. Its bands are all empty and begin at band `first`.
Input far_bands(int first, int bands, int frequencies) {
  Preset preset = *find_preset("small");
  preset.ngpown = 37;
  preset.nvband = 428;  // as in gpp214; beyond 15 times 428 all energies are equal
  preset.sig_ntband = 6397;
  preset.first_band = first;
  preset.ntband_dist = bands;
  preset.nstart = 1;
  preset.nend = frequencies;
  preset.offdiagonal = true;
  return generate(preset, 1, false);
}

/// The tolerance is 1e-12: the error of groups of bands must be smaller than rounding.
TEST_P(VariantBuild, IsRightForBandsFarBelowThePoles) {
  static const NamedSubjects subjects = [] {
    NamedSubjects made;
    for (const int frequencies : {1, 2, 3})
      for (const auto& [first, bands] : {std::pair{400, 250}, {800, 333}, {2000, 301}, {5600, 496}})
        made.emplace_back(
            fmt::format("{} frequencies, {} bands from {}", frequencies, bands, first),
            subject_of(far_bands(first, bands, frequencies)));
    return made;
  }();
  expect_right(subjects, 1e-12);
}

TEST_P(VariantBuild, KeepsNothingFromOneCallToTheNext) {
  const auto subject = subject_of(random_input({.name = "", .ncouls = 70}, 1));
  const auto placement = subject->place(*build().runtime);
  run(*placement);
  const Sums before = sums_of(placement->answer());
  expect_right(*subject_of(random_input({.name = "", .poles = ShapePoles::complex}, 2)));
  run(*placement);
  Reference first;
  first.sums = before;
  first.magnitude = subject->sums().magnitude;
  const Check verdict =
      check(sums_of(placement->answer()), first, subject->problem().view().nfreq, 1e-12);
  EXPECT_TRUE(verdict.passed) << verdict.reason;
}

INSTANTIATE_TEST_SUITE_P(Catalog, VariantBuild, testing::ValuesIn(builds_of(catalog())),
                         name_of_build);

std::vector<TestedBuild> builds_that(const std::function<bool(const TestedBuild&)>& fit) {
  std::vector<TestedBuild> some = builds_of(catalog());
  std::erase_if(some, [&fit](const TestedBuild& one) { return !fit(one); });
  return some;
}

/// GPUs reduce in a fixed order, but host threads add their parts in the order in which they
/// finish.
bool is_reproducible(const TestedBuild& one) {
  return one.build.kind == "gpu" || one.name.starts_with("serial");
}

class ReproducibleBuild : public VariantBuild {};

TEST_P(ReproducibleBuild, GivesTheSameBitsTwice) {
  static const NamedSubjects subjects = [] {
    NamedSubjects made;
    for (const int ncouls : {1, 33, 402})
      made.emplace_back(
          fmt::format("ncouls {}", ncouls),
          subject_of(random_input({.name = "", .ncouls = ncouls, .ngpown = 29, .nbands = 61}, 1)));
    return made;
  }();
  for (const auto& [name, subject] : subjects) {
    const auto placement = subject->place(*build().runtime);
    run(*placement);
    const Json first = placement->answer();
    for (int i = 0; i < 3; ++i) {
      run(*placement);
      EXPECT_EQ(Json(placement->answer()), first) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, ReproducibleBuild,
                         testing::ValuesIn(builds_that(is_reproducible)), name_of_build);

// ---- Integers -----------------------------------------------------------------------------------

std::vector<TestedBuild> builds_of_step(const std::string& step) {
  return builds_that([&step](const TestedBuild& one) { return one.variant.step == step; });
}

class IntegersBuild : public RunsBuild {
 protected:
  static Sums sums_of_build(const TestedBuild& tested, const GppSubject& subject) {
    const auto placement = subject.place(*tested.build.runtime);
    tested.build.runtime->time([&] { placement->run(tested.variant, tested.build.call); });
    EXPECT_EQ(placement->repair(), "");
    return sums_of(placement->answer());
  }
};

/// Bands of a rank of gpp214 with fewer G and G', with odd sizes.
Preset some_bands(int first, int bands, int frequencies) {
  Preset preset = *find_preset("gpp214");
  preset.ncouls = 2213;
  preset.ngpown = 277;
  preset.first_band = first;
  preset.ntband_dist = bands;
  preset.nstart = 4 - frequencies;
  preset.nend = 3;
  return preset;
}

std::unique_ptr<GppSubject> subject_with_groups(const Preset& preset) {
  auto subject = subject_of(generate(preset, 1, false));
  EXPECT_GT(subject->problem().view().integer_groups.size, 0) << "nothing is tested";
  return subject;
}

bool same_bits(const Sums& a, const Sums& b) {
  return std::memcmp(a.ach, b.ach, sizeof(a.ach)) == 0 &&
         std::memcmp(a.asx, b.asx, sizeof(a.asx)) == 0;
}

TEST_P(IntegersBuild, IsRightAndGivesTheSameBitsTwice) {
  Preset far = some_bands(4800, 805, 1);
  far.offdiagonal = true;
  for (const Preset& preset :
       {some_bands(800, 801, 2), some_bands(1600, 807, 3), far, some_bands(0, 2001, 2)}) {
    SCOPED_TRACE(preset.first_band);
    const auto subject = subject_with_groups(preset);
    const Sums sums = sums_of_build(GetParam(), *subject);
    const Check verdict = check(sums, subject->sums(), preset.nfreq(), 1e-12);
    EXPECT_TRUE(verdict.passed) << verdict.reason;
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(same_bits(sums_of_build(GetParam(), *subject), sums));
  }
}

/// Digits for the largest number of a row leave too few for numbers six decades smaller; v13 must
/// take over with correct sums.
TEST_P(IntegersBuild, LeavesWideRangesToMoments) {
  const Preset preset = some_bands(800, 805, 2);
  Input input = generate(preset, 1, false);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> decades(-6.0, 0.0);
  for (Complex& element : input.aqsntemp) element = std::pow(10.0, decades(random)) * element;
  const auto subject = subject_of(std::move(input));
  ASSERT_GT(subject->problem().view().integer_groups.size, 0);
  const Sums sums = sums_of_build(GetParam(), *subject);
  EXPECT_TRUE(same_bits(sums, sums_of_build(builds_of_step("moments").front(), *subject)));
  const Check verdict = check(sums, subject->sums(), preset.nfreq(), 1e-12);
  EXPECT_TRUE(verdict.passed) << verdict.reason;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(IntegersBuild);  // for builds without CUDA
INSTANTIATE_TEST_SUITE_P(Catalog, IntegersBuild, testing::ValuesIn(builds_of_step("integers")),
                         name_of_build);

// ---- The catalog --------------------------------------------------------------------------------

TEST(Catalog, HoldsTheWholeLadderOnTheHost) {
  const char* const steps[] = {"collapse3",      "collapse2",     "block512",   "iw_outside",
                               "swap_indices",   "simplify",      "reciprocal", "power2",
                               "cache_blocking", "shared_memory", "factored",   "real_poles",
                               "moments",        "integers"};
  const std::set<std::string> of_gpus = {"shared_memory", "moments", "integers"};
  int number = 0;
  for (const Variant& variant : catalog()) {
    if (variant.model != "omp" || number_of(variant.id) == 0) continue;
    ASSERT_LT(number, static_cast<int>(std::size(steps)));
    EXPECT_EQ(variant.step, steps[number]);
    EXPECT_EQ(number_of(variant.id), ++number);
    EXPECT_EQ(variant.builds.empty(), of_gpus.contains(variant.step)) << variant.step;
  }
  EXPECT_EQ(number, static_cast<int>(std::size(steps)));
}

/// Each file states its operations; users' variants need not.
TEST(Catalog, KnowsEachVariantOnceWithItsFileReasonAndBuilds) {
  int told = 0;
  for (const Variant& variant : catalog()) {
    SCOPED_TRACE(variant.source);
    EXPECT_EQ(variant.builds.empty(), !variant.reason.empty()) << variant.reason;
    for (const Build& build : variant.builds) {
      EXPECT_TRUE(build.call);
      EXPECT_NE(build.runtime, nullptr);
    }
    std::ifstream stream(std::filesystem::path(GPP_SOURCE_DIR) / variant.source);
    EXPECT_TRUE(stream);
    std::string expected;
    for (std::string line; std::getline(stream, line);)
      if (line.starts_with("// Operations: ")) expected = line.substr(15, line.size() - 16);
    EXPECT_EQ(variant.operations, expected);
    told += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(told, 30);
  std::set<std::string> seen;
  for (const Variant& variant : catalog()) {
    EXPECT_TRUE(seen.insert(variant.model + " " + variant.id).second) << variant.id;
    if (variant.step == variant.id) continue;  // a user's variant
    EXPECT_TRUE(seen.insert(variant.model + " " + variant.step).second) << variant.step;
  }
}

}  // namespace
}  // namespace gpp::test
