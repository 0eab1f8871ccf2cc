#include "examples/nbody/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace gpp::nbody {
namespace {

using namespace examples;

constexpr const char* stated = "18 fp64 per pair; 128 bytes per body";

/// The work per pair and the bytes per body that a variant's source states.
struct PairWork : StatedWork {
  bool structures = false;  ///< true for the layout Body, false for Vector4
};

/// Returns nothing for other texts. The bytes determine the layout; unknown ones are refused.
std::optional<PairWork> work_of(std::string_view operations) {
  const auto stated_work_of_pair = stated_work(operations, "pair", " per body");
  if (!stated_work_of_pair) return std::nullopt;
  PairWork work{*stated_work_of_pair};
  const double real = work.in_double ? 8 : 4;
  work.structures = work.bytes == 12 * real;
  return work.structures || work.bytes == 16 * real ? std::optional(work) : std::nullopt;
}

/// So many bodies stand in crowds that single precision cannot hold: sizes decide all numbers.
constexpr int far_apart = 901;

/// The number of bodies checked if the problem is varied or large. Checking all pairs would take
/// longer than the run.
constexpr int bodies_judged = 256;
constexpr int most_judged_whole = 10'000;
constexpr double float_error = 1e-5;

/// Positions and velocities from -1 to 1, as published: floats, so both precisions hold them. In
/// three crowds that lie `apart` they are not.
template <class Real>
std::vector<Body<Real>> made_bodies(long long n, std::uint64_t seed, double apart = 0) {
  return made_numbers(n, [=](long long i) -> Body<Real> {
    const auto number = [&](int k) { return Real(2 * uniform(seed, 6 * i + k) - 1); };
    const Real crowd = Real(apart * (static_cast<double>(i % 3) - 1));
    return {number(0) + crowd, number(1) + crowd, number(2) + crowd,
            number(3),         number(4),         number(5)};
  });
}

template <class Real>
std::vector<Body<double>> doubled(const Body<Real>* bodies, int n) {
  std::vector<Body<double>> all;
  for (const Body<Real>& b : std::span(bodies, static_cast<std::size_t>(n)))
    all.push_back({b.x, b.y, b.z, b.vx, b.vy, b.vz});
  return all;
}

/// Forces on a body cancel, so their sum can be arbitrarily small, but their rounding errors do not
/// cancel. So a velocity's error is measured relative to the sum of the magnitudes of all forces,
/// and a position's error relative to the distance that such a velocity covers in the step.
void judge_body(int place, const Body<double>& computed, const Due& due, Judge& judge) {
  constexpr double dt = time_step<double>;
  const auto look_at = [&](double Body<double>::*r, double Body<double>::*v) {
    const double scale = std::abs(due.body.*v) + dt * due.pull;
    judge.look_at(place, computed.*v, due.body.*v, scale);
    judge.look_at(place, computed.*r, due.body.*r, std::abs(due.body.*r) + dt * scale);
  };
  look_at(&Body<double>::x, &Body<double>::vx);
  look_at(&Body<double>::y, &Body<double>::vy);
  look_at(&Body<double>::z, &Body<double>::vz);
}

/// Reads the precision from the step's source. If the catalog lacks the step (in records and judged
/// submissions), its name decides.
bool is_single(std::string_view step) {
  for (const Variant& variant : catalog())
    if (variant.step == step)
      if (const auto work = work_of(variant.operations)) return !work->in_double;
  return step.ends_with("_float");
}

class Nbody : public MadeSubject<Bodies> {
 public:
  using Size = int;
  static constexpr About about =
      About("nbody", "N-body", "one step of bodies that attract each other, pair by pair", "pairs",
            "{bodies} bodies, {terms} pairs", 1'024, 16);
  /// Lu and Wolfe 2022 name no number of bodies. The scripts of AMD's HIP-Examples, whose kernels
  /// they show, use 1024 to 524288 for orig and up to 131072, the default here, for all steps.
  /// 30000 is mini-nbody's size (Harris 2014).
  static constexpr Preset<Size> presets[] = {
      {"full", "131072 bodies, the most that AMD's scripts run all steps with", 131'072},
      {"1024", "where AMD's scripts begin", 1'024},
      {"4096", "4096 bodies", 4'096},
      {"16384", "16384 bodies", 16'384},
      {"30000", "30000 bodies, the default of mini-nbody", 30'000},
      {"65536", "65536 bodies", 65'536},
      {"524288", "where AMD's scripts end with orig", 524'288},
      {"medium", "10000 bodies", 10'000},
      {"small", "3000 bodies", 3'000},
      {"tiny", "257 bodies, for tests", 257}};
  static constexpr Awkward<Size> awkward[] = {
      {"alone", "one body: nothing pulls", 1},
      {"pair", "two bodies", 2},
      {"seven", "7 bodies: fewer than there are parts or lanes", 7},
      {"short_of_a_block", "255 bodies: one thread of a block has none", 255},
      {"whole_block", "256 bodies: nothing is left over", 256},
      {"beyond_a_block", "257 bodies: a tile of one body", 257},
      {"far_apart", "901 bodies in three crowds that are 4096 apart", far_apart},
      {"odd", "1003 bodies: neither tiles, blocks nor parts are full", 1003}};

  /// A body has 14 numbers in each precision, on the host and where variants run.
  static long long memory_of(Size n) { return 3LL * 14 * 12 * n; }
  /// The tolerance of a step, relative to the scales of judge_body.
  ///
  /// Double: the reciprocal root's relative error is at most 2^-22.9 (CUDA; on a host two float
  /// roundings, 2^-23), rounding its argument adds 2^-25, and the third power triples it: 4.8e-7 of
  /// each force, and so of their sum. Other errors are 1e-9.
  ///
  /// Float: 11 more roundings of 2^-24 give at most 1.2e-6 of a force. Sums of n floats add about
  /// sqrt(n) roundings of the partial sum (Higham and Mary 2019), which is at most a third of the
  /// scale: 6e-6 at n = 131072.
  static double tolerance(std::string_view step) { return is_single(step) ? float_error : 1e-6; }
  /// By Newton's third law a program needs to compute only half of the pairs.
  static LeastWork least_work(const InputRecord& input, const Result& result) {
    const auto n = static_cast<double>(input.dimension("bodies"));
    const double pairs = n * (n - 1) / 2;
    return {18 * pairs, is_single(result.step) ? "fp32" : "fp64",
            fmt::format("{:.3g} pairs of {} bodies need 18 operations each", pairs, n)};
  }

  static void complete(Kernel& kernel) { kernel.least_work = least_work; }

  Nbody(std::string label, Size n, std::uint64_t seed)
      : MadeSubject(about, std::move(label), seed, 1LL * n * n, {{"bodies", n}}), n_(n) {
    const long long all = n + about.most_shift;
    add_bodies(problem_.in_float, made_bodies<float>(all, seed));
    add_bodies(problem_.in_double, made_bodies<double>(all, seed, n == far_apart ? 4096 : 0));
  }

  SourceCount count(const Variant& variant) override {
    const auto work = work_of(variant.operations);
    if (!work) return {{}, states_no_work(variant, stated)};
    return {{{work->precision() + std::string("_flop"), work->operations * n_ * n_},
             {"dram_bytes", work->bytes * n_}}};
  }

  /// A slice has fewer bodies; each pair costs the same.
  std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const override {
    if (input().terms <= terms) return nullptr;
    const int fewer = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(terms))));
    part = fmt::format("{} of {} bodies", fewer, n_);
    return std::make_unique<Nbody>(part, fewer, seed_);
  }

  Check check(LastRun<Bodies>& last, double tolerance) const override {
    const auto work = work_of(last.variant->operations);
    if (!work)
      return {std::numeric_limits<double>::infinity(), tolerance, false,
              states_no_work(*last.variant, stated)};
    const std::vector<Body<double>> computed = results(last);
    const std::vector<Body<double>> before = work->in_double
                                                 ? doubled(last.on_host.in_double.bodies, n_)
                                                 : doubled(last.on_host.in_float.bodies, n_);
    const std::vector<int> places =
        places_to_judge(n_, last.seed == 0 && n_ <= most_judged_whole, bodies_judged, last.seed);
    return judge_each(places.size(), tolerance, "body", [&](std::size_t k, Judge& judge) {
      const auto place = static_cast<std::size_t>(places[k]);
      Due due = due_body(before, places[k]);
      if (!work->in_double) due.pull = due.pull_in_floats;
      judge_body(places[k], computed[place], due, judge);
    });
  }

  /// The first body's state.
  JsonObject answer(const LastRun<Bodies>& last) const override {
    const Body<double> first = results(last).front();
    return first_numbers(std::array{first.x, first.y, first.z, first.vx});
  }

 private:
  template <class Real>
  void add_bodies(Arrays<Real>& arrays, std::vector<Body<Real>> bodies) {
    std::vector<Vector4<Real>> positions, velocities;
    for (const Body<Real>& b : bodies) {
      positions.push_back({b.x, b.y, b.z, 0});
      velocities.push_back({b.vx, b.vy, b.vz, 0});
    }
    arrays.n = n_;
    add(arrays.bodies, "bodies", std::move(bodies));
    add(arrays.positions, "positions", std::move(positions));
    add(arrays.velocities, "velocities", std::move(velocities));
    add_output(arrays.bodies_after, n_);
    add_output(arrays.positions_after, n_);
    add_output(arrays.velocities_after, n_);
    add_output(arrays.sums, 1LL * parts * n_);
  }

  /// Returns all bodies after the last variant, in doubles where its work is unknown.
  std::vector<Body<double>> results(const LastRun<Bodies>& last) const {
    const auto work = work_of(last.variant->operations).value_or(PairWork{{0, true, 0}});
    const auto read = [&](const auto& arrays) {
      if (work.structures) return doubled(last.read(arrays.bodies_after, n_).data(), n_);
      const auto r = last.read(arrays.positions_after, n_);
      const auto v = last.read(arrays.velocities_after, n_);
      std::vector<Body<double>> bodies;
      for (std::size_t i = 0; i < r.size(); ++i)
        bodies.push_back({r[i].x, r[i].y, r[i].z, v[i].x, v[i].y, v[i].z});
      return bodies;
    };
    return work.in_double ? read(last.problem.in_double) : read(last.problem.in_float);
  }

  const int n_;
};

}  // namespace

Due due_body(std::span<const Body<double>> bodies, int i) {
  Due due{bodies[static_cast<std::size_t>(i)]};
  Body<double>& own = due.body;
  double x = 0, y = 0, z = 0, largest = 0;
  for (const Body<double>& from : bodies) {
    const double dx = from.x - own.x, dy = from.y - own.y, dz = from.z - own.z;
    const double square = dx * dx + dy * dy + dz * dz;
    const double softened = square + softening<double>;
    const double inverse_cube = 1 / (softened * std::sqrt(softened));
    x += dx * inverse_cube;
    y += dy * inverse_cube;
    z += dz * inverse_cube;
    const double magnitude = std::sqrt(square) * inverse_cube;
    due.pull += magnitude;
    largest = std::max(largest, magnitude);
  }
  due.pull_in_floats = due.pull + static_cast<double>(bodies.size()) * 0x1p-24 / float_error *
                                      std::max(0.0, largest - due.pull / 3);
  own.vx += time_step<double> * x;
  own.vy += time_step<double> * y;
  own.vz += time_step<double> * z;
  own.x += time_step<double> * own.vx;
  own.y += time_step<double> * own.vy;
  own.z += time_step<double> * own.vz;
  return due;
}

const examples::Example<int>& example() {
  static const examples::Example<int> example = made_kernel<Nbody>(built());
  return example;
}

}  // namespace gpp::nbody
