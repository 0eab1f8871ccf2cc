// gpp inspect: what an input is like.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "data/bundled.h"
#include "data/memory.h"
#include "data/sha256.h"
#include "data/statistics.h"
#include "gpp/prepare.h"
#include "gpp/study/commands.h"
#include "gpp/study/input_source.h"
#include "harness/measure/measure.h"
#include "harness/measure/options.h"
#include "roofline/base/error.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

struct InspectRequest {
  std::string file;
  bool json = false;
};

struct Inspected {
  std::string path;
  std::string sha256;
  std::int64_t memory = 0;
  std::shared_ptr<const Input> input;
  Statistics statistics;
};

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

nlohmann::ordered_json mix_json(const BranchMix& mix) {
  return {{"terms", mix.terms},
          {"branch1", mix.branch1},
          {"branch2", mix.branch2},
          {"neither", mix.neither},
          {"cut", mix.cut},
          {"groups", mix.groups},
          {"groups_branch2", mix.groups_branch2},
          {"groups_both", mix.groups_both}};
}

nlohmann::ordered_json bands_json(const BandClass& bands) {
  return {{"bands", bands.bands},
          {"wx_min", bands.wx_min},
          {"wx_max", bands.wx_max},
          {"negative", bands.negative}};
}

nlohmann::ordered_json quantiles_json(const Quantiles& q) {
  return {{"min", q.min},
          {"quarter", q.quarter},
          {"median", q.median},
          {"three_quarters", q.three_quarters},
          {"percent99", q.percent99},
          {"max", q.max}};
}

nlohmann::ordered_json to_json(const Inspected& inspected) {
  const Input& input = *inspected.input;
  const Statistics& s = inspected.statistics;
  return {{"path", roofline::visible(inspected.path)},
          {"sha256", inspected.sha256},
          {"ncouls", input.ncouls},
          {"ngpown", input.ngpown},
          {"nbands", input.peinf_ntband_dist},
          {"sig_ntband", input.sig_ntband},
          {"nstart", input.nstart},
          {"nend", input.nend},
          {"terms", input.terms()},
          {"memory_bytes", inspected.memory},
          {"e_lk", input.e_lk},
          {"efermi", input.efermi},
          {"sig_dw", input.sig_dw},
          {"sig_gamma", input.sig_gamma},
          {"sexcut", input.sexcut},
          {"empty_bands", bands_json(s.empty)},
          {"occupied_bands", bands_json(s.occupied)},
          {"half_occupied", s.half_occupied},
          {"columns", s.columns},
          {"sampled_columns", s.sampled_columns},
          {"all", mix_json(s.all)},
          {"occupied", mix_json(s.occupied_bands)},
          {"wtilde",
           {{"poles", s.wtilde.poles},
            {"invalid", s.wtilde.invalid},
            {"zero", s.wtilde.zero},
            {"complex", s.wtilde.complex},
            {"valid", quantiles_json(s.wtilde.valid)}}},
          {"I_eps",
           {{"zero", s.I_eps.zero},
            {"magnitude", quantiles_json(s.I_eps.magnitude)},
            {"log10_mean", s.I_eps.log10_mean},
            {"log10_sd", s.I_eps.log10_sd}}}};
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

void print_text(const Inspected& inspected) {
  const Input& input = *inspected.input;
  const Statistics& s = inspected.statistics;
  fmt::print("{}\nsha256     {}\n", roofline::visible(inspected.path), inspected.sha256);
  fmt::print(
      "size       {} G (ncouls) x {} own G' (ngpown) x {} of {} bands, frequencies {} to {}\n",
      input.ncouls, input.ngpown, input.peinf_ntband_dist, input.sig_ntband, input.nstart,
      input.nend);
  fmt::print("           {:.4g} terms, {} of memory\n", static_cast<double>(input.terms()),
             roofline::describe_bytes(inspected.memory));
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

/// An input that is neither a file nor a bundled one is answered with the bundled ones.
void require_input(const std::string& name) {
  std::error_code error;
  const fs::file_status status = fs::status(find_input(name), error);
  if (!name.empty() && status.type() != fs::file_type::not_found) return;
  throw roofline::InputError(fmt::format(
      "{}; name a gpp214 file, or a bundled one: {}",
      name.empty() ? "FILE is required" : name + ": there is no such file, nor a bundled one",
      fmt::join(bundled_inputs(), ", ")));
}

int inspect(const InspectRequest& request) {
  require_input(request.file);
  Inspected inspected;
  SourceRequest source;
  source.file = request.file;
  inspected.input = std::make_shared<const Input>(obtain_input(source, inspected.path));
  inspected.sha256 = sha256_of_file(inspected.path);
  inspected.memory = memory_estimate(*inspected.input);
  const PreparedProblem problem(inspected.input);
  inspected.statistics = statistics(problem.view());
  if (request.json)
    fmt::print("{}\n", to_json(inspected).dump(1));
  else
    print_text(inspected);
  return every_check_passed;
}

}  // namespace

Command add_inspect(CLI::App& program) {
  CLI::App* command =
      program
          .add_subcommand("inspect", "Before an input is used: its dimensions, memory and branches")
          ->group(for_few);
  const auto request = std::make_shared<InspectRequest>();
  command->add_option("FILE", request->file, "gpp214 file, or the name of a bundled one");
  add_json_option(*command, request->json);
  command->footer(examples({"gpp inspect gpp214.dat", "gpp inspect gpp_si2_tiny --json"}));
  return {command, [request] { return inspect(*request); }};
}

}  // namespace gpp
