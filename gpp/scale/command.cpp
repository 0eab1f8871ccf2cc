// gpp scale: the whole calculation on many ranks, over their number, or planned.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "gpp/scale/calculation.h"
#include "gpp/scale/plan.h"
#include "gpp/scale/sweep.h"
#include "gpp/study/check.h"
#include "gpp/study/commands.h"
#include "gpp/study/input_source.h"
#include "gpp/study/kernel.h"
#include "gpp/study/record.h"
#include "harness/measure/measure.h"
#include "harness/measure/option_values.h"
#include "harness/measure/options.h"
#include "harness/measure/provenance.h"
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
  std::vector<int> strong, weak;
  std::string launcher = default_launcher;
  bool of_sweep = false;
  PlanRequest plan;
  fs::path output;
  bool replace = false;
  bool json = false;
};

// ---- One rank of many ---------------------------------------------------------------------------

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

/// Makes the GPU of this rank's place on its host the current one of every runtime that the
/// variants run under. Returns its number.
int take_device(const Communicator& all) {
  int number = 0;
  for (const Runtime* runtime : runtimes_of(catalog())) {
    const int devices = runtime->devices();
    if (runtime->memory().is_host() || devices < 1) continue;
    number = all.local_rank() % devices;
    runtime->use_device(number);
  }
  return number;
}

/// Throws InputError on all ranks where two of them run on one GPU.
void require_gpus_of_their_own(Communicator& all, const Choice& choice) {
  if (choice.build->kind != "gpu") return;
  std::set<std::string> taken;
  for (const std::string& place :
       all.gather(roofline::host_name() + ": " + choice.build->runtime->device_place()))
    if (!taken.insert(place).second)
      throw roofline::InputError(
          fmt::format("two ranks would share one GPU ({}): start as many ranks on a host as it has "
                      "GPUs, or run on its cores with --device host",
                      roofline::visible(place)));
}

CalculationRequest calculation_of(const ScaleRequest& request, Communicator& all) {
  std::vector<std::string> words = roofline::own_command_line();
  words.erase(words.begin());
  require_the_same(all, fmt::format("{}", fmt::join(words, " ")), "command line");
  require_the_same(all, fmt::format("{} bytes", fs::file_size("/proc/self/exe")), "program");
  CalculationRequest calculation = request.work;
  calculation.tolerance = request.tolerance.value_or(default_tolerance);
  together(all, [&] {
    calculation.preset = &preset_called(request.preset);
    calculation.device = take_device(all);
    calculation.choice = select_one(catalog(), request.variant, request.wanted);
    if (calculation.choice.build == nullptr)
      throw roofline::InputError(
          fmt::format("{} cannot run here: {}", request.variant, calculation.choice.reason));
  });
  require_the_same(all, calculation.choice.variant->model + calculation.choice.build->kind,
                   "kind of device");
  require_gpus_of_their_own(all, calculation.choice);
  return calculation;
}

ExitStatus keep(const ScaleRequest& request, StudyRecord study, ResultsFolder* folder) {
  const Measured measured{std::move(study), false};
  if (request.json || request.of_sweep)
    fmt::print("{}\n", to_json(measured.study).dump(1));
  else
    // A launcher gives its ranks a terminal, wherever its own output goes.
    fmt::print("{}", summary(measured.study, !started_by_launcher() && roofline::colours_wanted()));
  std::fflush(stdout);
  if (folder != nullptr) {
    const std::string charts = write_study(*folder, measured).note;
    if (!request.json)
      fmt::print("Recorded in {}\n{}\n", roofline::visible(folder->path().string()), charts);
  }
  return measured.status();
}

InputRecord input_record(const CalculationRequest& request) {
  const Preset whole = whole_of(*request.preset);
  InputRecord input;
  input.path = fmt::format("preset {}, seed {}, whole", whole.name, request.seed);
  input.terms = whole.terms() * request.states;
  input.dimensions = Json({{"ncouls", whole.ncouls},
                           {"ngpown", whole.ngpown},
                           {"nbands", whole.ntband_dist},
                           {"nstart", whole.nstart},
                           {"nend", whole.nend}});
  if (request.states > 1) input.dimensions["states"] = request.states;
  return input;
}

/// The record of a calculation that many ranks shared: a study of one variant.
StudyRecord record_of(const CalculationRequest& request, const CalculationResult& calculated) {
  const Choice& choice = request.choice;
  const bool gpu = choice.build->kind == "gpu";
  Input frequencies;
  frequencies.nstart = request.preset->nstart;
  frequencies.nend = request.preset->nend;
  StudyRecord study =
      study_from_now(gpp_kernel(), gpu ? std::vector{choice.build->runtime->describe()}
                                       : std::vector<DeviceDescription>{});
  study.input = input_record(request);
  study.reference = reference_record(calculated.reference, frequencies);
  study.reference.seconds = calculated.reference_seconds;
  Result result;
  result.variant = choice.variant->id;
  result.step = choice.variant->step;
  result.model = choice.variant->model;
  result.kind = choice.build->kind;
  result.device = choice.build->runtime->describe().name;
  result.status = calculated.check.passed ? Status::passed : Status::failed;
  result.reason = calculated.check.reason;
  result.check = calculated.check;
  result.answer = answer_json(calculated.sums, frequencies);
  result.samples = calculated.samples;
  result.stop = calculated.samples.empty()                                      ? Stop::none
                : static_cast<int>(calculated.samples.size()) == request.repeat ? Stop::repeats
                                                                                : Stop::time_limit;
  if (calculated.check.passed) {
    study.scaling = calculated.scaling;
    result.threads = gpu ? 0 : study.scaling->by_rank.front().cores;
  }
  study.results = {result};
  return study;
}

/// The first rank alone writes and speaks. What it cannot write ends all ranks before they work.
int on_this_rank(const ScaleRequest& request, Communicator& all) {
  const bool first = all.rank() == 0;
  std::unique_ptr<ResultsFolder> folder;
  const CalculationRequest calculation = calculation_of(request, all);
  std::list<roofline::DeviceTurn> turns;
  together(all, [&] {
    if (first && !request.of_sweep)
      folder = std::make_unique<ResultsFolder>(request.output,
                                               request.replace ? Taken::replace : Taken::refuse);
    turns = turns_for({calculation.choice}, request.longest_wait);
  });
  std::unique_ptr<roofline::ProgressLine> line;
  if (first) line = std::make_unique<roofline::ProgressLine>();
  const CalculationResult result = calculate(all, calculation, [&line](std::string_view what) {
    if (line) line->show(what);
  });
  line.reset();
  if (!first) return result.check.passed ? every_check_passed : something_failed;
  return keep(request, record_of(calculation, result), folder.get());
}

/// An error that all ranks know of is told by the first. One that a rank meets alone ends them all.
int as_a_rank(const ScaleRequest& request) {
  if (!started_by_launcher())
    throw roofline::InputError(
        "gpp scale is one of several ranks: start it by mpirun, as in 'mpirun -n 2 gpp scale "
        "--preset medium', or let it start itself over a number of ranks: --strong 1,2");
  start_with_own_threads();
  const std::unique_ptr<Communicator> all = all_ranks();
  try {
    return on_this_rank(request, *all);
  } catch (const roofline::InputError& error) {
    if (all->rank() == 0) throw;
    return bad_usage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "gpp: rank {} on {}: {}\n", all->rank(), roofline::host_name(),
               roofline::visible_lines(error.what()));
    std::fflush(stderr);
    all->end_all(something_failed);
    return something_failed;
  }
}

// ---- Over the number of ranks, or planned -------------------------------------------------------

int over_ranks(const ScaleRequest& request) {
  if (!mpi_missing().empty()) throw roofline::InputError(mpi_missing());
  if (started_by_launcher())
    throw roofline::InputError(
        "--strong and --weak start ranks themselves: call gpp scale without mpirun");
  if (request.work.pools > 1)
    throw roofline::InputError("--pools: --strong and --weak compare one pool of more ranks");
  preset_called(request.preset);
  SweepRequest sweep{request.strong, request.weak, request.work.states, request.launcher, {}};
  const auto add = [&sweep](const char* option, const std::string& value) {
    sweep.arguments.insert(sweep.arguments.end(), {option, value});
  };
  add("--preset", request.preset);
  add("--variant", request.variant);
  add("--seed", std::to_string(request.work.seed));
  for (const std::string& model : request.wanted.models) add("--model", model);
  if (!request.wanted.kind.empty()) add("--device", request.wanted.kind);
  if (request.work.exchange != Exchange::any) add("--exchange", name_of(request.work.exchange));
  add("--repeat", std::to_string(request.work.repeat));
  add("--time-limit", fmt::format("{}", request.work.time_limit));
  add("--wait", fmt::format("{}", request.longest_wait));
  if (request.tolerance) add("--tolerance", fmt::format("{}", *request.tolerance));
  require_sweep(sweep);
  ResultsFolder folder(request.output, request.replace ? Taken::replace : Taken::refuse);
  return keep(request, run_sweep(sweep), &folder);
}

int plan(const ScaleRequest& request) {
  const System& system = system_called(request.plan.system);
  const Spread spread{request.plan.gpus, request.work.pools, request.work.states};
  const Machine machine = machine_of(request.plan);
  if (request.json)
    fmt::print("{}\n", plan_json(spread, machine).dump(1));
  else
    fmt::print("{}", plan_text(system, spread, machine));
  return every_check_passed;
}

void add_calculation_options(CLI::App& command, ScaleRequest& request) {
  command.add_option("--preset", request.preset,
                     "The whole calculation behind this one: " + preset_names(gpp_kernel()));
  add_seed_option(command, request.work.seed);
  command.add_option("--variant", request.variant, "What sums (default: v12)");
  add_model_options(command, request.wanted);
  command.add_option("--states", request.work.states, "States to calculate (default: 1)")
      ->check(CLI::Range(1, 1000));
  command.add_option("--pools", request.work.pools, "Groups of ranks that take different states")
      ->check(CLI::Range(1, 1'000'000));
  add_choice<Exchange>(command, "--exchange", "auto,gather,ring,blocking",
                       {{"auto", Exchange::any},
                        {"gather", Exchange::gather},
                        {"ring", Exchange::ring},
                        {"blocking", Exchange::blocking}},
                       request.work.exchange,
                       "All bands pass before the sum, or block by block beside it, or after it "
                       "(default: gather where they have room, else ring)");
  command.add_option("--repeat", request.work.repeat, "Timed runs (default: 5)")
      ->check(CLI::Range(1, 1000));
  command
      .add_option("--time-limit", request.work.time_limit,
                  "Seconds after which no further run begins (default: 100)")
      ->check(between(0, 1e6));
  add_tolerance_option(command, request.tolerance);
  add_wait_option(command, request.longest_wait);
}

void add_other_options(CLI::App& command, ScaleRequest& request) {
  command
      .add_option("--strong", request.strong, "The same work on these numbers of ranks: 1,2,4,8")
      ->delimiter(',');
  command
      .add_option("--weak", request.weak,
                  "As many states as ranks, on these numbers of ranks: 1,2,4,8")
      ->delimiter(',');
  command.add_option("--launcher", request.launcher,
                     fmt::format("What starts them (default: '{}')", default_launcher));
  command.add_flag(sweep_option, request.of_sweep)->group("");
  std::string names;
  for (const System& system : systems())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", system.name);
  PlanRequest& plan = request.plan;
  command.add_option("--plan", plan.system, "Only say what it takes: " + names);
  command.add_option("--gpus", plan.gpus, "Of the plan (default: 1)")
      ->check(CLI::Range(1, 10'000'000));
  command.add_option("--record", plan.record, "Plan with the variant and the speed recorded there");
  command.add_option("--speed", plan.terms_per_s, "Plan with so many terms/s of one GPU")
      ->check(between(1, 1e18));
  command
      .add_option("--bandwidth", plan.gigabytes_per_s,
                  "Plan with links of so many GB/s for each GPU (default: never the limit)")
      ->check(between(1e-6, 1e9));
}

}  // namespace
}  // namespace scale

Command add_scale(CLI::App& program) {
  CLI::App* command = program.add_subcommand("scale", purpose_of_scale)->group(to_measure);
  const auto request = std::make_shared<scale::ScaleRequest>();
  scale::add_calculation_options(*command, *request);
  scale::add_other_options(*command, *request);
  add_output_option(*command, request->output,
                    "Folder for the results (default: results/<date-time-host>)");
  add_replace_option(*command, request->replace);
  add_json_option(*command, request->json);
  command->footer(examples({"mpirun -n 2 gpp scale --preset medium --variant v12",
                            "gpp scale --preset gpp214 --strong 1,2,4,8 --weak 1,2,4,8",
                            "mpirun -n 8 gpp scale --preset gpp214 --states 4 --pools 2",
                            "gpp scale --plan Si-2742 --gpus 27648 --pools 256 --states 240 "
                            "--speed 1e12"}));
  return {command, [request] {
            if (!request->plan.system.empty()) return scale::plan(*request);
            const bool sweep = !request->strong.empty() || !request->weak.empty();
            return sweep ? scale::over_ranks(*request) : scale::as_a_rank(*request);
          }};
}

}  // namespace gpp
