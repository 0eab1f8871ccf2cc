// gpp trajectory: variants on a growing part of a device, under the roofs of each part.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/command/results_folder.h"
#include "harness/measure/measure.h"
#include "harness/measure/trajectory.h"
#include "harness/program/interrupt.h"
#include "harness/view/trajectory.h"
#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Timing on one number of units and one size, all variants together.
constexpr double default_seconds = 2;

struct TrajectoryRequest {
  std::vector<std::string> variants, sizes, units;
  Wanted wanted;
  std::uint64_t seed = 1;
  StudyOptions options;
  fs::path output;
  bool no_build = false;
  double longest_wait = roofline::longest_wait_for_turn;
};

/// The variants on one kind of device: the one asked for, else the first variant's.
std::vector<Choice> choices_of(const TrajectoryRequest& request) {
  Wanted wanted = request.wanted;
  std::vector<Choice> choices;
  for (const std::string& name : request.variants) {
    const Choice choice = select_one(wanted.kernel->catalog(), name, wanted);
    if (std::ranges::find(choices, choice.variant, &Choice::variant) != choices.end())
      throw roofline::InputError(
          fmt::format("the variant '{}' is named twice", roofline::visible(name)));
    if (choice.build != nullptr) wanted.kind = choice.build->kind;
    choices.push_back(choice);
  }
  return choices;
}

/// A folder takes one trajectory, so none is lost.
void refuse_taken(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty() && fs::exists(fs::symlink_status(folder / "trajectory.json", error)))
    throw roofline::InputError(
        fmt::format("-o {}: holds a trajectory already; choose another folder",
                    roofline::visible(folder.string())));
}

int status_of(const Trajectory& trajectory) {
  if (!trajectory.complete) return interrupted;
  const auto passed = [](const TrajectoryPoint& point) {
    return std::ranges::all_of(
        point.study.results, [](const Result& result) { return result.status == Status::passed; });
  };
  return !trajectory.points.empty() && std::ranges::all_of(trajectory.points, passed)
             ? every_check_passed
             : something_failed;
}

int measure_now(TrajectoryRequest& request) {
  adopt_plugins_and_edits(request.variants, request.wanted, request.no_build);
  const std::vector<Choice> choices = choices_of(request);
  for (const Choice& choice : choices)
    if (!can_run(choice)) return something_failed;
  const Build& build = *choices.front().build;
  const TrajectoryPlan plan{
      request.wanted.kernel, trajectory_sizes(*request.wanted.kernel, request.sizes, request.seed),
      trajectory_units(request.units, build.kind, build.runtime->describe().units), request.options,
      choices};
  refuse_taken(request.output);
  const ResultsFolder folder(request.output, Taken::refuse);
  const auto turns = turns_for(choices, request.longest_wait);  // its studies share it
  const InterruptGuard guard;
  const Trajectory trajectory = measure_trajectory(
      plan, [&folder](const Trajectory& so_far) { write_trajectory(folder.path(), so_far); });
  fmt::print("{}", trajectory_text(trajectory, roofline::colours_wanted()));
  std::fflush(stdout);  // seen even if the disk is full
  roofline::write_whole(folder.path() / "trajectory.txt", trajectory_text(trajectory, false));
  fmt::print("Recorded in {}\n", roofline::visible(folder.path().string()));
  if (const auto chart = trajectory_chart(trajectory))
    fmt::print("{}\n", roofline::write_charts(folder.path(), {*chart}).note);
  return status_of(trajectory);
}

}  // namespace

Command add_trajectory(CLI::App& program) {
  CLI::App* command =
      add_command(program, to_measure, "trajectory",
                  "When a speedup stops growing: variants on a growing part of a device",
                  {"gpp trajectory v1,v9,v12 --sizes silicon8,gpp214",
                   "gpp trajectory v1,v8,v12 --device host --sizes medium --units 1,2,4"});
  const auto request = std::make_shared<TrajectoryRequest>();
  request->options.timing.time_limit = default_seconds;
  command->add_option("variants", request->variants, "By id or step: v1,v9,v12")
      ->delimiter(',')
      ->required();
  command
      ->add_option("--sizes", request->sizes,
                   "Presets, files or names of bundled inputs: silicon8,gpp214 (default: the "
                   "kernel's default input)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--units", request->units,
                   "Numbers of multiprocessors or, on a host, cores: 8,64,132 (default: some nine)")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_model_options(*command, request->wanted);
  add_seed_option(*command, request->seed);
  add_measuring_options(*command, request->options);
  command->get_option("--time-limit")
      ->description(
          "Seconds that timing may take on each number of units and each size, shared by "
          "the variants; each runs at least once");
  add_wait_option(*command, request->longest_wait);
  add_counting_options(*command, request->options.counting);
  add_output_option(*command, request->output,
                    "Folder for the results (default: results/<date-time-host>)");
  add_build_options(*command, request->no_build);
  return {command, [request] { return measure_now(*request); }};
}

}  // namespace gpp
