// gpp doctor: reports what this machine can do, and a remedy for each thing that it cannot do.

#include "cli/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/measure/load.h"
#include "harness/program/build_info.h"
#include "harness/program/interrupt.h"
#include "harness/program/selection.h"
#include "harness/record/provenance.h"
#include "roofline/base/machine.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/ceilings/measure.h"
#include "roofline/cuda_driver.h"
#include "roofline/recorder.h"
#include "runtimes/runtime.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

using Findings = std::vector<Finding>;

/// A finding that is good, or else a note with a remedy.
Finding good_if(bool good, const std::string& subject, const std::string& text,
                const std::string& remedy) {
  return {subject, good ? Health::good : Health::note, text, good ? "" : remedy};
}

void add_machine_and_build(Findings& all) {
  const Machine machine = this_machine({});
  all.push_back({"system", Health::good, machine.os});
  all.push_back(good_if(machine.online_cores <= machine.cores, "cores",
                        fmt::format("{}, {}", machine.cores, machine.cpu),
                        fmt::format("{} are there; if all are wanted: no taskset, docker run "
                                    "without --cpuset-cpus, Slurm's --exclusive or --cpus-per-task",
                                    machine.online_cores)));
  all.push_back(
      {"memory", Health::good,
       fmt::format("{} free of {}", roofline::describe_bytes(roofline::available_memory()),
                   roofline::describe_bytes(machine.memory_bytes))});
  const GitState git = git_state();
  all.push_back(
      {"program", Health::good,
       fmt::format("version {}, revision {}{}", build_info::version, git.revision.substr(0, 12),
                   git.dirty ? " with changes not committed" : "")});
  const BuildRecord build = this_build();
  for (const auto& [language, compiler] : build.compilers)
    all.push_back({"compiler " + language, Health::good,
                   fmt::format("{}: {}", compiler, build.flags.at(language))});
}

/// How many steps of each model are in this program, and why none are. `gpp list` has the reasons
/// of single steps.
void add_models(Findings& all) {
  struct Count {
    int built = 0, all = 0;
    std::set<std::string> missing = {};
  };
  std::map<std::string, Count> models;
  for (const Variant& variant : kernels().front()->catalog()) {
    Count& count = models[variant.model];
    ++count.all;
    if (variant.builds.empty())
      count.missing.insert(variant.reason);
    else
      ++count.built;
  }
  for (const auto& [model, count] : models)
    all.push_back(good_if(count.built > 0, "model " + model,
                          fmt::format("{} of {} variants built", count.built, count.all),
                          fmt::format("{}", fmt::join(count.missing, "; "))));
}

/// The findings that need a GPU are left out where there is none.
Finding no_gpu(const std::vector<std::string>& reasons) {
  std::string remedy = fmt::format("{}", fmt::join(reasons, "; "));
  if (const std::string none = roofline::no_cuda_driver(); !none.empty())
    remedy = "the host's models run everywhere; " + none;
  else if (remedy.empty())
    remedy = "the host's models run everywhere; no other was built, see the lines above";
  return {"device gpu", Health::note, "no GPU that this program can use", remedy};
}

void add_devices(Findings& all) {
  std::vector<std::string> reasons;
  bool gpu = false;
  for (const Runtime* runtime : runtimes_of(kernels().front()->catalog())) {
    if (const std::string reason = runtime->unavailable(); !reason.empty()) {
      reasons.push_back(reason);
      continue;
    }
    const DeviceDescription device = runtime->describe();
    const bool is_gpu = device.kind == "gpu";
    gpu = gpu || is_gpu;
    all.push_back({"device " + device.kind, Health::good,
                   fmt::format("{} {}, {}, {} free of {}", device.name, device.architecture,
                               is_gpu ? fmt::format("{} multiprocessors", device.units)
                                      : roofline::describe_cores(device.units),
                               roofline::describe_bytes(runtime->free_bytes()),
                               roofline::describe_bytes(device.memory_bytes))});
  }
  if (!gpu) return all.push_back(no_gpu(reasons));
  for (const std::string& reason : reasons)
    all.push_back({"device", Health::note, "one kind of device cannot be used", reason});
}

/// The runtime of the OpenMP variants for the GPU; nullptr if this program has none.
const Runtime* offload_runtime() {
  for (const Variant& variant : kernels().front()->catalog())
    for (const Build& build : variant.builds)
      if (variant.model == "omp" && build.kind == "gpu") return build.runtime;
  return nullptr;
}

void add_offload(Findings& all) {
  constexpr const char* subject = "openmp offload";
  const Runtime* runtime = offload_runtime();
  if (runtime == nullptr)
    return all.push_back({subject, Health::note, "OpenMP variants run on host threads only",
                          std::string(build_info::offload_missing)});
  const std::string reason = runtime->unavailable();
  all.push_back(
      good_if(reason.empty(), subject,
              fmt::format("built for {} with {}, {}; {}", build_info::offload_arch,
                          build_info::cxx_compiler, build_info::offload_toolkit,
                          reason.empty() ? "target regions run on the " + runtime->describe().name
                                         : "cannot run here"),
              reason));
  if (build_info::offload_arch.starts_with("gfx"))
    all.push_back({subject, Health::note,
                   "AMD: the code is generated and linked, and was never run",
                   "compare its sums with the host's before trusting its times"});
}

Finding found_load(const LoadShare& load) {
  if (std::isnan(load.others))
    return {"load", Health::note, "not known: the kernel does not tell who uses the processor",
            "see that nothing else runs while a study does; it cannot see that here"};
  return good_if(!load.disturbed(), "load",
                 fmt::format("others take {:.0f}% of the processor, and the machine below or a "
                             "quota {:.0f}%",
                             100 * load.others, 100 * load.steal),
                 fmt::format("end other programs, or wait for them: a study calls times disturbed "
                             "where others took more than {:.0f}%",
                             100 * disturbed_threshold));
}

void add_disturbances(const DoctorFacts& facts, Findings& all) {
  all.push_back(found_load(facts.load));
  all.push_back(
      good_if(facts.threads == facts.cores || facts.cores == 0, "threads",
              fmt::format("{} for {}", facts.threads, roofline::describe_cores(facts.cores)),
              fmt::format("set OMP_NUM_THREADS={}; more threads than cores wait for each other",
                          facts.cores)));
}

void add_counting(const DoctorFacts& facts, Findings& all) {
  const roofline::cupti::Status& cupti = facts.cupti;
  if (!cupti.missing.empty())
    all.push_back(
        {"cupti", Health::note, "not there: studies go without hardware counters", cupti.missing});
  else
    all.push_back({"cupti", cupti.mismatch.empty() ? Health::good : Health::problem,
                   fmt::format("of CUDA {}, {}", cupti.cuda, cupti.path), cupti.mismatch});
  if (!facts.gpu) return;
  if (cupti.missing.empty())
    all.push_back(good_if(facts.cannot_count.empty(), "recorder",
                          facts.cannot_count.empty() ? "this GPU's counters can be recorded"
                                                     : "no counters can be recorded here",
                          facts.cannot_count));
  if (!facts.restricted)
    all.push_back({"counter permission", Health::note, "unknown: no NVIDIA driver tells it",
                   "load the driver; in a container, start it with the GPU (docker run --gpus "
                   "all)"});
  else
    all.push_back(good_if(!*facts.restricted || facts.administrator, "counter permission",
                          *facts.restricted ? "only administrators may read the counters "
                                              "(RmProfilingAdminOnly: 1)"
                                            : "every user may read the counters",
                          roofline::missing_right()));
  all.push_back(good_if(!facts.dcgm, "dcgm",
                        facts.dcgm ? "nv-hostengine runs and may hold the counters" : "not seen",
                        "where counters are refused as busy, pause it while measuring: dcgmi "
                        "profile --pause, afterwards dcgmi profile --resume"));
}

Findings all_findings() {
  Findings all;
  add_machine_and_build(all);
  add_models(all);
  add_devices(all);
  add_offload(all);
  std::ranges::move(findings_on(facts_of_this_machine()), std::back_inserter(all));
  return all;
}

void print_json(const Findings& all) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Finding& finding : all)
    rows.push_back({{"subject", finding.subject},
                    {"health", name_of(finding.health)},
                    {"text", finding.text},
                    {"remedy", finding.remedy}});
  fmt::print("{}\n", rows.dump(1));
}

void print_text(const Findings& all) {
  using enum roofline::Colour;
  for (const Finding& finding : all) {
    const roofline::Colour colour = finding.health == Health::good   ? green
                                    : finding.health == Health::note ? yellow
                                                                     : red;
    fmt::print("{}{:<20}{}\n",
               roofline::coloured(fmt::format("{:<8}", name_of(finding.health)), colour,
                                  roofline::colours_wanted()),
               finding.subject, roofline::wrapped(finding.text, 100, 28, 28));
    if (!finding.remedy.empty())
      fmt::print("{:28}-> {}\n", "", roofline::wrapped(finding.remedy, 100, 31, 31));
  }
}

}  // namespace

std::string name_of(Health health) {
  return health == Health::good ? "good" : health == Health::note ? "note" : "problem";
}

DoctorFacts facts_of_this_machine() {
  LoadMeter meter;
  DoctorFacts facts;
  facts.cores = roofline::available_cores();
  facts.threads = openmp_threads();
  facts.cupti = roofline::cupti::status();
  facts.cannot_count = roofline::cupti_recorder().unavailable();
  facts.restricted = roofline::counters_restricted();
  facts.administrator = roofline::is_administrator();
  facts.dcgm = roofline::dcgm_running();
  facts.gpu = roofline::gpu_benchmarks().unavailable().empty();
  std::this_thread::sleep_for(std::chrono::duration<double>(1.05 * least_window));
  facts.load = meter.last();
  return facts;
}

std::vector<Finding> findings_on(const DoctorFacts& facts) {
  Findings all;
  add_disturbances(facts, all);
  add_counting(facts, all);
  return all;
}

Command add_doctor(CLI::App& program) {
  CLI::App* command = add_command(program, to_measure, "doctor",
                                  "First, or where something is missing: what this machine can do",
                                  {"gpp doctor", "gpp doctor --json"});
  const auto json = std::make_shared<bool>(false);
  add_json_option(*command, *json);
  return {command, [json] {
            const Findings all = all_findings();
            *json ? print_json(all) : print_text(all);
            const bool problem = std::ranges::any_of(
                all, [](const Finding& finding) { return finding.health == Health::problem; });
            return problem ? something_failed : every_check_passed;
          }};
}

}  // namespace gpp
