// roofline import: counters that other profilers wrote, under roofs.
#include "roofline/import/import.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "roofline/ceilings/cache.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::vector<std::string> files;
  std::string roofs;
  std::string folder;
  bool replace = false;
  bool json = false;
};

/// This machine's, where it has the device of the profile; else none.
std::optional<Ceilings> roofs_at_hand(const Profile& profile) {
  if (profile.kind != "gpu" || !ceilings_unavailable("gpu").empty()) return std::nullopt;
  Ceilings here = ceilings_of("gpu");
  return here.device == profile.device ? std::optional(std::move(here)) : std::nullopt;
}

void choose_roofs(const Request& request, Profile& profile) {
  if (!request.roofs.empty())
    profile.ceilings = roofs_called(request.roofs, profile.kind);
  else if (!profile.ceilings)
    profile.ceilings = roofs_at_hand(profile);
  derive(profile);
}

int import_files(const Request& request) {
  const std::vector<fs::path> files(request.files.begin(), request.files.end());
  Profile profile = import_profile(files);
  choose_roofs(request, profile);
  const std::string written =
      request.folder.empty() ? "" : write_profile(profile, request.folder, request.replace);
  if (request.json)
    fmt::print("{}\n", profile_json(profile).dump(1));
  else
    fmt::print("{}\n{}{}", profile_table(profile), profile_charts(profile), written);
  return 0;
}

}  // namespace

ToolCommand add_import(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("import", "Place what Nsight Compute or rocprof counted under roofs");
  const auto request = std::make_shared<Request>();
  command
      ->add_option("FILE", request->files,
                   "CSV of ncu (--csv --page raw), of rocprof, or of rocprof-compute")
      ->required();
  command->add_option("--roofs", request->roofs, "v100, mi250x, or a file with roofs");
  command->add_option("-o,--output", request->folder, "Folder to keep the profile and charts in");
  command->add_flag("--replace", request->replace, "Replace a profile that is there");
  command->add_flag("--json", request->json, "Print JSON for scripts instead of text");
  command->footer(
      "Examples:\n"
      "  ncu --csv --page raw --set roofline ./program > program.csv\n"
      "  roofline import program.csv\n"
      "  roofline import workload/pmc_perf.csv --roofs mi250x -o results/vcopy");
  return {command, [request] { return import_files(*request); }};
}

}  // namespace roofline
