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

/// The distance from the start of its arrays at which a varied problem begins: a multiple of `step`
/// below `most`, and 0 for seed 0.
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

using Obtain = std::function<std::unique_ptr<Subject>(const SourceRequest& request)>;

/// For Kernel::check_inputs: the presets `tiny` and `small`.
void add_small_presets(std::vector<CheckInput>& inputs, const Obtain& obtain);

/// A size on which a variant may fail that is right on round ones.
template <class Size>
struct Awkward {
  const char* name;
  const char* meaning;
  const char* hint;  ///< as in CheckInput
  Size size;
};

struct KernelNames {
  const char* name;
  const char* title;
  const char* sentence;
  const char* work;
};
/// A kernel of this folder by its names.
Kernel made_kernel(const KernelNames& names);

/// A kernel with all inputs that these sizes make: make(label, size, seed). The tables must live as
/// long as the program.
template <class Size, class Make>
Kernel made_kernel(const KernelNames& names, std::span<const Preset<Size>> presets,
                   std::span<const Awkward<Size>> awkward, Make make) {
  constexpr std::uint64_t seed = 7;  // any will do
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

/// For Kernel::read_dimensions: each dimension is a count of at least 1.
JsonObject read_counts(const roofline::JsonPlace& input, const std::vector<const char*>& names);

/// These four serve kernels whose one dimension is `elements`, each of which is a piece of work.
JsonObject elements_json(long long n);
JsonObject read_elements(const roofline::JsonPlace& input);
std::string describe_elements(const InputRecord& input);
/// Where `elements` are the pieces of work, there are as many of both.
void refuse_other_elements(const roofline::JsonPlace& root, const StudyRecord& study);

/// The files embedded in a program as a kernel's lessons.
template <class Files>
std::vector<LessonFile> lesson_files(const Files& embedded) {
  std::vector<LessonFile> files;
  for (const auto& file : embedded) files.push_back({file.path, file.text});
  return files;
}

}  // namespace gpp::examples
