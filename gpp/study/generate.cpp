// gpp generate: writes a synthetic input.

#include "data/generate.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "data/gpp214.h"
#include "data/memory.h"
#include "data/sha256.h"
#include "gpp/study/commands.h"
#include "gpp/study/input_source.h"
#include "gpp/study/kernel.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

struct GenerateRequest {
  std::string preset;
  std::filesystem::path file;
  std::uint64_t seed = default_seed;
  bool without_reference = false;
};

std::string all_presets() {
  roofline::Table table =
      roofline::plain_table({{"preset"}, {"terms", roofline::Align::right}, {""}});
  for (const Preset& preset : presets())
    table.add({preset.name, fmt::format("{:.1e}", static_cast<double>(preset.terms())),
               preset.description});
  return roofline::terminal_text(table);
}

int generate_file(const GenerateRequest& request) {
  const Preset& preset = preset_called(request.preset);
  roofline::ProgressLine line;
  const Input input =
      generate(preset, request.seed, !request.without_reference,
               [&line](double share) { line.show("generating " + std::string("input"), share); });
  line.show("writing " + request.file.string());
  write_gpp214(request.file, input);
  line.clear();
  fmt::print(
      "{}: preset {}, seed {}, {} G x {} G' x {} bands, frequencies {} to {}, {}\nsha256 {}\n",
      roofline::visible(request.file.string()), preset.name, request.seed, input.ncouls,
      input.ngpown, input.peinf_ntband_dist, input.nstart, input.nend,
      roofline::describe_bytes(gpp214_file_bytes(input)), sha256_of_file(request.file));
  return every_check_passed;
}

}  // namespace

Command add_generate(CLI::App& program) {
  CLI::App* command =
      add_command(program, for_few, "generate",
                  "For an input of another size: a synthetic one with its reference", {});
  const auto request = std::make_shared<GenerateRequest>();
  command->add_option("--preset", request->preset, "Which: " + preset_names(gpp_kernel()))
      ->required();
  command->add_option("-o,--output", request->file, "File to write")->required();
  add_seed_option(*command, request->seed);
  command->add_flag("--no-reference", request->without_reference,
                    "Leave records 17 and 18 zero: saves time at large sizes");
  command->footer(all_presets() + "\n" +
                  examples({"gpp generate --preset tiny -o tiny.dat",
                            "gpp generate --preset gpp214 --seed 7 -o gpp214.dat"}));
  return {command, [request] { return generate_file(*request); }};
}

}  // namespace gpp
