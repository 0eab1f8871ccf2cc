#include "gpp/study/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "gpp/study/shapes.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

/// A diagonal element with three G, whose imaginary parts cancel except for rounding.
Input cancelling() {
  constexpr int size = 3;
  Input input = random_input(
      {.name = "cancelling", .ncouls = size, .ngpown = size, .map = ShapeMap::identity}, 3);
  input.aqsmtemp = input.aqsntemp;
  for (int g = 0; g < size * size; ++g) {
    const auto at = static_cast<std::size_t>(g);
    const bool diagonal = g % size == g / size;
    input.I_eps_array[at] = {diagonal ? input.I_eps_array[at].re : 0.0, 0.0};
  }
  return input;
}

/// Bands as they are in seven of the eight ranks of a large calculation.
Input far_bands() {
  Preset preset = *find_preset("small");
  preset.ncouls = preset.ngpown = 27;
  preset.sig_ntband = 6397;
  preset.nvband = 428;
  preset.first_band = 800;
  preset.ntband_dist = 300;
  preset.offdiagonal = true;
  return generate(preset, 1, false);
}

}  // namespace

const Preset& preset_called(const std::string& name) {
  if (const Preset* preset = find_preset(name)) return *preset;
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  throw roofline::InputError("--preset: " + roofline::unknown_name("preset", name, names));
}

std::filesystem::path find_input(const std::filesystem::path& file) {
  std::error_code error;
  const auto type = std::filesystem::status(file, error).type();
  if (type != std::filesystem::file_type::not_found) return file;
  if (file == default_bundled_nickname) return bundled_input();
  const std::vector<std::string> bundled = bundled_inputs();
  for (const std::string& name : bundled)
    if (file == name || file == name + ".dat") return bundled_input(name);
  throw roofline::InputError(
      fmt::format("{}; name a gpp214 file, or a bundled one: {}",
                  file.empty() ? "FILE is required"
                               : file.string() + ": there is no such file, nor a bundled one",
                  fmt::join(bundled, ", ")));
}

Input obtain_input(const SourceRequest& request, std::string& label) {
  roofline::ProgressLine line;
  if (!request.preset.empty()) {
    const Preset& preset = preset_called(request.preset);
    label = fmt::format("preset {}, seed {}", preset.name, request.seed);
    // Generated without its reference, because a study computes the same one itself.
    return generate(preset, request.seed, false,
                    [&line](double share) { line.show("generating the input", share); });
  }
  const std::filesystem::path file =
      request.file.empty() ? bundled_input() : find_input(request.file);
  label = file.string();
  line.show("reading " + label);
  return read_gpp214(file);
}

int own_g_of_slice(const Input& input, std::int64_t terms) {
  const std::int64_t terms_of_one = input.terms() / input.ngpown;
  return static_cast<int>(std::clamp<std::int64_t>(terms / terms_of_one, 1, input.ngpown));
}

Input slice_of(const Input& input, int ngpown) {
  Input slice = input;
  slice.ngpown = slice.epsmpi_ngpown_max = ngpown;
  slice.inv_igp_index = {};
  slice.wtilde_array = slice.I_eps_array = {};
  for (std::int64_t i = 0; i < ngpown; ++i) {
    const std::int64_t igp = i * input.ngpown / ngpown;
    slice.inv_igp_index.push_back(input.inv_igp_index[static_cast<std::size_t>(igp)]);
    for (const auto array : {&Input::wtilde_array, &Input::I_eps_array}) {
      const auto column = (input.*array).begin() + igp * input.ncouls;
      (slice.*array).insert((slice.*array).end(), column, column + input.ncouls);
    }
  }
  slice.asxtemp = slice.achtemp = slice.asxtempref = slice.achtempref = {};
  return slice;
}

std::vector<AwkwardInput> awkward_inputs() {
  std::vector<AwkwardInput> inputs;
  for (const std::vector<Shape>& shapes : {odd_shapes(), exact_shapes()})
    for (const Shape& shape : shapes)
      inputs.push_back({shape.name, shape.meaning, [shape] { return random_input(shape, 1); }});
  inputs.push_back({"cancelling", "imaginary parts cancel but for rounding", cancelling});
  inputs.push_back({"many_far_bands", "hundreds of empty bands far below the poles", far_bands});
  return inputs;
}

}  // namespace gpp
