#include "examples/epsilon/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "examples/epsilon/columns.h"
#include "examples/epsilon/waves.h"
#include "examples/made_kernel.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/parallel.h"
#include "roofline/base/table.h"
#include "roofline/base/units.h"

namespace gpp::epsilon {
namespace {

using namespace examples;
// ---- Inputs -------------------------------------------------------------------------------------

/// The first preset is the default. Si-214 has 428 valence and 5969 conduction bands. 16 GPUs
/// shared its Epsilon (Yang 2021), each with 159672 of the pairs, 28 GB of M.
constexpr std::array<Preset<Size>, 4> presets = {
    {{"full",
      "Si-214 with 1536 of its conduction bands; takes 16 GB of memory",
      {1'536, 11'075, 31'463}},
     {"medium", "a quarter of each number, for processors", {373, 2'769, 7'866}},
     {"small", "512 G in 64 bands", {64, 512, 1'454}},
     {"tiny", "27 G in 5 bands, for tests", {5, 27, 81}}}};

constexpr int most_g = 30'000, most_g_psi = 1'000'000, most_bands = 1'000'000;

/// Views start at up to this many numbers into their arrays, so that runs see different data.
constexpr long long most_shift = 4'096;
constexpr long long shift_step = 64;  // views start at whole cache lines, so accesses stay the same

/// Random numbers with real and imaginary parts in [-scale, scale), different for each array.
std::vector<Complex> random_numbers(long long count, double scale, std::uint64_t seed) {
  std::vector<Complex> numbers(static_cast<std::size_t>(count));
  for_pieces(count, [&](long long first, long long last) {
    const auto part = [&](long long i) {
      return scale * (2.0 * uniform(seed, static_cast<std::uint64_t>(i)) - 1);
    };
    for (long long i = first; i < last; ++i)
      numbers[static_cast<std::size_t>(i)] = {part(2 * i), part(2 * i + 1)};
  });
  return numbers;
}

/// The bytes of the input, and of its copy on a host with the results.
std::int64_t memory_of(const Size& size) {
  const long long pitch = pitch_of(size.n_g);
  const long long numbers =
      3 * size.n_g * pitch + static_cast<long long>(size.bands) * (size.n_g_psi + pitch);
  return 2 * static_cast<std::int64_t>(sizeof(Complex)) * numbers;
}

class EpsilonSubject : public MadeSubject {
 public:
  EpsilonSubject(std::string label, const Size& sizes, std::uint64_t seed)
      : MadeSubject("epsilon", std::move(label), seed, 1LL * sizes.n_g * sizes.n_g,
                    {{"bands", sizes.bands}, {"n_g", sizes.n_g}, {"n_g_psi", sizes.n_g_psi}}),
        size(sizes),
        pitch(pitch_of(sizes.n_g)),
        vectors(shortest(sizes.n_g_psi)),
        box(side_for(vectors, sizes.n_g)),
        psi_v(random_numbers(sizes.n_g_psi + most_shift, 1, mixed(seed))),
        psi_c(random_numbers(most_shift + 1LL * sizes.bands * sizes.n_g_psi, 1, mixed(seed + 1))),
        m(random_numbers(most_shift + 1LL * sizes.bands * pitch, 1, mixed(seed + 2))),
        chi(random_numbers(most_shift + 1LL * sizes.n_g * pitch, 1 / std::sqrt(sizes.n_g),
                           mixed(seed + 3))) {
    g_at.assign(static_cast<std::size_t>(box) * box * box, -1);
    for (const Vector& g : vectors) {
      point.push_back(point_of(g));
      g_at[static_cast<std::size_t>(point.back())] = static_cast<int>(point.size()) - 1;
    }
    for (int c = 0; c < sizes.bands + most_shift; ++c)
      weight.push_back(-1 / (1 + 3.0 * uniform(mixed(seed + 4), static_cast<std::uint64_t>(c))));
    for (int g = 0; g < sizes.n_g; ++g)
      coulomb.push_back(sizes.strength / (1 + vectors[static_cast<std::size_t>(g)].square()));
  }

  std::unique_ptr<Placement> place(const Runtime& runtime) const override;
  SourceCount count(const Variant& variant) override;

  /// The index of G in the box, where negative components count from the end.
  int point_of(const Vector& g) const {
    const auto at = [this](int i) { return i < 0 ? i + box : i; };
    return (at(g.x) * box + at(g.y)) * box + at(g.z);
  }

  const Size size;
  const int pitch;
  const std::vector<Vector> vectors;
  const int box;
  const std::vector<Complex> psi_v, psi_c, m, chi;
  std::vector<int> point, g_at;
  std::vector<double> weight, coulomb;
};

/// A transform of n points takes 5 n log2(n) operations by FFTW's convention (Frigo and Johnson
/// 2005); a factorisation and its inverse take 8 n^3 (LAPACK Working Note 41).
SourceCount EpsilonSubject::count(const Variant& variant) {
  const double bands = size.bands, n_g = size.n_g, n_g_psi = size.n_g_psi;
  const double points = std::pow(box, 3);
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

// ---- Answers ------------------------------------------------------------------------------------

// Results are not compared number by number, which would take as long as the step itself. Their
// rows are added up with random weights, and the sum is compared with its expected value, a matrix
// times a vector (Freivalds 1977). Wrong numbers could only hide by cancelling each other, but no
// variant knows the weights.

struct WeightedRows {
  std::vector<int> rows;
  std::vector<double> weights;
};

class EpsilonPlacement : public Placement {
 public:
  EpsilonPlacement(const EpsilonSubject& subject, const Runtime& runtime);

  void vary(std::uint64_t seed) override {
    seed_ = seed;
    shift_ = shift_of(seed, most_shift, shift_step);
  }
  void run(const Variant& variant, const Call& call) override;
  Check check(double tolerance) override;
  JsonObject answer() const override;
  std::string repair() override { return arrays_.repair(); }

 private:
  int n_g() const { return subject_.size.n_g; }
  int rows_of_result() const { return step_ == "mtxel" ? subject_.size.bands : n_g(); }

  std::vector<Number> row_of_result(int row) const;
  WeightedRows rows_to_check() const;
  std::vector<Number> sum_of(const WeightedRows& some) const;

  Check check_mtxel(const WeightedRows& some, const std::vector<Number>& sum, double tolerance);
  Check check_chi0(const WeightedRows& some, const std::vector<Number>& sum, double tolerance);
  Check check_inversion(const WeightedRows& some, const std::vector<Number>& sum, double tolerance);

  const EpsilonSubject& subject_;
  const DeviceMemory& memory_;
  PlacedArrays arrays_;
  Screening whole_;
  std::string step_;  // step of the last variant
  std::uint64_t seed_ = 0;
  long long shift_ = 0;
};

EpsilonPlacement::EpsilonPlacement(const EpsilonSubject& subject, const Runtime& runtime)
    : subject_(subject), memory_(runtime.memory()), arrays_(memory_) {
  whole_.bands = subject.size.bands;
  whole_.n_g = subject.size.n_g;
  whole_.pitch = subject.pitch;
  whole_.n_g_psi = subject.size.n_g_psi;
  whole_.box = subject.box;
  whole_.points = subject.box * subject.box * subject.box;
  whole_.point = place_copy(arrays_, "point", subject.point);
  whole_.g_at = place_copy(arrays_, "g_at", subject.g_at);
  whole_.psi_v = place_copy(arrays_, "psi_v", subject.psi_v);
  whole_.psi_c = place_copy(arrays_, "psi_c", subject.psi_c);
  whole_.m = place_copy(arrays_, "m", subject.m);
  whole_.weight = place_copy(arrays_, "weight", subject.weight);
  whole_.chi = place_copy(arrays_, "chi", subject.chi);
  whole_.coulomb = place_copy(arrays_, "coulomb", subject.coulomb);
  const auto rows = static_cast<std::size_t>(std::max(subject.size.bands, subject.size.n_g));
  whole_.result = static_cast<Complex*>(
      arrays_.add_output(rows * static_cast<std::size_t>(subject.pitch) * sizeof(Complex)));
}

std::unique_ptr<Placement> EpsilonSubject::place(const Runtime& runtime) const {
  // Variants need about as much scratch memory as the inversion does, which is another matrix.
  require_device_memory(memory_of(size) / 2, runtime.free_bytes());
  return std::make_unique<EpsilonPlacement>(*this, runtime);
}

void EpsilonPlacement::run(const Variant& variant, const Call& call) {
  Screening screening = whole_;
  screening.psi_v += shift_;
  screening.psi_c += shift_;
  screening.m += shift_;
  screening.weight += shift_;
  screening.chi += shift_;
  call(screening);
  step_ = variant.step;
}

std::vector<Number> EpsilonPlacement::row_of_result(int row) const {
  std::vector<Number> numbers(static_cast<std::size_t>(n_g()));
  memory_.read(numbers.data(), whole_.result + static_cast<std::ptrdiff_t>(row) * subject_.pitch,
               numbers.size() * sizeof(Number));
  return numbers;
}

/// Chooses all rows of the unchanged problem, or some rows by the seed if it was varied.
WeightedRows EpsilonPlacement::rows_to_check() const {
  constexpr int few = 64;
  WeightedRows some;
  std::mt19937_64 engine(mixed(seed_));
  const int all = rows_of_result();
  const bool whole = seed_ == 0 || all <= few;
  for (int i = 0; i < (whole ? all : few); ++i) {
    some.rows.push_back(whole ? i : static_cast<int>(engine() % static_cast<std::uint64_t>(all)));
    const double size = std::ldexp(static_cast<double>(engine() >> 11), -54) + 0.5;
    some.weights.push_back(engine() % 2 == 0 ? size : -size);
  }
  return some;
}

std::vector<Number> EpsilonPlacement::sum_of(const WeightedRows& some) const {
  std::vector<Number> sum(static_cast<std::size_t>(n_g()));
  for (std::size_t i = 0; i < some.rows.size(); ++i) {
    const std::vector<Number> row = row_of_result(some.rows[i]);
    for (std::size_t g = 0; g < row.size(); ++g) sum[g] += some.weights[i] * row[g];
  }
  return sum;
}

/// An expected number, and the scale of its rounding error.
struct Due {
  Number value;
  double scale;
};

/// Compares the sums of all columns, or of every `step`-th, with their expected values.
Check compare(const std::vector<Number>& sums, int step, double tolerance,
              const std::function<Due(std::size_t column)>& due) {
  const int columns = (static_cast<int>(sums.size()) + step - 1) / step;
  std::vector<Check> checks(static_cast<std::size_t>(columns));
  roofline::parallel_for(columns, [&](int i) {
    const auto column = static_cast<std::size_t>(i) * static_cast<std::size_t>(step);
    Judge judge(tolerance, "column");
    const Due expected = due(column);
    const auto place = static_cast<long long>(column);
    judge.look_at(place, sums[column].real(), expected.value.real(), expected.scale);
    judge.look_at(place, sums[column].imag(), expected.value.imag(), expected.scale);
    checks[static_cast<std::size_t>(i)] = judge.verdict();
  });
  return worst(checks);
}

/// The sum over bands is taken before the sum over G1, which follows the definition.
Check EpsilonPlacement::check_mtxel(const WeightedRows& some, const std::vector<Number>& sum,
                                    double tolerance) {
  const auto waves = static_cast<std::size_t>(subject_.size.n_g_psi);
  std::vector<Number> psi(waves);
  for (std::size_t i = 0; i < some.rows.size(); ++i) {
    const Complex* const band =
        subject_.psi_c.data() + shift_ + static_cast<std::size_t>(some.rows[i]) * waves;
    for (std::size_t g = 0; g < waves; ++g) psi[g] += some.weights[i] * number(band[g]);
  }
  const Complex* const v = subject_.psi_v.data() + shift_;
  std::vector<Number> conj_v(waves);
  for (std::size_t g = 0; g < waves; ++g) conj_v[g] = std::conj(number(v[g]));
  const double scale = length_of(conj_v) * length_of(psi);
  const int reach = largest_of(subject_.vectors);
  const auto due = [&](std::size_t column) {
    const Vector g = subject_.vectors[column];
    Number value = 0;
    for (std::size_t i = 0; i < waves; ++i) {
      const Vector& one = subject_.vectors[i];
      const Vector other{one.x + g.x, one.y + g.y, one.z + g.z};
      if (other.largest() > reach) continue;
      const int place = subject_.g_at[static_cast<std::size_t>(subject_.point_of(other))];
      if (place >= 0) value += conj_v[i] * psi[static_cast<std::size_t>(place)];
    }
    return Due{value, scale};
  };
  return compare(sum, seed_ == 0 ? 1 : 1 + n_g() / 64, tolerance, due);
}

/// The sum over G is taken before the sum over pairs.
Check EpsilonPlacement::check_chi0(const WeightedRows& some, const std::vector<Number>& sum,
                                   double tolerance) {
  const auto bands = static_cast<std::size_t>(subject_.size.bands);
  const auto pitch = static_cast<std::size_t>(subject_.pitch);
  const Complex* const m = subject_.m.data() + shift_;
  std::vector<Number> of_pair(bands);
  roofline::parallel_for(subject_.size.bands, [&](int c) {
    const auto pair = static_cast<std::size_t>(c);
    Number total = 0;
    for (std::size_t i = 0; i < some.rows.size(); ++i)
      total += some.weights[i] *
               std::conj(number(m[pair * pitch + static_cast<std::size_t>(some.rows[i])]));
    of_pair[pair] = subject_.weight[pair + static_cast<std::size_t>(shift_)] * total;
  });
  const double length = length_of(of_pair);
  const Columns due = columns_of(m, of_pair, std::vector<double>(bands, 1), n_g(), subject_.pitch);
  return compare(sum, 1, tolerance, [&](std::size_t column) {
    return Due{due.sums[column], length * std::sqrt(due.squares[column])};
  });
}

/// Rows of the inverse times epsilon must be rows of the unit matrix.
Check EpsilonPlacement::check_inversion(const WeightedRows& some, const std::vector<Number>& sum,
                                        double tolerance) {
  std::vector<double> factors;
  for (const double v : subject_.coulomb) factors.push_back(-v);
  const Columns rest =
      columns_of(subject_.chi.data() + shift_, sum, factors, n_g(), subject_.pitch);
  std::vector<Number> product = sum, due(sum.size());
  for (std::size_t g = 0; g < product.size(); ++g) product[g] += rest.sums[g];
  for (std::size_t i = 0; i < some.rows.size(); ++i)
    due[static_cast<std::size_t>(some.rows[i])] += some.weights[i];
  const double length = length_of(sum);
  return compare(product, 1, tolerance, [&](std::size_t column) {
    return Due{due[column], length * std::sqrt(1 + rest.squares[column])};
  });
}

Check EpsilonPlacement::check(double tolerance) {
  const WeightedRows some = rows_to_check();
  const std::vector<Number> sum = sum_of(some);
  if (step_ == "mtxel") return check_mtxel(some, sum, tolerance);
  if (step_ == "chi0") return check_chi0(some, sum, tolerance);
  return check_inversion(some, sum, tolerance);
}

JsonObject EpsilonPlacement::answer() const {
  std::vector<double> parts;
  for (const Number& z : row_of_result(0)) parts.push_back(z.real());
  return first_numbers(parts);
}

// ---- For harness/kernel.h -----------------------------------------------------------------------

constexpr std::array<Awkward<Size>, 6> awkward = {
    {{"one_number",
      "one band and G = 0 alone: all arrays hold one number",
      "a loop that always does several steps",
      {1, 1, 1}},
     {"one_band", "one band", "the last batch of bands", {1, 33, 93}},
     {"more_bands",
      "more bands than G: M is taller than chi",
      "bands and G, taken for each other",
      {45, 19, 57}},
     {"all_waves",
      "N_G is N_G^psi: M has every G that psi has",
      "a box in which waves meet those of the next one",
      {9, 123, 123}},
     {"pivots",
      "a strong interaction: elimination needs other pivots than the diagonal",
      "an elimination without exchange of rows",
      {3, 200, 300, 1e6}},
     {"odd",
      "prime numbers of everything",
      "what is left over after whole blocks",
      {17, 131, 383}}}};

JsonObject read_dimensions(const roofline::JsonPlace& input) {
  return read_counts(input, {"bands", "n_g", "n_g_psi"});
}

void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study) {
  const long long n_g = study.input.dimension("n_g");
  // The test avoids the product, which may overflow.
  if (study.input.terms % n_g == 0 && study.input.terms / n_g == n_g) return;
  root["input"]["terms"].refuse(
      fmt::format("{} is not the square of n_g, {}", study.input.terms, n_g));
}

std::string describe_input(const InputRecord& input) {
  return fmt::format("{} bands, N_G {}, N_G^psi {}", input.dimension("bands"),
                     input.dimension("n_g"), input.dimension("n_g_psi"));
}

/// Seconds of a step on 4 Skylake processors and on 16 V100 (Yang 2021, Si-214).
struct PublishedTimes {
  const char* step;
  double host, gpu;
};
constexpr std::array<PublishedTimes, 3> published = {
    PublishedTimes{"mtxel", 616, 24.4}, {"chi0", 1'120, 47.7}, {"inversion", 10.3, 9.6}};

/// The fastest time of the step on that kind of device; empty if it was not timed.
std::optional<double> seconds_of(const StudyRecord& study, const char* step,
                                 std::string_view kind) {
  std::optional<double> best;
  for (const Result& result : study.results)
    if (result.step == step && result.kind == kind && result.timed())
      best = std::min(best.value_or(result.timing().median), result.timing().median);
  return best;
}

Kernel make_kernel() {
  Kernel kernel = made_kernel({"epsilon", "Epsilon",
                               "the dielectric matrix in three steps of libraries: transforms, a "
                               "product of matrices, an inverse",
                               "elements"},
                              std::span<const Preset<Size>>(presets),
                              std::span<const Awkward<Size>>(awkward), make_subject);
  static_cast<KernelBuilt&>(kernel) = built();
  // Backward stable libraries have errors of a few roundings of the largest sums (Higham 2002).
  kernel.tolerance = [](std::string_view /*step*/) { return 1e-12; };
  kernel.read_dimensions = read_dimensions;
  kernel.refuse_contradictions = refuse_contradictions;
  kernel.describe_input = describe_input;
  kernel.remarks = host_against_gpu;
  return kernel;
}

}  // namespace

int side_of_box(int n_g, int n_g_psi) { return side_for(shortest(n_g_psi), n_g); }

std::unique_ptr<Subject> make_subject(std::string label, const Size& size, std::uint64_t seed) {
  if (size.bands < 1 || size.bands > most_bands || size.n_g < 1 || size.n_g > most_g ||
      size.n_g_psi < size.n_g || size.n_g_psi > most_g_psi)
    throw roofline::InputError(fmt::format(
        "epsilon: {} bands, {} G, {} G of wave functions; there must be 1 to {} bands, 1 to {} G, "
        "and of wave functions at least as many, at most {}",
        size.bands, size.n_g, size.n_g_psi, most_bands, most_g, most_g_psi));
  roofline::require_memory(memory_of(size), label);
  return std::make_unique<EpsilonSubject>(std::move(label), size, seed);
}

std::string host_against_gpu(const StudyRecord& study) {
  constexpr auto right = roofline::Table::Align::right;
  roofline::Table table(
      {{"step"}, {"host", right}, {"GPU", right}, {"speedup", right}, {"published", right}});
  bool any = false;
  for (const PublishedTimes& step : published) {
    const auto host = seconds_of(study, step.step, "host"),
               gpu = seconds_of(study, step.step, "gpu");
    if (!host || !gpu) continue;
    any = true;
    table.add({step.step, roofline::describe_seconds(*host), roofline::describe_seconds(*gpu),
               fmt::format("{:.1f}x", *host / *gpu), fmt::format("{:.1f}x", step.host / step.gpu)});
  }
  if (!any) return {};
  return "\nHost against GPU. Published: Si-214 on 4 Skylake processors against 16 V100, seconds\n"
         "616 and 24.4, 1120 and 47.7, 10.3 and 9.6 (Yang 2021).\n" +
         table.text();
}

const Kernel& epsilon_kernel() {
  static const Kernel kernel = make_kernel();
  return kernel;
}

}  // namespace gpp::epsilon
