#include "data/generate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>

#include "data/gpp214.h"
#include "data/kept_reference.h"
#include "data/random.h"
#include "data/silicon_laws.h"
#include "gpp/prepare.h"
#include "gpp/term.h"
#include "roofline/base/machine.h"
#include "roofline/base/parallel.h"

namespace gpp {
namespace {

// Each array has an independent sequence of random numbers.
enum Stream : std::uint64_t { energies = 1, poles, skew, elements_n, elements_m };

constexpr double pi = 3.14159265358979323846;
constexpr int q_points = 8;                  // 2 x 2 x 2 points, as in the silicon inputs
constexpr double rydberg = 13.605693122994;  // Rydberg energy in eV
constexpr Complex invalid_pole = {1e12, 0.0};
// As in si8_medium, BerkeleyGW has more G vectors than the dielectric matrix: so many times as many
// for the bare Coulomb interaction, and in all.
constexpr int vectors_of_coulomb = 3, vectors_of_density = 23;

std::size_t at(int row, int rows, int column) {
  return static_cast<std::size_t>(row) +
         static_cast<std::size_t>(rows) * static_cast<std::size_t>(column);
}

// A random point of the unit circle, uniform in direction: a random point of the disc, scaled to
// length 1.
Complex direction(Random& random) {
  for (;;) {
    const double x = 2.0 * random.uniform() - 1.0;
    const double y = 2.0 * random.uniform() - 1.0;
    const double size = x * x + y * y;
    if (size > 1.0 || size < 0x1p-40) continue;
    const double scale = 1.0 / std::sqrt(size);
    return {scale * x, scale * y};
  }
}

// This replaces the operator of gpp/complex.h. If that is not inlined, the linker may take a copy
// that was compiled with fused multiply-add, and the bits would differ.
Complex product(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// A G vector in units of 2 pi / lattice, and 4 |q+G|^2 in units of its square. The latter is an
// integer, so sorting is exact.
struct Vector {
  int x, y, z;
  int length2;
};

// The `count` shortest q+G at q = (0, 0, 1/2), the zone boundary.
std::vector<Vector> shortest(int count) {
  std::vector<Vector> vectors;
  for (int radius = 1; vectors.size() < static_cast<std::size_t>(count); ++radius) {
    vectors.clear();
    for (int x = -radius; x <= radius; ++x)
      for (int y = -radius; y <= radius; ++y)
        for (int z = -radius; z <= radius; ++z) {
          const int length2 = 4 * (x * x + y * y) + (2 * z + 1) * (2 * z + 1);
          if (length2 <= 4 * radius * radius) vectors.push_back({x, y, z, length2});
        }
  }
  std::sort(vectors.begin(), vectors.end(), [](const Vector& a, const Vector& b) {
    return std::tie(a.length2, a.z, a.y, a.x) < std::tie(b.length2, b.z, b.y, b.x);
  });
  vectors.resize(static_cast<std::size_t>(count));
  return vectors;
}

// The reciprocal lattice of a simple cubic cell, ordered as the kernel's arrays are. Both lists are
// sorted by length; their order within a shell differs, as in BerkeleyGW.
struct Cell {
  std::vector<double> length2;       // |q+G|^2 of each G vector, ascending, Ry
  std::vector<std::int32_t> indinv;  // permutation from a G's place in the dielectric matrix's list
                                     // (from 0) to its place in `length2` (from 1)

  explicit Cell(const Preset& preset) {
    const std::vector<Vector> sorted = shortest(vectors_of_coulomb * preset.ncouls);
    const double unit = (pi / preset.lattice) * (pi / preset.lattice);  // (2 pi / lattice)^2 / 4
    for (const Vector& v : sorted) length2.push_back(unit * v.length2);
    indinv.resize(static_cast<std::size_t>(preset.ncouls));
    std::iota(indinv.begin(), indinv.end(), 1);
    std::sort(indinv.begin(), indinv.end(), [&sorted](std::int32_t i, std::int32_t j) {
      const Vector& a = sorted[static_cast<std::size_t>(i - 1)];
      const Vector& b = sorted[static_cast<std::size_t>(j - 1)];
      return std::tie(a.length2, a.x, a.y, a.z) < std::tie(b.length2, b.x, b.y, b.z);
    });
  }
};

// Makes records 1, 2 and the frequencies.
Input dimensions(const Preset& preset) {
  Input input;
  input.sig_ntband = preset.sig_ntband;
  input.gvec_ng = vectors_of_density * preset.ncouls;
  input.ncoul = vectors_of_coulomb * preset.ncouls;
  input.epsmpi_ngpown_max = preset.ngpown;
  input.peinf_ntband_max = preset.ntband_dist;
  input.peinf_ntband_dist = preset.ntband_dist;
  input.ipe = 1 + preset.first_own_g;
  input.ispin = 1;
  input.ngpown = preset.ngpown;
  input.ncouls = preset.ncouls;
  input.nstart = preset.nstart;
  input.nend = preset.nend;
  return input;
}

void set_vectors(Input& input, const Preset& preset, const Cell& cell) {
  input.indinv = cell.indinv;
  input.indinv.resize(static_cast<std::size_t>(input.gvec_ng), 0);
  for (int igp = 0; igp < preset.ngpown; ++igp)
    input.inv_igp_index.push_back(1 + preset.first_own_g + igp * preset.g_ranks);
  const double volume = preset.lattice * preset.lattice * preset.lattice;
  for (const double length2 : cell.length2)
    input.vcoul.push_back(8.0 * pi / (volume * q_points * length2));
}

void set_energies(Input& input, const Preset& preset, std::uint64_t seed) {
  for (int band = 0; band < preset.sig_ntband; ++band) {
    Random random(seed, energies, static_cast<std::uint64_t>(band));
    const double place = band + 0.25 + 0.5 * random.uniform();
    input.wfnkq_ekq.push_back(silicon::band_energy(place / preset.nvband));
  }
  const double valence_top = input.wfnkq_ekq[static_cast<std::size_t>(preset.nvband - 1)];
  const bool metal = preset.half_occupied > 0.0;
  input.peinf_indext_dist.resize(static_cast<std::size_t>(preset.ntband_dist));
  std::iota(input.peinf_indext_dist.begin(), input.peinf_indext_dist.end(), 1 + preset.first_band);
  input.sig_fdf = 2;
  input.sig_dw = 1.0;
  input.sig_gamma = 0.5;
  input.e_lk = valence_top + preset.e_lk + preset.state * state_distance;
  input.nvband = preset.nvband;
  input.tol = metal ? preset.half_occupied : 1e-6 * rydberg;
  input.efermi = metal ? valence_top : valence_top + 2.0;
  const Limits limits = make_limits(input.sig_gamma, 4.0);
  input.sexcut = limits.sexcut;
  input.limittwo = limits.limittwo;
  input.limitone = limits.limitone;
}

// wtilde and I_eps of (G, G'), both counted from 0.
class Dielectric {
 public:
  struct Element {
    Complex wtilde;
    Complex I_eps;
  };

  Dielectric(const Preset& preset, std::uint64_t seed, const Cell& cell)
      : preset_(preset), seed_(seed) {
    for (int g = 0; g < preset.ncouls; ++g) {
      const double length2 = cell.length2[static_cast<std::size_t>(g)];
      length_.push_back(std::sqrt(length2));
      diagonal_.push_back(silicon::screening(length2));
      strength_.push_back(length_.back() * std::sqrt(diagonal_.back()));
    }
  }

  // wtilde is symmetric and |q+G|^2 I_eps is Hermitian, except for a little noise: (G,G') and
  // (G',G) draw the same random numbers.
  Element operator()(int g, int g_prime) const {
    const auto row = static_cast<std::size_t>(g);
    const auto column = static_cast<std::size_t>(g_prime);
    if (row == column)
      return {{silicon::diagonal_pole(diagonal_[row]), 0.0}, {diagonal_[row], 0.0}};
    const auto [low, high] = std::minmax(row, column);
    Random random(seed_, poles, low * length_.size() + high);
    // This is |q+G|^2 |I_eps|. The shorter of the two vectors limits it.
    const double size =
        std::min(silicon::coupling(random.uniform()) * (strength_[low] * strength_[high]),
                 silicon::largest_screening * (length_[low] * length_[low]));
    const Complex phase = direction(random);
    const Complex even =
        (size / (length_[row] * length_[row])) * (row == low ? phase : conj(phase));
    const Complex I_eps = product(even, noise(row, column));
    const double kind = random.uniform();
    if (kind >= silicon::zero_poles)
      return {pole(kind - silicon::zero_poles, random.uniform()), I_eps};
    const bool both_zero = kind < silicon::zero_screening * silicon::zero_poles;
    return {{0.0, 0.0}, both_zero ? Complex{0.0, 0.0} : I_eps};
  }

 private:
  // Without this noise the imaginary parts of the sums would cancel exactly if all G' are present.
  Complex noise(std::size_t row, std::size_t column) const {
    Random random(seed_, skew, row + length_.size() * column);
    const double re = silicon::skewness * (2.0 * random.uniform() - 1.0);
    const double im = silicon::skewness * (2.0 * random.uniform() - 1.0);
    return {1.0 + re, im};
  }

  Complex pole(double kind, double u) const {
    const bool invalid = kind < preset_.invalid_poles;
    if (invalid && !preset_.complex_poles) return invalid_pole;
    const double energy = preset_.pole_scale * silicon::pole_energy(u);
    return invalid ? Complex{0.0, energy} : Complex{energy, 0.0};
  }

  const Preset& preset_;
  std::uint64_t seed_;
  std::vector<double> length_;    // |q+G| of each G
  std::vector<double> diagonal_;  // the diagonal I_eps(G,G)
  std::vector<double> strength_;  // the scale |q+G| sqrt(I_eps(G,G))
};

void set_dielectric(Input& input, const Preset& preset, std::uint64_t seed, const Cell& cell,
                    const Progress& progress) {
  const Dielectric dielectric(preset, seed, cell);
  const std::size_t size = at(0, input.ncouls, input.ngpown);
  input.wtilde_array.resize(size);
  input.I_eps_array.resize(size);
  const auto fill_column = [&](int igp) {
    const int own = input.inv_igp_index[static_cast<std::size_t>(igp)];
    const int g_prime = input.indinv[static_cast<std::size_t>(own - 1)] - 1;
    for (int ig = 0; ig < input.ncouls; ++ig) {
      const auto [wtilde, I_eps] = dielectric(ig, g_prime);
      input.wtilde_array[at(ig, input.ncouls, igp)] = wtilde;
      input.I_eps_array[at(ig, input.ncouls, igp)] = I_eps;
    }
  };
  roofline::parallel_for(input.ngpown, fill_column, progress);
}

// Makes the elements of the rank's own bands. Each state draws its own numbers; a band has the same
// numbers on any rank.
std::vector<Complex> matrix_elements(const Preset& preset, const Input& input, Stream stream,
                                     std::uint64_t seed, const Cell& cell,
                                     const Progress& progress) {
  const double valence_top = input.wfnkq_ekq[static_cast<std::size_t>(input.nvband - 1)];
  const double scale = std::sqrt(16.0 / input.nvband);
  std::vector<Complex> values(at(0, input.ncouls, input.peinf_ntband_dist));
  const std::size_t of_a_state = at(0, input.ncouls, input.sig_ntband);
  const std::size_t first = of_a_state * static_cast<std::size_t>(preset.state);
  const auto fill_band = [&](int n1) {
    const int band = preset.first_band + n1;
    const double energy = input.wfnkq_ekq[static_cast<std::size_t>(band)] - valence_top;
    const auto shells = silicon::matrix_elements(band < input.nvband, energy);
    for (int ig = 0; ig < input.ncouls; ++ig) {
      const std::size_t place = at(ig, input.ncouls, n1);
      Random random(seed, stream, first + at(ig, input.ncouls, band));
      const double rms =
          silicon::matrix_element(shells, cell.length2[static_cast<std::size_t>(ig)]);
      const double size = scale * rms * silicon::matrix_element_shape(random.uniform());
      values[place] = size * direction(random);
    }
  };
  roofline::parallel_for(input.peinf_ntband_dist, fill_band, progress);
  return values;
}

void set_reference(Input& input, const Progress& progress) {
  // The prepared problem only borrows the input; this function keeps ownership.
  const std::shared_ptr<const Input> borrowed(std::shared_ptr<void>(), &input);
  const Sums sums = obtain_reference(PreparedProblem(borrowed).view(), reference_folder(), progress)
                        .reference.sums;
  store(sums, input);
}

// The progress of a part that makes up `share` of the work and starts after `before` of it.
Progress part(const Progress& progress, double before, double share) {
  if (!progress) return {};
  return [&progress, before, share](double done) { progress(before + share * done); };
}

}  // namespace

void store(const Sums& sums, Input& input) {
  for (int iw = 0; iw < input.nfreq(); ++iw) {
    const auto slot = static_cast<std::size_t>(input.nstart - 1 + iw);
    input.asxtempref[slot] = input.asxtemp[slot] + sums.asx[iw];
    input.achtempref[slot] = input.achtemp[slot] + sums.ach[iw];
  }
}

MatrixElements generate_elements(const Preset& preset, std::uint64_t seed,
                                 const Progress& progress) {
  Input input = dimensions(preset);
  set_energies(input, preset, seed);
  const Cell cell(preset);
  MatrixElements elements;
  elements.aqsntemp = matrix_elements(preset, input, elements_n, seed, cell, progress);
  if (preset.offdiagonal)
    elements.aqsmtemp = matrix_elements(preset, input, elements_m, seed, cell, progress);
  return elements;
}

Input generate(const Preset& preset, std::uint64_t seed, bool with_reference,
               const Progress& progress) {
  Input input = dimensions(preset);
  roofline::require_memory(memory_estimate(input), "preset " + preset.name);

  const Cell cell(preset);
  set_vectors(input, preset, cell);
  set_energies(input, preset, seed);

  // Drawing one element takes about as long as five terms of the reference.
  const double drawn = 5.0 * preset.ncouls * (1.0 * preset.ngpown + preset.ntband_dist);
  const double total = drawn + (with_reference ? static_cast<double>(preset.terms()) : 0.0);
  const double poles_share = 5.0 * preset.ncouls * preset.ngpown / total;
  const double bands_share = 5.0 * preset.ncouls * preset.ntband_dist / total;
  set_dielectric(input, preset, seed, cell, part(progress, 0.0, poles_share));
  const Progress bands_progress = part(progress, poles_share, bands_share);
  input.aqsntemp = matrix_elements(preset, input, elements_n, seed, cell, bands_progress);
  input.aqsmtemp = preset.offdiagonal ? matrix_elements(preset, input, elements_m, seed, cell, {})
                                      : input.aqsntemp;
  if (with_reference)
    set_reference(input,
                  part(progress, poles_share + bands_share, 1.0 - poles_share - bands_share));
  if (progress) progress(1.0);
  return input;
}

}  // namespace gpp
