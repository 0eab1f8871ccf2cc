// gpp scale: the whole calculation on many ranks, over their number, or planned.

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "gpp/placed_problem.h"
#include "gpp/scale/calculation.h"
#include "gpp/scale/partition.h"
#include "gpp/scale/plan.h"
#include "gpp/scale/ranks.h"
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
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace scale {
namespace {

struct ScaleRequest {
  std::string preset = "gpp214";
  std::string variant = "v12";
  Wanted wanted;
  std::optional<double> tolerance;
  CalculationRequest work{.cores = 0};  ///< all but what only a rank knows
  double longest_wait = roofline::longest_wait_for_turn;
  // Over the number of ranks.
  std::vector<int> strong, weak;
  std::string launcher = default_launcher;
  bool of_sweep = false;
  // The plan.
  std::string plan;
  int gpus = 1;
  std::filesystem::path record;
  double terms_per_s = 0;
  double gigabytes_per_s = 0;

  std::filesystem::path output;
  bool replace = false;
  bool json = false;
};

// ---- One rank of many ---------------------------------------------------------------------------

/// Ranks of a large start do not all come at once.
constexpr double least_patience = 20;

/// All that the ranks must have in common, as an option each.
std::vector<std::string> common_options(const ScaleRequest& request) {
  std::vector<std::string> options;
  const auto add = [&options](const char* option, const auto& value) {
    options.push_back(fmt::format("{} {}", option, value));
  };
  add("--preset", request.preset);
  add("--seed", request.work.seed);
  add("--variant", request.variant);
  add("--model", fmt::format("{}", fmt::join(request.wanted.models, ",")));
  add("--device", request.wanted.kind);
  add("--states", request.work.states);
  add("--pools", request.work.pools);
  add("--exchange", name_of(request.work.exchange));
  constexpr std::array transports = {"auto", "nccl", "mpi"};  // in the order of TransportWanted
  add("--transport", transports.at(static_cast<std::size_t>(request.work.transport)));
  add("--cores", request.work.cores);
  add("--repeat", request.work.repeat);
  add("--time-limit", request.work.time_limit);
  add("--tolerance", request.tolerance.value_or(default_tolerance));
  add("--wait", request.longest_wait);
  add("-o", request.output.string());
  add("--replace", request.replace);
  add("--json", request.json);
  return options;
}

Choice choose_variant(const ScaleRequest& request) {
  Choice choice = select_one(catalog(), request.variant, request.wanted);
  if (choice.build == nullptr)
    throw roofline::InputError(
        fmt::format("{} cannot run here: {}", request.variant, choice.reason));
  return choice;
}

CalculationRequest calculation_of(const ScaleRequest& request, Communicator& all) {
  require_the_same(all, common_options(request));
  CalculationRequest calculation = request.work;
  calculation.cores = take_cores(all, request.work.cores);
  together(all, [&] {
    calculation.preset = &preset_called(request.preset);
    calculation.device = take_device(all, catalog());
    calculation.choice = choose_variant(request);
  });
  require_one_choice(all, calculation.choice);
  require_gpus_of_their_own(all, *calculation.choice.build);
  calculation.tolerance = request.tolerance.value_or(default_tolerance);
  return calculation;
}

void show(const ScaleRequest& request, const StudyRecord& study) {
  if (request.json || request.of_sweep)
    fmt::print("{}\n", to_json(study).dump(1));
  else
    // A launcher gives its ranks a terminal, wherever its own output goes.
    fmt::print("{}", summary(study, !started_by_launcher() && roofline::colours_wanted()));
  std::fflush(stdout);
}

ExitStatus keep(const ScaleRequest& request, StudyRecord study, ResultsFolder* folder) {
  const Measured measured{std::move(study), false};
  show(request, measured.study);
  if (folder != nullptr) {
    const std::string charts = write_study(*folder, measured).note;
    if (!request.json)
      fmt::print("Recorded in {}\n{}\n", roofline::visible(folder->path().string()), charts);
  }
  return measured.status();
}

// The record of a calculation that many ranks shared: a study of one variant.

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

/// `frequencies`: an input that holds these alone.
Result result_of(const CalculationRequest& request, const CalculationResult& calculated,
                 const Input& frequencies) {
  const Variant& variant = *request.choice.variant;
  const Runtime& runtime = *request.choice.build->runtime;
  Result result;
  result.variant = variant.id;
  result.step = variant.step;
  result.model = variant.model;
  result.kind = request.choice.build->kind;
  result.device = runtime.describe().name;
  result.status = calculated.check.passed ? Status::passed : Status::failed;
  result.reason = calculated.check.reason;
  result.check = calculated.check;
  result.answer = answer_json(calculated.sums, frequencies);
  result.threads = result.kind == "host" ? request.cores : 0;
  result.samples = calculated.samples;
  result.stop = calculated.samples.empty()                                      ? Stop::none
                : static_cast<int>(calculated.samples.size()) == request.repeat ? Stop::repeats
                                                                                : Stop::time_limit;
  return result;
}

/// `machine`: as it was before each rank took its share of it.
StudyRecord record_of(const CalculationRequest& request, const CalculationResult& calculated,
                      const gpp::Machine& machine) {
  Input frequencies;
  frequencies.nstart = request.preset->nstart;
  frequencies.nend = request.preset->nend;
  StudyRecord study;
  study.created = roofline::utc_now();
  study.git = git_state();
  study.machine = machine;
  if (request.choice.build->kind == "gpu") {
    study.machine.gpus = {request.choice.build->runtime->describe()};
    study.machine.driver = study.machine.gpus.front().driver;
  }
  study.build = this_build();
  study.kernel = "gpp";
  study.input = input_record(request);
  study.reference = reference_record(calculated.reference, frequencies);
  study.reference.seconds = calculated.reference_seconds;
  study.results = {result_of(request, calculated, frequencies)};
  if (calculated.check.passed) study.scaling = calculated.scaling;
  return study;
}

/// The first rank alone writes and speaks. What it cannot write ends all ranks before they work.
int on_this_rank(const ScaleRequest& request, Communicator& all) {
  const bool first = all.rank() == 0;
  std::unique_ptr<ResultsFolder> folder;
  together(all, [&] {
    if (first && !request.of_sweep)
      folder = std::make_unique<ResultsFolder>(request.output,
                                               request.replace ? Taken::replace : Taken::refuse);
  });
  const gpp::Machine machine = this_machine({});  // before its cores are divided
  const CalculationRequest calculation = calculation_of(request, all);
  std::list<roofline::DeviceTurn> turns;
  together(all, [&] { turns = turns_for({calculation.choice}, request.longest_wait); });
  std::unique_ptr<roofline::ProgressLine> line;
  if (first) line = std::make_unique<roofline::ProgressLine>();
  const CalculationResult result = calculate(all, calculation, [&line](std::string_view what) {
    if (line) line->show(what);
  });
  line.reset();
  if (!first) return result.check.passed ? every_check_passed : something_failed;
  return keep(request, record_of(calculation, result, machine), folder.get());
}

/// An error that all ranks know of is told by the first. One that a rank meets alone ends them all.
int as_a_rank(const ScaleRequest& request) {
  if (!started_by_launcher())
    throw roofline::InputError(
        "gpp scale is one of several ranks: start it by mpirun, as in 'mpirun -n 2 gpp scale "
        "--preset medium', or let it start itself over a number of ranks: --strong 1,2");
  start_with_threads(request.work.cores);
  const std::unique_ptr<Communicator> all =
      all_ranks(std::max(least_patience, request.work.time_limit));
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

// ---- Over the number of ranks -------------------------------------------------------------------

std::vector<std::string> arguments_of(const ScaleRequest& request, int most_ranks) {
  std::vector<std::string> arguments = {"--preset", request.preset, "--variant", request.variant};
  const auto add = [&arguments](const char* option, const std::string& value) {
    arguments.insert(arguments.end(), {option, value});
  };
  add("--seed", std::to_string(request.work.seed));
  for (const std::string& model : request.wanted.models) add("--model", model);
  if (!request.wanted.kind.empty()) add("--device", request.wanted.kind);
  add("--exchange", name_of(request.work.exchange));
  if (request.work.transport == TransportWanted::nccl) add("--transport", "nccl");
  if (request.work.transport == TransportWanted::mpi) add("--transport", "mpi");
  // Each rank gets as many cores in every run, or cores would be compared, not ranks.
  const int cores = request.work.cores > 0 ? request.work.cores
                                           : std::max(1, roofline::available_cores() / most_ranks);
  add("--cores", std::to_string(cores));
  add("--repeat", std::to_string(request.work.repeat));
  add("--time-limit", fmt::format("{}", request.work.time_limit));
  add("--wait", fmt::format("{}", request.longest_wait));
  if (request.tolerance) add("--tolerance", fmt::format("{}", *request.tolerance));
  return arguments;
}

void require_ascending(const std::vector<int>& ranks, const char* option) {
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (ranks[i] < 1 || ranks[i] > 100'000 || (i > 0 && ranks[i] <= ranks[i - 1]))
      throw roofline::InputError(
          fmt::format("{}: numbers of ranks from 1 on, each larger than the one before", option));
}

int over_ranks(const ScaleRequest& request) {
  require_ascending(request.strong, "--strong");
  require_ascending(request.weak, "--weak");
  if (!mpi_missing().empty()) throw roofline::InputError(mpi_missing());
  if (started_by_launcher())
    throw roofline::InputError(
        "--strong and --weak start ranks themselves: call gpp scale without mpirun");
  if (request.work.pools > 1)
    throw roofline::InputError("--pools: --strong and --weak compare one pool of more ranks");
  preset_called(request.preset);
  SweepRequest sweep{request.strong, request.weak, request.work.states, request.launcher, {}};
  const int most = std::max(request.strong.empty() ? 1 : request.strong.back(),
                            request.weak.empty() ? 1 : request.weak.back());
  sweep.arguments = arguments_of(request, most);
  launcher_words(request.launcher, 1);
  ResultsFolder folder(request.output, request.replace ? Taken::replace : Taken::refuse);
  return keep(request, run_sweep(sweep), &folder);
}

// ---- The plan -----------------------------------------------------------------------------------

/// The speed of the variant on a preset that is quick to make and keeps the device busy.
Machine measured_machine(const ScaleRequest& request) {
  const Choice choice = choose_variant(request);
  const auto turns = turns_for({choice}, request.longest_wait);
  const Runtime& runtime = *choice.build->runtime;
  const bool gpu = choice.build->kind == "gpu";
  const std::string name = gpu ? "gpp214" : "medium";
  const Preset& preset = preset_called(name);
  roofline::ProgressLine line;
  line.show(fmt::format("measuring {} on preset {}", request.variant, preset.name));
  const PreparedProblem problem(generate(preset, request.work.seed, false));
  require_device_memory(bytes_of(problem.view()), runtime.free_bytes());
  const PlacedProblem placed(problem, runtime.memory());
  std::vector<double> seconds;
  for (int run = 0; run < 6; ++run) {
    const double taken = runtime.time([&] { call_variant(choice.build->call, placed.view()); });
    if (run > 0) seconds.push_back(taken);  // the first warms up
  }
  return {static_cast<double>(preset.terms()) / summarize(seconds).median,
          1e9 * request.gigabytes_per_s,
          fmt::format("{} {} measured on preset {} now", choice.variant->model, request.variant,
                      preset.name)};
}

/// A recorded run's speed: of one rank where a calculation of many was recorded.
Machine recorded_machine(const ScaleRequest& request) {
  const StudyRecord study = read_record(request.record);
  const std::string name = roofline::visible(request.record.string());
  if (study.kernel != "gpp")
    throw roofline::InputError(
        fmt::format("{}: a record of the kernel {}; the plan is for gpp", name, study.kernel));
  for (const Result& result : study.results) {
    if (!result.timed() || (result.variant != request.variant && result.step != request.variant))
      continue;
    Machine machine{terms_per_second(study, result), 1e9 * request.gigabytes_per_s,
                    fmt::format("{} {} in {}", result.model, result.variant, name)};
    if (study.scaling && !study.scaling->strong.empty()) {
      const ScalingPoint& one = study.scaling->strong.front();
      const double terms_of_a_state =
          static_cast<double>(study.input.terms) / study.scaling->states;
      machine.terms_per_s = terms_of_a_state * one.states / one.seconds() / one.ranks;
    }
    return machine;
  }
  throw roofline::InputError(fmt::format("{}: holds no time of {}", name, request.variant));
}

Machine machine_of(const ScaleRequest& request) {
  if (request.terms_per_s > 0)
    return {request.terms_per_s, 1e9 * request.gigabytes_per_s, "as given"};
  return request.record.empty() ? measured_machine(request) : recorded_machine(request);
}

int make_plan(const ScaleRequest& request) {
  const System& system = system_called(request.plan);
  const Spread spread{request.gpus, request.work.pools, request.work.states};
  if (spread.gpus < spread.pools)
    throw roofline::InputError(
        fmt::format("--pools {}: more pools than {} GPUs", spread.pools, spread.gpus));
  const Machine machine = machine_of(request);
  if (request.json)
    fmt::print("{}\n", plan_json(spread, machine).dump(1));
  else
    fmt::print("{}", plan_text(system, spread, machine));
  return every_check_passed;
}

// ---- Options ------------------------------------------------------------------------------------

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
  add_choice<ExchangeKind>(command, "--exchange", "ring,blocking,collective",
                           {{"ring", ExchangeKind::ring},
                            {"blocking", ExchangeKind::blocking},
                            {"collective", ExchangeKind::collective}},
                           request.work.exchange,
                           "Pass blocks of bands beside the sum, after it, or from each owner to "
                           "all (default: ring)");
  add_choice<TransportWanted>(command, "--transport", "auto,nccl,mpi",
                              {{"auto", TransportWanted::any},
                               {"nccl", TransportWanted::nccl},
                               {"mpi", TransportWanted::mpi}},
                              request.work.transport,
                              "Blocks between GPUs (default: NCCL where it is found)");
  command
      .add_option("--cores", request.work.cores,
                  "Cores of each rank (default: its share of the host)")
      ->check(CLI::Range(1, 100'000));
  command.add_option("--repeat", request.work.repeat, "Timed runs (default: 5)")
      ->check(CLI::Range(1, 1000));
  command
      .add_option("--time-limit", request.work.time_limit,
                  "Seconds after which no further run begins (default: 100)")
      ->check(between(0, 1e6));
  add_tolerance_option(command, request.tolerance);
  add_wait_option(command, request.longest_wait);
}

void add_sweep_options(CLI::App& command, ScaleRequest& request) {
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
}

void add_plan_options(CLI::App& command, ScaleRequest& request) {
  std::string names;
  for (const System& system : systems())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", system.name);
  command.add_option("--plan", request.plan, "Only say what it takes: " + names);
  command.add_option("--gpus", request.gpus, "Of the plan (default: 1)")
      ->check(CLI::Range(1, 10'000'000));
  command.add_option("--record", request.record,
                     "Plan with the speed recorded there (default: measured now)");
  command.add_option("--speed", request.terms_per_s, "Plan with so many terms/s of one GPU")
      ->check(between(1, 1e18));
  command
      .add_option("--bandwidth", request.gigabytes_per_s,
                  "Plan with links of so many GB/s for each GPU (default: never the limit)")
      ->check(between(1e-6, 1e9));
}

int scale(const ScaleRequest& request) {
  if (!request.plan.empty()) return make_plan(request);
  if (!request.strong.empty() || !request.weak.empty()) return over_ranks(request);
  return as_a_rank(request);
}

}  // namespace
}  // namespace scale

Command add_scale(CLI::App& program) {
  CLI::App* command = program.add_subcommand("scale", purpose_of_scale)->group(to_measure);
  const auto request = std::make_shared<scale::ScaleRequest>();
  scale::add_calculation_options(*command, *request);
  scale::add_sweep_options(*command, *request);
  scale::add_plan_options(*command, *request);
  add_output_option(*command, request->output,
                    "Folder for the results (default: results/<date-time-host>)");
  add_replace_option(*command, request->replace);
  add_json_option(*command, request->json);
  command->footer(examples({"mpirun -n 2 gpp scale --preset medium --variant v12",
                            "gpp scale --preset gpp214 --strong 1,2,4,8 --weak 1,2,4,8",
                            "mpirun -n 8 gpp scale --preset gpp214 --states 4 --pools 2",
                            "gpp scale --plan Si-2742 --gpus 27648 --pools 256 --states 240"}));
  return {command, [request] { return scale::scale(*request); }};
}

}  // namespace gpp
