#include "examples/stream/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace gpp::stream {
namespace {

using namespace examples;

constexpr const char* stated = "2 fp32 per element; 12 bytes";

enum class Computation { add, mul, triad, chain };

/// The work per element that a variant's source states. It tells the computation: 1 operation and
/// 12 bytes mean add.
struct Work : StatedWork {
  Computation what = Computation::chain;
};

/// Returns nothing if no computation of this kernel has this work.
std::optional<Work> work_of(const Variant& variant) {
  const auto all = stated_work(variant.operations, "element");
  if (!all) return std::nullopt;
  const auto states = [&all](double operations, double bytes) {
    return all->operations == operations && all->bytes == bytes && !all->in_double;
  };
  if (states(1, 12)) return Work{*all, Computation::add};
  if (states(1, 8)) return Work{*all, Computation::mul};
  if (states(2, 12)) return Work{*all, Computation::triad};
  const bool even = std::fmod(all->operations, 2) == 0 && all->operations > 0;
  return all->bytes == (all->in_double ? 8 : 4) && even ? std::optional(Work{*all}) : std::nullopt;
}

/// a of element i: 1 or -1. All numbers of an element come from the same bits.
float sign_of(std::uint64_t bits) { return (bits & 1) != 0 ? 1.0F : -1.0F; }

/// -x at the end of lanes first..first+count-1. All numbers are integers, so the order of rounding
/// does not matter.
std::vector<double> due_of_chains(const Arrays& arrays, long long first, long long count,
                                  int fmas) {
  std::vector<double> x(static_cast<std::size_t>(count), start);
  for (long long row = first; row < arrays.n; row += arrays.lanes)
    for (long long lane = 0; lane < std::min(count, arrays.n - row); ++lane) {
      double& sum = x[static_cast<std::size_t>(lane)];
      if (arrays.a[row + lane] > 0)
        sum += 1.0 * fmas * summand;
      else if (fmas % 2 != 0)
        sum = summand - sum;  // an even number of steps cancels out
    }
  for (double& sum : x) sum = -sum;
  return x;
}

std::vector<double> due_of_elements(const Arrays& arrays, long long first, long long count,
                                    Computation what) {
  std::vector<double> due;
  for (long long i = first; i < first + count; ++i)
    due.push_back(what == Computation::add   ? arrays.a[i] + arrays.b[i]
                  : what == Computation::mul ? factor * arrays.b[i]
                                             : arrays.b[i] + factor * arrays.a[i]);
  return due;
}

class Stream : public MadeSubject<Arrays> {
 public:
  using Size = stream::Size;
  static constexpr About about =
      About("stream", "Stream",
            "additions and fused multiply-adds over long arrays, from 1/12 to 512 FLOP/B",
            "elements", "{elements} elements in {lanes} lanes", 32'768, 64);
  /// The first preset is the size of the benchmarks in Lu and Wolfe 2022. The second also has their
  /// launch of FMA, one lane for each of 16384 x 256 threads.
  static constexpr Preset<Size> presets[] = {
      {"full", "134217728 elements, 512 to a lane; takes 5 GB of memory",
       Size(134'217'728, 262'144)},
      {"published", "134217728 elements, 32 to a lane as published", Size(134'217'728, 4'194'304)},
      {"medium", "33554432 elements, beyond most caches", Size(33'554'432, 262'144)},
      {"small", "1048576 elements", Size(1'048'576, 8'192)},
      {"tiny", "65537 elements, for tests", Size(65'537, 1'000)}};
  static constexpr Awkward<Size> awkward[] = {
      {"one_element", "one element, one lane", Size(1, 1)},
      {"one_lane", "1003 elements, one lane", Size(1003, 1)},
      {"as_many_lanes", "257 elements, each in a lane of its own", Size(257, 257)},
      {"seven", "7 elements: less than a vector", Size(7, 3)},
      {"odd", "1003 elements in 37 lanes: a last row that is not full", Size(1003, 37)},
      {"many_rows", "70001 elements in 1029 lanes", Size(70'001, 1'029)},
      {"whole_blocks", "65536 elements in 1024 lanes: nothing is left over", Size(65'536, 1'024)}};

  /// Inputs take 16 bytes per element, on the host and where variants run, and a result 4.
  static long long memory_of(const Size& size) { return 36 * size.n; }
  static double tolerance(std::string_view step) {
    return step.ends_with("_double") ? 1e-15 : 1e-6;
  }

  Stream(std::string label, const Size& size, std::uint64_t seed)
      : MadeSubject(about, std::move(label), seed, size.n,
                    {{"elements", size.n}, {"lanes", size.lanes}}) {
    const auto bits = [seed](long long i) {
      return mixed(seed ^ mixed(static_cast<std::uint64_t>(i)));
    };
    const long long all = size.n + about.most_shift;
    problem_.n = size.n;
    problem_.lanes = size.lanes;
    add(problem_.a, "a", made_numbers(all, [&](long long i) { return sign_of(bits(i)); }));
    add(problem_.b, "b", made_numbers(all, [&](long long i) {  // 23 random bits
          return 0.5F + std::ldexp(static_cast<float>(bits(i) >> 41), -24);
        }));
    add(problem_.a_double, "a_double",
        made_numbers(all, [&](long long i) -> double { return sign_of(bits(i)); }));
    add_output(problem_.c, size.n);
    add_output(problem_.c_double, size.lanes);
  }

  SourceCount count(const Variant& variant) override {
    const auto work = work_of(variant);
    if (!work) return {{}, states_no_work(variant, stated)};
    const auto elements = static_cast<double>(problem_.n);
    const double bytes = work->bytes * elements;
    return {{{work->precision() + std::string("_flop"), work->operations * elements},
             {"dram_bytes", bytes}},
            {},
            {{"l1_bytes", bytes}}};
  }

  Check check(LastRun<Arrays>& last, double tolerance) const override {
    const auto work = work_of(*last.variant);
    if (!work)
      return {std::numeric_limits<double>::infinity(), tolerance, false,
              states_no_work(*last.variant, stated)};
    const bool chains = work->what == Computation::chain;
    const long long all = chains ? problem_.lanes : problem_.n;
    const auto due = [&](long long first, long long count) {
      const int fmas = static_cast<int>(work->operations) / 2;
      return chains ? due_of_chains(last.on_host, first, count, fmas)
                    : due_of_elements(last.on_host, first, count, work->what);
    };
    return work->in_double ? compare(last, last.problem.c_double, all, 4096, tolerance, due)
                           : compare(last, last.problem.c, all, 4096, tolerance, due);
  }

  JsonObject answer(const LastRun<Arrays>& last) const override {
    const auto work = work_of(*last.variant);
    return work && work->in_double ? last.first(last.problem.c_double, problem_.lanes)
                                   : last.first(last.problem.c, problem_.n);
  }
};

}  // namespace

const examples::Example<Size>& example() {
  static const examples::Example<Size> example = made_kernel<Stream>(built());
  return example;
}

}  // namespace gpp::stream
