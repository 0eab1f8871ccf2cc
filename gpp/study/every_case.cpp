#include "gpp/study/every_case.h"

#include <cmath>
#include <cstdint>
#include <numbers>

#include "data/random.h"
#include "gpp/term.h"

namespace gpp {
namespace {

constexpr std::int32_t ncouls = 67;
constexpr std::int32_t ngpown = 29;
constexpr std::int32_t nbands = 29;
constexpr std::int32_t occupied = 13;
constexpr std::int32_t state = 5;  // index of the studied state, between occupied bands

/// The arrays with random numbers.
enum Stream : std::uint64_t { energies, coulomb, bands_m, bands_n, poles, strengths };

Random random(Stream stream, int index) {
  constexpr std::uint64_t seed = 1;
  return {seed, stream, static_cast<std::uint64_t>(index)};
}

/// A random number, low <= x < high.
double between(double low, double high, Random& random) {
  return low + (high - low) * random.uniform();
}

/// A random complex number of any phase, with uniform modulus between the bounds.
Complex any_phase(double low, double high, Random random) {
  const double modulus = between(low, high, random);
  const double phase = between(0, 2 * std::numbers::pi, random);
  return {modulus * std::cos(phase), modulus * std::sin(phase)};
}

void set_dimensions(Input& input) {
  input.sig_ntband = nbands + 2;
  input.ncoul = ncouls + 4;
  input.gvec_ng = ncouls + 6;
  input.epsmpi_ngpown_max = ngpown + 1;
  input.peinf_ntband_max = nbands + 1;
  input.peinf_ntband_dist = nbands;
  input.ipe = input.ispin = 1;
  input.ngpown = ngpown;
  input.ncouls = ncouls;
  input.nstart = 1;
  input.nend = 3;
}

void set_energies(Input& input) {
  double energy = -9.0;
  for (int band = 0; band < input.sig_ntband; ++band) {
    Random any = random(energies, band);
    energy += band == occupied ? 2.0 : between(0.6, 1.1, any);
    input.wfnkq_ekq.push_back(energy);
  }
  for (int n1 = 0; n1 < input.peinf_ntband_max; ++n1) input.peinf_indext_dist.push_back(n1 + 1);
  // Three bands close to 0: one at 0 for iw = 2, where wx becomes TOL_Zero, two at 0.3 and 0.4.
  input.e_lk = input.wfnkq_ekq[state];
  input.wfnkq_ekq[state - 1] = input.e_lk - 0.3;
  input.wfnkq_ekq[state + 1] = input.e_lk + 0.4;
  input.sig_dw = 1.0;
  input.sig_gamma = 0.5;
  input.sexcut = 0.75;
  const Limits limits = make_limits(input.sig_gamma, input.sexcut);
  input.limittwo = limits.limittwo;
  input.limitone = limits.limitone;
  // The last three occupied bands are half occupied.
  input.nvband = occupied;
  input.efermi = input.wfnkq_ekq[occupied - 1];
  input.tol = input.efermi - input.wfnkq_ekq[occupied - 3] + 0.05;
}

/// Every G has a place except two, which are own G'.
void set_maps(Input& input) {
  input.indinv.assign(static_cast<std::size_t>(input.gvec_ng), 0);
  for (int g = 0; g < ncouls; ++g)
    input.indinv[static_cast<std::size_t>(g)] = (g * 37 + 5) % ncouls + 1;
  input.indinv[4] = 0;
  input.indinv[20] = ncouls + 1;
  for (int igp = 0; igp < input.epsmpi_ngpown_max; ++igp) input.inv_igp_index.push_back(igp + 1);
}

/// The positive wx of some occupied band below the state, at the middle frequency.
double wx_below_the_state(const Input& input, Random& any) {
  const int band = static_cast<int>(between(0, state, any));
  return input.e_lk - input.wfnkq_ekq[static_cast<std::size_t>(band)];
}

Complex pole(const Input& input, bool real, int index) {
  Random any = random(poles, index);
  const double modulus = between(2.0, 60.0, any);
  const double im = real ? 0.0 : between(-0.4, 0.4, any);
  switch (index % 12) {
    case 0:
      return {1e12, 0.0};
    case 1:
      return {between(1e-7, 4e-7, any), 0.0};  // tiny: no branch applies for |wx| < sig_gamma
    case 2:
      return {wx_below_the_state(input, any) + between(-0.45, 0.45, any), im};  // a branch 2 pole
    case 3:
      return {between(0.5, 9.0, any), im};  // terms with wx < 0 are cut here
    case 4:
      return real ? Complex{modulus, 0.0} : Complex{0.0, between(0.5, 9.0, any)};
    case 5:
      return index % 60 == 5 ? Complex{wx_below_the_state(input, any), 0.0}
                             : Complex{index % 24 == 5 ? 0.0 : modulus, 0.0};
    default:
      return {modulus, im};
  }
}

void set_arrays(Input& input, bool real) {
  for (int g = 0; g < input.ncoul; ++g) {
    Random any = random(coulomb, g);
    input.vcoul.push_back(between(0.01, 0.03, any));
  }
  for (int i = 0; i < ncouls * input.peinf_ntband_max; ++i) {
    input.aqsmtemp.push_back(any_phase(0.05, 0.2, random(bands_m, i)));
    input.aqsntemp.push_back(any_phase(0.05, 0.2, random(bands_n, i)));
  }
  for (int i = 0; i < ncouls * ngpown; ++i) {
    input.wtilde_array.push_back(pole(input, real, i));
    input.I_eps_array.push_back(any_phase(0.05, 0.3, random(strengths, i)));
  }
}

Input with_poles(bool real) {
  Input input;
  set_dimensions(input);
  set_energies(input);
  set_maps(input);
  set_arrays(input, real);
  return input;
}

}  // namespace

std::vector<Input> every_case() { return {with_poles(true), with_poles(false)}; }

}  // namespace gpp
