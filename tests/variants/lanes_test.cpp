// Tests that vectors of several G give the same results as one G alone.

#include "variants/omp/lanes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gpp/forms/factored.h"

namespace gpp::omp {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

Lanes counted(double first, double step) {
  Lanes x;
  for (int lane = 0; lane < lanes; ++lane) x.v[lane] = first + step * lane;
  return x;
}

TEST(Lanes, InvertToFullPrecision) {
  double worst = 0;
  for (int exponent = -160; exponent <= 160; ++exponent) {
    for (int i = 0; i < 200; ++i) {
      const double size = std::ldexp(1.0 + i / 200.0, exponent);
      const Lanes x = counted(size, size * 1e-3);
      const Lanes r = inverse(x);
      const Lanes negative = inverse(-x);
      for (int lane = 0; lane < lanes; ++lane) {
        const long double exact = 1.0L / x.v[lane];
        worst = std::max(worst, static_cast<double>(std::abs(r.v[lane] / exact - 1)));
        EXPECT_EQ(negative.v[lane], -r.v[lane]);
      }
    }
  }
  EXPECT_LE(worst, epsilon);
}

TEST(Lanes, SelectTakeRootsAndAddUp) {
  const Lanes x = counted(0.0, 1.0);
  const Lanes chosen = select(x > Lanes(0.5), x, Lanes(-1.0));
  for (int lane = 0; lane < lanes; ++lane) EXPECT_EQ(chosen.v[lane], lane == 0 ? -1.0 : lane);
  EXPECT_TRUE(any(x > Lanes(lanes - 1.5)));
  EXPECT_FALSE(any(x > Lanes(lanes - 1.0)));
  EXPECT_TRUE(any(x < Lanes(0.5) && x <= Lanes(0.0)));
  EXPECT_FALSE(any(x < Lanes(0.5) && x > Lanes(0.5)));
  EXPECT_TRUE(any(x < Lanes(0.0) || x > Lanes(0.5)));
  const Lanes y = counted(-1.0, 0.75);
  for (int lane = 0; lane < lanes; ++lane) {
    EXPECT_EQ(fabs(y).v[lane], std::abs(y.v[lane]));
    EXPECT_EQ(sqrt(y * y).v[lane], std::abs(y.v[lane]));
  }
  const Complex sum = total(ComplexLanes{counted(1.0, 1.0), counted(-2.0, 0.5)});
  EXPECT_EQ(sum.re, lanes * (lanes + 1) / 2.0);
  EXPECT_EQ(sum.im, -2.0 * lanes + 0.5 * lanes * (lanes - 1) / 2.0);
}

TEST(Lanes, LoadColumnsAndStopAtTheirEnd) {
  const int rows = 2 * lanes + lanes / 2;
  std::vector<Complex> values;
  for (int i = 0; i < 3 * rows; ++i) values.push_back({1.0 * i, -0.5 * i});
  const Array2<const Complex> array{values.data(), rows, 3};
  for (int column = 0; column < 3; ++column) {
    for (int first = 0; first < rows; ++first) {
      const ComplexLanes z = load(array, first, column);
      for (int lane = 0; lane < lanes; ++lane) {
        const bool inside = first + lane < rows;
        const Complex expected = inside ? array(first + lane, column) : Complex{};
        EXPECT_EQ((Complex{z.re.v[lane], z.im.v[lane]}), expected);
      }
    }
  }
}

TEST(Lanes, GiveTheFactoredTermOfEachLane) {
  const Limits limits = make_limits(0.5, 4.0);
  const Complex I_eps{0.02, -0.01};
  for (const double x : {-30.0, -0.3, TOL_Zero, 0.3, 7.0}) {
    const ComplexLanes w{counted(0.0, 4.3), counted(0.0, 0.7)};
    const Term<Lanes> side_by_side =
        factored(w, in_all_lanes(I_eps), Lanes(x), in_all_lanes(limits));
    for (int lane = 0; lane < lanes; ++lane) {
      const Term<double> alone = factored(Complex{w.re.v[lane], w.im.v[lane]}, I_eps, x, limits);
      EXPECT_NEAR(side_by_side.sch.re.v[lane], alone.sch.re, 8 * epsilon * abs(alone.sch));
      EXPECT_NEAR(side_by_side.sch.im.v[lane], alone.sch.im, 8 * epsilon * abs(alone.sch));
      const double size = abs(alone.sch) + abs(alone.ssx);
      EXPECT_NEAR(side_by_side.ssx.re.v[lane], alone.ssx.re, 8 * epsilon * size);
      EXPECT_NEAR(side_by_side.ssx.im.v[lane], alone.ssx.im, 8 * epsilon * size);
    }
  }
}

}  // namespace
}  // namespace gpp::omp
