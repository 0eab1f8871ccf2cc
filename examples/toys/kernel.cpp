#include "examples/toys/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gpp::toys {
namespace {

using namespace examples;

double additions_of(std::string_view step) { return step.starts_with("c_") ? 1 : additions; }

/// The source index: every 16th number, then the next ones; c_near differs by pieces and stride.
long long source(std::string_view step, long long n, long long i) {
  if (!step.starts_with("c_")) return i;
  const long long by = step == "c_near_4" ? 4 : stride;
  const long long piece = step == "c_stride" ? n : rows_of_piece * by;
  const long long first = i / piece * piece, rows = std::min(piece, n - first) / by;
  return first + (i - first) % rows * by + (i - first) / rows;
}

class Toys : public MadeSubject<Numbers> {
 public:
  using Size = long long;
  static constexpr About about =
      About("toys", "Three toys",
            "additions to the numbers of an array: many, the same with few threads, and one with a "
            "stride",
            "elements", "{elements} elements", 4'096, 64);
  static constexpr Preset<Size> presets[] = {
      {"full", "16384000 elements, as published", 80LL * 2048 * 100},
      {"small", "32768 elements, for processors", 32'768},
      {"tiny", "1040 elements, for tests", 1'040}};
  static constexpr Awkward<Size> awkward[] = {{"elements_16", "16 elements", 16},
                                              {"elements_48", "48 elements", 48},
                                              {"elements_1008", "1008 elements", 1'008},
                                              {"elements_70016", "70016 elements", 70'016}};

  static long long memory_of(Size n) { return 3 * static_cast<long long>(sizeof(double)) * n; }
  static double tolerance(std::string_view /*step*/) { return 1e-15; }
  static LeastWork least_work(const InputRecord& input, const Result& result) {
    const double each = additions_of(result.step);
    return {each * static_cast<double>(input.terms), "fp64",
            fmt::format("{} elements need {} fp64 operations each", input.terms, each)};
  }

  static void complete(Kernel& kernel) { kernel.least_work = least_work; }

  Toys(std::string label, Size n, std::uint64_t seed)
      : MadeSubject(about, std::move(label), seed, n, {{"elements", n}}) {
    problem_.n = n;
    add(problem_.b, "the input", made_numbers(n + about.most_shift, [seed](long long i) -> double {
          return uniform(seed, i);
        }));
    add_output(problem_.a, n);
  }

  SourceCount count(const Variant& variant) override {
    const auto n = static_cast<double>(problem_.n);
    const double bytes = 2 * sizeof(double) * n;
    return {{{"fp64_flop", additions_of(variant.step) * n}, {"dram_bytes", bytes}},
            {},
            {{"l1_bytes", bytes}}};
  }

  /// No sum is rounded, so 10000 additions equal one addition of their sum.
  Check check(LastRun<Numbers>& last, double tolerance) const override {
    const double sum = additions_of(last.step()) * summand;
    return compare(last, last.problem.a, problem_.n, 4096, tolerance,
                   [&](long long first, long long count) {
                     std::vector<double> due;
                     for (long long i = first; i < first + count; ++i)
                       due.push_back(last.on_host.b[source(last.step(), problem_.n, i)] + sum);
                     return due;
                   });
  }
  JsonObject answer(const LastRun<Numbers>& last) const override {
    return last.first(last.problem.a, problem_.n);
  }
};

}  // namespace

const examples::Example<long long>& example() {
  static const examples::Example<long long> example = made_kernel<Toys>(built());
  return example;
}

}  // namespace gpp::toys
