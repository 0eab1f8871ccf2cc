// gpp inspect shows the properties of an input; gpp generate writes a synthetic one.
#include "gpp/study/commands.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "data/gpp214.h"
#include "data/statistics.h"
#include "gpp/prepare.h"
#include "gpp/study/inputs.h"
#include "gpp/study/kernel.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "roofline/base/sha256.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

// ---- gpp inspect --------------------------------------------------------------------------------

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

void print_mix(const char* title, const BranchMix& mix) {
  const auto percent = [](std::int64_t part, std::int64_t whole) {
    return 100 * share(part, whole);
  };
  fmt::print(
      "{:<11}{:.4g} terms: {:.5g}% branch 1, {:.3g}% branch 2, {:.2g}% neither, {:.3g}% cut\n",
      title, static_cast<double>(mix.terms), percent(mix.branch1, mix.terms),
      percent(mix.branch2, mix.terms), percent(mix.neither, mix.terms),
      percent(mix.cut, mix.terms));
  fmt::print(
      "{:<11}branch 2 touches {:.3g}% of warps (32 neighbouring G); {:.3g}% hold both branches\n",
      "", percent(mix.groups_branch2, mix.groups), percent(mix.groups_both, mix.groups));
}

void print_bands(const char* title, const BandClass& bands) {
  if (bands.bands == 0)
    fmt::print("{:<11}none\n", title);
  else
    fmt::print("{:<11}{} bands, wx {:.4g} to {:.4g} eV, negative {} times\n", title, bands.bands,
               bands.wx_min, bands.wx_max, bands.negative);
}

void print_text(const std::string& path, const Input& input, const Statistics& s) {
  fmt::print("{}\nsha256     {}\n", roofline::visible(path), roofline::sha256_of_file(path));
  fmt::print(
      "size       {} G (ncouls) x {} own G' (ngpown) x {} of {} bands, frequencies {} to {}\n",
      input.ncouls, input.ngpown, input.peinf_ntband_dist, input.sig_ntband, input.nstart,
      input.nend);
  fmt::print("           {:.4g} terms, {} of memory\n", static_cast<double>(input.terms()),
             roofline::describe_bytes(memory_estimate(input)));
  fmt::print(
      "energies   state at {:.6g} eV, Fermi energy {:.6g} eV, sig_dw {:.4g}, sig_gamma {:.4g}\n",
      input.e_lk, input.efermi, input.sig_dw, input.sig_gamma);
  print_bands("occupied", s.occupied);
  if (s.half_occupied > 0) fmt::print("           {} of them half occupied\n", s.half_occupied);
  print_bands("empty", s.empty);
  if (s.sampled_columns < s.columns)
    fmt::print("sample     what follows is counted in {} of {} G'\n", s.sampled_columns, s.columns);
  fmt::print(
      "poles      {:.3g}% invalid, {:.3g}% zero, {:.3g}% complex; valid {:.3g} to {:.4g} eV, "
      "median {:.3g}\n",
      100 * share(s.wtilde.invalid, s.wtilde.poles), 100 * share(s.wtilde.zero, s.wtilde.poles),
      100 * share(s.wtilde.complex, s.wtilde.poles), s.wtilde.valid.min, s.wtilde.valid.max,
      s.wtilde.valid.median);
  print_mix("all bands", s.all);
  print_mix("occupied", s.occupied_bands);
}

int inspect(const std::string& file) {
  SourceRequest source;
  source.file = find_input(file);
  std::string path;
  const auto input = std::make_shared<const Input>(obtain_input(source, path));
  const PreparedProblem problem(input);
  print_text(path, *input, statistics(problem.view()));
  return every_check_passed;
}

// ---- gpp generate -------------------------------------------------------------------------------

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
  const Input input = generate(preset, request.seed, !request.without_reference,
                               [&line](double share) { line.show("generating the input", share); });
  line.show("writing " + request.file.string());
  write_gpp214(request.file, input);
  line.clear();
  fmt::print(
      "{}: preset {}, seed {}, {} G x {} G' x {} bands, frequencies {} to {}, {}\nsha256 {}\n",
      roofline::visible(request.file.string()), preset.name, request.seed, input.ncouls,
      input.ngpown, input.peinf_ntband_dist, input.nstart, input.nend,
      roofline::describe_bytes(gpp214_file_bytes(input)), roofline::sha256_of_file(request.file));
  return every_check_passed;
}

}  // namespace

Command add_inspect(CLI::App& program) {
  CLI::App* command = add_command(program, to_write, "inspect",
                                  "Before an input is used: its dimensions, memory and branches",
                                  {"gpp inspect gpp214.dat", "gpp inspect gpp_si2_tiny"});
  const auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "gpp214 file, or the name of a bundled one");
  return {command, [file] { return inspect(*file); }};
}

Command add_generate(CLI::App& program) {
  CLI::App* command =
      add_command(program, to_write, "generate",
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
