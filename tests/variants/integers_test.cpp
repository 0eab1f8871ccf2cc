// v14 where it multiplies integers: on problems of enough pairs. Small ones are v13's.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "data/generate.h"
#include "gpp/integers.h"
#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "gpp/study/record.h"
#include "tests/examples/builds.h"
#include "tests/gpp/subject.h"

namespace gpp::test {
namespace {

std::vector<TestedBuild> builds_of_step(const std::string& step) {
  std::vector<TestedBuild> some;
  for (const TestedBuild& tested : builds_of(catalog()))
    if (tested.variant.step == step) some.push_back(tested);
  return some;
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

/// Bands of a rank of gpp214 with fewer G and G', none of them a multiple of anything.
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

TEST_P(IntegersBuild, IsRight) {
  Preset far = some_bands(4800, 805, 1);
  far.offdiagonal = true;
  for (const Preset& preset :
       {some_bands(800, 801, 2), some_bands(1600, 807, 3), far, some_bands(0, 2001, 2)}) {
    SCOPED_TRACE(preset.first_band);
    const auto subject = subject_with_groups(preset);
    const Check verdict =
        check(sums_of_build(GetParam(), *subject), subject->sums(), preset.nfreq(), 1e-12);
    EXPECT_TRUE(verdict.passed) << verdict.reason;
  }
}

TEST_P(IntegersBuild, GivesTheSameBitsTwice) {
  const auto subject = subject_with_groups(some_bands(800, 805, 2));
  const Sums first = sums_of_build(GetParam(), *subject);
  for (int i = 0; i < 3; ++i) {
    const Sums again = sums_of_build(GetParam(), *subject);
    EXPECT_TRUE(same_bits(again, first));
  }
}

/// Digits for the largest number of a row leave too few for numbers six decades below: v13 takes
/// over, and its sums are right.
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

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(IntegersBuild);  // a build without CUDA
INSTANTIATE_TEST_SUITE_P(Catalog, IntegersBuild, testing::ValuesIn(builds_of_step("integers")),
                         name_of_build);

}  // namespace
}  // namespace gpp::test
