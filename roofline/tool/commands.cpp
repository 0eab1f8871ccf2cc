// The short commands of the program `roofline`: import, show, report, ceilings and counters.
#include "roofline/tool/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "roofline/base/files.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "roofline/ceilings/measure.h"
#include "roofline/import/import.h"
#include "roofline/json.h"
#include "roofline/metrics.h"
#include "roofline/tool/show.h"
#include "roofline/view/roofline_chart.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// The options of these commands; each uses some.
struct ShowRequest {
  std::vector<std::string> files;  ///< to import
  std::string record;              ///< a stored profile
  std::string roofs;
  std::string work;  ///< file of formulas
  std::string chip;  ///< AMD's
  std::string output;
  bool replace = false;
  Showing showing;
};

int import_files(const ShowRequest& request) {
  Profile profile = import_profile({request.files.begin(), request.files.end()}, request.chip);
  if (request.roofs.empty() && !profile.ceilings && profile.kind == "gpu" &&
      ceilings_unavailable("gpu").empty())
    if (Ceilings here = ceilings_of("gpu"); here.device == profile.device) profile.ceilings = here;
  put_under_roofs(request.roofs, profile);
  const std::string written =
      request.output.empty() ? "" : write_profile(profile, request.output, request.replace);
  print_profiles({{request.output, profile}}, request.showing);
  if (!request.showing.for_scripts())
    fmt::print("{}{}", written, profile_learnt(profile, request.output));
  return 0;
}

int show(const ShowRequest& request) {
  std::optional<WorkFile> work;
  if (!request.work.empty()) work = work_file(request.work);
  Kept kept = kept_profiles(request.record, request.roofs);
  for (KeptProfile& one : kept)
    if (work) state_work(*work, request.work, one.profile);
  print_profiles(kept, request.showing);
  const bool ranks = kept.front().rank.has_value();
  if (!request.showing.for_scripts() && (ranks || request.showing.by == By::kernel))
    fmt::print("{}", next_step(kept, ranks ? fs::path(request.record) : kept.front().folder));
  return 0;
}

/// Writes the page beside the profile, or into the file that is asked for. The file's name ends
/// with .html, so that no other file is overwritten.
int report(const ShowRequest& request) {
  const KeptProfile kept = kept_profile(request.record, request.roofs);
  const fs::path file =
      request.output.empty() ? kept.folder / "report.html" : fs::path(request.output);
  if (file.extension() != ".html")
    throw InputError(visible(file.string()) + ": the name of a page ends with .html");
  write_whole(file, profile_page(kept.profile, kept.folder));
  fmt::print("Report: {}\n", visible(file.string()));
  return 0;
}

// ---- Roofs

struct CeilingsRequest {
  std::string device;  ///< "host" or "gpu"; empty: both
  bool fresh = false;  ///< measure again, ignoring stored roofs
  bool sweep = false;  ///< also print the rate for every working set
  bool json = false;
};

/// A table of all working sets, with the level that serves them, or begins to fail them.
std::string sweep_of(const Ceilings& ceilings) {
  using enum Align;
  Table table = plain_table({{"working set", right}, {"rate", right}, {"level", left}});
  for (const Ceiling& ceiling : ceilings.list)
    for (const SweepPoint& point : ceiling.sweep)
      table.add({describe_working_set(point.bytes), describe_rate(point.rate, rate_unit(ceiling)),
                 ceiling.label});
  return terminal_text(table);
}

void print_device(const Ceilings& ceilings, bool sweep) {
  const std::string driver = ceilings.driver.empty() ? "" : ", " + ceilings.driver;
  Table table = roofs_table(ceilings, false);
  table.columns.front().title = "ceiling";
  fmt::print("{}{}\n\n{}", ceilings.device, driver, terminal_text(table));
  if (ceilings.launch)
    fmt::print("\nLaunch of an empty kernel: {}, half of the runs {} to {}.\n",
               describe_seconds(ceilings.launch->seconds), describe_seconds(ceilings.launch->low),
               describe_seconds(ceilings.launch->high));
  for (const Missing& missing : ceilings.missing)
    fmt::print("{}\n", wrapped(fmt::format("No {}: {}.", missing.name, missing.reason), 100, 2));
  if (sweep) fmt::print("\n{}", sweep_of(ceilings));
  fmt::print("\nMeasured at {}, in {}; --fresh measures again.\n\n", ceilings.created,
             describe_seconds(ceilings.seconds));
}

/// Without --device, a device that has no roofs is named; else it is an error.
void print_ceilings(const CeilingsRequest& request) {
  std::vector<Ceilings> all;
  std::vector<std::string> kinds = {"gpu", "host"};
  if (!request.device.empty()) kinds = {request.device};
  for (const std::string& kind : kinds) {
    const std::string reason = ceilings_unavailable(kind);
    if (!reason.empty() && !request.device.empty())
      throw std::runtime_error(fmt::format("no ceilings of the {}: {}", kind, reason));
    if (!reason.empty()) {
      if (!request.json)
        fmt::print("{}\n\n", wrapped(fmt::format("No {}: {}", kind, reason), 100, 2));
      continue;
    }
    {
      ProgressLine line;
      all.push_back(ceilings_of(kind, request.fresh, [&](std::string_view what, double share) {
        line.show(fmt::format("{}: {}", kind, what), share);
      }));
    }
    if (!request.json) print_device(all.back(), request.sweep);
  }
  if (request.json) fmt::print("{}\n", ceilings_json(all).dump(1));
}

// ---- What other profilers must count

/// A line of counters for each metric: rocprof runs the program once for each, and none asks more
/// of a block of the hardware than it counts at a time.
std::string rocprof_input(const std::string& chip) {
  const ModelTable* table = table_of_chip(chip);
  if (table == nullptr)
    throw InputError(
        fmt::format("--chip {}: counters of {} are known", visible(chip), chips_with_tables));
  std::string text = fmt::format(
      "# of {}: rocprof -i THIS_FILE --timestamp on ./program; roofline import results.csv\n"
      "# rocprofv3 -i THIS_FILE -f csv -d out -- ./program; roofline import out\n",
      visible(chip));
  for (const Metric& metric : table->metrics)
    text += fmt::format("\n# {}, {}\npmc: {}\n", metric.name, metric.source,
                        fmt::join(counters_of(metric), " "));
  return text;
}

/// The argument for ncu's --metrics: all counters that the models need for work, bytes and
/// transactions, with the newest chips' names.
std::string ncu_metrics() {
  std::vector<std::string> names = {"gpu__time_duration.sum"};
  const auto add = [&names](const std::string& metric) {
    if (metric.empty()) return;
    for (const std::string& name : find_metric(metric)->formulas.front().names())
      if (name != half_constants && std::ranges::find(names, name) == names.end())
        names.push_back(name);
  };
  const ModelTable& table = nvidia_table();
  for (const std::vector<Model>& models : {table.models, table.instruction_models})
    for (const Model& model : models) {
      add(model.work);
      add(model.active);
      for (const Level& level : model.levels) add(level.traffic);
    }
  return fmt::format("{}\n", fmt::join(names, ","));
}

}  // namespace

void add_showing_options(CLI::App& command, Showing& showing) {
  static const std::map<std::string, By> names = {{"kernel", By::kernel}, {"range", By::range}};
  command
      .add_option_function<std::string>(
          "--by", [&showing](const std::string& name) { showing.by = names.at(name); },
          "Rows of the first table: kernel, or range (of NVTX)")
      ->check(CLI::IsMember(names))
      ->default_str("kernel");
  command.add_flag("--details", showing.details,
                   "Print all tables and charts, not one table and what was learnt");
  CLI::Option* json =
      command.add_flag("--json", showing.json, "Print JSON for scripts instead of text");
  command.add_flag("--csv", showing.csv, "Print CSV instead: a line for each kernel")
      ->excludes(json);
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
          "FILE", request->files,
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
  command
      ->add_option("RECORD", request->record,
                   "Folder of a profile or of ranks' profiles, or a profile.json")
      ->required();
  add_roofs_option(*command, request->roofs);
  add_work_option(*command, request->work);
  add_showing_options(*command, request->showing);
  return {command, [request] { return show(*request); }};
}

ToolCommand add_report(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "report", "To show a profile that was kept: a page with charts and tables");
  const auto request = std::make_shared<ShowRequest>();
  command->add_option("RECORD", request->record, "Folder of a profile, or its profile.json")
      ->required();
  command->add_option("-o,--output", request->output,
                      "FILE.html (default: report.html beside the profile)");
  add_roofs_option(*command, request->roofs);
  command->footer("Example:\n  roofline report results/vcopy");
  return {command, [request] { return report(*request); }};
}

ToolCommand add_ceilings(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "ceilings", "For the roofs alone: the most that arithmetic and memory can do here");
  const auto request = std::make_shared<CeilingsRequest>();
  command->add_option("--device", request->device, "host or gpu (default: both)")
      ->check(CLI::IsMember({"host", "gpu"}));
  command->add_flag("--fresh", request->fresh, "Measure again, even if this device was before");
  command->add_flag("--sweep", request->sweep, "Print the rate at every working set too");
  command->add_flag("--json", request->json, "Print JSON for scripts instead of text");
  return {command, [request] {
            print_ceilings(*request);
            return 0;
          }};
}

ToolCommand add_counters(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "counters", "Before ncu or rocprof: write what it has to count, in its own form");
  const auto profiler = std::make_shared<std::string>(),
             chip = std::make_shared<std::string>("gfx90a");
  command->add_option("--for", *profiler, "The profiler: ncu or rocprof")
      ->required()
      ->check(CLI::IsMember({"ncu", "rocprof"}));
  command->add_option("--chip", *chip, "For rocprof: AMD's chip (default: gfx90a)");
  command->footer(
      "Examples:\n"
      "  ncu --csv --page raw --metrics \"$(roofline counters --for ncu)\" ./program > "
      "program.csv\n"
      "  roofline counters --for rocprof > roofline.txt");
  return {command, [profiler, chip] {
            fmt::print("{}", *profiler == "ncu" ? ncu_metrics() : rocprof_input(*chip));
            return 0;
          }};
}

}  // namespace roofline
