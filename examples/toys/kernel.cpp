#include "examples/toys/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "examples/made_kernel.h"
#include "harness/program/embedded.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/saturating.h"

namespace gpp {
namespace embedded {
std::span<const File> toys_lessons();  // examples/toys/lesson.md
}

namespace toys {
namespace {

using namespace examples;

/// The first is the default: the size of the tutorial, 100 waves of blocks for 80 multiprocessors.
constexpr std::array<Preset<long long>, 3> presets = {
    Preset<long long>{"full", "16384000 elements, as published", 80LL * 2048 * 100},
    Preset<long long>{"small", "32768 elements, for processors", 32'768},
    Preset<long long>{"tiny", "1040 elements, for tests", 1'040}};

/// Views begin up to so many elements behind the start of b: no two runs see the same.
constexpr long long most_shift = 4'096;
constexpr long long shift_step = 64;  // keeps whole lines of 512 bytes, so that no access changes

bool is_strided(const Variant& variant) { return variant.step == "c_stride"; }
double additions_of(const Variant& variant) { return is_strided(variant) ? 1 : additions; }

class ToysSubject : public MadeSubject {
 public:
  ToysSubject(std::string label, long long elements, std::uint64_t seed)
      : MadeSubject("toys", std::move(label), seed, elements, {{"elements", elements}}),
        n(elements),
        b(static_cast<std::size_t>(elements + most_shift)) {
    for_pieces(n + most_shift, [this, seed](long long first, long long last) {
      for (long long i = first; i < last; ++i)
        b[static_cast<std::size_t>(i)] = uniform(seed, static_cast<std::uint64_t>(i));
    });
  }

  std::unique_ptr<Placement> place(const Runtime& runtime) const override;

  SourceCount count(const Variant& variant) override {
    const auto elements = static_cast<double>(n);
    return {{{"fp64_flop", additions_of(variant) * elements}, {"dram_bytes", 16 * elements}}};
  }

  const long long n;
  std::vector<double> b;
};

class ToysPlacement : public Placement {
 public:
  ToysPlacement(const ToysSubject& subject, const Runtime& runtime)
      : subject_(subject), memory_(runtime.memory()), arrays_(memory_) {
    whole_.n = subject.n;
    whole_.b = place_copy(arrays_, "b", subject.b);
    whole_.a = static_cast<double*>(
        arrays_.add_output(static_cast<std::size_t>(subject.n) * sizeof(double)));
  }

  void vary(std::uint64_t seed) override { shift_ = shift_of(seed, most_shift, shift_step); }

  void run(const Variant& variant, const Call& call) override {
    Numbers numbers = whole_;
    numbers.b += shift_;
    call(&numbers, nullptr);
    strided_ = is_strided(variant);
  }

  Check check(double tolerance) override {
    const std::vector<double> computed = read(subject_.n);
    return judge_pieces(subject_.n, tolerance, "element",
                        [&](long long first, long long last, Judge& judge) {
                          for (long long i = first; i < last; ++i)
                            judge.look_at(i, computed[static_cast<std::size_t>(i)], due(i));
                        });
  }

  Json answer() const override { return first_numbers(read(std::min<long long>(4, subject_.n))); }
  std::string repair() override { return arrays_.repair(); }

 private:
  std::vector<double> read(long long count) const {
    std::vector<double> values(static_cast<std::size_t>(count));
    memory_.read(values.data(), whole_.a, values.size() * sizeof(double));
    return values;
  }

  /// No sum is rounded, so 10000 additions are one. C takes every 16th number, then the next ones.
  double due(long long i) const {
    const long long rows = subject_.n / stride;
    const long long from = strided_ ? i % rows * stride + i / rows : i;
    return subject_.b[static_cast<std::size_t>(from + shift_)] +
           (strided_ ? 1 : additions) * summand;
  }

  const ToysSubject& subject_;
  const DeviceMemory& memory_;
  PlacedArrays arrays_;
  Numbers whole_;
  bool strided_ = false;  // the last variant
  long long shift_ = 0;
};

std::unique_ptr<Placement> ToysSubject::place(const Runtime& runtime) const {
  require_device_memory((2 * n + most_shift) * 8, runtime.free_bytes());
  return std::make_unique<ToysPlacement>(*this, runtime);
}

// ---- For harness/kernel.h -----------------------------------------------------------------------

std::unique_ptr<Subject> obtain(const SourceRequest& request) {
  return obtain_preset<long long>(request, presets, "toys", make_subject);
}

/// One wave, fewer elements than a block has threads, and a last block that is not full.
constexpr std::array<long long, 4> odd_sizes = {stride, 48, 1'008, 70'016};

std::vector<std::unique_ptr<Subject>> decoys() {
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const long long n : odd_sizes) subjects.push_back(make_subject("decoy", n, 7));
  return subjects;
}

std::vector<CheckInput> check_inputs() {
  std::vector<CheckInput> inputs;
  for (const long long n : odd_sizes)
    inputs.push_back({fmt::format("elements_{}", n), fmt::format("{} elements", n),
                      "the last block, and what is left over after whole vectors",
                      [n] { return make_subject("odd", n, 7); }});
  add_small_presets(inputs, obtain);
  return inputs;
}

void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study) {
  if (study.input.dimension("elements") != study.input.terms)
    root["input"]["terms"].refuse(fmt::format("{} contradicts {} elements", study.input.terms,
                                              study.input.dimension("elements")));
}

LeastWork least_work(const InputRecord& input, const Result& result) {
  const double each = result.step == "c_stride" ? 1 : additions;
  return {each * static_cast<double>(input.terms), "fp64",
          fmt::format("{} elements need {} FP64 additions each", input.terms, each)};
}

Kernel make_kernel() {
  Kernel kernel = made_kernel({"toys", "Three toys",
                               "additions to the numbers of an array: many, the same with few "
                               "threads, and one with a stride",
                               "elements"},
                              names_of<long long>(presets));
  kernel.catalog = catalog;
  kernel.tolerance = [](std::string_view /*step*/) { return 1e-15; };  // nothing is rounded
  kernel.obtain = obtain;
  kernel.decoys = decoys;
  kernel.check_inputs = check_inputs;
  kernel.read_dimensions = [](const roofline::JsonPlace& input) {
    return read_counts(input, {"elements"});
  };
  kernel.refuse_contradictions = refuse_contradictions;
  kernel.least_work = least_work;
  kernel.describe_input = [](const InputRecord& input) {
    return fmt::format("{} elements", input.dimension("elements"));
  };
  kernel.lessons = [] { return lesson_files(embedded::toys_lessons()); };
  return kernel;
}

}  // namespace

std::unique_ptr<Subject> make_subject(std::string label, long long n, std::uint64_t seed) {
  if (n < stride || n % stride != 0)
    throw roofline::InputError(
        fmt::format("toys: {} elements are no multiple of the stride of {}", n, stride));
  // The input here and where variants read it, and the result.
  roofline::require_memory(roofline::saturating_product(3 * sizeof(double), n), label);
  return std::make_unique<ToysSubject>(std::move(label), n, seed);
}

const Kernel& toys_kernel() {
  static const Kernel kernel = make_kernel();
  return kernel;
}

}  // namespace toys
}  // namespace gpp
