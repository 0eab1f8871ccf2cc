// The small other problem must be sound, and other.
#include "harness/study/decoy.h"

#include <gtest/gtest.h>

#include "data/validate.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "harness/rules/check.h"
#include "tests/variants/problems.h"

namespace gpp {
namespace {

TEST(Decoy, IsAConsistentInputForEveryShape) {
  for (const test::Shape& shape : test::odd_shapes())
    EXPECT_NO_THROW(validate(decoy_of(test::random_input(shape, 1)), shape.name)) << shape.name;
}

TEST(Decoy, IsSmallAndKeepsTheFrequencies) {
  test::Shape shape;
  shape.ncouls = 200;
  shape.ngpown = 50;
  shape.nbands = 60;
  shape.nstart = 1;
  const Input decoy = decoy_of(test::random_input(shape, 1));
  EXPECT_LT(decoy.ncouls, 40);
  EXPECT_LT(decoy.ngpown, 10);
  EXPECT_LT(decoy.peinf_ntband_dist, 15);
  EXPECT_EQ(decoy.nstart, 1);
  EXPECT_EQ(decoy.nend, 3);
}

TEST(Decoy, HasOccupiedAndEmptyBandsWhereTheInputHas) {
  const PreparedProblem decoy(
      decoy_of(test::random_input({.name = "bands", .nbands = 60, .occupied = 20}, 1)));
  EXPECT_GT(decoy.view().empty_bands.size, 0);
  EXPECT_LT(decoy.view().empty_bands.size, decoy.view().nbands);
}

/// Even an input as small as the decoy has other sums, so that handing back the decoy's is caught.
TEST(Decoy, HasOtherSums) {
  for (const int size : {1, 2, 5, 33}) {
    test::Shape shape;
    shape.ncouls = size;
    shape.ngpown = std::min(size, 5);
    shape.nbands = std::min(size, 11);
    shape.occupied = 1;
    const PreparedProblem problem(test::random_input(shape, 7));
    const PreparedProblem decoy(decoy_of(problem.input()));
    const Reference reference = compute_reference(problem.view());
    const Reference other = compute_reference(decoy.view());
    EXPECT_FALSE(check(other.sums, reference, problem.view().nfreq, 1e-3).passed)
        << size << " G vectors";
  }
}

}  // namespace
}  // namespace gpp
