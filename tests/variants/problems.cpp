#include "problems.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "gpp/limits.h"

namespace gpp::test {
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
  /// Of any phase, with a modulus from `low` to `high`, evenly in its logarithm.
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
  double energy = -12.0;
  for (int band = 0; band < input.sig_ntband; ++band) {
    energy += band == shape.occupied ? 2.0 : random.uniform(0.3, 1.5);
    input.wfnkq_ekq.push_back(energy);
  }
  for (int n1 = 0; n1 < input.peinf_ntband_max; ++n1) input.peinf_indext_dist.push_back(n1 + 1);
  input.nvband = shape.occupied;

  const auto energy_of = [&](int band) {
    return input.wfnkq_ekq[index(std::clamp(band, 0, shape.nbands - 1))];
  };
  const int edge = shape.occupied - 1;
  switch (shape.state) {
    case State::band_edge:
      input.e_lk = energy_of(edge) + 0.1;
      break;
    case State::deep:
      input.e_lk = energy_of(edge / 2) - 0.7;
      break;
    case State::at_band:
      input.e_lk = energy_of(edge);
      break;
  }
  // A band is half occupied where |ekq - efermi| < tol: place efermi and tol around the last ones.
  input.efermi = energy_of(edge) + 0.05;
  input.tol = shape.half_occupied > 0
                  ? input.efermi - energy_of(shape.occupied - shape.half_occupied) + 0.01
                  : 1e-6;
}

void set_map(Input& input, const Shape& shape, Random& random) {
  input.indinv.assign(index(input.gvec_ng), 0);
  const std::vector<int> order = random.permutation(shape.ncouls);
  for (int g = 0; g < shape.ncouls; ++g)
    input.indinv[index(g)] = shape.map == Map::identity ? g + 1 : order[index(g)];
  if (shape.map == Map::outside) {
    input.indinv[index(random.below(shape.ncouls))] = 0;
    input.indinv[index(random.below(shape.ncouls))] = shape.ncouls + 1;
  }
  for (int igp = 0; igp < input.epsmpi_ngpown_max; ++igp) input.inv_igp_index.push_back(igp + 1);
}

/// A real energy, not negative, so close to the |wx| of some band that a term lies in branch 2 or,
/// where wx < 0, is cut.
double near_resonance(const Input& input, Random& random) {
  const int band = random.below(input.peinf_ntband_dist);
  const double wx = input.e_lk + input.sig_dw * (input.nstart - 2) - input.wfnkq_ekq[index(band)];
  return std::abs(std::abs(wx) + random.uniform(-0.45, 0.45));
}

Complex random_pole(const Input& input, Poles poles, Random& random) {
  const double modulus = std::exp(random.uniform(std::log(2.0), std::log(150.0)));
  switch (poles) {
    case Poles::invalid:
      return {1e12, 0.0};
    case Poles::zero:
      return {0.0, 0.0};
    case Poles::imaginary:
      return {0.0, modulus};
    case Poles::tiny:
      return {random.uniform(1e-13, 4e-7), random.chance(0.5) ? 0.0 : random.uniform(0, 1e-9)};
    case Poles::real:
    case Poles::complex:
      break;
  }
  if (random.chance(0.33)) return {1e12, 0.0};
  if (random.chance(0.05)) return {0.0, 0.0};
  if (poles == Poles::complex && random.chance(0.2)) return {0.0, modulus};
  const double im =
      poles == Poles::complex ? random.uniform(-0.3, 0.3) * std::min(modulus, 3.0) : 0.0;
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
    input.wtilde_array.push_back(random_pole(input, shape.poles, random));
    input.I_eps_array.push_back(random.complex(1e-4, 0.3));
  }
}

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

const std::vector<Shape>& odd_shapes() {
  static const std::vector<Shape> shapes = {
      {.name = "one_term", .ncouls = 1, .ngpown = 1, .nbands = 1, .nend = 2, .occupied = 1},
      {.name = "one_band", .nbands = 1, .occupied = 1},
      {.name = "one_empty_band", .nbands = 1, .occupied = 0},
      {.name = "one_own_G", .ngpown = 1},
      {.name = "one_G", .ncouls = 1, .map = Map::identity},
      {.name = "ncouls_7", .ncouls = 7},
      {.name = "ncouls_8", .ncouls = 8, .ngpown = 8},
      {.name = "ncouls_70_bands_131", .ncouls = 70, .ngpown = 3, .nbands = 131, .occupied = 40},
      {.name = "ncouls_131", .ncouls = 131, .ngpown = 17},
      {.name = "own_more_than_G", .ncouls = 9, .ngpown = 21, .map = Map::outside},
      {.name = "outside", .map = Map::outside},
      {.name = "first_frequency", .nstart = 1, .nend = 1},
      {.name = "three_frequencies", .nstart = 1, .nend = 3},
      {.name = "last_frequency", .nstart = 3, .nend = 3},
      {.name = "all_empty", .occupied = 0},
      {.name = "all_occupied", .occupied = 20},
      {.name = "half_occupied", .half_occupied = 3},
      {.name = "all_half_occupied", .occupied = 20, .half_occupied = 20},
      {.name = "deep", .nstart = 1, .state = State::deep},
      {.name = "deep_half_occupied", .half_occupied = 4, .state = State::deep},
      {.name = "deep_all_occupied", .nbands = 37, .occupied = 37, .state = State::deep},
      {.name = "wx_zero", .state = State::at_band},
      {.name = "complex", .ncouls = 37, .poles = Poles::complex},
      {.name = "complex_deep", .nstart = 1, .poles = Poles::complex, .state = State::deep},
      {.name = "complex_half_occupied", .half_occupied = 2, .poles = Poles::complex},
      {.name = "complex_wx_zero", .poles = Poles::complex, .state = State::at_band},
      {.name = "imaginary", .poles = Poles::imaginary},
      {.name = "invalid_poles", .poles = Poles::invalid},
      {.name = "zero_poles", .poles = Poles::zero, .state = State::at_band},
      {.name = "tiny_poles", .poles = Poles::tiny, .state = State::at_band},
      {.name = "tiny_poles_deep", .nstart = 1, .poles = Poles::tiny, .state = State::deep},
  };
  return shapes;
}

}  // namespace gpp::test
