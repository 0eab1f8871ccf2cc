#include "examples/toys/kernel.h"

#include <algorithm>
#include <array>

#include "examples/array_kernel.h"

namespace gpp::toys {
namespace {

using namespace examples;

constexpr const char* hint = "the last block, and what is left over after whole vectors";

struct Toys {
  static constexpr KernelNames names = {"toys", "Three toys",
                                        "additions to the numbers of an array: many, the same with "
                                        "few threads, and one with a stride",
                                        "elements"};
  static constexpr std::array<Preset<long long>, 3> presets = {
      {{"full", "16384000 elements, as published", 80LL * 2048 * 100},
       {"small", "32768 elements, for processors", 32'768},
       {"tiny", "1040 elements, for tests", 1'040}}};
  static constexpr std::array<Awkward<long long>, 4> awkward = {
      {{"elements_16", "16 elements", hint, 16},
       {"elements_48", "48 elements", hint, 48},
       {"elements_1008", "1008 elements", hint, 1'008},
       {"elements_70016", "70016 elements", hint, 70'016}}};
  static constexpr long long multiple_of = stride;

  using Number = double;
  static Number number(std::uint64_t seed, long long i) {
    return uniform(seed, static_cast<std::uint64_t>(i));
  }
  static Numbers view(const Number* in, Number* out, long long n) { return {n, in, out}; }

  static double operations(std::string_view step) { return step.starts_with("c_") ? 1 : additions; }
  /// No sum is rounded, so 10000 additions equal one addition of their sum.
  static double due(std::string_view step, const Number* b, long long n, long long i) {
    return b[source(step, n, i)] + operations(step) * summand;
  }
  /// The source index: every 16th number, then the next ones; c_near differs by pieces and stride.
  static long long source(std::string_view step, long long n, long long i) {
    if (!step.starts_with("c_")) return i;
    const long long by = step == "c_near_4" ? 4 : stride;
    const long long piece = step == "c_stride" ? n : rows_of_piece * by;
    const long long first = i / piece * piece, rows = std::min(piece, n - first) / by;
    return first + (i - first) % rows * by + (i - first) / rows;
  }
  static double tolerance(std::string_view /*step*/) { return 1e-15; }
};

}  // namespace

std::unique_ptr<Subject> make_subject(std::string label, long long n, std::uint64_t seed) {
  return make_array_subject<Toys>(std::move(label), n, seed);
}

const Kernel& toys_kernel() {
  static const Kernel kernel = array_kernel<Toys>(built());
  return kernel;
}

}  // namespace gpp::toys
