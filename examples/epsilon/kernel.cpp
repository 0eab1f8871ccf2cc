#include "examples/epsilon/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <complex>
#include <random>
#include <span>
#include <tuple>

namespace gpp::epsilon {
namespace {

using namespace examples;

/// Random numbers with real and imaginary parts in [-scale, scale), different for each array.
std::vector<Complex> random_numbers(long long count, double scale, std::uint64_t seed) {
  const auto part = [=](long long i) { return scale * (2.0 * uniform(seed, i) - 1); };
  return made_numbers(count, [&](long long i) -> Complex {
    return {part(2 * i), part(2 * i + 1)};
  });
}

// ---- Plane waves, and the box in which their products are transformed ---------------------------

/// A vector of integers.
struct Vector {
  int x, y, z;
  int square() const { return x * x + y * y + z * z; }
  int largest() const { return std::max({std::abs(x), std::abs(y), std::abs(z)}); }
};

/// The `count` shortest vectors, in order of length.
std::vector<Vector> shortest(int count) {
  // A sphere of this radius holds at least `count` vectors, since their unit cubes overlap its rim.
  const int r = static_cast<int>(std::ceil(std::cbrt(count / 4.18) + 1));
  std::vector<Vector> vectors;
  for (int x = -r; x <= r; ++x)
    for (int y = -r; y <= r; ++y)
      for (int z = -r; z <= r; ++z)
        if (const Vector g{x, y, z}; g.square() <= r * r) vectors.push_back(g);
  std::sort(vectors.begin(), vectors.end(), [](const Vector& a, const Vector& b) {
    return std::tuple(a.square(), a.x, a.y, a.z) < std::tuple(b.square(), b.x, b.y, b.z);
  });
  vectors.resize(static_cast<std::size_t>(count));
  return vectors;
}

int largest_of(std::span<const Vector> vectors) {
  return std::ranges::max(vectors, {}, &Vector::largest).largest();
}

/// Rows of N_G numbers start at whole lines of 128 bytes.
int pitch_of(int n_g) { return (n_g + 7) / 8 * 8; }

/// True if the size has no prime factor above 7, so that it transforms fast.
bool transforms_well(int size) {
  for (const int prime : {2, 3, 5, 7})
    while (size % prime == 0) size /= prime;
  return size == 1;
}

// ---- Judging ------------------------------------------------------------------------------------

// Results are not compared number by number, which would take as long as the step itself. Their
// rows are added up with random weights, and the sum is compared with its expected value, a matrix
// times a vector (Freivalds 1977). Wrong numbers could only hide by cancelling each other, but no
// variant knows the weights.

using Number = std::complex<double>;

Number number(const Complex& z) { return {z.re, z.im}; }

/// The column sums of a matrix whose rows are multiplied by factors.
struct Columns {
  std::vector<Number> sums;     ///< sum of each column, with weighted rows
  std::vector<double> squares;  ///< sum of squares of each column
};

Columns columns_of(const Complex* matrix, const std::vector<Number>& weights,
                   const std::vector<double>& factors, int columns, int pitch) {
  constexpr int together = 64;  // columns that share cache lines
  Columns of;
  of.sums.resize(static_cast<std::size_t>(columns));
  of.squares.resize(static_cast<std::size_t>(columns));
  roofline::parallel_for((columns + together - 1) / together, [&](int block) {
    const int end = std::min(columns, (block + 1) * together);
    for (std::size_t row = 0; row < weights.size(); ++row)
      for (auto j = static_cast<std::size_t>(block * together); j < static_cast<std::size_t>(end);
           ++j) {
        const Number z = factors[row] * number(matrix[row * static_cast<std::size_t>(pitch) + j]);
        of.sums[j] += weights[row] * z;
        of.squares[j] += std::norm(z);
      }
  });
  return of;
}

double length_of(const std::vector<Number>& numbers) {
  double sum = 0;
  for (const Number& z : numbers) sum += std::norm(z);
  return std::sqrt(sum);
}

struct WeightedRows {
  std::vector<int> rows;
  std::vector<double> weights;
};

/// An expected number, and the scale of its rounding error.
struct Due {
  Number value;
  double scale;
};

/// Compares the sums of all columns, or of every `step`-th, with their expected values.
Check compare(const std::vector<Number>& sums, std::size_t step, double tolerance,
              const std::function<Due(std::size_t column)>& due) {
  return judge_each(
      (sums.size() + step - 1) / step, tolerance, "column", [&](std::size_t i, Judge& judge) {
        const std::size_t column = i * step;
        const Due expected = due(column);
        const auto place = static_cast<long long>(column);
        judge.look_at(place, sums[column].real(), expected.value.real(), expected.scale);
        judge.look_at(place, sums[column].imag(), expected.value.imag(), expected.scale);
      });
}

class Epsilon : public MadeSubject<Screening> {
 public:
  using Size = epsilon::Size;
  static constexpr About about = About(
      "epsilon", "Epsilon",
      "the dielectric matrix in three steps of libraries: transforms, a product of matrices, an "
      "inverse",
      "elements", "{bands} bands, N_G {n_g}, N_G^psi {n_g_psi}", 4'096, 64);
  /// Si-214 has 428 valence and 5969 conduction bands. 16 GPUs shared its Epsilon (Yang 2021), each
  /// with 159672 of the pairs, 28 GB of M.
  static constexpr Preset<Size> presets[] = {
      {"full", "Si-214 with 1536 of its conduction bands; takes 16 GB of memory",
       Size(1'536, 11'075, 31'463)},
      {"medium", "a quarter of each number, for processors", Size(373, 2'769, 7'866)},
      {"small", "512 G in 64 bands", Size(64, 512, 1'454)},
      {"tiny", "27 G in 5 bands, for tests", Size(5, 27, 81)}};
  static constexpr Awkward<Size> awkward[] = {
      {"one_number", "one band and G = 0 alone: all arrays hold one number", Size(1, 1, 1)},
      {"one_band", "one band", Size(1, 33, 93)},
      {"more_bands", "more bands than G: M is taller than chi", Size(45, 19, 57)},
      {"all_waves", "N_G is N_G^psi: M has every G that psi has", Size(9, 123, 123)},
      {"pivots", "a strong interaction: elimination needs other pivots than the diagonal",
       Size(3, 200, 300, 1e6)},
      {"odd", "prime numbers of everything", Size(17, 131, 383)}};

  /// The bytes of the input, and of its copy on a host with the results.
  static long long memory_of(const Size& size) {
    const long long pitch = pitch_of(size.n_g);
    const long long numbers =
        3 * size.n_g * pitch + static_cast<long long>(size.bands) * (size.n_g_psi + pitch);
    return 2 * static_cast<long long>(sizeof(Complex)) * numbers;
  }
  /// Backward stable libraries have errors of a few roundings of the largest sums (Higham 2002).
  static double tolerance(std::string_view /*step*/) { return 1e-12; }

  Epsilon(std::string label, const Size& size, std::uint64_t seed)
      : MadeSubject(about, std::move(label), seed, 1LL * size.n_g * size.n_g,
                    {{"bands", size.bands}, {"n_g", size.n_g}, {"n_g_psi", size.n_g_psi}}),
        vectors_(shortest(size.n_g_psi)) {
    problem_.bands = size.bands;
    problem_.n_g = size.n_g;
    problem_.pitch = pitch_of(size.n_g);
    problem_.n_g_psi = size.n_g_psi;
    problem_.box = side_of_box(size.n_g, size.n_g_psi);
    problem_.points = problem_.box * problem_.box * problem_.box;
    add_places();
    const auto random = [seed](long long count, double scale, std::uint64_t array) {
      return random_numbers(about.most_shift + count, scale, mixed(seed + array));
    };
    const long long pitch = problem_.pitch;
    add(problem_.psi_v, "psi_v", random(size.n_g_psi, 1, 0));
    add(problem_.psi_c, "psi_c", random(1LL * size.bands * size.n_g_psi, 1, 1));
    add(problem_.m, "m", random(size.bands * pitch, 1, 2));
    add(problem_.weight, "weight", made_numbers(size.bands + about.most_shift, [seed](long long c) {
          return -1 / (1 + 3.0 * uniform(mixed(seed + 4), c));
        }));
    add(problem_.chi, "chi", random(size.n_g * pitch, 1 / std::sqrt(size.n_g), 3));
    add(problem_.coulomb, "coulomb",
        made_numbers(size.n_g,
                     [&](long long g) {
                       return size.strength / (1 + vectors_[static_cast<std::size_t>(g)].square());
                     }),
        false);
    add_output(problem_.result, std::max(size.bands, size.n_g) * pitch);
  }

  /// A transform of n points takes 5 n log2(n) operations by FFTW's convention (Frigo and Johnson
  /// 2005); a factorisation and its inverse take 8 n^3 (LAPACK Working Note 41).
  SourceCount count(const Variant& variant) override {
    const double bands = problem_.bands, n_g = problem_.n_g, n_g_psi = problem_.n_g_psi;
    const double points = problem_.points;
    const double transform = 5 * points * std::log2(points);
    const auto counted = [](double flop, double numbers) {
      return SourceCount{{{"fp64_flop", flop}, {"dram_bytes", sizeof(Complex) * numbers}}};
    };
    if (variant.step == "mtxel")
      return counted(transform + bands * (2 * transform + 6 * points),
                     n_g_psi + bands * (n_g_psi + n_g));
    if (variant.step == "chi0") return counted(8 * bands * n_g * n_g, bands * n_g + n_g * n_g);
    if (variant.step == "inversion") return counted(8 * n_g * n_g * n_g, 2 * n_g * n_g);
    return {{}, "its file has the name of none of the three steps"};
  }

  Check check(LastRun<Screening>& last, double tolerance) const override {
    const WeightedRows some = rows_to_check(last);
    std::vector<Number> sum(static_cast<std::size_t>(problem_.n_g));
    for (std::size_t i = 0; i < some.rows.size(); ++i) {
      const auto row =
          last.read(last.problem.result + 1LL * some.rows[i] * problem_.pitch, problem_.n_g);
      for (std::size_t g = 0; g < row.size(); ++g) sum[g] += some.weights[i] * number(row[g]);
    }
    const Screening& in = last.on_host;
    if (last.step() == "mtxel")
      return check_mtxel(in, some, sum, last.seed == 0 ? 1 : 1 + sum.size() / 64, tolerance);
    if (last.step() == "chi0") return check_chi0(in, some, sum, tolerance);
    return check_inversion(in, some, sum, tolerance);
  }

  JsonObject answer(const LastRun<Screening>& last) const override {
    std::vector<double> parts;
    for (const Complex& z : last.read(last.problem.result, std::min(4, problem_.n_g)))
      parts.push_back(z.re);
    return first_numbers(parts);
  }

 private:
  /// The index of G in the box, where negative components count from the end.
  int point_of(const Vector& g) const {
    const auto at = [this](int i) { return i < 0 ? i + problem_.box : i; };
    return (at(g.x) * problem_.box + at(g.y)) * problem_.box + at(g.z);
  }
  void add_places() {
    std::vector<int> point, g_at(static_cast<std::size_t>(problem_.points), -1);
    for (const Vector& g : vectors_) {
      point.push_back(point_of(g));
      g_at[static_cast<std::size_t>(point.back())] = static_cast<int>(point.size()) - 1;
    }
    add(problem_.point, "point", std::move(point), false);
    add(problem_.g_at, "g_at", std::move(g_at), false);
  }

  /// Chooses all rows of the original problem, or some rows by the seed if it was varied.
  WeightedRows rows_to_check(const LastRun<Screening>& last) const {
    const int all = last.step() == "mtxel" ? problem_.bands : problem_.n_g;
    WeightedRows some{places_to_judge(all, last.seed == 0, 64, last.seed), {}};
    std::mt19937_64 engine(mixed(last.seed));
    while (some.weights.size() < some.rows.size()) {
      const double size = std::ldexp(static_cast<double>(engine() >> 11), -54) + 0.5;
      some.weights.push_back(engine() % 2 == 0 ? size : -size);
    }
    return some;
  }

  /// The sum over bands is taken before the sum over G1, which follows the definition. Compares
  /// every `step`-th column.
  Check check_mtxel(const Screening& in, const WeightedRows& some, const std::vector<Number>& sum,
                    std::size_t step, double tolerance) const {
    const auto waves = static_cast<std::size_t>(in.n_g_psi);
    std::vector<Number> psi(waves), conj_v(waves);
    for (std::size_t i = 0; i < some.rows.size(); ++i) {
      const Complex* const band = in.psi_c + static_cast<std::size_t>(some.rows[i]) * waves;
      for (std::size_t g = 0; g < waves; ++g) psi[g] += some.weights[i] * number(band[g]);
    }
    for (std::size_t g = 0; g < waves; ++g) conj_v[g] = std::conj(number(in.psi_v[g]));
    const double scale = length_of(conj_v) * length_of(psi);
    const int reach = largest_of(vectors_);
    return compare(sum, step, tolerance, [&](std::size_t column) {
      const Vector g = vectors_[column];
      Number value = 0;
      for (std::size_t i = 0; i < waves; ++i) {
        const Vector& one = vectors_[i];
        const Vector other{one.x + g.x, one.y + g.y, one.z + g.z};
        if (other.largest() > reach) continue;
        const int place = in.g_at[point_of(other)];
        if (place >= 0) value += conj_v[i] * psi[static_cast<std::size_t>(place)];
      }
      return Due{value, scale};
    });
  }

  /// The sum over G is taken before the sum over pairs.
  static Check check_chi0(const Screening& in, const WeightedRows& some,
                          const std::vector<Number>& sum, double tolerance) {
    const auto bands = static_cast<std::size_t>(in.bands);
    std::vector<Number> of_pair(bands);
    roofline::parallel_for(in.bands, [&](int c) {
      Number total = 0;
      for (std::size_t i = 0; i < some.rows.size(); ++i)
        total += some.weights[i] * std::conj(number(in.m[1LL * c * in.pitch + some.rows[i]]));
      of_pair[static_cast<std::size_t>(c)] = in.weight[c] * total;
    });
    const double length = length_of(of_pair);
    const Columns due = columns_of(in.m, of_pair, std::vector<double>(bands, 1), in.n_g, in.pitch);
    return compare(sum, 1, tolerance, [&](std::size_t column) {
      return Due{due.sums[column], length * std::sqrt(due.squares[column])};
    });
  }

  /// Rows of the inverse times epsilon must be rows of the unit matrix.
  static Check check_inversion(const Screening& in, const WeightedRows& some,
                               const std::vector<Number>& sum, double tolerance) {
    std::vector<double> factors(in.coulomb, in.coulomb + in.n_g);
    for (double& factor : factors) factor = -factor;
    const Columns rest = columns_of(in.chi, sum, factors, in.n_g, in.pitch);
    std::vector<Number> product = sum, due(sum.size());
    for (std::size_t g = 0; g < product.size(); ++g) product[g] += rest.sums[g];
    for (std::size_t i = 0; i < some.rows.size(); ++i)
      due[static_cast<std::size_t>(some.rows[i])] += some.weights[i];
    const double length = length_of(sum);
    return compare(product, 1, tolerance, [&](std::size_t column) {
      return Due{due[column], length * std::sqrt(1 + rest.squares[column])};
    });
  }

  const std::vector<Vector> vectors_;
};

}  // namespace

int side_of_box(int n_g, int n_g_psi) {
  int side = 2 * largest_of(shortest(n_g_psi)) + largest_of(shortest(n_g)) + 1;
  while (!transforms_well(side)) ++side;
  return side;
}

const examples::Example<Size>& example() {
  static const examples::Example<Size> example = made_kernel<Epsilon>(built());
  return example;
}

}  // namespace gpp::epsilon
