#include "examples/transpose/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gpp::transpose {
namespace {

using namespace examples;

/// Source: Ding and Williams 2019, 1024 x 1024 elements. There are no floating-point operations.
/// Instructions per sector: v1 0.056 of global memory; v2 0.25, and 0.061 of shared memory; v3 0.25
/// and 1.
const Published& published() {
  static const Published v100("V100", "V100, 1024 x 1024 elements (Ding and Williams 2019)",
                              "Speedup over v1 on a V100, by Ding and Williams 2019.",
                              "Ding and Williams 2019", 1'024 * 1'024,
                              {{"v1", 48.8e-6}, {"v2", 17.2e-6}, {"v3", 10.1e-6}});
  return v100;
}

class Transpose : public MadeSubject<Matrices> {
 public:
  using Size = transpose::Size;
  static constexpr About about =
      About("transpose", "Transpose",
            "the transpose of a matrix of floats: bytes moved, nothing computed", "elements",
            "{rows} x {columns} elements", 32'768, 64);
  static constexpr Preset<Size> presets[] = {
      {"full", "16384 x 16384, beyond all caches; takes 3.2 GB of memory", Size(16'384, 16'384)},
      {"published", "1024 x 1024, as published", Size(1'024, 1'024)},
      {"small", "1000 x 777, no multiple of a tile", Size(1'000, 777)},
      {"tiny", "65 x 47, for tests", Size(65, 47)}};
  static constexpr Awkward<Size> awkward[] = {
      {"one_number", "1 x 1", Size(1, 1)},
      {"one_row", "1 x 1003: the result is a column", Size(1, 1'003)},
      {"one_column", "1003 x 1: the result is a row", Size(1'003, 1)},
      {"whole_tiles", "128 x 64: nothing is left over", Size(128, 64)},
      {"tall", "65 x 31: less than a tile wide", Size(65, 31)},
      {"broad", "31 x 65: less than a tile high", Size(31, 65)},
      {"many_tiles", "1003 x 129", Size(1'003, 129)}};

  /// The matrix on the host and where variants read it, the result, and its copy to be judged.
  static long long memory_of(const Size& size) {
    return 4LL * sizeof(float) * size.rows * size.columns;
  }
  /// Numbers are moved, not computed, so nothing is rounded.
  static double tolerance(std::string_view /*step*/) { return 0; }

  static void complete(Kernel& kernel) { kernel.published = published; }

  /// Numbers have 24 random bits, so that two swapped ones are noticed.
  Transpose(std::string label, const Size& size, std::uint64_t seed)
      : MadeSubject(about, std::move(label), seed, 1LL * size.rows * size.columns,
                    {{"rows", size.rows}, {"columns", size.columns}}) {
    problem_.rows = size.rows;
    problem_.columns = size.columns;
    add(problem_.in, "in", made_numbers(input().terms + about.most_shift, [seed](long long i) {
          return uniform(seed, i);
        }));
    add_output(problem_.out, input().terms);
  }

  SourceCount count(const Variant& /*variant*/) override {
    const double bytes = 2.0 * sizeof(float) * static_cast<double>(input().terms);
    return {{{"dram_bytes", bytes}}, {}, {{"l1_bytes", bytes}}};
  }

  /// A copy has the shape of `in`.
  Check check(LastRun<Matrices>& last, double tolerance) const override {
    const bool copies = last.step() == "copy";
    const long long length = copies ? problem_.columns : problem_.rows;
    return compare(last, last.problem.out, input().terms, length, tolerance,
                   [&](long long first, long long count) {
                     const float* const from = last.on_host.in + (copies ? first : first / length);
                     std::vector<double> due;
                     for (long long i = 0; i < count; ++i)
                       due.push_back(from[copies ? i : i * problem_.columns]);
                     return due;
                   });
  }

  JsonObject answer(const LastRun<Matrices>& last) const override {
    return last.first(last.problem.out, input().terms);
  }
};

}  // namespace

const examples::Example<Size>& example() {
  static const examples::Example<Size> example = made_kernel<Transpose>(built());
  return example;
}

}  // namespace gpp::transpose
