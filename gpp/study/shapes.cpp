#include "gpp/study/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "gpp/term.h"

namespace gpp {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  int below(int end) { return static_cast<int>(uniform(0, end)); }
  /// A random complex number of any phase, with log-uniform modulus from `low` to `high`.
  Complex complex(double low, double high) {
    const double modulus = std::exp(uniform(std::log(low), std::log(high)));
    const double phase = uniform(0, 2 * std::numbers::pi);
    return {modulus * std::cos(phase), modulus * std::sin(phase)};
  }
  std::vector<int> permutation(int size) {
    std::vector<int> order(index(size));
    std::iota(order.begin(), order.end(), 1);
    for (int i = size - 1; i > 0; --i) std::swap(order[index(i)], order[index(below(i + 1))]);
    return order;
  }

 private:
  std::mt19937_64 engine_;
};

void set_dimensions(Input& input, const Shape& shape) {
  input.ncouls = shape.ncouls;
  input.ngpown = shape.ngpown;
  input.peinf_ntband_dist = shape.nbands;
  input.peinf_ntband_max = shape.nbands + 1;
  input.sig_ntband = shape.nbands + 3;
  input.ncoul = shape.ncouls + 2;
  input.gvec_ng = std::max(shape.ncouls, shape.ngpown) + 4;
  input.epsmpi_ngpown_max = shape.ngpown + 1;
  input.ipe = 1;
  input.ispin = 1;
  input.nstart = shape.nstart;
  input.nend = shape.nend;
  input.sexcut = 4.0;
  input.sig_dw = 1.0;
  input.sig_gamma = 0.5;
  const Limits limits = make_limits(input.sig_gamma, input.sexcut);
  input.limitone = limits.limitone;
  input.limittwo = limits.limittwo;
}

void set_energies(Input& input, const Shape& shape, Random& random) {
  const double gap = shape.bands == ShapeBands::far ? 1e6 : 2.0;
  const double spread = shape.bands == ShapeBands::equal ? 0.0 : 1.0;
  double energy = -12.0;
  for (int band = 0; band < input.sig_ntband; ++band) {
    energy += band == shape.occupied ? gap : spread * random.uniform(0.3, 1.5);
    input.wfnkq_ekq.push_back(energy);
  }
  for (int n1 = 0; n1 < input.peinf_ntband_max; ++n1) input.peinf_indext_dist.push_back(n1 + 1);
  if (shape.bands == ShapeBands::mixed) {
    const std::vector<int> order = random.permutation(shape.nbands);
    std::copy(order.begin(), order.end(), input.peinf_indext_dist.begin());
  }
  input.nvband = shape.occupied;

  const auto energy_of = [&](int band) {
    return input.wfnkq_ekq[index(std::clamp(band, 0, shape.nbands - 1))];
  };
  const int edge = shape.occupied - 1;
  const bool deep = shape.state == ShapeState::deep || shape.state == ShapeState::at_deep_band;
  input.e_lk = energy_of(deep ? edge / 2 : edge);
  if (shape.state == ShapeState::band_edge) input.e_lk += 0.1;
  if (shape.state == ShapeState::deep) input.e_lk -= 0.7;
  // Bands with |ekq - efermi| < tol are half occupied, so efermi and tol enclose the last ones.
  input.efermi = energy_of(edge) + 0.05;
  input.tol = shape.half_occupied > 0
                  ? input.efermi - energy_of(shape.occupied - shape.half_occupied) + 0.01
                  : 1e-6;
}

void set_map(Input& input, const Shape& shape, Random& random) {
  input.indinv.assign(index(input.gvec_ng), 0);
  const std::vector<int> order = random.permutation(shape.ncouls);
  for (int g = 0; g < shape.ncouls; ++g)
    input.indinv[index(g)] = shape.map == ShapeMap::identity ? g + 1 : order[index(g)];
  if (shape.map == ShapeMap::outside) {
    input.indinv[index(random.below(shape.ncouls))] = 0;
    input.indinv[index(random.below(shape.ncouls))] = shape.ncouls + 1;
  }
  for (int igp = 0; igp < input.epsmpi_ngpown_max; ++igp) input.inv_igp_index.push_back(igp + 1);
}

/// wx of some band at the first frequency.
double some_wx(const Input& input, Random& random) {
  const int band = random.below(input.peinf_ntband_dist);
  return input.e_lk + input.sig_dw * (input.nstart - 2) - input.wfnkq_ekq[index(band)];
}

/// The modulus of a wx that is positive, or negative. There must be one.
double modulus_of_wx(bool positive, const Input& input, Random& random) {
  for (;;)
    if (const double wx = some_wx(input, random); positive ? wx > TOL_Small : wx < -TOL_Small)
      return std::abs(wx);
}

/// A real, nonnegative energy so close to the |wx| of some band that a term is in branch 2 or, for
/// wx < 0, is cut.
double near_resonance(const Input& input, Random& random) {
  const double wx = some_wx(input, random);
  return std::abs(std::abs(wx) + random.uniform(-0.45, 0.45));
}

Complex tiny_pole(Random& random) {
  return {random.uniform(1e-13, 4e-7), random.chance(0.5) ? 0.0 : random.uniform(0, 1e-9)};
}

Complex random_pole(const Input& input, const Shape& shape, Random& random) {
  const ShapePoles poles = shape.poles;
  const auto is_special = [&random](double share) { return share > 0 && random.chance(share); };
  if (is_special(shape.at_wx)) return {modulus_of_wx(true, input, random), 0.0};
  if (is_special(shape.at_minus_wx)) return {modulus_of_wx(false, input, random), 0.0};
  if (is_special(shape.tiny)) return {tiny_pole(random).re, 0.0};
  const double modulus = std::exp(random.uniform(std::log(2.0), std::log(150.0)));
  if (poles == ShapePoles::invalid) return {1e12, 0.0};
  if (poles == ShapePoles::zero) return {0.0, 0.0};
  if (poles == ShapePoles::imaginary) return {0.0, modulus};
  if (poles == ShapePoles::tiny) return tiny_pole(random);
  if (random.chance(0.33)) return {1e12, 0.0};
  if (random.chance(0.05)) return {0.0, 0.0};
  if (poles == ShapePoles::complex && random.chance(0.2)) return {0.0, modulus};
  const double im =
      poles == ShapePoles::complex ? random.uniform(-0.3, 0.3) * std::min(modulus, 3.0) : 0.0;
  if (random.chance(0.3)) return {near_resonance(input, random), im};
  return {modulus, im};
}

void set_arrays(Input& input, const Shape& shape, Random& random) {
  for (int g = 0; g < input.ncoul; ++g) input.vcoul.push_back(random.uniform(4e-4, 3e-2));
  const std::size_t bands = index(input.ncouls) * index(input.peinf_ntband_max);
  for (std::size_t i = 0; i < bands; ++i) {
    input.aqsmtemp.push_back(random.complex(1e-3, 0.2));
    input.aqsntemp.push_back(random.complex(1e-3, 0.2));
  }
  const std::size_t poles = index(input.ncouls) * index(input.ngpown);
  for (std::size_t i = 0; i < poles; ++i) {
    input.wtilde_array.push_back(random_pole(input, shape, random));
    input.I_eps_array.push_back(random.complex(1e-4, 0.3));
  }
}

Shape odd(const char* name, const char* meaning, Shape shape) {
  shape.name = name;
  shape.meaning = meaning;
  return shape;
}

const std::vector<Shape> shapes = {
    odd("one_term", "one band, one G, one G', one frequency",
        {.ncouls = 1, .ngpown = 1, .nbands = 1, .nend = 2, .occupied = 1}),
    odd("one_band", "one band, occupied", {.nbands = 1, .occupied = 1}),
    odd("one_empty_band", "one band, empty: asx is exactly 0", {.nbands = 1, .occupied = 0}),
    odd("one_own_G", "one G'", {.ngpown = 1}),
    odd("one_G", "one G", {.ncouls = 1, .map = ShapeMap::identity}),
    odd("ncouls_7", "7 G: one less than a vector", {.ncouls = 7}),
    odd("ncouls_8", "8 G and 8 G': exactly a vector", {.ncouls = 8, .ngpown = 8}),
    odd("ncouls_70_bands_131", "131 bands, 70 G, 3 G': whole blocks and a remainder",
        {.ncouls = 70, .ngpown = 3, .nbands = 131, .occupied = 40}),
    odd("ncouls_131", "131 G, 17 G': no multiple of anything", {.ncouls = 131, .ngpown = 17}),
    odd("own_more_than_G", "more G' than G, some without a place",
        {.ncouls = 9, .ngpown = 21, .map = ShapeMap::outside}),
    odd("outside", "G' without a place among the G: their aqsm and vcoul are 0",
        {.ngpown = 33, .map = ShapeMap::outside}),
    odd("first_frequency", "one frequency, the first", {.nstart = 1, .nend = 1}),
    odd("three_frequencies", "three frequencies", {.nstart = 1, .nend = 3}),
    odd("last_frequency", "one frequency, the last", {.nstart = 3, .nend = 3}),
    odd("all_empty", "no band is occupied: asx is exactly 0", {.occupied = 0}),
    odd("all_occupied", "no band is empty", {.occupied = 20}),
    odd("half_occupied", "some bands are half occupied", {.half_occupied = 3}),
    odd("all_half_occupied", "all bands are half occupied", {.occupied = 20, .half_occupied = 20}),
    odd("mixed_bands", "occupied bands do not come first",
        {.half_occupied = 2, .bands = ShapeBands::mixed}),
    odd("mixed_bands_deep", "occupied bands do not come first, some have wx < 0",
        {.nbands = 61, .occupied = 17, .state = ShapeState::deep, .bands = ShapeBands::mixed}),
    odd("equal_energies", "all occupied bands at one energy, all empty ones at another",
        {.bands = ShapeBands::equal}),
    odd("far_bands", "empty bands 1e6 eV above the occupied ones", {.bands = ShapeBands::far}),
    odd("deep", "wx < 0 at occupied bands: terms of ssx are cut",
        {.nstart = 1, .state = ShapeState::deep}),
    odd("deep_half_occupied", "wx < 0 at occupied bands, some half occupied",
        {.half_occupied = 4, .state = ShapeState::deep}),
    odd("deep_all_occupied", "no band is empty, wx of both signs",
        {.nbands = 37, .occupied = 37, .state = ShapeState::deep}),
    odd("wx_zero", "wx is 0 at one band", {.state = ShapeState::at_band}),
    odd("complex", "poles have imaginary parts", {.ncouls = 37, .poles = ShapePoles::complex}),
    odd("complex_deep", "complex poles, wx < 0 at occupied bands",
        {.nstart = 1, .poles = ShapePoles::complex, .state = ShapeState::deep}),
    odd("complex_half_occupied", "complex poles, some bands half occupied",
        {.half_occupied = 2, .poles = ShapePoles::complex}),
    odd("complex_wx_zero", "complex poles, wx is 0 at one band",
        {.poles = ShapePoles::complex, .state = ShapeState::at_band}),
    odd("imaginary", "all poles are purely imaginary", {.poles = ShapePoles::imaginary}),
    odd("invalid_poles", "all poles are marked invalid: wtilde = 1e12",
        {.poles = ShapePoles::invalid}),
    odd("zero_poles", "all poles are 0: every sum is exactly 0",
        {.poles = ShapePoles::zero, .state = ShapeState::at_band}),
    odd("tiny_poles", "poles below 4e-7 eV, wx is 0 at one band",
        {.poles = ShapePoles::tiny, .state = ShapeState::at_band}),
    odd("tiny_poles_deep", "poles below 4e-7 eV, wx of both signs",
        {.nstart = 1, .poles = ShapePoles::tiny, .state = ShapeState::deep})};

/// The sizes are odd, G' lie outside, and each case changes the sums by more than the tolerance.
Shape every_case(ShapePoles poles) {
  return {.ncouls = 67,
          .ngpown = 29,
          .nbands = 29,
          .nstart = 1,
          .occupied = 13,
          .half_occupied = 3,
          .poles = poles,
          .at_wx = 0.05,
          .tiny = 0.05,
          .state = ShapeState::at_deep_band,
          .map = ShapeMap::outside};
}

const std::vector<Shape> exact = {
    odd("resonance", "poles at exactly a wx of an occupied band",
        {.ncouls = 40, .poles = ShapePoles::complex, .at_wx = 0.05}),
    odd("antiresonance", "poles at exactly -wx of empty and occupied bands, wx < 0",
        {.ncouls = 40,
         .poles = ShapePoles::complex,
         .at_minus_wx = 0.05,
         .state = ShapeState::deep}),
    odd("everything_real", "every case at once, all poles real", every_case(ShapePoles::real)),
    odd("everything_complex", "every case at once, some poles complex",
        every_case(ShapePoles::complex))};

}  // namespace

Input random_input(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  Input input;
  set_dimensions(input, shape);
  set_energies(input, shape, random);
  set_map(input, shape, random);
  set_arrays(input, shape, random);
  return input;
}

const std::vector<Shape>& odd_shapes() { return shapes; }

const std::vector<Shape>& exact_shapes() { return exact; }

}  // namespace gpp
