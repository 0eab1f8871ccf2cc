// The short commands of the program `roofline` (import, show and report), and the reading and
// writing of stored profiles.
#include "roofline/tool/commands.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <optional>

#include "roofline/base/error.h"
#include "roofline/base/outside.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"
#include "roofline/ceilings/cache.h"
#include "roofline/import/import.h"
#include "roofline/import/work_file.h"
#include "roofline/tool/show.h"
#include "roofline/view/chart_files.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// The options of `roofline` commands that show profiles; each uses some.
struct ShowRequest {
  std::vector<std::string> names;  ///< files to import, or stored profiles
  std::string roofs;
  std::string work;  ///< file of formulas
  std::string chip;  ///< AMD's
  std::string output;
  bool replace = false;
  Showing showing;
};

/// The roofs of this machine, if it has the profile's device.
std::optional<Ceilings> roofs_at_hand(const Profile& profile) {
  if (profile.kind != "gpu" || !ceilings_unavailable("gpu").empty()) return std::nullopt;
  Ceilings here = ceilings_of("gpu");
  return here.device == profile.device ? std::optional(std::move(here)) : std::nullopt;
}

/// Sets the roofs: those of --roofs, else the profile's own, else this machine's.
void put_under_roofs(const std::string& roofs, Profile& profile) {
  if (!roofs.empty())
    profile.ceilings = roofs_called(roofs, profile.kind);
  else if (!profile.ceilings)
    profile.ceilings = published_roofs(published_name(profile.device, profile.kind));
  derive(profile);
}

int import_files(const ShowRequest& request) {
  Profile profile = import_profile({request.names.begin(), request.names.end()}, request.chip);
  if (request.roofs.empty() && !profile.ceilings) profile.ceilings = roofs_at_hand(profile);
  put_under_roofs(request.roofs, profile);
  const std::string written =
      request.output.empty() ? "" : write_profile(profile, request.output, request.replace);
  print_profile(profile, request.showing);
  if (!request.showing.for_scripts())
    fmt::print("{}{}", written, profile_learnt(profile, request.output));
  return 0;
}

/// The page's path: by default beside a single profile. A path that does not end with .html is a
/// folder for report.html, which is created, so no other file is overwritten.
fs::path file_for(const ShowRequest& request, const std::vector<KeptProfile>& kept) {
  if (request.output.empty() && kept.size() > 1)
    throw InputError("several profiles need a file for their page: -o FILE.html");
  const fs::path asked = request.output.empty() ? kept.front().folder : fs::path(request.output);
  std::error_code error;
  if (asked.extension() == ".html" && !fs::is_directory(asked, error)) return asked;
  fs::create_directories(asked, error);
  if (!fs::is_directory(asked, error))
    throw InputError(fmt::format("{}: this folder cannot be made; the page itself ends with .html",
                                 visible(asked.string())));
  return asked / "report.html";
}

int report(const ShowRequest& request) {
  std::vector<KeptProfile> kept;
  for (const std::string& record : request.names)
    kept.push_back(kept_profile(record, request.roofs));
  const fs::path file = file_for(request, kept);
  write_whole(file, profile_page(kept));
  fmt::print("Report: {}\n", visible(file.string()));
  return 0;
}

/// Removes the charts of an earlier profile, because the new one may have other charts.
void remove_charts(const fs::path& folder) {
  std::error_code ignored;
  for (const ModelTable* table : all_tables())
    for (const auto* models : {&table->models, &table->instruction_models})
      for (const Model& model : *models)
        for (const char* ending : {".svg", ".csv"})
          fs::remove(folder / ("roofline-" + model.name + ending), ignored);
}

}  // namespace

void refuse_to_overwrite(const fs::path& file, bool replace) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error)) && !replace)
    throw InputError(fmt::format("{} is there already; name another folder, or say --replace",
                                 visible(file.string())));
}

std::string write_profile(const Profile& profile, const fs::path& folder, bool replace) {
  const fs::path file = folder / "profile.json";
  refuse_to_overwrite(file, replace);
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error))
    throw InputError(fmt::format("{}: this folder cannot be made", visible(folder.string())));
  const bool replaces = fs::exists(file, error);
  write_whole(file, profile_json(profile).dump(1) + "\n");
  if (replaces) remove_charts(folder);
  const WrittenCharts charts = write_charts(folder, profile_pictures(profile));
  const fs::path report = folder / "report.html";
  write_whole(report, profile_page({{folder, profile}}));
  return fmt::format("Recorded in {}\n{}{}Report: {}\n", visible(folder.string()), charts.note,
                     charts.note.empty() ? "" : "\n", visible(report.string()));
}

KeptProfile kept_profile(const std::string& record, const std::string& roofs) {
  std::error_code error;
  const bool is_folder = fs::is_directory(record, error);
  const fs::path file = is_folder ? fs::path(record) / "profile.json" : fs::path(record);
  if (is_folder && !fs::exists(file, error))
    throw InputError(fmt::format(
        "{}: no profile.json in this folder; `roofline import FILE -o FOLDER` keeps one",
        visible(record)));
  const nlohmann::json json = json_in(text_of_outside_file(file), file.string(), "import it anew");
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  KeptProfile kept{folder, read_profile(json, file.string())};
  if (!roofs.empty() || !kept.profile.ceilings) put_under_roofs(roofs, kept.profile);
  return kept;
}

void add_showing_options(CLI::App& command, Showing& showing) {
  static const std::map<std::string, By> names = {{"kernel", By::kernel}, {"range", By::range}};
  command
      .add_option_function<std::string>(
          "--by", [&showing](const std::string& name) { showing.by = names.at(name); },
          "Rows of the first table: kernel, or range (of NVTX)")
      ->check(CLI::IsMember(names))
      ->default_str("kernel");
  command.add_flag(
      "--details", showing.details,
      "Print all tables and the charts of most work, not one table and what was learnt");
  CLI::Option* json =
      command.add_flag("--json", showing.json, "Print JSON for scripts instead of text");
  command.add_flag("--csv", showing.csv, "Print CSV instead: a line for each kernel")
      ->excludes(json);
}

void print_profile(const Profile& profile, const Showing& showing) {
  if (showing.json) {
    nlohmann::ordered_json json = profile_json(profile);
    add_charts(json, profile_pictures(profile));
    fmt::print("{}\n", json.dump(1));
  } else if (showing.csv) {
    fmt::print("{}", profiles_csv({{{}, &profile}}, showing.by));
  } else {
    fmt::print("{}", profile_text(profile, showing.by, showing.details));
  }
}

void add_work_option(CLI::App& command, std::string& file) {
  command.add_option("--work", file,
                     "File with formulas of the operations and bytes of kernels: hollow points, "
                     "which need no right to count");
}

void state_work(const WorkFile& work, const std::string& file, Profile& profile) {
  for (const std::string& expression : work.state(profile))
    fmt::print(stderr, "roofline: {}: no kernel fits '{}'\n", visible(file), visible(expression));
}

void add_roofs_option(CLI::App& command, std::string& roofs) {
  command.add_option("--roofs", roofs, "Other roofs: " + roofs_to_call());
}

ToolCommand add_import(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "import", "After Nsight Compute or rocprof: place what they counted under roofs");
  const auto request = std::make_shared<ShowRequest>();
  command
      ->add_option(
          "FILE", request->names,
          "CSV of ncu (--csv --page raw), rocprof, rocprofv3 or rocprof-compute, or reports "
          "of ncu (.ncu-rep), or folders of them; what several count of a launch is joined")
      ->required();
  command->add_option("--chip", request->chip,
                      "AMD's chip, as in gfx942, where no file names it (default: gfx90a)");
  add_roofs_option(*command, request->roofs);
  command->add_option("-o,--output", request->output, "Folder to keep the profile and charts in");
  command->add_flag("--replace", request->replace, "Replace a profile that is there");
  add_showing_options(*command, request->showing);
  command->footer(
      "Examples:\n"
      "  ncu --csv --page raw --set roofline ./program > program.csv\n"
      "  roofline import program.csv\n"
      "  roofline import workload/pmc_perf.csv --roofs mi250x -o results/vcopy");
  return {command, [request] { return import_files(*request); }};
}

ToolCommand add_show(CLI::App& program) {
  CLI::App* command = program.add_subcommand("show", "Later: show a profile that was kept");
  const auto request = std::make_shared<ShowRequest>();
  request->names.resize(1);
  command
      ->add_option("RECORD", request->names.front(),
                   "Folder of a profile or of ranks' profiles, or a profile.json")
      ->required();
  add_roofs_option(*command, request->roofs);
  add_work_option(*command, request->work);
  add_showing_options(*command, request->showing);
  return {command, [request] {
            const std::string& name = request->names.front();
            std::optional<WorkFile> work;
            if (!request->work.empty()) work = work_file(request->work);
            if (auto ranks = kept_ranks(name, request->roofs); !ranks.empty()) {
              for (KeptRank& one : ranks)
                if (work) work->state(one.kept.profile);
              print_ranks(ranks, request->showing);
              if (!request->showing.for_scripts())
                fmt::print("Next: roofline show {}/rank-{}\n", visible(name), ranks.front().rank);
              return 0;
            }
            KeptProfile kept = kept_profile(name, request->roofs);
            if (work) state_work(*work, request->work, kept.profile);
            print_profile(kept.profile, request->showing);
            if (!request->showing.for_scripts() && request->showing.by == By::kernel)
              fmt::print("{}", profile_learnt(kept.profile, kept.folder));
            return 0;
          }};
}

ToolCommand add_report(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "report", "To show profiles that were kept: one page with charts and tables");
  const auto request = std::make_shared<ShowRequest>();
  command
      ->add_option("RECORD", request->names,
                   "Folders of profiles, or their profile.json; several share a page")
      ->required();
  command->add_option("-o,--output", request->output,
                      "FILE.html, or a folder for report.html (default: beside the profile)");
  add_roofs_option(*command, request->roofs);
  command->footer(
      "Examples:\n"
      "  roofline report results/vcopy\n"
      "  roofline report results/before results/after -o both.html");
  return {command, [request] { return report(*request); }};
}

}  // namespace roofline
