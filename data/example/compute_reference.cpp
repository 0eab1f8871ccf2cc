// The smallest program that uses this project: it loads an input, computes the reference and
// compares it with the results in the file. It needs only gpp/ and data/.
//
//   compute_reference [FILE]        without a file: the bundled silicon input
//
// The exit status is 0 when the two agree to 1e-12 Ry, 1 when they don't, 2 for a bad input.
#include <cmath>
#include <cstdio>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "roofline/base/error.h"

namespace {

/// Prints both values and returns whether they agree. A NaN never agrees.
bool compare(const char* name, int frequency, gpp::Complex computed, gpp::Complex expected) {
  constexpr double tolerance = 1e-12;  // tolerance in Ry
  std::printf("%s(%d) = %23.16e %+.16ei   expected %23.16e %+.16ei\n", name, frequency, computed.re,
              computed.im, expected.re, expected.im);
  return std::abs(computed.re - expected.re) <= tolerance &&
         std::abs(computed.im - expected.im) <= tolerance;
}

/// Computes every frequency and returns whether all agree with the file's own reference.
bool agrees_with_file(const gpp::PreparedProblem& problem) {
  const gpp::Input& input = problem.input();
  const gpp::Reference reference = gpp::compute_reference(problem.view());
  bool agrees = true;
  for (int iw = 0; iw < input.nfreq(); ++iw) {
    const int frequency = input.nstart + iw;  // frequency 1..3, as Fortran counts
    const auto slot = static_cast<std::size_t>(frequency - 1);
    // The kernel adds its sums to the earlier values of asxtemp and achtemp.
    const gpp::Complex asx = input.asxtemp[slot] + reference.sums.asx[iw];
    const gpp::Complex ach = input.achtemp[slot] + reference.sums.ach[iw];
    agrees &= compare("asx", frequency, asx, input.asxtempref[slot]);
    agrees &= compare("ach", frequency, ach, input.achtempref[slot]);
  }
  return agrees;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::filesystem::path file = argc > 1 ? argv[1] : gpp::bundled_input();
  const gpp::PreparedProblem problem(gpp::read_gpp214(file));
  const gpp::Problem& view = problem.view();
  std::printf("%s: %d bands, %d G', %d G, %d frequencies: %lld terms\n", file.c_str(), view.nbands,
              view.ngpown, view.ncouls, view.nfreq, view.terms());
  const bool agrees = agrees_with_file(problem);
  std::printf(agrees ? "They agree to 1e-12 Ry.\n" : "They DIFFER by more than 1e-12 Ry.\n");
  return agrees ? 0 : 1;
} catch (const roofline::InputError& error) {
  std::fprintf(stderr, "compute_reference: %s\n", error.what());
  return 2;
}
