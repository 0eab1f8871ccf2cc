// gpp scale: the whole calculation on many ranks, over their number, or planned.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "gpp/scale/calculation.h"
#include "gpp/scale/plan.h"
#include "gpp/study/check.h"
#include "gpp/study/commands.h"
#include "gpp/study/input_source.h"
#include "gpp/study/kernel.h"
#include "gpp/study/record.h"
#include "harness/command/option_values.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "harness/record/provenance.h"
#include "harness/record/record_json.h"
#include "harness/report/write_study.h"
#include "harness/view/summary.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/process.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace scale {
namespace {

namespace fs = std::filesystem;

struct ScaleRequest {
  std::string preset = "gpp214";
  std::string variant = "v12";
  Wanted wanted;
  std::optional<double> tolerance;
  CalculationRequest work;  ///< all but what only a rank knows
  double longest_wait = roofline::longest_wait_for_turn;
  PlanRequest plan;
  fs::path output;
  bool replace = false;
  bool json = false;
};

// ---- The ranks ----------------------------------------------------------------------------------

/// Goes on as so many ranks of this program.
[[noreturn]] void start_ranks(int ranks) {
  if (!mpi_missing().empty()) throw roofline::InputError(mpi_missing());
  std::vector<std::string> words = roofline::own_command_line();
  words.front() = fs::read_symlink("/proc/self/exe").string();
  const std::string number = std::to_string(ranks);
  words.insert(words.begin(),
               {"env", "mpirun", "-n", number, "--bind-to", "none", "--oversubscribe"});
  // Open MPI refuses to start programs of root, whom containers know alone.
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
    if (geteuid() == 0) setenv(name, "1", 0);
  roofline::become_program("/usr/bin/env", words);
}

/// A rank that shares the cores of its host starts anew with its share of threads, unless the
/// environment says how many, or the launcher bound it to cores of its own. OpenMP knows no other
/// way: GCC's runtime reads the number for target regions when a program starts.
void start_with_own_threads() {
  const char* const ranks = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  const int cores = roofline::available_cores();
  const auto of_host = static_cast<int>(roofline::allowed_cpus(getppid()).size());
  if (ranks == nullptr || std::getenv("OMP_NUM_THREADS") != nullptr || cores < of_host) return;
  const int threads = std::max(1, cores / std::max(1, std::atoi(ranks)));
  setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  roofline::become_program(fs::read_symlink("/proc/self/exe"), roofline::own_command_line());
}

/// Chooses the build and this rank's GPU: that of its number on its host. Throws InputError on all
/// ranks where they differ in what they would run, or two of them run on one GPU.
void choose(const ScaleRequest& request, Communicator& all, CalculationRequest& work) {
  std::vector<std::string> words = roofline::own_command_line();
  words.erase(words.begin());
  require_the_same(all, fmt::format("{}", fmt::join(words, " ")), "command line");
  require_the_same(all, fmt::format("{} bytes", fs::file_size("/proc/self/exe")), "program");
  const std::vector<std::string> hosts = all.gather(roofline::host_name());
  const auto before = std::count(hosts.begin(), hosts.begin() + all.rank(), roofline::host_name());
  together(all, [&] {
    work.preset = &preset_called(request.preset);
    for (const Runtime* runtime : runtimes_of(catalog())) {
      if (runtime->memory().is_host() || runtime->devices() < 1) continue;
      work.gpu = static_cast<int>(before) % runtime->devices();
      runtime->use_device(*work.gpu);
    }
    work.choice = select_one(catalog(), request.variant, request.wanted);
    if (work.choice.build == nullptr)
      throw roofline::InputError(
          fmt::format("{} cannot run here: {}", request.variant, work.choice.reason));
  });
  const Build& build = *work.choice.build;
  require_the_same(all, work.choice.variant->model + build.kind, "kind of device");
  if (build.kind != "gpu") return;
  std::set<std::string> taken;
  for (const std::string& place :
       all.gather(roofline::host_name() + ": " + build.runtime->device_place()))
    if (!taken.insert(place).second)
      throw roofline::InputError(
          fmt::format("two ranks would share one GPU ({}): start as many ranks on a host as it has "
                      "GPUs, or run on its cores with --device host",
                      roofline::visible(place)));
}

/// A study of one variant, without what the ranks find.
StudyRecord study_of(const Choice& choice) {
  const Build& build = *choice.build;
  const DeviceDescription device = build.runtime->describe();
  StudyRecord study = study_from_now(
      gpp_kernel(), build.kind == "gpu" ? std::vector{device} : std::vector<DeviceDescription>{});
  Result& result = study.results.emplace_back();
  result.variant = choice.variant->id;
  result.step = choice.variant->step;
  result.model = choice.variant->model;
  result.kind = build.kind;
  result.device = device.name;
  return study;
}

/// The first rank alone writes and speaks. What it cannot write ends all ranks before they work.
int on_this_rank(const ScaleRequest& request, Communicator& all) {
  CalculationRequest work = request.work;
  work.tolerance = request.tolerance.value_or(default_tolerance);
  choose(request, all, work);
  std::unique_ptr<ResultsFolder> folder;
  std::list<roofline::DeviceTurn> turns;
  std::optional<roofline::ProgressLine> line;
  together(all, [&] {
    if (all.rank() == 0)
      folder = std::make_unique<ResultsFolder>(request.output,
                                               request.replace ? Taken::replace : Taken::refuse);
    turns = turns_for({work.choice}, request.longest_wait);
  });
  if (all.rank() == 0) line.emplace();
  const Measured measured{calculate(all, work, study_of(work.choice),
                                    [&line](std::string_view what) {
                                      if (line) line->show(what);
                                    }),
                          false};
  line.reset();
  if (all.rank() > 0) return every_check_passed;
  if (request.json)
    fmt::print("{}\n", to_json(measured.study).dump(1));
  else  // a launcher gives its ranks a terminal, wherever its own output goes
    fmt::print("{}", summary(measured.study, false));
  std::fflush(stdout);
  const std::string charts = write_study(*folder, measured).note;
  if (!request.json)
    fmt::print("Recorded in {}\n{}\n", roofline::visible(folder->path().string()), charts);
  return measured.status();
}

/// An error that all ranks know of is told by the first. One that a rank meets alone ends them all.
int as_a_rank(const ScaleRequest& request) {
  start_with_own_threads();
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
  if (!request.plan.system.empty()) {
    PlanRequest plan = request.plan;
    plan.pools = request.work.pools;
    plan.states = request.work.states;
    fmt::print("{}", request.json ? plan_json(plan).dump(1) + "\n" : plan_text(plan));
    return every_check_passed;
  }
  if (started_by_launcher()) return as_a_rank(request);
  const CalculationRequest& work = request.work;
  int most = 0;
  for (const std::vector<int>& ranks : {work.strong, work.weak})
    if (!ranks.empty()) most = std::max(most, ranks.back());
  if (most == 0)
    throw roofline::InputError(
        "gpp scale is one of several ranks: start it by mpirun, as in 'mpirun -n 2 gpp scale "
        "--preset medium', or let it start itself over a number of ranks: --strong 1,2");
  start_ranks(most);
}

// ---- The command --------------------------------------------------------------------------------

void add_options(CLI::App& command, ScaleRequest& request) {
  CalculationRequest& work = request.work;
  PlanRequest& plan = request.plan;
  const std::vector<std::string> systems = planned_systems();
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
  whole("--repeat", work.repeat, 1000, "Timed runs (default: 5)");
  command
      .add_option("--time-limit", work.time_limit,
                  "Seconds after which no further run begins (default: 100)")
      ->check(between(0, 1e6));
  add_tolerance_option(command, request.tolerance);
  add_wait_option(command, request.longest_wait);
  whole("--strong", work.strong, 100'000, "The same work on these numbers of ranks: 1,2,4,8")
      ->delimiter(',');
  whole("--weak", work.weak, 100'000, "As many states as ranks, on these numbers of ranks: 1,2,4,8")
      ->delimiter(',');
  command
      .add_option("--plan", plan.system,
                  fmt::format("Only say what it takes: {}", fmt::join(systems, ", ")))
      ->check(CLI::IsMember(systems));
  whole("--gpus", plan.gpus, 10'000'000, "Of the plan (default: 1)");
  whole("--energies", plan.energies, max_frequencies, "Of each state of the plan (default: 2)");
  command.add_option("--record", plan.record, "Plan with the variant and the speed recorded there");
  command.add_option("--speed", plan.terms_per_s, "Plan with so many terms/s of one GPU")
      ->check(between(1, 1e18));
  command
      .add_option("--bandwidth", plan.gigabytes_per_s,
                  "Plan with links of so many GB/s for each GPU (default: never the limit)")
      ->check(between(1e-6, 1e9));
  add_output_option(command, request.output,
                    "Folder for the results (default: results/<date-time-host>)");
  add_replace_option(command, request.replace);
  add_json_option(command, request.json);
}

}  // namespace
}  // namespace scale

Command add_scale(CLI::App& program) {
  CLI::App* command = program.add_subcommand("scale", purpose_of_scale)->group(to_measure);
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
