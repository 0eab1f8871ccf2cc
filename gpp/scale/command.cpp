// gpp scale: the whole calculation on many ranks, over their number, or planned.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "gpp/scale/calculation.h"
#include "gpp/study/inputs.h"
#include "gpp/study/kernel.h"
#include "harness/command/options.h"
#include "harness/record/provenance.h"
#include "harness/record/record_json.h"
#include "harness/report/page.h"
#include "harness/view/summary.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace gpp {
namespace scale {
namespace {

namespace fs = std::filesystem;

struct ScaleRequest {
  std::string preset = "gpp214", variant = "v12";
  Wanted wanted;
  CalculationRequest work;  ///< all but what only a rank knows
  double longest_wait = roofline::longest_wait_for_turn;
  fs::path output;
  bool replace = false, json = false;
};

// ---- The ranks ----------------------------------------------------------------------------------

/// Goes on as so many ranks of this program, which share the cores.
[[noreturn]] void start_ranks(int ranks) {
  if (!mpi_missing().empty()) throw roofline::InputError(mpi_missing());
  std::vector<std::string> words = roofline::own_command_line();
  words.front() = fs::read_symlink("/proc/self/exe").string();
  if (std::getenv("OMP_NUM_THREADS") == nullptr)
    setenv("OMP_NUM_THREADS",
           std::to_string(std::max(1, roofline::available_cores() / ranks)).c_str(), 1);
  // Open MPI refuses to start programs of root, whom containers know alone.
  words.insert(words.begin(),
               {"env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "mpirun",
                "-n", std::to_string(ranks), "--bind-to", "none", "--oversubscribe"});
  roofline::become_program("/usr/bin/env", words);
}

/// What this rank calculates, with its build and its GPU: that of its number on its host. Throws
/// InputError on all ranks where they differ in what they would run, or two run on one GPU.
CalculationRequest work_of(const ScaleRequest& request, Communicator& all) {
  CalculationRequest work = request.work;
  const std::string host = roofline::host_name();
  const std::vector<std::string> hosts = all.gather(host);
  const auto before = std::count(hosts.begin(), hosts.begin() + all.rank(), host);
  together(all, [&] {
    work.preset = &preset_called(request.preset);
    for (const Runtime* runtime : runtimes_of(catalog())) {
      if (runtime->memory().is_host() || runtime->devices() < 1) continue;
      work.gpu = static_cast<int>(before) % runtime->devices();
      runtime->use_device(work.gpu);
    }
    work.choice = select_one(catalog(), request.variant, request.wanted);
    if (work.choice.build == nullptr)
      throw roofline::InputError(
          fmt::format("{} cannot run here: {}", request.variant, work.choice.reason));
  });
  const Build& build = *work.choice.build;
  const std::vector<std::string> words = roofline::own_command_line();
  const std::vector<std::string> all_words = all.gather(
      fmt::format("{} on a {}", fmt::join(words.begin() + 1, words.end(), " "), build.kind));
  for (const std::string& others : all_words)
    if (others != all_words.front())
      throw roofline::InputError(fmt::format(
          "ranks differ in their command line or kind of device ({}; {}): start all by one command",
          roofline::visible(all_words.front()), roofline::visible(others)));
  std::set<std::string> taken;
  for (const std::string& place : all.gather(host + ": " + build.runtime->device_place()))
    if (!taken.insert(place).second && build.kind == "gpu")
      throw roofline::InputError(
          fmt::format("two ranks would share one GPU ({}): start as many ranks on a host as it has "
                      "GPUs, or run on its cores with --device host",
                      roofline::visible(place)));
  return work;
}

/// A study of one variant, without what the ranks find.
StudyRecord study_of(const Variant& variant, const Build& build) {
  const DeviceDescription device = build.runtime->describe();
  StudyRecord study = study_from_now(
      gpp_kernel(), build.kind == "gpu" ? std::vector{device} : std::vector<DeviceDescription>{});
  Result& result = study.results.emplace_back();
  result.variant = variant.id;
  result.step = variant.step;
  result.model = variant.model;
  result.kind = build.kind;
  result.device = device.name;
  return study;
}

/// The first rank alone writes and speaks. What it cannot write ends all ranks before they work.
int on_this_rank(const ScaleRequest& request, Communicator& all) {
  const CalculationRequest work = work_of(request, all);
  std::optional<ResultsFolder> folder;
  std::list<roofline::DeviceTurn> turns;
  together(all, [&] {
    if (all.rank() == 0)
      folder.emplace(request.output, request.replace ? Taken::replace : Taken::refuse);
    turns = turns_for({work.choice}, request.longest_wait);
  });
  if (work.choice.build->kind == "gpu" && all.size() > work.pools)
    together(all, [&] { all.pass_between_gpus(work.gpu); });
  const Measured measured{calculate(all, work, study_of(*work.choice.variant, *work.choice.build))};
  if (all.rank() > 0) return every_check_passed;
  fmt::print("{}", request.json ? to_json(measured.study).dump(1) + "\n"
                                // a launcher gives its ranks a terminal, wherever its output goes
                                : summary(measured.study, false));
  std::fflush(stdout);
  const std::string charts = write_study(*folder, measured).note;
  if (!request.json)
    fmt::print("Recorded in {}\n{}\n", roofline::visible(folder->path().string()), charts);
  return measured.status();
}

/// An error that all ranks know of is told by the first. One that a rank meets alone ends them all.
int as_a_rank(const ScaleRequest& request) {
  const std::unique_ptr<Communicator> all = all_ranks();
  try {
    return on_this_rank(request, *all);
  } catch (const roofline::InputError& error) {
    if (all->rank() == 0) throw;
    return every_check_passed;  // the first one's status is that of all
  } catch (const std::exception& error) {
    fmt::print(stderr, "gpp: rank {} on {}: {}\n", all->rank(), roofline::host_name(),
               roofline::visible_lines(error.what()));
    std::fflush(stderr);
    all->end_all(something_failed);
    return something_failed;
  }
}

int scale(const ScaleRequest& request) {
  const CalculationRequest& work = request.work;
  if (!work.system.empty()) {
    fmt::print("{}", request.json ? plan_json(work).dump(1) + "\n" : plan_text(work));
    return every_check_passed;
  }
  for (const char* launched : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(launched) != nullptr) return as_a_rank(request);
  int ranks = 0;
  for (const std::vector<int>& numbers : {work.strong, work.weak})
    for (const int number : numbers) ranks = std::max(ranks, number);
  if (ranks == 0)
    throw roofline::InputError(
        "gpp scale is one of several ranks: start it by mpirun, as in 'mpirun -n 2 gpp scale "
        "--preset medium', or let it start itself over a number of ranks: --strong 1,2");
  start_ranks(ranks);
}

// ---- The command --------------------------------------------------------------------------------

void add_options(CLI::App& command, ScaleRequest& request) {
  CalculationRequest& work = request.work;
  const auto whole = [&command](const char* name, auto& number, int most, const char* help) {
    return command.add_option(name, number, help)->check(CLI::Range(1, most));
  };
  command.add_option("--preset", request.preset,
                     "The whole calculation behind this one: " + preset_names(gpp_kernel()));
  add_seed_option(command, work.seed);
  command.add_option("--variant", request.variant, "What sums (default: v12)");
  add_model_options(command, request.wanted);
  whole("--states", work.states, 1000, "States to calculate (default: 1)");
  whole("--pools", work.pools, 1'000'000, "Groups of ranks that take different states");
  command
      .add_option("--exchange", work.exchange,
                  "All bands pass before the sum, or block by block beside it, or after it "
                  "(default: gather where they have room, else ring)")
      ->check(CLI::IsMember({"auto", "gather", "ring", "blocking"}));
  work.options.timing.repeat = 5;
  work.options.timing.time_limit = 100;
  add_measuring_options(command, work.options);
  command.get_option("--repeat")->description("Timed runs (default: 5)");
  add_wait_option(command, request.longest_wait);
  whole("--strong", work.strong, 100'000, "The same work on these numbers of ranks: 1,2,4,8")
      ->delimiter(',');
  whole("--weak", work.weak, 100'000, "As many states as ranks, on these numbers of ranks: 1,2,4,8")
      ->delimiter(',');
  command.add_option("--plan", work.system, "Only say what it takes")
      ->check(CLI::IsMember(planned_systems()));
  whole("--gpus", work.gpus, 10'000'000, "Of the plan (default: 1)");
  whole("--energies", work.energies, max_frequencies, "Of each state of the plan (default: 2)");
  command.add_option("--record", work.record, "Plan with the variant and the speed recorded there");
  command.add_option("--speed", work.terms_per_s, "Plan with so many terms/s of one GPU")
      ->check(between(1, 1e18));
  add_output_option(command, request.output,
                    "Folder for the results (default: results/<date-time-host>)");
  add_replace_option(command, request.replace);
  add_json_option(command, request.json);
}

}  // namespace
}  // namespace scale

Command add_scale(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "scale", "When one GPU is too small: the whole calculation on many ranks");
  command->group(to_measure);
  const auto request = std::make_shared<scale::ScaleRequest>();
  scale::add_options(*command, *request);
  command->footer(examples({"mpirun -n 2 gpp scale --preset medium --variant v12",
                            "gpp scale --preset gpp214 --strong 1,2,4,8 --weak 1,2,4,8",
                            "mpirun -n 8 gpp scale --preset gpp214 --states 4 --pools 2",
                            "gpp scale --plan Si-2742 --gpus 27648 --pools 256 --states 240 "
                            "--speed 1e12"}));
  return {command, [request] { return scale::scale(*request); }};
}

}  // namespace gpp
