#include "gpp/study/input_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "roofline/base/error.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

Input generated(const Preset& preset, std::uint64_t seed) {
  roofline::ProgressLine line;
  // Generated without its reference, because a study computes the same one itself.
  return generate(preset, seed, false,
                  [&line](double share) { line.show("generating the input", share); });
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
  if (!request.preset.empty()) {
    const Preset& preset = preset_called(request.preset);
    label = fmt::format("preset {}, seed {}", preset.name, request.seed);
    return generated(preset, request.seed);
  }
  const std::filesystem::path file =
      request.file.empty() ? bundled_input() : find_input(request.file);
  label = file.string();
  roofline::ProgressLine line;
  line.show("reading " + label);
  return read_gpp214(file);
}

}  // namespace gpp
