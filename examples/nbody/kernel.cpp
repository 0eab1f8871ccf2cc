#include "examples/nbody/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>

#include "examples/made_kernel.h"
#include "examples/nbody/reference.h"
#include "harness/record/record.h"
#include "roofline/base/json_place.h"
#include "roofline/base/pattern.h"

namespace gpp::nbody {
namespace {

using namespace examples;

// ---- Inputs -------------------------------------------------------------------------------------

/// Lu and Wolfe 2022 name no number of bodies. The scripts of AMD's HIP-Examples, whose kernels
/// they show, use 1024 to 524288 for orig and up to 131072, the default here, for all steps. 30000
/// is mini-nbody's size (Harris 2014).
constexpr std::array<Preset<int>, 10> presets = {
    {{"full", "131072 bodies, the most that AMD's scripts run all steps with", 131'072},
     {"1024", "where AMD's scripts begin", 1'024},
     {"4096", "4096 bodies", 4'096},
     {"16384", "16384 bodies", 16'384},
     {"30000", "30000 bodies, the default of mini-nbody", 30'000},
     {"65536", "65536 bodies", 65'536},
     {"524288", "where AMD's scripts end with orig", 524'288},
     {"medium", "10000 bodies", 10'000},
     {"small", "3000 bodies", 3'000},
     {"tiny", "257 bodies, for tests", 257}}};

/// Views start at up to this many bodies into the arrays, so that runs see different data.
constexpr int most_shift = 1024;
constexpr int shift_step = 16;  // whole lines of 128 bytes, so accesses stay the same

/// The number of bodies checked if the problem is varied or large. Checking all pairs would take
/// longer than the run.
constexpr int bodies_judged = 256;
constexpr int most_judged_whole = 10'000;

/// An input in one precision, in both layouts, `most_shift` bodies longer than the problem.
template <class Real>
struct HostArrays {
  std::vector<Body<Real>> bodies;
  std::vector<Vector4<Real>> positions, velocities;

  /// Positions and velocities from -1 to 1, as published: floats, so both precisions hold them. In
  /// three crowds that lie `apart` they are not.
  HostArrays(int n, std::uint64_t seed, double apart = 0)
      : bodies(static_cast<std::size_t>(n)), positions(bodies.size()), velocities(bodies.size()) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto number = [&](std::uint64_t k) { return Real(2 * uniform(seed, 6 * i + k) - 1); };
      const Real crowd = Real(apart * (static_cast<double>(i % 3) - 1));
      bodies[i] = {number(0) + crowd, number(1) + crowd, number(2) + crowd,
                   number(3),         number(4),         number(5)};
      positions[i] = {bodies[i].x, bodies[i].y, bodies[i].z, 0};
      velocities[i] = {bodies[i].vx, bodies[i].vy, bodies[i].vz, 0};
    }
  }
};

// ---- Answers ------------------------------------------------------------------------------------

/// The cost that the variant's source states; empty without one.
std::optional<PairCost> cost_of(const Variant& variant) { return parse_cost(variant.operations); }

/// The energies of the checked bodies.
struct Energies {
  Energy before, after, due;
};

std::vector<Body<double>> bodies_of(const std::vector<Due>& due) {
  std::vector<Body<double>> bodies;
  for (const Due& one : due) bodies.push_back(one.body);
  return bodies;
}

/// So many bodies stand in crowds that single precision cannot hold: sizes decide all numbers.
constexpr int far_apart = 901;

class NbodySubject;

class NbodyPlacement : public Placement {
 public:
  NbodyPlacement(const NbodySubject& subject, const Runtime& runtime);

  void vary(std::uint64_t seed) override {
    seed_ = seed;
    shift_ = static_cast<int>(shift_of(seed, most_shift, shift_step));
  }
  void run(const Variant& variant, const Call& call) override;
  Check check(double tolerance) override;
  JsonObject answer() const override;
  std::string repair() override { return arrays_.repair(); }

 private:
  template <class Real>
  Arrays<Real> placed(const HostArrays<Real>& host);
  /// Returns all bodies after the last variant.
  std::vector<Body<double>> results() const;
  template <class Real>
  std::vector<Body<double>> results(const Arrays<Real>& arrays) const;
  template <class Number>
  std::vector<Number> read(const Number* from) const;

  const NbodySubject& subject_;
  const DeviceMemory& memory_;
  PlacedArrays arrays_;
  Bodies whole_;
  PairCost cost_;  // cost of the last variant
  std::uint64_t seed_ = 0;
  int shift_ = 0;
  Energies energies_;  // energies of the last check
};

class NbodySubject : public MadeSubject {
 public:
  NbodySubject(std::string label, int bodies, std::uint64_t seed)
      : MadeSubject("nbody", std::move(label), seed, 1LL * bodies * bodies, {{"bodies", bodies}}),
        n(bodies),
        in_float(bodies + most_shift, seed),
        in_double(bodies + most_shift, seed, bodies == far_apart ? 4096 : 0),
        seed_(seed) {}

  /// The bodies of the problem that begins so far behind the start, as one precision has them.
  std::vector<Body<double>> view(int shift, bool doubles) const {
    const auto from = [&](const auto& bodies) {
      std::vector<Body<double>> view;
      for (const auto& b :
           std::span(bodies).subspan(static_cast<std::size_t>(shift), static_cast<std::size_t>(n)))
        view.push_back({b.x, b.y, b.z, b.vx, b.vy, b.vz});
      return view;
    };
    return doubles ? from(in_double.bodies) : from(in_float.bodies);
  }

  /// Returns the bodies to check: all, or a few by the seed if the problem is varied or large.
  std::vector<int> judged(std::uint64_t seed) const {
    std::vector<int> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    if (n <= (seed == 0 ? most_judged_whole : bodies_judged)) return all;
    std::vector<int> some;
    std::sample(all.begin(), all.end(), std::back_inserter(some), bodies_judged,
                std::mt19937_64(seed));
    return some;
  }

  std::unique_ptr<Placement> place(const Runtime& runtime) const override {
    constexpr long long both = sizeof(float) + sizeof(double);
    const long long input = (n + most_shift) * 14LL * both, output = n * 14LL * both;
    const long long sums = 1LL * parts * n * static_cast<long long>(sizeof(Vector4<double>));
    require_device_memory(input + output + sums, runtime.free_bytes());
    return std::make_unique<NbodyPlacement>(*this, runtime);
  }

  SourceCount count(const Variant& variant) override {
    const auto cost = cost_of(variant);
    if (!cost)
      return {{},
              fmt::format("{} has no line such as '// Operations: 18 fp64 per pair; 128 bytes "
                          "per body.'",
                          variant.source)};
    return {{{cost->in_double ? "fp64_flop" : "fp32_flop", cost->operations * n * n},
             {"dram_bytes", cost->bytes() * n}}};
  }

  /// A slice has fewer bodies; each pair costs the same.
  std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const override {
    if (input().terms <= terms) return nullptr;
    const int fewer = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(terms))));
    part = fmt::format("{} of {} bodies", fewer, n);
    return std::make_unique<NbodySubject>(part, fewer, seed_);
  }

  const int n;
  const HostArrays<float> in_float;
  const HostArrays<double> in_double;

 private:
  std::uint64_t seed_;
};

template <class Real>
Arrays<Real> NbodyPlacement::placed(const HostArrays<Real>& host) {
  const auto add = [this](const char* name, const auto& values) {
    return place_copy(arrays_, name, values);
  };
  const auto output = [this](std::size_t bytes) { return arrays_.add_output(bytes); };
  const auto n = static_cast<std::size_t>(subject_.n);
  Arrays<Real> arrays;
  arrays.n = subject_.n;
  arrays.bodies = add("bodies", host.bodies);
  arrays.positions = add("positions", host.positions);
  arrays.velocities = add("velocities", host.velocities);
  arrays.bodies_after = static_cast<Body<Real>*>(output(n * sizeof(Body<Real>)));
  arrays.positions_after = static_cast<Vector4<Real>*>(output(n * sizeof(Vector4<Real>)));
  arrays.velocities_after = static_cast<Vector4<Real>*>(output(n * sizeof(Vector4<Real>)));
  return arrays;
}

NbodyPlacement::NbodyPlacement(const NbodySubject& subject, const Runtime& runtime)
    : subject_(subject), memory_(runtime.memory()), arrays_(memory_) {
  whole_.in_float = placed(subject.in_float);
  whole_.in_double = placed(subject.in_double);
  // A variant uses only one precision, so both precisions share the memory.
  const auto numbers = static_cast<std::size_t>(parts) * static_cast<std::size_t>(subject.n);
  void* const sums = arrays_.add_output(numbers * sizeof(Vector4<double>));
  whole_.in_float.sums = static_cast<Vector4<float>*>(sums);
  whole_.in_double.sums = static_cast<Vector4<double>*>(sums);
}

template <class Real>
Arrays<Real> shifted(Arrays<Real> arrays, int shift) {
  arrays.bodies += shift;
  arrays.positions += shift;
  arrays.velocities += shift;
  return arrays;
}

void NbodyPlacement::run(const Variant& variant, const Call& call) {
  const Bodies bodies{shifted(whole_.in_float, shift_), shifted(whole_.in_double, shift_)};
  call(bodies);
  const auto cost = cost_of(variant);
  if (!cost)
    throw std::runtime_error(fmt::format(
        "{} has no line that tells its precision and layout, such as '// Operations: 18 fp64 per "
        "pair; 128 bytes per body.'",
        variant.source));
  cost_ = *cost;
}

template <class Number>
std::vector<Number> NbodyPlacement::read(const Number* from) const {
  std::vector<Number> values(static_cast<std::size_t>(subject_.n));
  memory_.read(values.data(), from, values.size() * sizeof(Number));
  return values;
}

template <class Real>
std::vector<Body<double>> NbodyPlacement::results(const Arrays<Real>& arrays) const {
  std::vector<Body<double>> bodies;
  if (cost_.structures) {
    for (const Body<Real>& b : read(arrays.bodies_after))
      bodies.push_back({b.x, b.y, b.z, b.vx, b.vy, b.vz});
  } else {
    const auto positions = read(arrays.positions_after), velocities = read(arrays.velocities_after);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Vector4<Real>&r = positions[i], &v = velocities[i];
      bodies.push_back({r.x, r.y, r.z, v.x, v.y, v.z});
    }
  }
  return bodies;
}

std::vector<Body<double>> NbodyPlacement::results() const {
  return cost_.in_double ? results(whole_.in_double) : results(whole_.in_float);
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

/// The published time step is too long to conserve energy, but the change must equal the
/// reference's. Kinetic and potential energy are checked separately, so that none hides in the sum.
/// Rounded positions of close bodies change the potential energy by far more.
Check judge_energy(const Energies& energies, double tolerance) {
  const auto judged = [tolerance](const char* what, double computed, double due, double scale) {
    Judge judge(tolerance);
    judge.look_at(0, computed, due, scale);
    Check check = judge.verdict();
    if (!check.passed)
      check.reason =
          fmt::format("{} energy after the step: {:.9g} instead of {:.9g}", what, computed, due);
    return check;
  };
  const Energy& due = energies.due;
  return worst({judged("kinetic", energies.after.kinetic, due.kinetic, due.kinetic),
                judged("potential", energies.after.potential, due.potential,
                       due.per_rounding - due.potential)});
}

/// Checks the chosen bodies, and their energy as a system of their own.
Check NbodyPlacement::check(double tolerance) {
  const std::vector<Body<double>> all = results();
  const std::vector<int> places = subject_.judged(seed_);
  const std::vector<Body<double>> view = subject_.view(shift_, cost_.in_double);
  const std::vector<Due> due = due_bodies(view, places);

  std::vector<Body<double>> before, after;
  Judge judge(tolerance, "body");
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto place = static_cast<std::size_t>(places[k]);
    before.push_back(view[place]);
    after.push_back(all[place]);
    judge_body(places[k], all[place], due[k], judge);
  }
  energies_.before = energy_of(before);
  energies_.after = energy_of(after);
  energies_.due = energy_of(bodies_of(due));
  return worst({judge.verdict(), judge_energy(energies_, tolerance)});
}

/// The first body's state, and the energy of the checked bodies.
JsonObject NbodyPlacement::answer() const {
  const Body<double> first = results().front();
  Json answer = first_numbers(std::array{first.x, first.y, first.z, first.vx});
  answer["energy_before"] = roofline::json_number(energies_.before.total());
  answer["energy_after"] = roofline::json_number(energies_.after.total());
  answer["energy_due"] = roofline::json_number(energies_.due.total());
  return answer;
}

// ---- For harness/kernel.h -----------------------------------------------------------------------

/// Reads the precision from the step's source. If the catalog lacks the step (in records and judged
/// submissions), its name decides.
bool is_single(std::string_view step) {
  for (const Variant& variant : catalog())
    if (variant.step == step)
      if (const auto cost = cost_of(variant)) return !cost->in_double;
  return step.ends_with("_float");
}

/// The tolerance of a step, relative to the scales of judge_body.
///
/// Double: the reciprocal root's relative error is at most 2^-22.9 (CUDA; on a host two float
/// roundings, 2^-23), rounding its argument adds 2^-25, and the third power triples it: 4.8e-7 of
/// each force, and so of their sum. Other errors are 1e-9.
///
/// Float: 11 more roundings of 2^-24 give at most 1.2e-6 of a force. Sums of n floats add about
/// sqrt(n) roundings of the partial sum (Higham and Mary 2019), which is at most a third of the
/// scale: 6e-6 at n = 131072.
double tolerance_of(std::string_view step) { return is_single(step) ? 1e-5 : 1e-6; }

constexpr std::array<Awkward<int>, 9> awkward = {
    {{"alone", "one body: nothing pulls", "a body's pull on itself must be 0", 1},
     {"pair", "two bodies", "the sign of the force", 2},
     {"seven", "7 bodies: fewer than there are parts or lanes",
      "parts that hold no body, lanes without one", 7},
     {"short_of_a_block", "255 bodies: one thread of a block has none",
      "who has no body must still help to fill tiles", 255},
     {"whole_block", "256 bodies: nothing is left over",
      "the remainder after whole tiles: it may be empty", 256},
     {"beyond_a_block", "257 bodies: a tile of one body", "the last tile's size", 257},
     {"whole_tiles", "1024 bodies: nothing is left over", "the remainder after whole blocks", 1024},
     {"far_apart", "901 bodies in three crowds that are 4096 apart",
      "the precision of a step in doubles: floats do not tell a crowd's bodies apart", far_apart},
     {"odd", "1003 bodies: neither tiles, blocks nor parts are full", "where parts begin and end",
      1003}}};

JsonObject read_dimensions(const roofline::JsonPlace& input) {
  return read_counts(input, {"bodies"});
}

void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study) {
  const auto bodies = static_cast<double>(study.input.dimension("bodies"));
  if (bodies * bodies != static_cast<double>(study.input.terms))
    root["input"]["terms"].refuse(fmt::format("{} contradicts {} bodies", study.input.terms,
                                              study.input.dimension("bodies")));
}

constexpr std::array energy_keys = {"energy_before", "energy_after", "energy_due"};

JsonObject read_answer(const roofline::JsonPlace& check) {
  Json answer = read_first_numbers(check);
  if (answer.empty()) return answer;
  for (const char* key : energy_keys)
    answer[key] = roofline::json_number(check[key].real_or_null(roofline::bounds::finite));
  return answer;
}

std::string describe_answer(const StudyRecord& /*study*/, const Result& result) {
  const Json& answer = result.answer;
  for (const char* key : energy_keys)
    if (!answer.contains(key) || !answer[key].is_number()) return {};
  const double before = answer["energy_before"], after = answer["energy_after"];
  const double due = answer["energy_due"], scale = std::max(std::abs(before), 1e-30);
  return fmt::format(
      "energy: {:.9g} before the step, {:.9g} after it: a drift of {:.6g} (the reference: "
      "{:.6g})\n",
      before, after, (after - before) / scale, (due - before) / scale);
}

/// By Newton's third law a program needs to compute only half of the pairs.
LeastWork least_work(const InputRecord& input, const Result& result) {
  const auto n = static_cast<double>(input.dimension("bodies"));
  const double operations = 18 * n * (n - 1) / 2;
  return {operations, is_single(result.step) ? "fp32" : "fp64",
          fmt::format("{:.3g} pairs of {} bodies need 18 operations each", n * (n - 1) / 2, n)};
}

std::string describe_input(const InputRecord& input) {
  return fmt::format("{} bodies, {} pairs", input.dimension("bodies"), input.terms);
}

Kernel make_kernel() {
  Kernel kernel = made_kernel(
      {"nbody", "N-body", "one step of bodies that attract each other, pair by pair", "pairs"},
      std::span<const Preset<int>>(presets), std::span<const Awkward<int>>(awkward), make_subject);
  static_cast<KernelBuilt&>(kernel) = built();
  kernel.tolerance = tolerance_of;
  kernel.read_dimensions = read_dimensions;
  kernel.read_answer = read_answer;
  kernel.refuse_contradictions = refuse_contradictions;
  kernel.least_work = least_work;
  kernel.describe_input = describe_input;
  kernel.describe_answer = describe_answer;
  kernel.published_by = "Lu and Wolfe 2022";
  return kernel;
}

}  // namespace

std::optional<PairCost> parse_cost(std::string_view line) {
  static const roofline::Pattern form(
      R"((\d{1,6}) (fp32|fp64) per pair; (\d{1,6}) bytes per body)");
  const auto match = form.whole(std::string(line));
  if (!match) return std::nullopt;
  PairCost cost{std::stod((*match)[1]), (*match)[2] == "fp64"};
  for (const bool structures : {true, false}) {
    cost.structures = structures;
    if (cost.bytes() == std::stod((*match)[3])) return cost;
  }
  return std::nullopt;
}

std::unique_ptr<Subject> make_subject(std::string label, int n, std::uint64_t seed) {
  // A body has 14 numbers in each precision, on the host and where variants run.
  roofline::require_memory(3LL * 14 * 12 * n, label);
  return std::make_unique<NbodySubject>(std::move(label), n, seed);
}

const Kernel& nbody_kernel() {
  static const Kernel kernel = make_kernel();
  return kernel;
}

}  // namespace gpp::nbody
