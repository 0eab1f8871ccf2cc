// What the kernels of this folder share: inputs made from a seed, results judged number by number,
// and the parts of harness/kernel.h that are the same for all of them.
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

/// A size that a kernel offers by name. The first of its presets is its default.
template <class Size>
struct Preset {
  const char* name;
  const char* description;  ///< one line, for people
  Size size;
};

/// Well mixed bits of a number (SplitMix64: Steele et al. 2014).
std::uint64_t mixed(std::uint64_t x);

/// The numbers of an input: 24 random bits of [0, 1) for each index, exact in float.
float uniform(std::uint64_t seed, std::uint64_t index);

/// How far behind the start of its arrays a varied problem begins: a multiple of `step` below
/// `most`, and 0 for seed 0.
long long shift_of(std::uint64_t seed, long long most, long long step);

/// Places a copy of the numbers; returns its address there. `name` must outlive `arrays`.
template <class Number>
const Number* place_copy(PlacedArrays& arrays, const char* name,
                         const std::vector<Number>& numbers) {
  return static_cast<const Number*>(
      arrays.add(name, numbers.data(), numbers.size() * sizeof(Number)));
}

/// Calls body(first, last) for pieces of 0..n-1 on all cores.
void for_pieces(long long n, const std::function<void(long long first, long long last)>& body);

/// Keeps the worst of the numbers compared. `what` they are called in messages: "element".
class Judge {
 public:
  explicit Judge(double tolerance, const char* what = "element");
  /// The error is the difference over `scale`, and infinite where the number is not finite.
  void look_at(long long place, double computed, double due, double scale);
  /// On the scale of what is due.
  void look_at(long long place, double computed, double due);
  Check verdict() const;

 private:
  const char* what_;
  Check check_;
};

/// The one with the largest error; the first of several.
Check worst(const std::vector<Check>& checks);

/// Judges numbers first..first+count-1 on all cores: `judge(place)` is called for pieces of them.
Check judge_pieces(long long count, double tolerance, const char* what,
                   const std::function<void(long long first, long long last, Judge&)>& judge);

/// An input that was made, and has neither a stored reference nor a part.
class MadeSubject : public Subject {
 public:
  /// `label` is for people: "preset tiny, seed 1". Kernel, sizes and seed decide all numbers.
  MadeSubject(const char* kernel, std::string label, std::uint64_t seed, long long terms,
              Json dimensions);
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

/// The index of the preset asked for; throws InputError for a file, or a name that there is not.
std::size_t chosen_preset(const SourceRequest& request, const std::vector<PresetName>& presets,
                          const char* kernel);

template <class Size>
std::vector<PresetName> names_of(std::span<const Preset<Size>> presets) {
  std::vector<PresetName> names;
  for (const Preset<Size>& preset : presets) names.push_back({preset.name, preset.description});
  return names;
}

/// Kernel::obtain of a kernel with these presets: make(label, size, seed).
template <class Size, class Make>
std::unique_ptr<Subject> obtain_preset(const SourceRequest& request,
                                       std::span<const Preset<Size>> presets, const char* kernel,
                                       const Make& make) {
  const Preset<Size>& preset = presets[chosen_preset(request, names_of(presets), kernel)];
  return make("preset " + std::string(preset.name) + ", seed " + std::to_string(request.seed),
              preset.size, request.seed);
}

/// For Kernel::check_inputs: the presets `tiny` and `small`.
void add_small_presets(std::vector<CheckInput>& inputs,
                       std::unique_ptr<Subject> (*obtain)(const SourceRequest& request));

/// A size that holds what others may not.
template <class Size>
struct Awkward {
  const char* name;
  const char* meaning;
  const char* hint;  ///< as in CheckInput
  Size size;
};

/// Kernel::check_inputs of these sizes, as make(label, size, seed) makes them, and small presets.
template <class Size, class Make>
std::vector<CheckInput> awkward_inputs(std::span<const Awkward<Size>> sizes, Make make,
                                       std::unique_ptr<Subject> (*obtain)(const SourceRequest&)) {
  std::vector<CheckInput> inputs;
  for (const Awkward<Size>& one : sizes)
    inputs.push_back(
        {one.name, one.meaning, one.hint, [one, make] { return make(one.name, one.size, 7); }});
  add_small_presets(inputs, obtain);
  return inputs;
}

/// The first numbers of an answer, for people: {"first": [...]}, four at most.
Json first_numbers(std::span<const double> numbers);
/// The same, as a record has them; an empty object where it has none.
Json read_first_numbers(const roofline::JsonPlace& check);

/// A kernel of this folder with what all have in common: no reference in records, answers that are
/// their first numbers, and lessons from the files embedded as `lessons`.
struct KernelNames {
  const char* name;
  const char* title;
  const char* sentence;
  const char* work;
};
Kernel made_kernel(const KernelNames& names, std::vector<PresetName> presets);

/// Fails where a dimension of a record is no count.
Json read_counts(const roofline::JsonPlace& input, const std::vector<const char*>& names);

/// The files embedded in a program as a kernel's lessons.
template <class Files>
std::vector<LessonFile> lesson_files(const Files& embedded) {
  std::vector<LessonFile> files;
  for (const auto& file : embedded) files.push_back({file.path, file.text});
  return files;
}

}  // namespace gpp::examples
