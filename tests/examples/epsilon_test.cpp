// Tests of Epsilon's steps: numbers of bands, the check itself, and faulty variants.
#include <cmath>
#include <complex>

#include "examples/epsilon/kernel.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "tests/examples/builds.h"
#include "tests/text.h"

namespace gpp::epsilon {
namespace {

using EpsilonBuild = test::RunsBuild;

TEST_P(EpsilonBuild, IsRightForAnyNumberOfBands) {
  for (const int bands : {2, 7, 8, 9, 16, 65})
    test::expect_right(GetParam(), epsilon_kernel(), *make_subject("test", {bands, 20, 50}, 3));
}

INSTANTIATE_TEST_SUITE_P(Catalog, EpsilonBuild, testing::ValuesIn(test::builds_of(catalog())),
                         test::name_of_build);

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

template <class Function>
Result study_of(const char* step, Function function) {
  const auto subject = make_subject("test", {6, 19, 57}, 1);
  return test::study_of(
      epsilon_kernel(), step,
      Call::of<Screening, NoAnswer>(
          [function](const Screening& problem, NoAnswer& /*answer*/) { function(problem); }),
      *subject);
}

TEST(Epsilon, DefinitionsPassTheCheck) {
  for (const Named& one : steps) {
    const Result result = study_of(one.name, one.step);
    EXPECT_EQ(result.status, Status::passed) << one.name << ": " << result.reason;
  }
}

TEST(Epsilon, FaultsAreCaught) {
  for (const Named& one : steps) {
    const Step step = one.step;
    const auto fails = [&one](const char* fault, auto function) {
      const Result result = study_of(one.name, function);
      EXPECT_EQ(result.status, Status::failed) << one.name << ": " << fault;
      EXPECT_FALSE(result.reason.empty());
    };
    fails("nothing", [](const Screening&) {});
    fails("the last number", [step](const Screening& s) {
      step(s);
      const bool is_m = step == mtxel;
      s.result[((is_m ? s.bands : s.n_g) - 1) * s.pitch + s.n_g - 1].re *= 1 + 1e-6;
    });
    fails("conjugated", [step](const Screening& s) {
      step(s);
      for (int i = 0; i < s.n_g; ++i) s.result[i].im = -s.result[i].im;
    });
    fails("not a number", [step](const Screening& s) {
      step(s);
      s.result[1].im = std::nan("");
    });
    fails("writes to its input", [step](const Screening& s) {
      step(s);
      const_cast<Complex*>(s.chi)[0].re += 1;
    });
  }
}

/// A transposed chi is conjugated, a transposed inverse differs because it is not symmetric, and
/// M's rows are not G.
TEST(Epsilon, ATurnedMatrixIsCaught) {
  for (const Named& one : {steps[1], steps[2]}) {
    const Result result = study_of(one.name, [step = one.step](const Screening& s) {
      step(s);
      for (int row = 0; row < s.n_g; ++row)
        for (int column = 0; column < row; ++column)
          std::swap(s.result[row * s.pitch + column], s.result[column * s.pitch + row]);
    });
    EXPECT_EQ(result.status, Status::failed) << one.name;
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
  const auto subject = make_subject("test", {10, 7, 33}, 1);
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
  EXPECT_THROW(make_subject("test", {1'000'000, 30'000, 1'000'000}, 1), roofline::InputError);
}

/// Results of a host and a GPU, with one failed step on the GPU.
TEST(Epsilon, TellsSpeedupsBesideThePublishedOnes) {
  StudyRecord study;
  study.kernel = "epsilon";
  const auto add = [&study](const char* step, const char* kind, double seconds, Status status) {
    Result result;
    result.variant = result.step = step;
    result.kind = kind;
    result.status = status;
    result.samples = {seconds, seconds, seconds};
    study.results.push_back(result);
  };
  add("mtxel", "host", 2, Status::passed);
  add("mtxel", "gpu", 0.01, Status::passed);
  add("chi0", "host", 3, Status::passed);
  add("inversion", "host", 3, Status::passed);
  add("inversion", "gpu", 0.1, Status::failed);
  const std::string text = host_against_gpu(study);
  EXPECT_TRUE(test::contains(text, "mtxel"));
  EXPECT_TRUE(test::contains(text, "200.0x"));
  EXPECT_TRUE(test::contains(text, "25.2x"));
  EXPECT_FALSE(test::contains(text, "chi0 "));
  EXPECT_FALSE(test::contains(text, "inversion "));
  study.results.resize(1);
  EXPECT_EQ(host_against_gpu(study), "");
}

}  // namespace
}  // namespace gpp::epsilon
