// gpp inspect shows the properties of an input; gpp generate writes a synthetic one.
#include "gpp/study/kernel.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "data/gpp214.h"
#include "data/statistics.h"
#include "gpp/prepare.h"
#include "gpp/study/inputs.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "roofline/base/files.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

// ---- gpp inspect --------------------------------------------------------------------------------

double percent(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

void print_mix(const char* title, const BranchMix& mix) {
  const auto of_terms = [&mix](std::int64_t part) { return percent(part, mix.terms); };
  fmt::print(
      "{:<11}{:.4g} terms: {:.5g}% branch 1, {:.3g}% branch 2, {:.2g}% neither, {:.3g}% cut\n"
      "{:<11}branch 2 touches {:.3g}% of warps (32 neighbouring G); {:.3g}% hold both branches\n",
      title, static_cast<double>(mix.terms), of_terms(mix.branch1), of_terms(mix.branch2),
      of_terms(mix.neither), of_terms(mix.cut), "", percent(mix.groups_branch2, mix.groups),
      percent(mix.groups_both, mix.groups));
}

void print_bands(const char* title, const BandClass& bands) {
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
  print_bands("empty", s.empty);
  fmt::print("sample     {} of {} G', {} bands half occupied\n", s.sampled_columns, s.columns,
             s.half_occupied);
  const PoleStatistics& w = s.wtilde;
  fmt::print(
      "poles      {:.3g}% invalid, {:.3g}% zero, {:.3g}% complex; valid {:.3g} to {:.4g} eV, "
      "median {:.3g}\n",
      percent(w.invalid, w.poles), percent(w.zero, w.poles), percent(w.complex, w.poles),
      w.valid.min, w.valid.max, w.valid.median);
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

/// Writes the preset to the file.
int generate_file(const SourceRequest& request) {
  const Preset& preset = preset_called(request.preset);
  roofline::ProgressLine line;
  const Input input = generate(preset, request.seed, true,
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
                  "For an input of another size: a synthetic one with its reference",
                  {"gpp generate --preset tiny -o tiny.dat",
                   "gpp generate --preset gpp214 --seed 7 -o gpp214.dat"});
  const auto request = std::make_shared<SourceRequest>();
  command->add_option("--preset", request->preset, "Which: " + preset_names(gpp_kernel()))
      ->required();
  command->add_option("-o,--output", request->file, "File to write")->required();
  add_seed_option(*command, request->seed);
  return {command, [request] { return generate_file(*request); }};
}

}  // namespace gpp
