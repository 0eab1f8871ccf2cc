// Common parts of the kernels in this folder: inputs made from a seed, results checked number by
// number, and shared definitions for harness/kernel.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/kernel.h"
#include "runtimes/memory.h"

namespace gpp::examples {

/// A named size of a kernel. The first one is the kernel's default.
template <class Size>
struct Preset {
  const char* name;
  const char* description;  ///< a description of one line
  Size size;
};

/// Well mixed bits of a number (SplitMix64, Steele et al. 2014).
std::uint64_t mixed(std::uint64_t x);

/// A random number of an input at an index: 24 bits in [0, 1), exact in float.
float uniform(std::uint64_t seed, std::uint64_t index);

/// The offset of a varied problem from the start of its arrays: a multiple of `step` below `most`,
/// and 0 for seed 0.
long long shift_of(std::uint64_t seed, long long most, long long step);

/// Copies numbers to where variants run, and returns their address. `name` must outlive `arrays`.
template <class Number>
const Number* place_copy(PlacedArrays& arrays, const char* name,
                         const std::vector<Number>& numbers) {
  return static_cast<const Number*>(
      arrays.add(name, numbers.data(), numbers.size() * sizeof(Number)));
}

/// Calls body(first, last) for pieces of 0..n-1 on all cores.
void for_pieces(long long n, const std::function<void(long long first, long long last)>& body);

/// Keeps the number with the largest error. `what` names numbers in messages, such as "element".
class Judge {
 public:
  explicit Judge(double tolerance, const char* what = "element");
  /// Adds a number whose error is its difference over `scale`, or infinite if it is not finite.
  void look_at(long long place, double computed, double due, double scale);
  /// Adds a number whose error is relative to its expected value.
  void look_at(long long place, double computed, double due);
  Check verdict() const;

 private:
  const char* what_;
  Check check_;
};

/// Returns the check with the largest error; the first of equal ones.
Check worst(const std::vector<Check>& checks);

/// Checks numbers first..first+count-1 on all cores. It calls `judge(place)` for pieces of them.
Check judge_pieces(long long count, double tolerance, const char* what,
                   const std::function<void(long long first, long long last, Judge&)>& judge);

/// A generated input without a stored reference and without parts.
class MadeSubject : public Subject {
 public:
  /// `label` describes the input: "preset tiny, seed 1". The arguments determine its numbers.
  MadeSubject(const char* kernel, std::string label, std::uint64_t seed, long long terms,
              const Json& dimensions);
  const InputRecord& input() const override { return input_; }
  const ReferenceRecord& reference() const override { return reference_; }
  double preparation_seconds(const Variant& /*variant*/) const override { return 0; }
  std::unique_ptr<Subject> slice(std::int64_t /*terms*/, std::string& /*part*/) const override {
    return nullptr;
  }

 private:
  InputRecord input_;
  ReferenceRecord reference_;
};

/// The index of the requested preset. Throws InputError for a file or an unknown name.
std::size_t chosen_preset(const SourceRequest& request, const std::vector<PresetName>& presets,
                          const char* kernel);

template <class Size>
std::vector<PresetName> names_of(std::span<const Preset<Size>> presets) {
  std::vector<PresetName> names;
  for (const Preset<Size>& preset : presets) names.push_back({preset.name, preset.description});
  return names;
}

/// Implements Kernel::obtain for a kernel with presets by calling make(label, size, seed).
template <class Size, class Make>
std::unique_ptr<Subject> obtain_preset(const SourceRequest& request,
                                       std::span<const Preset<Size>> presets, const char* kernel,
                                       const Make& make) {
  const Preset<Size>& preset = presets[chosen_preset(request, names_of(presets), kernel)];
  return make("preset " + std::string(preset.name) + ", seed " + std::to_string(request.seed),
              preset.size, request.seed);
}

using Obtain = std::function<std::unique_ptr<Subject>(const SourceRequest& request)>;

/// Adds the presets `tiny` and `small` to a kernel's check_inputs.
void add_small_presets(std::vector<CheckInput>& inputs, const Obtain& obtain);

/// An awkward size: variants that are right for round sizes may fail on it.
template <class Size>
struct Awkward {
  const char* name;
  const char* meaning;
  const char* hint;  ///< hint if the input fails (CheckInput)
  Size size;
};

struct KernelNames {
  const char* name;
  const char* title;
  const char* sentence;
  const char* work;
};
/// Makes a kernel of this folder from its names.
Kernel made_kernel(const KernelNames& names);

/// Makes a kernel with inputs of these sizes, by calling make(label, size, seed). The tables must
/// live as long as the program.
template <class Size, class Make>
Kernel made_kernel(const KernelNames& names, std::span<const Preset<Size>> presets,
                   std::span<const Awkward<Size>> awkward, Make make) {
  constexpr std::uint64_t seed = 7;  // an arbitrary seed
  Kernel kernel = made_kernel(names);
  kernel.presets = names_of(presets);
  kernel.default_input = "the preset " + kernel.presets.front().name;
  kernel.obtain = [=](const SourceRequest& request) {
    return obtain_preset(request, presets, names.name, make);
  };
  kernel.check_inputs = [=, obtain = kernel.obtain] {
    std::vector<CheckInput> inputs;
    for (const Awkward<Size>& one : awkward)
      inputs.push_back({one.name, one.meaning, one.hint,
                        [one, make] { return make(one.name, one.size, seed); }});
    add_small_presets(inputs, obtain);
    return inputs;
  };
  return kernel;
}

/// Implements Kernel::read_dimensions: each dimension is a count of at least 1.
JsonObject read_counts(const roofline::JsonPlace& input, const std::vector<const char*>& names);

/// Four functions for kernels with the one dimension `elements`, which are pieces of work.
JsonObject elements_json(long long n);
JsonObject read_elements(const roofline::JsonPlace& input);
std::string describe_elements(const InputRecord& input);
/// Throws unless the record has as many pieces of work as `elements`.
void refuse_other_elements(const roofline::JsonPlace& root, const StudyRecord& study);

}  // namespace gpp::examples
