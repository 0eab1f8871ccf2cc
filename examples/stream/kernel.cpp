#include "examples/stream/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "examples/made_kernel.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/pattern.h"
#include "roofline/base/saturating.h"
#include "roofline/base/units.h"

namespace gpp::stream {
namespace {

using namespace examples;

// ---- Inputs -------------------------------------------------------------------------------------

struct Size {
  long long n;
  int lanes;
};

/// The first preset is the default, the size of the benchmarks in Lu and Wolfe 2022. The second
/// also has their launch of FMA, one lane for each of 16384 x 256 threads.
constexpr std::array<Preset<Size>, 5> presets = {
    {{"full", "134217728 elements, 512 to a lane; takes 5 GB of memory", {134'217'728, 262'144}},
     {"published", "134217728 elements, 32 to a lane as published", {134'217'728, 4'194'304}},
     {"medium", "33554432 elements, beyond most caches", {33'554'432, 262'144}},
     {"small", "1048576 elements", {1'048'576, 8'192}},
     {"tiny", "65537 elements, for tests", {65'537, 1'000}}}};

/// Views start at up to this many elements into the arrays, so that runs see different data.
constexpr long long most_shift = 32'768;
constexpr long long shift_step = 64;  // whole lines of 256 bytes, so accesses stay the same

/// The arrays of an input, `most_shift` elements longer than the problem.
struct HostArrays {
  std::vector<float> a, b;
  std::vector<double> a_double;

  HostArrays(long long n, std::uint64_t seed)
      : a(static_cast<std::size_t>(n)), b(a.size()), a_double(a.size()) {
    for_pieces(n, [&](long long first, long long last) {
      for (long long i = first; i < last; ++i) {
        const std::uint64_t bits = mixed(seed ^ mixed(static_cast<std::uint64_t>(i)));
        const auto place = static_cast<std::size_t>(i);
        a[place] = (bits & 1) != 0 ? 1.0F : -1.0F;
        b[place] = 0.5F + std::ldexp(static_cast<float>(bits >> 41), -24);  // 23 random bits
        a_double[place] = a[place];
      }
    });
  }
};

// ---- Answers ------------------------------------------------------------------------------------

/// The expected results of a step, from its definition.
struct Expected {
  const HostArrays& arrays;
  long long n;
  int lanes;
  long long shift;

  double a(long long i) const { return arrays.a[static_cast<std::size_t>(i + shift)]; }
  float b(long long i) const { return arrays.b[static_cast<std::size_t>(i + shift)]; }

  /// -x at the end of lanes first..first+count-1. All numbers are integers, so the order of
  /// rounding does not matter.
  std::vector<double> chains(long long first, long long count, int fmas) const {
    std::vector<double> x(static_cast<std::size_t>(count), start);
    for (long long row = first; row < n; row += lanes)
      for (long long lane = 0; lane < std::min(count, n - row); ++lane) {
        double& sum = x[static_cast<std::size_t>(lane)];
        if (a(row + lane) > 0)
          sum += 1.0 * fmas * summand;
        else if (fmas % 2 != 0)
          sum = summand - sum;  // an even number of steps cancels out
      }
    for (double& sum : x) sum = -sum;
    return x;
  }

  std::vector<double> elements(long long first, long long count, Computation what) const {
    std::vector<double> values;
    for (long long i = first; i < first + count; ++i) values.push_back(element(what, i));
    return values;
  }

  double element(Computation what, long long i) const {
    if (what == Computation::add) return static_cast<float>(a(i)) + b(i);
    if (what == Computation::mul) return factor * b(i);
    return b(i) + factor * static_cast<float>(a(i));
  }
};

/// The cost that the variant's source states; empty without one.
std::optional<ElementCost> cost_of(const Variant& variant) {
  return parse_cost(variant.operations);
}

class StreamSubject;

class StreamPlacement : public Placement {
 public:
  StreamPlacement(const StreamSubject& subject, const Runtime& runtime);

  void vary(std::uint64_t seed) override {
    seed_ = seed;
    shift_ = shift_of(seed, most_shift, shift_step);
  }
  void run(const Variant& variant, const Call& call) override;
  Check check(double tolerance) override;
  JsonObject answer() const override;
  std::string repair() override { return arrays_.repair(); }

 private:
  Arrays view() const;
  bool in_double() const { return cost_.precision == "fp64"; }
  /// The number of results of the last variant: one per lane or one per element.
  long long results() const;
  template <class Real>
  std::vector<Real> read(const Real* from, long long first, long long count) const;
  Check compare(long long first, long long count, double tolerance) const;

  const StreamSubject& subject_;
  const DeviceMemory& memory_;
  PlacedArrays arrays_;
  Arrays whole_;
  ElementCost cost_;  // cost of the last variant, and its computation
  Computation what_ = Computation::add;
  std::uint64_t seed_ = 0;
  long long shift_ = 0;
};

class StreamSubject : public MadeSubject {
 public:
  StreamSubject(std::string label, long long elements, int side_by_side, std::uint64_t seed)
      : MadeSubject("stream", std::move(label), seed, elements,
                    {{"elements", elements}, {"lanes", side_by_side}}),
        n(elements),
        lanes(side_by_side),
        arrays(elements + most_shift, seed),
        seed_(seed) {}

  std::unique_ptr<Placement> place(const Runtime& runtime) const override {
    const long long bytes = (n + most_shift) * 16 + n * 4 + lanes * 8LL;
    require_device_memory(bytes, runtime.free_bytes());
    return std::make_unique<StreamPlacement>(*this, runtime);
  }

  SourceCount count(const Variant& variant) override {
    const auto cost = cost_of(variant);
    if (!cost)
      return {{},
              fmt::format("{} has no line such as '// Operations: 2 fp32 per element; 12 bytes.'",
                          variant.source)};
    const auto elements = static_cast<double>(n);
    const double bytes = cost->bytes * elements;
    return {{{cost->precision + "_flop", cost->operations * elements}, {"dram_bytes", bytes}},
            {},
            {{"l1_bytes", bytes}}};
  }

  /// The kernels are short, so counters can count the whole input and no slice is needed.
  std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const override {
    if (n <= terms) return nullptr;
    part = fmt::format("{} of {} elements", terms, n);
    return std::make_unique<StreamSubject>(
        part, terms, static_cast<int>(std::min<long long>(lanes, terms)), seed_);
  }

  const long long n;
  const int lanes;
  const HostArrays arrays;

 private:
  std::uint64_t seed_;
};

StreamPlacement::StreamPlacement(const StreamSubject& subject, const Runtime& runtime)
    : subject_(subject), memory_(runtime.memory()), arrays_(memory_) {
  const auto add = [this](const char* name, const auto& values) {
    return place_copy(arrays_, name, values);
  };
  whole_.n = subject.n;
  whole_.lanes = subject.lanes;
  whole_.a = add("a", subject.arrays.a);
  whole_.b = add("b", subject.arrays.b);
  whole_.a_double = add("a_double", subject.arrays.a_double);
  whole_.c =
      static_cast<float*>(arrays_.add_output(static_cast<std::size_t>(subject.n) * sizeof(float)));
  whole_.c_double = static_cast<double*>(
      arrays_.add_output(static_cast<std::size_t>(subject.lanes) * sizeof(double)));
}

Arrays StreamPlacement::view() const {
  Arrays arrays = whole_;
  arrays.a += shift_;
  arrays.b += shift_;
  arrays.a_double += shift_;
  return arrays;
}

void StreamPlacement::run(const Variant& variant, const Call& call) {
  const Arrays arrays = view();
  call(arrays);
  const auto cost = cost_of(variant);
  const auto what = cost ? computation_of(*cost) : std::nullopt;
  if (!what)
    throw std::runtime_error(fmt::format(
        "{} has no line '// Operations: ...' that tells what it computes", variant.source));
  cost_ = *cost;
  what_ = *what;
}

long long StreamPlacement::results() const {
  return what_ == Computation::chain ? subject_.lanes : subject_.n;
}

template <class Real>
std::vector<Real> StreamPlacement::read(const Real* from, long long first, long long count) const {
  std::vector<Real> values(static_cast<std::size_t>(count));
  memory_.read(values.data(), from + first, values.size() * sizeof(Real));
  return values;
}

/// Compares results first..first+count-1 of the last step.
Check StreamPlacement::compare(long long first, long long count, double tolerance) const {
  const Expected due{subject_.arrays, subject_.n, subject_.lanes, shift_};
  const int fmas = static_cast<int>(cost_.operations) / 2;
  const auto singles = in_double() ? std::vector<float>() : read(whole_.c, first, count);
  const auto doubles = in_double() ? read(whole_.c_double, first, count) : std::vector<double>();
  return judge_pieces(
      count, tolerance, "element", [&](long long begin, long long end, Judge& judge) {
        const std::vector<double> right = what_ == Computation::chain
                                              ? due.chains(first + begin, end - begin, fmas)
                                              : due.elements(first + begin, end - begin, what_);
        for (std::size_t k = 0; k < right.size(); ++k) {
          const auto place = static_cast<std::size_t>(begin) + k;
          const double computed = in_double() ? doubles[place] : singles[place];
          judge.look_at(first + static_cast<long long>(place), computed, right[k]);
        }
      });
}

/// Compares all results of the original problem, or pieces by the seed if it was varied.
Check StreamPlacement::check(double tolerance) {
  constexpr long long piece = 1024;
  constexpr int pieces = 64;
  const long long all = results();
  if (seed_ == 0 || all <= piece * pieces) return compare(0, all, tolerance);
  std::mt19937_64 engine(seed_);
  std::vector<Check> checks;
  for (int i = 0; i < pieces; ++i)
    checks.push_back(
        compare(static_cast<long long>(engine() % static_cast<std::uint64_t>(all - piece)), piece,
                tolerance));
  return worst(checks);
}

JsonObject StreamPlacement::answer() const {
  const long long count = std::min<long long>(4, results());
  std::vector<double> first;
  if (in_double())
    first = read(whole_.c_double, 0, count);
  else
    for (const float value : read(whole_.c, 0, count)) first.push_back(value);
  return first_numbers(first);
}

// ---- For harness/kernel.h -----------------------------------------------------------------------

std::unique_ptr<Subject> make_of_size(std::string label, const Size& size, std::uint64_t seed) {
  return make_subject(std::move(label), size.n, size.lanes, seed);
}

constexpr std::array<Awkward<Size>, 7> awkward = {
    {{"one_element", "one element, one lane", "a loop that always does several steps", 1, 1},
     {"one_lane", "1003 elements, one lane", "lanes beyond the last", 1003, 1},
     {"as_many_lanes", "257 elements, each in a lane of its own", "the first row is the last", 257,
      257},
     {"seven", "7 elements: less than a vector", "the remainder after whole vectors", 7, 3},
     {"odd", "1003 elements in 37 lanes: a last row that is not full",
      "lanes that have no element in the last row", 1003, 37},
     {"many_rows", "70001 elements in 1029 lanes", "the remainder of blocks", 70'001, 1'029},
     {"whole_blocks", "65536 elements in 1024 lanes: nothing is left over",
      "the remainder after whole blocks: it may be empty", 65'536, 1'024}}};

JsonObject read_dimensions(const roofline::JsonPlace& input) {
  return Json({{"elements", input["elements"].integer(1, roofline::bounds::large)},
               {"lanes", input["lanes"].small_integer(1, std::numeric_limits<int>::max())}});
}

LeastWork least_work(const InputRecord& input, const Result& result) {
  for (const Variant& variant : catalog()) {
    if (variant.step != result.step || variant.model != result.model) continue;
    const auto cost = cost_of(variant);
    if (!cost) return {};
    const double operations = cost->operations * static_cast<double>(input.terms);
    return {operations, cost->precision,
            fmt::format("{} elements need {:.3g} {} operations", input.terms, operations,
                        cost->precision)};
  }
  return {};
}

std::string describe_input(const InputRecord& input) {
  return fmt::format("{} elements in {} lanes", input.dimension("elements"),
                     input.dimension("lanes"));
}

Kernel make_kernel() {
  Kernel kernel = made_kernel(
      {"stream", "Stream",
       "additions and fused multiply-adds over long arrays, from 1/12 to 512 FLOP/B", "elements"},
      std::span<const Preset<Size>>(presets), std::span<const Awkward<Size>>(awkward),
      make_of_size);
  static_cast<KernelBuilt&>(kernel) = built();
  kernel.tolerance = [](std::string_view step) { return step.ends_with("_double") ? 1e-15 : 1e-6; };
  kernel.read_dimensions = read_dimensions;
  kernel.refuse_contradictions = refuse_other_elements;
  kernel.least_work = least_work;
  kernel.describe_input = describe_input;
  kernel.published_by = "Lu and Wolfe 2022";
  kernel.quoted_host = "results/xeon-2-cores/stream";
  return kernel;
}

}  // namespace

std::optional<ElementCost> parse_cost(std::string_view line) {
  static const roofline::Pattern form(R"((\d{1,6}) (fp32|fp64) per element; (\d{1,6}) bytes)");
  const auto match = form.whole(std::string(line));
  if (!match) return std::nullopt;
  return ElementCost{std::stod((*match)[1]), (*match)[2], std::stod((*match)[3])};
}

std::optional<Computation> computation_of(const ElementCost& cost) {
  const auto costs = [&cost](double operations, double bytes) {
    return cost.operations == operations && cost.bytes == bytes && cost.precision == "fp32";
  };
  if (costs(1, 12)) return Computation::add;
  if (costs(1, 8)) return Computation::mul;
  if (costs(2, 12)) return Computation::triad;
  const double read = cost.precision == "fp64" ? 8 : 4;
  const bool even = std::fmod(cost.operations, 2) == 0 && cost.operations > 0;
  return cost.bytes == read && even ? std::optional(Computation::chain) : std::nullopt;
}

std::unique_ptr<Subject> make_subject(std::string label, long long n, int lanes,
                                      std::uint64_t seed) {
  // Inputs take 16 bytes per element, on the host and where variants run, and a result 4.
  roofline::require_memory(roofline::saturating_product(36, n), label);
  return std::make_unique<StreamSubject>(std::move(label), n, lanes, seed);
}

const Kernel& stream_kernel() {
  static const Kernel kernel = make_kernel();
  return kernel;
}

}  // namespace gpp::stream
