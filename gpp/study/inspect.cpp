// gpp inspect: shows the properties of an input.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "data/memory.h"
#include "data/sha256.h"
#include "data/statistics.h"
#include "gpp/prepare.h"
#include "gpp/study/commands.h"
#include "gpp/study/input_source.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

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
  fmt::print("{}\nsha256     {}\n", roofline::visible(path), sha256_of_file(path));
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

}  // namespace

Command add_inspect(CLI::App& program) {
  CLI::App* command = add_command(program, for_few, "inspect",
                                  "Before an input is used: its dimensions, memory and branches",
                                  {"gpp inspect gpp214.dat", "gpp inspect gpp_si2_tiny"});
  const auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "gpp214 file, or the name of a bundled one");
  return {command, [file] { return inspect(*file); }};
}

}  // namespace gpp
