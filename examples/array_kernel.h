// Helpers for kernels that compute one array from another, number by number. Such a kernel defines
// the input's numbers, the expected results and each step's costs. examples/toys is one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "examples/made_kernel.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/saturating.h"

namespace gpp::examples {

/// Views start at up to this many numbers into the input, so that runs see different data.
inline constexpr long long most_array_shift = 4'096;
inline constexpr long long array_shift_step = 64;  // whole cache lines, so accesses are equal

/// Such a kernel is defined by a type K with these static members:
///
///   KernelNames names;
///   std::array<Preset<long long>, ...> presets;            sizes of the input, by name
///   std::array<Awkward<long long>, ...> awkward;
///   long long multiple_of;                                 divides every size
///   using Number = double;                                 element type, or float
///   Number number(std::uint64_t seed, long long i);        the input's element i
///   Problem view(const Number* in, Number* out, long long n);   argument of variants
///   double due(std::string_view step, const Number* in, long long n, long long i);
///   double operations(std::string_view step);              per element
///   double tolerance(std::string_view step);
///   lessons()                                              the embedded files; optional
template <class K>
class ArrayPlacement : public Placement {
  using Number = typename K::Number;

 public:
  ArrayPlacement(const std::vector<Number>& in, long long n, const Runtime& runtime)
      : in_(in),
        n_(n),
        memory_(runtime.memory()),
        arrays_(memory_),
        placed_(place_copy(arrays_, "the input", in)),
        out_(static_cast<Number*>(
            arrays_.add_output(static_cast<std::size_t>(n) * sizeof(Number)))) {}

  void vary(std::uint64_t seed) override {
    shift_ = shift_of(seed, most_array_shift, array_shift_step);
  }
  void run(const Variant& variant, const Call& call) override {
    call(K::view(placed_ + shift_, out_, n_));
    step_ = variant.step;
  }
  Check check(double tolerance) override {
    const std::vector<Number> computed = read(n_);
    return judge_pieces(n_, tolerance, "element",
                        [&](long long first, long long last, Judge& judge) {
                          for (long long i = first; i < last; ++i)
                            judge.look_at(i, computed[static_cast<std::size_t>(i)],
                                          K::due(step_, in_.data() + shift_, n_, i));
                        });
  }
  JsonObject answer() const override {
    const std::vector<Number> few = read(std::min<long long>(4, n_));
    return first_numbers(std::vector<double>(few.begin(), few.end()));
  }
  std::string repair() override { return arrays_.repair(); }

 private:
  std::vector<Number> read(long long count) const {
    std::vector<Number> values(static_cast<std::size_t>(count));
    memory_.read(values.data(), out_, values.size() * sizeof(Number));
    return values;
  }

  const std::vector<Number>& in_;
  const long long n_;
  const DeviceMemory& memory_;
  PlacedArrays arrays_;
  const Number* const placed_;
  Number* const out_;
  std::string step_;  // step of the last variant
  long long shift_ = 0;
};

template <class Number>
std::string precision_of() {
  return sizeof(Number) == sizeof(double) ? "fp64" : "fp32";
}

template <class K>
class ArraySubject : public MadeSubject {
  using Number = typename K::Number;

 public:
  ArraySubject(std::string label, long long n, std::uint64_t seed)
      : MadeSubject(K::names.name, std::move(label), seed, n, elements_json(n)),
        n_(n),
        in_(static_cast<std::size_t>(n + most_array_shift)) {
    for_pieces(n + most_array_shift, [this, seed](long long first, long long last) {
      for (long long i = first; i < last; ++i)
        in_[static_cast<std::size_t>(i)] = K::number(seed, i);
    });
  }

  std::unique_ptr<Placement> place(const Runtime& runtime) const override {
    require_device_memory((2 * n_ + most_array_shift) * static_cast<long long>(sizeof(Number)),
                          runtime.free_bytes());
    return std::make_unique<ArrayPlacement<K>>(in_, n_, runtime);
  }
  SourceCount count(const Variant& variant) override {
    const auto elements = static_cast<double>(n_);
    const double bytes = 2 * sizeof(Number) * elements;
    return {{{precision_of<Number>() + "_flop", K::operations(variant.step) * elements},
             {"dram_bytes", bytes}},
            {},
            {{"l1_bytes", bytes}}};
  }

 private:
  const long long n_;
  std::vector<Number> in_;
};

/// An input of n numbers in host memory, determined by `seed`.
template <class K>
std::unique_ptr<Subject> make_array_subject(std::string label, long long n, std::uint64_t seed) {
  if (n < K::multiple_of || n % K::multiple_of != 0)
    throw roofline::InputError(
        fmt::format("{}: {} elements are no multiple of {}", K::names.name, n, K::multiple_of));
  // Counts the host's input, the copy that variants read, and the result.
  roofline::require_memory(roofline::saturating_product(3 * sizeof(typename K::Number), n), label);
  return std::make_unique<ArraySubject<K>>(std::move(label), n, seed);
}

template <class K>
LeastWork least_work_on_arrays(const InputRecord& input, const Result& result) {
  const double each = K::operations(result.step);
  const std::string precision = precision_of<typename K::Number>();
  return {each * static_cast<double>(input.terms), precision,
          fmt::format("{} elements need {} {} operations each", input.terms, each, precision)};
}

/// Makes the kernel that K defines.
template <class K>
Kernel array_kernel(const KernelBuilt& built) {
  Kernel kernel =
      made_kernel(K::names, std::span<const Preset<long long>>(K::presets),
                  std::span<const Awkward<long long>>(K::awkward), make_array_subject<K>);
  static_cast<KernelBuilt&>(kernel) = built;
  kernel.tolerance = K::tolerance;
  kernel.read_dimensions = read_elements;
  kernel.refuse_contradictions = refuse_other_elements;
  kernel.describe_input = describe_elements;
  kernel.least_work = least_work_on_arrays<K>;
  return kernel;
}

}  // namespace gpp::examples
