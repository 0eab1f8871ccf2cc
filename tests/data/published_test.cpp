// The reference against what BerkeleyGW itself computed: records 17 and 18 of the real inputs.
#include <gtest/gtest.h>

#include <cmath>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"

namespace gpp {
namespace {

/// Sums as BerkeleyGW has them after the kernel: what was there before, and what we computed.
Complex after(Complex before, Complex computed) { return before + computed; }

void expect_published(Complex computed, Complex published, Complex magnitude) {
  const double re = std::abs(computed.re - published.re);
  const double im = std::abs(computed.im - published.im);
  EXPECT_LE(re, 1e-12);
  EXPECT_LE(im, 1e-12);
  // Relative to the number; a part that cancels to nothing beside the other has no digits of its
  // own, in BerkeleyGW's double precision sum as little as in ours.
  EXPECT_LE(std::hypot(re, im), 1e-12 * abs(published));
  EXPECT_LE(re, 1e-12 * std::abs(published.re));
  // So each part is also judged by what was added up, where anything was.
  EXPECT_LE(re, 1e-13 * (magnitude.re + std::abs(published.re)));
  EXPECT_LE(im, 1e-13 * (magnitude.im + std::abs(published.im)));
}

class Published : public ::testing::TestWithParam<const char*> {};

TEST_P(Published, ReferenceAgreesWithBerkeleyGW) {
  const PreparedProblem problem(read_gpp214(bundled_input(GetParam())));
  const Input& input = problem.input();
  const Reference reference = compute_reference(problem.view());
  for (int iw = 0; iw < input.nfreq(); ++iw) {
    SCOPED_TRACE(::testing::Message() << "iw = " << input.nstart + iw);
    const auto slot = static_cast<std::size_t>(input.nstart - 1 + iw);
    expect_published(after(input.asxtemp[slot], reference.sums.asx[iw]), input.asxtempref[slot],
                     reference.magnitude.asx[iw]);
    expect_published(after(input.achtemp[slot], reference.sums.ach[iw]), input.achtempref[slot],
                     reference.magnitude.ach[iw]);
  }
}

INSTANTIATE_TEST_SUITE_P(RealInputs, Published,
                         ::testing::Values("gpp_si2_tiny", "gpp_si2_offdiag", "gpp_si2_q0_band1",
                                           "gpp_si2_mpi3_r2_ipe3", "gpp_si8_medium"),
                         [](const auto& test) { return std::string(test.param); });

TEST(PublishedNumbers, StandInTheFiles) {
  const Input tiny = read_gpp214(bundled_input("gpp_si2_tiny"));
  EXPECT_EQ(tiny.asxtempref[1].re, 5.4875915993279199e-02);
  EXPECT_EQ(tiny.asxtempref[2].re, 5.6352048786297473e-02);
  EXPECT_EQ(tiny.achtempref[1].re, -5.0318937641962394e-02);
  EXPECT_EQ(tiny.achtempref[2].re, -5.3193639482362894e-02);
  const Input medium = read_gpp214(bundled_input());
  EXPECT_EQ(medium.asxtempref[1].re, 6.4951775787131891e-02);
  EXPECT_EQ(medium.asxtempref[2].re, 6.6465187111932250e-02);
  EXPECT_EQ(medium.achtempref[1].re, -6.6940872439584631e-02);
  EXPECT_EQ(medium.achtempref[2].re, -7.0279278606860590e-02);
}

}  // namespace
}  // namespace gpp
