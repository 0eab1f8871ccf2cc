#include "examples/made_kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/parallel.h"
#include "roofline/base/text.h"

namespace gpp::examples {

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

float uniform(std::uint64_t seed, std::uint64_t index) {
  return std::ldexp(static_cast<float>(mixed(seed ^ mixed(index)) >> 40), -24);
}

long long shift_of(std::uint64_t seed, long long most, long long step) {
  const auto places = static_cast<std::uint64_t>(most / step);
  return seed == 0 ? 0 : step * static_cast<long long>(mixed(seed) % places);
}

void for_pieces(long long n, const std::function<void(long long first, long long last)>& body) {
  constexpr long long piece = 1 << 16;
  roofline::parallel_for(static_cast<int>((n + piece - 1) / piece),
                         [&](int i) { body(i * piece, std::min(n, (i + 1) * piece)); });
}

Judge::Judge(double tolerance, const char* what) : what_(what) { check_.tolerance = tolerance; }

void Judge::look_at(long long place, double computed, double due, double scale) {
  const double error = std::isfinite(computed) ? std::abs(computed - due) / std::max(scale, 1e-30)
                                               : std::numeric_limits<double>::infinity();
  if (error <= check_.max_relative_error) return;
  check_.max_relative_error = error;
  if (error <= check_.tolerance) return;
  check_.reason =
      fmt::format("{} {} of the result: {:.9g} instead of {:.9g}", what_, place, computed, due);
}

void Judge::look_at(long long place, double computed, double due) {
  look_at(place, computed, due, std::abs(due));
}

Check Judge::verdict() const {
  Check check = check_;
  check.passed = check.reason.empty();
  return check;
}

Check worst(const std::vector<Check>& checks) {
  return *std::max_element(checks.begin(), checks.end(), [](const Check& a, const Check& b) {
    return a.max_relative_error < b.max_relative_error;
  });
}

Check judge_pieces(long long count, double tolerance, const char* what,
                   const std::function<void(long long first, long long last, Judge&)>& judge) {
  constexpr long long piece = 4096;
  std::vector<Check> checks(static_cast<std::size_t>((count + piece - 1) / piece));
  roofline::parallel_for(static_cast<int>(checks.size()), [&](int i) {
    Judge one(tolerance, what);
    judge(i * piece, std::min(count, (i + 1) * piece), one);
    checks[static_cast<std::size_t>(i)] = one.verdict();
  });
  return worst(checks);
}

MadeSubject::MadeSubject(const char* kernel, std::string label, std::uint64_t seed, long long terms,
                         const Json& dimensions) {
  input_.path = std::move(label);
  input_.sha256 = kernel;
  for (const auto& [name, size] : dimensions.items())
    input_.sha256 += fmt::format("-{}", size.dump());
  input_.sha256 += fmt::format("-{}", seed);
  input_.terms = terms;
  input_.dimensions = dimensions;
}

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

void add_small_presets(std::vector<CheckInput>& inputs, const Obtain& obtain) {
  for (const char* preset : {"tiny", "small"})
    inputs.push_back({preset, fmt::format("preset {}", preset), "", [obtain, preset] {
                        return obtain({{}, preset, 1});
                      }});
}

Kernel made_kernel(const KernelNames& names) {
  Kernel kernel;
  kernel.name = names.name;
  kernel.title = names.title;
  kernel.sentence = names.sentence;
  kernel.work = names.work;
  kernel.folder = std::string("examples/") + names.name;
  kernel.quoted_record = std::string("results/h200/") + names.name;
  return kernel;
}

JsonObject read_counts(const roofline::JsonPlace& input, const std::vector<const char*>& names) {
  Json counts = Json::object();
  for (const char* name : names) counts[name] = input[name].integer(1, roofline::bounds::large);
  return counts;
}

JsonObject elements_json(long long n) { return Json({{"elements", n}}); }

JsonObject read_elements(const roofline::JsonPlace& input) {
  return read_counts(input, {"elements"});
}

std::string describe_elements(const InputRecord& input) {
  return fmt::format("{} elements", input.dimension("elements"));
}

void refuse_other_elements(const roofline::JsonPlace& root, const StudyRecord& study) {
  if (study.input.dimension("elements") != study.input.terms)
    root["input"]["terms"].refuse(fmt::format("{} contradicts {} elements", study.input.terms,
                                              study.input.dimension("elements")));
}

}  // namespace gpp::examples
