#include "examples/made_kernel.h"

#include <fmt/args.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "roofline/base/json_place.h"
#include "roofline/base/text.h"

namespace gpp::examples {
namespace {

/// The index of the requested preset. Throws InputError for a file or an unknown name.
std::size_t chosen_preset(const SourceRequest& request, const std::vector<PresetName>& presets,
                          const char* kernel) {
  if (!request.file.empty())
    throw roofline::InputError(
        fmt::format("--input: the kernel {} reads no files; choose a --preset", kernel));
  if (request.preset.empty()) return 0;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < presets.size(); ++i) {
    if (presets[i].name == request.preset) return i;
    names.push_back(presets[i].name);
  }
  throw roofline::InputError("--preset: " +
                             roofline::unknown_name("preset", request.preset, names));
}

}  // namespace
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

float uniform(std::uint64_t seed, long long index) {
  const std::uint64_t bits = mixed(seed ^ mixed(static_cast<std::uint64_t>(index)));
  return std::ldexp(static_cast<float>(bits >> 40), -24);
}

std::optional<StatedWork> stated_work(std::string_view line, const char* per,
                                      const char* of_bytes) {
  const roofline::Pattern form(
      fmt::format(R"((\d{{1,6}}) (fp32|fp64) per {}; (\d{{1,6}}) bytes{})", per, of_bytes));
  const auto match = form.whole(std::string(line));
  if (!match) return std::nullopt;
  return StatedWork{std::stod((*match)[1]), (*match)[2] == "fp64", std::stod((*match)[3])};
}

std::string states_no_work(const Variant& variant, const char* example) {
  return fmt::format("{} has no line such as '// Operations: {}.'", variant.source, example);
}

Judge::Judge(double tolerance, const char* what) : what_(what), check_{0, tolerance, true, {}} {}

void Judge::look_at(long long place, double computed, double due, std::optional<double> scale) {
  const double error = std::isfinite(computed) ? std::abs(computed - due) /
                                                     std::max(scale.value_or(std::abs(due)), 1e-30)
                                               : std::numeric_limits<double>::infinity();
  if (error <= check_.max_relative_error) return;
  check_.max_relative_error = error;
  if (error <= check_.tolerance) return;
  check_.passed = false;
  check_.reason =
      fmt::format("{} {} of the result: {:.9g} instead of {:.9g}", what_, place, computed, due);
}

Check judge_each(std::size_t count, double tolerance, const char* what,
                 const std::function<void(std::size_t i, Judge&)>& judge) {
  std::vector<Check> checks(count);
  roofline::parallel_for(static_cast<int>(count), [&](int i) {
    const auto place = static_cast<std::size_t>(i);
    Judge one(tolerance, what);
    judge(place, one);
    checks[place] = one.verdict();
  });
  return *std::max_element(checks.begin(), checks.end(), [](const Check& a, const Check& b) {
    return a.max_relative_error < b.max_relative_error;
  });
}

std::vector<int> places_to_judge(long long count, bool all, int few, std::uint64_t seed) {
  std::vector<int> places(static_cast<std::size_t>(count));
  std::iota(places.begin(), places.end(), 0);
  if (all || count <= few) return places;
  std::vector<int> some;
  std::sample(places.begin(), places.end(), std::back_inserter(some), few, std::mt19937_64(seed));
  return some;
}

MadeInput::MadeInput(const About& about, std::string label, std::uint64_t seed, long long terms,
                     const Json& dimensions)
    : seed_(seed), about_(about) {
  input_.path = std::move(label);
  input_.sha256 = about.name;
  for (const auto& [name, size] : dimensions.items())
    input_.sha256 += fmt::format("-{}", size.dump());
  input_.sha256 += fmt::format("-{}", seed);
  input_.terms = terms;
  input_.dimensions = dimensions;
}

void MadeInput::place_in(PlacedArrays& placed, void* problem) const {
  for (const ProblemArray& array : arrays_) {
    void* const address = array.numbers == nullptr
                              ? placed.add_output(array.bytes)
                              : placed.add(array.name, array.numbers.get(), array.bytes);
    std::memcpy(static_cast<std::byte*>(problem) + array.member, &address, sizeof(address));
  }
}

void MadeInput::require_memory_of(const Runtime& runtime) const {
  std::size_t bytes = 0;
  for (const ProblemArray& array : arrays_) bytes += array.bytes;
  require_device_memory(static_cast<long long>(bytes), runtime.free_bytes());
}

void MadeInput::shift(void* problem, std::uint64_t seed) const {
  if (seed == 0) return;
  const auto places = static_cast<std::uint64_t>(about_.most_shift / about_.shift_step);
  const auto numbers = static_cast<std::size_t>(about_.shift_step) * (mixed(seed) % places);
  for (const ProblemArray& array : arrays_) {
    std::byte* const member = static_cast<std::byte*>(problem) + array.member;
    const std::byte* address = nullptr;
    std::memcpy(&address, member, sizeof(address));
    if (array.moved_by != 0) address += numbers * array.moved_by;
    std::memcpy(member, &address, sizeof(address));
  }
}

Kernel named_kernel(const About& about, const KernelBuilt& built,
                    const std::vector<PresetName>& presets, const std::vector<CheckInput>& awkward,
                    MakePreset make) {
  Kernel kernel;
  static_cast<KernelBuilt&>(kernel) = built;
  kernel.name = about.name;
  kernel.title = about.title;
  kernel.sentence = about.sentence;
  kernel.work = about.work;
  kernel.folder = std::string("examples/") + about.name;
  kernel.default_input = "the preset " + presets.front().name;
  kernel.presets = presets;
  kernel.obtain = [presets, make, name = about.name](const SourceRequest& request) {
    const std::size_t chosen = chosen_preset(request, presets, name);
    return make(chosen, fmt::format("preset {}, seed {}", presets[chosen].name, request.seed),
                request.seed);
  };
  kernel.check_inputs = [awkward, obtain = kernel.obtain] {
    std::vector<CheckInput> inputs = awkward;
    for (const char* preset : {"tiny", "small"})
      inputs.push_back({preset, fmt::format("preset {}", preset), [obtain, preset] {
                          return obtain({{}, preset, 1});
                        }});
    return inputs;
  };
  return kernel;
}

JsonObject read_dimensions_of(const About& about, const roofline::JsonPlace& input) {
  static const roofline::Pattern named("\\{(\\w+)\\}");
  Json counts = Json::object();
  for (const roofline::Match& name : named.all(about.dimensions))
    if (name[1] != "terms")
      counts[name[1]] = input[name[1].c_str()].integer(1, roofline::bounds::large);
  return counts;
}

std::string describe_dimensions(const About& about, const InputRecord& input) {
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  values.push_back(fmt::arg("terms", input.terms));
  for (const auto& [name, size] : static_cast<const Json&>(input.dimensions).items())
    values.push_back(fmt::arg(name.c_str(), size.get<long long>()));
  return fmt::vformat(about.dimensions, values);
}

}  // namespace gpp::examples
