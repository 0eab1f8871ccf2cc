// Tests of Epsilon's steps: the check itself, sizes, work, and faulty variants.
#include <cmath>
#include <complex>
#include <functional>
#include <span>

#include "examples/epsilon/kernel.h"
#include "roofline/base/text.h"
#include "tests/examples/builds.h"

namespace gpp::epsilon {
namespace {

// The steps by their definitions, without a library.

using Number = std::complex<double>;

Number number(const Complex& z) { return {z.re, z.im}; }

/// The sum over G1 without a transform, with vectors found by the box's points.
void mtxel(const Screening& s) {
  for (int c = 0; c < s.bands; ++c)
    for (int g = 0; g < s.n_g; ++g) {
      Number sum = 0;
      for (int one = 0; one < s.n_g_psi; ++one) {
        int place = 0;
        for (const int power : {s.box * s.box, s.box, 1})
          place =
              place * s.box + (s.point[one] / power % s.box + s.point[g] / power % s.box) % s.box;
        if (const int other = s.g_at[place]; other >= 0)
          sum += std::conj(number(s.psi_v[one])) * number(s.psi_c[c * s.n_g_psi + other]);
      }
      s.result[c * s.pitch + g] = {sum.real(), sum.imag()};
    }
}

void chi0(const Screening& s) {
  for (int row = 0; row < s.n_g; ++row)
    for (int column = 0; column < s.n_g; ++column) {
      Number sum = 0;
      for (int c = 0; c < s.bands; ++c)
        sum += std::conj(number(s.m[c * s.pitch + row])) * s.weight[c] *
               number(s.m[c * s.pitch + column]);
      s.result[row * s.pitch + column] = {sum.real(), sum.imag()};
    }
}

/// Gauss-Jordan elimination with pivoting.
void inversion(const Screening& s) {
  const int n = s.n_g;
  std::vector<std::vector<Number>> a(static_cast<std::size_t>(n));
  for (int row = 0; row < n; ++row) {
    a[row].assign(2 * static_cast<std::size_t>(n), 0);
    for (int column = 0; column < n; ++column)
      a[row][column] =
          (row == column ? 1.0 : 0.0) - s.coulomb[row] * number(s.chi[row * s.pitch + column]);
    a[row][n + row] = 1;
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int row = k; row < n; ++row)
      if (std::abs(a[row][k]) > std::abs(a[pivot][k])) pivot = row;
    std::swap(a[k], a[pivot]);
    const Number inverse = 1.0 / a[k][k];
    for (Number& z : a[k]) z *= inverse;
    for (int row = 0; row < n; ++row) {
      if (row == k) continue;
      const Number factor = a[row][k];
      for (int column = 0; column < 2 * n; ++column) a[row][column] -= factor * a[k][column];
    }
  }
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column)
      s.result[row * s.pitch + column] = {a[row][n + column].real(), a[row][n + column].imag()};
}

using Step = void (*)(const Screening&);
struct Named {
  const char* name;
  Step step;
};
constexpr Named steps[] = {{"mtxel", mtxel}, {"chi0", chi0}, {"inversion", inversion}};

std::span<Complex> result(const Screening& s) {  // the first row
  return {s.result, static_cast<std::size_t>(s.n_g)};
}

TEST(Epsilon, OnlyDefinitionsPassTheCheck) {
  for (const Named& one : steps) {
    SCOPED_TRACE(one.name);
    test::expect_only_right_passes<Screening>(
        example(), one.name, *example().make("test", {6, 19, 57}, 1), one.step, result,
        {[m = one.step == mtxel](const Screening& s) {
           s.result[((m ? s.bands : s.n_g) - 1) * s.pitch + s.n_g - 1].re *= 1 + 1e-6;
         },
         [](const Screening& s) {
           for (Complex& z : result(s)) z.im = -z.im;
         },
         [](const Screening& s) { s.result[1].im = std::nan(""); },
         [](const Screening& s) { const_cast<Complex*>(s.chi)[0].re += 1; }});
  }
}

/// A transposed chi is conjugated, a transposed inverse differs because it is not symmetric, and
/// M's rows are not G.
TEST(Epsilon, ATurnedMatrixIsCaught) {
  for (const Named& one : {steps[1], steps[2]}) {
    const Result turned = test::study_of<Screening>(
        example(), one.name, *example().make("test", {6, 19, 57}, 1), [&](const Screening& s) {
          one.step(s);
          for (int row = 0; row < s.n_g; ++row)
            for (int column = 0; column < row; ++column)
              std::swap(s.result[row * s.pitch + column], s.result[column * s.pitch + row]);
        });
    EXPECT_EQ(turned.status, Status::failed) << one.name;
  }
}

/// A product of two waves extends twice as far as each, and must not wrap around.
TEST(Epsilon, BoxesHoldAllProducts) {
  EXPECT_EQ(side_of_box(1, 1), 1);
  EXPECT_EQ(side_of_box(1, 7), 3);             // G of length 1 at most: 2 x 1 + 0 + 1
  EXPECT_EQ(side_of_box(7, 7), 4);             // 2 x 1 + 1 + 1
  EXPECT_EQ(side_of_box(7, 33), 6);            // length 2: 2 x 2 + 1 + 1
  EXPECT_EQ(side_of_box(33, 33), 7);           // 2 x 2 + 2 + 1
  EXPECT_EQ(side_of_box(11'075, 31'463), 54);  // 2 x 19 + 13 + 1 = 52, which has a factor 13
}

TEST(Epsilon, CountsWhatEachStepNeeds) {
  const auto subject = example().make("test", {10, 7, 33}, 1);
  const double transform = 5 * 216 * std::log2(216);
  for (const Variant& variant : catalog()) {
    const roofline::Metrics metrics = subject->count(variant).metrics;
    const bool is_m = variant.step == "mtxel", is_chi = variant.step == "chi0";
    EXPECT_DOUBLE_EQ(metrics.at("fp64_flop"), is_m     ? transform + 10 * (2 * transform + 6 * 216)
                                              : is_chi ? 8 * 10 * 49
                                                       : 8 * 343);
    EXPECT_DOUBLE_EQ(metrics.at("dram_bytes"), 16 * (is_m     ? 33 + 10 * (33 + 7)
                                                     : is_chi ? 10 * 7 + 49
                                                              : 2 * 49));
  }
}

TEST(Epsilon, RefusesWhatNoMemoryHolds) {
  EXPECT_THROW(example().make("test", {1'000'000, 30'000, 1'000'000}, 1), roofline::InputError);
}

}  // namespace
}  // namespace gpp::epsilon
