// The kernels in this folder: inputs are made from a seed, and a variant writes its answer into
// arrays of its problem. Such a kernel is a class K of inputs, derived from MadeSubject, with
//
//   using Size = int;                       what determines an input besides its seed
//   static constexpr About about;           names and dimensions
//   static constexpr Preset<Size> presets[];    the first one is the default
//   static constexpr Awkward<Size> awkward[];   sizes on which careless variants fail
//   static long long memory_of(Size);       bytes on a host; may throw InputError for a size
//   static double tolerance(step);
//   K(label, size, seed);                   makes an input
//   static void complete(Kernel&);          adds what else the kernel has; may be missing
//
// examples/toys is the smallest one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/record.h"
#include "roofline/base/machine.h"
#include "roofline/base/parallel.h"
#include "runtimes/memory.h"

namespace gpp::examples {

/// The names and texts of a kernel.
struct About {
  const char* name;
  const char* title;
  const char* sentence;
  const char* work;
  /// Tells an input's dimensions, and names them: "{rows} x {columns} elements". {terms} is the
  /// number of pieces of work, which is no dimension.
  const char* dimensions;
  /// Arrays of a varied problem begin later by a multiple of `shift_step` numbers below
  /// `most_shift`, so that runs see different data. Steps are whole lines of memory.
  long long most_shift = 0, shift_step = 1;
};

/// A named size of a kernel.
template <class Size>
struct Preset {
  const char* name;
  const char* description;  ///< a description of one line
  Size size;
};

/// An awkward size: variants that are right for round sizes may fail on it.
template <class Size>
struct Awkward {
  const char* name;
  const char* meaning;
  Size size;
};

// ---- Making inputs ------------------------------------------------------------------------------

/// Well mixed bits of a number (SplitMix64, Steele et al. 2014).
std::uint64_t mixed(std::uint64_t x);

/// A random number of an input at an index: 24 bits in [0, 1), exact in float.
float uniform(std::uint64_t seed, long long index);

/// The numbers make(0) to make(n - 1), made on all cores.
template <class Make>
auto made_numbers(long long n, const Make& make) {
  std::vector<decltype(make(0LL))> numbers(static_cast<std::size_t>(n));
  constexpr long long piece = 1 << 16;
  roofline::parallel_for(static_cast<int>((n + piece - 1) / piece), [&](int p) {
    for (long long i = p * piece; i < std::min(n, (p + 1) * piece); ++i)
      numbers[static_cast<std::size_t>(i)] = make(i);
  });
  return numbers;
}

/// The work that a variant's source states for a piece of work: "2 fp32 per element; 12 bytes".
struct StatedWork {
  double operations = 0;
  bool in_double = false;
  double bytes = 0;
  const char* precision() const { return in_double ? "fp64" : "fp32"; }
};

/// Parses "18 fp64 per pair; 128 bytes per body", if `per` is "pair" and `of_bytes` " per body".
/// Returns nothing for other texts.
std::optional<StatedWork> stated_work(std::string_view line, const char* per,
                                      const char* of_bytes = "");
/// Says that a variant states no work as in `example`.
std::string states_no_work(const Variant& variant, const char* example);

// ---- Judging answers ----------------------------------------------------------------------------

/// Keeps the number with the largest error. `what` names numbers in messages, such as "element".
class Judge {
 public:
  explicit Judge(double tolerance, const char* what = "element");
  /// Adds a number whose error is its difference over `scale`, by default the expected value, or
  /// infinite if it is not finite.
  void look_at(long long place, double computed, double due, std::optional<double> scale = {});
  const Check& verdict() const { return check_; }

 private:
  const char* what_;
  Check check_;
};

/// Calls judge(i, ...) for 0..count-1 on all cores, and returns the verdict with the largest error;
/// the first of equal ones.
Check judge_each(std::size_t count, double tolerance, const char* what,
                 const std::function<void(std::size_t i, Judge&)>& judge);

/// The places to look at: all of 0..count-1, or `few` of them by the seed, ascending.
std::vector<int> places_to_judge(long long count, bool all, int few, std::uint64_t seed);

/// The last run of a variant.
template <class Problem>
struct LastRun {
  const DeviceMemory& memory;
  Problem problem;         ///< as the variant got it
  Problem on_host;         ///< the same with its inputs in host memory
  std::uint64_t seed = 0;  ///< that varied the problem; 0: the original one
  const Variant* variant = nullptr;

  std::string_view step() const { return variant->step; }
  template <class Number>
  std::vector<Number> read(const Number* from, long long count) const {
    std::vector<Number> numbers(static_cast<std::size_t>(count));
    memory.read(numbers.data(), from, numbers.size() * sizeof(Number));
    return numbers;
  }
  /// At most four numbers, for the record.
  template <class Number>
  JsonObject first(const Number* from, long long count) const {
    const std::vector<Number> few = read(from, std::min<long long>(4, count));
    return first_numbers(std::vector<double>(few.begin(), few.end()));
  }
};

/// Compares a result of `count` numbers with due(first, some), the numbers that are expected from
/// one on. Takes all rows of the original problem, or 64 by the seed that varied it.
template <class Problem, class Number, class Due>
Check compare(const LastRun<Problem>& last, const Number* result, long long count, long long length,
              double tolerance, const Due& due) {
  const std::vector<int> places =
      places_to_judge((count + length - 1) / length, last.seed == 0, 64, last.seed);
  std::vector<std::vector<Number>> computed;
  for (const int place : places)
    computed.push_back(
        last.read(result + place * length, std::min(length, count - place * length)));
  return judge_each(places.size(), tolerance, "element", [&](std::size_t i, Judge& judge) {
    const long long first = places[i] * length;
    const auto expected = due(first, static_cast<long long>(computed[i].size()));
    for (std::size_t k = 0; k < expected.size(); ++k)
      judge.look_at(first + static_cast<long long>(k), computed[i][k], expected[k]);
  });
}

// ---- An input -----------------------------------------------------------------------------------

/// An array of a problem.
struct ProblemArray {
  std::size_t member;  ///< bytes before its pointer in the problem
  const char* name;
  std::shared_ptr<const void> numbers;  ///< in host memory; null for results
  std::size_t bytes;
  std::size_t moved_by;  ///< bytes of a number if a varied problem begins elsewhere, else 0
};

/// The part of MadeSubject that does not depend on the problem's type. It has no stored reference.
class MadeInput : public Subject {
 public:
  /// `label` describes the input: "preset tiny, seed 1". The arguments determine its numbers.
  MadeInput(const About& about, std::string label, std::uint64_t seed, long long terms,
            const Json& dimensions);
  const InputRecord& input() const override { return input_; }
  const ReferenceRecord& reference() const override { return reference_; }
  double preparation_seconds(const Variant& /*variant*/) const override { return 0; }
  std::unique_ptr<Subject> slice(std::int64_t /*terms*/, std::string& /*part*/) const override {
    return nullptr;
  }
  /// Copies all arrays, and writes their addresses into `problem`.
  void place_in(PlacedArrays& placed, void* problem) const;

 protected:
  /// Throws std::runtime_error if the arrays do not fit.
  void require_memory_of(const Runtime& runtime) const;
  void shift(void* problem, std::uint64_t seed) const;

  const std::uint64_t seed_;
  std::vector<ProblemArray> arrays_;

 private:
  const About& about_;
  InputRecord input_;
  ReferenceRecord reference_;
};

template <class Problem>
class MadeSubject : public MadeInput {
 public:
  using MadeInput::MadeInput;

  std::unique_ptr<Placement> place(const Runtime& runtime) const override;
  /// The problem that a seed makes of the original one, wherever its arrays are.
  virtual Problem varied(Problem problem, std::uint64_t seed) const {
    shift(&problem, seed);
    return problem;
  }
  virtual Check check(LastRun<Problem>& last, double tolerance) const = 0;
  virtual JsonObject answer(const LastRun<Problem>& last) const = 0;
  /// The problem in host memory, where results have no arrays.
  const Problem& problem() const { return problem_; }

 protected:
  /// Gives the problem an array. It is longer by `most_shift` if it moves when the problem varies.
  template <class Number>
  void add(const Number*& array, const char* name, std::vector<Number> numbers, bool moves = true) {
    const auto kept = std::make_shared<const std::vector<Number>>(std::move(numbers));
    array = kept->data();
    arrays_.push_back({place_of(&array),
                       name,
                       {kept, array},
                       kept->size() * sizeof(Number),
                       moves ? sizeof(Number) : 0});
  }
  template <class Number>
  void add_output(Number*& array, long long count) {
    arrays_.push_back(
        {place_of(&array), "", nullptr, static_cast<std::size_t>(count) * sizeof(Number), 0});
  }

  Problem problem_{};

 private:
  std::size_t place_of(const void* pointer) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(pointer) -
                                    reinterpret_cast<const std::byte*>(&problem_));
  }
};

template <class Problem>
class MadePlacement : public Placement {
 public:
  MadePlacement(const MadeSubject<Problem>& subject, const DeviceMemory& memory)
      : subject_(subject), arrays_(memory), placed_(subject.problem()), last_{memory, {}, {}} {
    subject.place_in(arrays_, &placed_);
    vary(0);
  }

  void vary(std::uint64_t seed) final {
    last_.seed = seed;
    last_.problem = subject_.varied(placed_, seed);
    last_.on_host = subject_.varied(subject_.problem(), seed);
  }
  void run(const Variant& variant, const Call& call) override {
    last_.variant = &variant;
    call(last_.problem);
  }
  Check check(double tolerance) override { return subject_.check(last_, tolerance); }
  JsonObject answer() const override { return subject_.answer(last_); }
  std::string repair() override { return arrays_.repair(); }

 private:
  const MadeSubject<Problem>& subject_;
  PlacedArrays arrays_;
  Problem placed_;  // the original problem
  LastRun<Problem> last_;
};

template <class Problem>
std::unique_ptr<Placement> MadeSubject<Problem>::place(const Runtime& runtime) const {
  require_memory_of(runtime);
  return std::make_unique<MadePlacement<Problem>>(*this, runtime.memory());
}

// ---- For harness/kernel.h -----------------------------------------------------------------------

template <class K>
std::unique_ptr<Subject> make_input(std::string label, const typename K::Size& size,
                                    std::uint64_t seed) {
  roofline::require_memory(K::memory_of(size), label);
  return std::make_unique<K>(std::move(label), size, seed);
}

/// Makes a kernel with these names, presets and awkward inputs. `make` makes the input of a preset.
using MakePreset = std::unique_ptr<Subject> (*)(std::size_t preset, std::string label,
                                                std::uint64_t seed);
Kernel named_kernel(const About& about, const KernelBuilt& built,
                    const std::vector<PresetName>& presets, const std::vector<CheckInput>& awkward,
                    MakePreset make);

JsonObject read_dimensions_of(const About& about, const roofline::JsonPlace& input);
std::string describe_dimensions(const About& about, const InputRecord& input);

/// A kernel that makes inputs of any size, besides those that have a name.
template <class Size>
struct Example : Kernel {
  /// Makes an input in host memory. `seed` determines all numbers, `label` describes it. Throws
  /// InputError for impossible sizes or too little memory.
  std::unique_ptr<Subject> (*make)(std::string label, const Size& size, std::uint64_t seed);
};

/// Makes the kernel that K defines.
template <class K>
Example<typename K::Size> made_kernel(const KernelBuilt& built) {
  std::vector<PresetName> names;
  for (const auto& preset : K::presets) names.push_back({preset.name, preset.description});
  std::vector<CheckInput> awkward;
  constexpr std::uint64_t any = 7;
  for (const auto& one : K::awkward)
    awkward.push_back(
        {one.name, one.meaning, [&one] { return make_input<K>(one.name, one.size, any); }});
  const auto make_preset = [](std::size_t preset, std::string label, std::uint64_t seed) {
    return make_input<K>(std::move(label), K::presets[preset].size, seed);
  };
  Example<typename K::Size> kernel{named_kernel(K::about, built, names, awkward, make_preset),
                                   make_input<K>};
  kernel.tolerance = K::tolerance;
  kernel.read_dimensions = [](const roofline::JsonPlace& input) {
    return read_dimensions_of(K::about, input);
  };
  kernel.describe_input = [](const InputRecord& input) {
    return describe_dimensions(K::about, input);
  };
  if constexpr (requires { K::complete(kernel); }) K::complete(kernel);
  return kernel;
}

}  // namespace gpp::examples
