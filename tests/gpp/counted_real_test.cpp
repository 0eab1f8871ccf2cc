// Tests that a counting number counts operations once, by kind, and computes like a double.
#include "gpp/counted_real.h"

#include <gtest/gtest.h>

#include "gpp/forms/divide.h"
#include "gpp/forms/lanes.h"

namespace gpp::test {
namespace {

using Number = CountedReal<bool>;
using Lane = CountedReal<BothSides>;

TEST(Counter, CountsEachKindApart) {
  Number x = 3.0;
  const Operations counted = count<bool>([&] {
    x = x + Number(1) - Number(2);
    x += x;
    x = x * x / Number(4);
    x = sqrt(x);
    if (x > Number(0) || x < Number(0)) x = -fabs(x);
  });
  EXPECT_EQ(counted, (Operations{3, 1, 1, 1, 1}));
  EXPECT_EQ(counted.flop(), 6) << "comparisons and signs are none";
  EXPECT_EQ(x.value, -2);
}

TEST(Counter, AComplexProductIsSixAndAnAbsoluteValueFour) {
  const BasicComplex<Number> a{1.0, 2.0};
  const BasicComplex<Number> b{3.0, 4.0};
  EXPECT_EQ(count<bool>([&] { EXPECT_EQ((a * b).re.value, -5); }), (Operations{2, 4, 0, 0, 0}));
  EXPECT_EQ(count<bool>([&] { EXPECT_EQ(abs(b).value, 5); }), (Operations{1, 2, 0, 1, 0}));
  EXPECT_EQ(count<bool>([&] { EXPECT_EQ(norm(b).value, 25); }), (Operations{1, 2, 0, 0, 0}));
  // Operations: scaling by 1 / (|re| + |im|), square, reciprocal, product, scaled result.
  EXPECT_EQ(count<bool>([&] { EXPECT_NEAR((a / b).re.value, 0.44, 1e-15); }),
            (Operations{1 + 1 + 2, 4 + 2 + 4 + 2, 2, 0, 0}));
}

TEST(Counter, OnlyLanesEvaluateBothSides) {
  const auto skip = [](auto x) { return x < decltype(x)(0) && x * x > decltype(x)(1); };
  EXPECT_EQ(count<bool>([&] { EXPECT_FALSE(skip(Number(2))); }), (Operations{0, 0, 0, 0, 1}));
  EXPECT_EQ(count<BothSides>([&] { EXPECT_FALSE(skip(Lane(2)).value); }),
            (Operations{0, 1, 0, 0, 2}));
}

TEST(Counter, SelectionIsFreeAndAReciprocalIsADivision) {
  EXPECT_EQ(count<bool>([] { EXPECT_EQ(select(true, inverse(Number(4)), Number(1)).value, 0.25); }),
            (Operations{0, 0, 1, 0, 0}));
  EXPECT_EQ(count<BothSides>(
                [] { EXPECT_EQ(select(BothSides{false}, inverse(Lane(4)), Lane(1)).value, 1); }),
            (Operations{0, 0, 1, 0, 0}));
}

TEST(Counter, RunsAFormToTheSameValues) {
  const Limits limits = make_limits(0.5, 4.0);
  const Complex w{3.0, 0.5};
  const Complex I_eps{0.25, -0.5};
  const Term<double> plain = divide(w, I_eps, -7.0, limits);
  const auto counted =
      divide(counting<bool>(w), counting<bool>(I_eps), Number(-7.0), counting<bool>(limits));
  EXPECT_EQ(counted.sch.re.value, plain.sch.re);
  EXPECT_EQ(counted.ssx.im.value, plain.ssx.im);
}

}  // namespace
}  // namespace gpp::test
