// gpp report: draws recorded studies again, on any machine.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/command/results_folder.h"
#include "harness/measure/measure.h"
#include "harness/program/child.h"
#include "harness/record/record_json.h"
#include "harness/record/secret.h"
#include "harness/report/page.h"
#include "harness/view/outcome.h"
#include "harness/view/study_charts.h"
#include "harness/view/summary.h"
#include "harness/view/trajectory.h"
#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

struct ReportRequest {
  std::vector<fs::path> studies;
  fs::path output;
  std::optional<Secret> key;  ///< key with which a judge must have signed the studies
  bool json = false;
};

/// Returns the folder of a study that is named by its folder or by its record.
fs::path folder_of(const fs::path& study) {
  std::error_code error;
  return fs::is_directory(study, error) ? study : fs::absolute(study).parent_path();
}

/// The requested studies and trajectories.
struct Shown {
  std::vector<NamedStudy> studies;
  std::vector<NamedTrajectory> trajectories;
};

/// Reads a folder that may hold a study, a trajectory, or both.
void read_named(const fs::path& path, Shown& shown) {
  const std::string name = roofline::visible(folder_label(folder_of(path)));
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  const bool trajectory =
      folder ? fs::exists(path / "trajectory.json", error) : path.filename() == "trajectory.json";
  if (!trajectory || (folder && fs::exists(path / "study.json", error)))
    shown.studies.push_back({name, read_record(path)});
  if (trajectory) shown.trajectories.push_back({name, read_trajectory(path)});
}

/// A screen for each study; with `everything`, the text of summary.txt.
std::string text_of(const Shown& shown, bool colours, bool everything = false) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& more) {
    if (shown.studies.size() + shown.trajectories.size() > 1)
      text += fmt::format("{}{}\n\n", text.empty() ? "" : "\n", name);
    text += more;
  };
  for (const auto& [name, study] : shown.studies)
    add(name, (everything ? in_full(study, false) : brief(study, colours)) + learnt(study));
  for (const auto& [name, trajectory] : shown.trajectories)
    add(name, trajectory_text(trajectory, colours));
  return text;
}

/// Charts of several trajectories would have equal names, so they are renamed.
std::vector<roofline::Chart> all_charts(const Shown& shown) {
  std::vector<roofline::Chart> charts = study_charts(shown.studies);
  if (shown.trajectories.size() == 1)
    if (auto chart = trajectory_chart(shown.trajectories.front().trajectory))
      charts.push_back(*std::move(chart));
  return charts;
}

/// The records with all values derived from their facts, and the charts of a report.
Json report_json(const Shown& shown) {
  Json json = {{"studies", Json::array()}, {"trajectories", Json::array()}};
  for (const NamedStudy& named : shown.studies)
    json["studies"].push_back({{"name", named.name}, {"study", to_json(named.study)}});
  for (const NamedTrajectory& named : shown.trajectories)
    json["trajectories"].push_back(
        {{"name", named.name}, {"trajectory", to_json(named.trajectory)}});
  roofline::add_charts(json, all_charts(shown));
  return json;
}

/// Another kernel's record is shown by that kernel's program, which goes on in place of this one.
/// Returns if the record names none of these programs, or it is not built.
void hand_over(const fs::path& study) {
  constexpr std::string_view programs = GPP_PROGRAMS;  // each name ends with a space
  nlohmann::json json;
  const fs::path file = fs::is_directory(study) ? study / "study.json" : study;
  error_of([&] { json = roofline::json_in(roofline::text_of_outside_file(file), "", ""); });
  if (!json.is_object() || !json.contains("kernel") || !json["kernel"].is_string()) return;
  const std::string name = json["kernel"];
  if (name == program_name() ||
      (" " + std::string(programs)).find(" " + name + " ") == std::string::npos)
    return;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& program : {here / name, here / "bin" / name, here.parent_path() / name})
    if (fs::is_regular_file(program))
      roofline::become_program(program, roofline::own_command_line());
}

void write_files(const Shown& shown, const fs::path& folder) {
  roofline::write_whole(folder / "study.csv", csv(shown.studies));
  roofline::write_whole(folder / "summary.txt", text_of(shown, false, true));
  fmt::print("Written to {}\n{}\nReport: {}\n", roofline::visible(folder.string()),
             roofline::write_charts(folder, all_charts(shown)).note,
             roofline::visible(write_report(folder, shown.studies, shown.trajectories).string()));
}

int report(const ReportRequest& request) {
  Shown shown;
  try {
    for (const fs::path& path : request.studies) read_named(path, shown);
  } catch (const roofline::InputError&) {
    hand_over(request.studies.front());
    throw;
  }
  for (const NamedStudy& named : shown.studies)
    if (const std::string why = request.key ? forgery_in(named.study, *request.key) : "";
        !why.empty())
      throw roofline::InputError(fmt::format("{}: {}", named.name, why));
  const auto point_has_faults = [](const TrajectoryPoint& point) {
    return has_faults(point.study);
  };
  bool faulty = std::ranges::any_of(
      shown.studies, [](const NamedStudy& named) { return has_faults(named.study); });
  for (const NamedTrajectory& named : shown.trajectories)
    faulty = faulty || std::ranges::any_of(named.trajectory.points, point_has_faults);
  if (request.json)
    fmt::print("{}\n", report_json(shown).dump());
  else
    fmt::print("{}", text_of(shown, roofline::colours_wanted()));
  std::fflush(stdout);  // print now, in case a later write fails
  if (!request.output.empty())
    write_files(shown, report_folder(request.output));
  else if (!request.json)
    fmt::print("-o DIR writes report.html and all charts into DIR.\n");
  return faulty ? something_failed : every_check_passed;
}

}  // namespace

Command add_report(CLI::App& program) {
  CLI::App* command = add_command(
      program, to_compare, "report",
      "To show results: recorded studies as a table, or on a page, alone or side by side",
      {"gpp report results/my-h200", "gpp report results/my-h200 -o page",
       "gpp report results/a results/b -o both", "gpp report judged/ann/2026-12-01 --key key"});
  const auto request = std::make_shared<ReportRequest>();
  command
      ->add_option("DIR", request->studies,
                   "Results folders, or their study.json or trajectory.json")
      ->required();
  add_output_option(*command, request->output,
                    "Folder for report.html, summary.txt, study.csv and the charts (default: "
                    "nothing is written)");
  command->add_option_function<std::string>(
      "--key", [request](const std::string& file) { request->key.emplace(file); },
      "A judge's key: refuse studies that it did not sign (gpp judge --secret)");
  command
      ->add_flag(
          "--json", request->json,
          "Print JSON for scripts instead: the records with what follows from them and their "
          "charts; nothing is written")
      ->excludes("--output");
  return {command, [request] { return report(*request); }};
}

}  // namespace gpp
