// gpp doctor: reports what this machine can do, what disturbs times here, whether counters can be
// read, and a remedy for each thing that is missing.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
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
#include "harness/record/provenance.h"
#include "harness/record/trajectory.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/ceilings/measure.h"
#include "roofline/cuda_driver.h"
#include "roofline/recorder.h"
#include "runtimes/runtime.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

struct Finding {
  std::string subject;  ///< "device gpu", "model cuda"
  std::string text;
  std::string remedy = {};  ///< empty where nothing is missing
  bool broken = false;      ///< it should work but does not; else an optional part is missing

  const char* health() const { return remedy.empty() ? "good" : broken ? "problem" : "note"; }
};
using Findings = std::vector<Finding>;

/// The remedy where something is missing.
std::string unless(bool good, const std::string& remedy) { return good ? "" : remedy; }

void add_machine(Findings& all) {
  const Machine machine = this_machine({});
  all.push_back({"system", machine.os});
  all.push_back({"cores", fmt::format("{}, {}", machine.cores, machine.cpu),
                 unless(machine.online_cores <= machine.cores,
                        fmt::format("{} are there; if all are wanted: no taskset, docker run "
                                    "without --cpuset-cpus, Slurm's --exclusive or --cpus-per-task",
                                    machine.online_cores))});
  all.push_back({"memory", fmt::format("{} free of {}",
                                       roofline::describe_bytes(roofline::available_memory()),
                                       roofline::describe_bytes(machine.memory_bytes))});
}

/// How many steps of each model are in this program, and why none are. `gpp list` has the reasons
/// of single steps.
void add_models(Findings& all) {
  std::map<std::string, std::pair<int, int>> counts;  // built, and all
  std::map<std::string, std::set<std::string>> missing;
  const Runtime* offload = nullptr;
  for (const Variant& variant : kernels().front()->catalog()) {
    const bool built = !variant.builds.empty();
    counts[variant.model].first += built ? 1 : 0;
    ++counts[variant.model].second;
    if (!built) missing[variant.model].insert(variant.reason);
    for (const Build& build : variant.builds)
      if (variant.model == "omp" && build.kind == "gpu") offload = build.runtime;
  }
  for (const auto& [model, count] : counts)
    all.push_back({"model " + model,
                   fmt::format("{} of {} variants built", count.first, count.second),
                   unless(count.first > 0, fmt::format("{}", fmt::join(missing[model], "; ")))});
  if (offload == nullptr)
    all.push_back({"openmp offload", "OpenMP variants run on host threads only",
                   std::string(build_info::offload_missing)});
  else
    all.push_back({"openmp offload", fmt::format("built for {}", build_info::offload_arch),
                   offload->unavailable()});
}

void add_devices(Findings& all) {
  bool gpu = false;
  const std::string no_driver = roofline::no_cuda_driver();  // told once, below
  for (const Runtime* runtime : runtimes_of(kernels().front()->catalog())) {
    if (const std::string reason = runtime->unavailable(); !reason.empty()) {
      if (reason != no_driver)
        all.push_back({"device", "one kind of device cannot be used", reason});
      continue;
    }
    const DeviceDescription device = runtime->describe();
    gpu = gpu || device.kind == "gpu";
    all.push_back(
        {"device " + device.kind,
         fmt::format("{} {}, {} {}, {} free of {}", device.name, device.architecture, device.units,
                     units_name(device.kind), roofline::describe_bytes(runtime->free_bytes()),
                     roofline::describe_bytes(device.memory_bytes))});
  }
  if (!gpu)
    all.push_back({"device gpu", "no GPU that this program can use",
                   no_driver.empty() ? "see the lines above" : no_driver});
}

/// Looks at the load for half a second.
void add_disturbances(Findings& all) {
  LoadMeter meter;
  std::this_thread::sleep_for(std::chrono::duration<double>(1.05 * least_window));
  const LoadShare load = meter.last();  // NaN where the kernel does not tell
  all.push_back({"load",
                 fmt::format("others take {:.0f}% of the processor, and the machine below {:.0f}%",
                             100 * load.others, 100 * load.steal),
                 unless(load.others >= 0 && !load.disturbed(),
                        fmt::format("end other programs, or wait for them: a study calls times "
                                    "disturbed where others took more than {:.0f}%",
                                    100 * disturbed_threshold))});
  const int cores = roofline::available_cores(), threads = openmp_threads();
  all.push_back({"threads", fmt::format("{} for {}", threads, roofline::describe_cores(cores)),
                 unless(threads == cores || cores == 0,
                        fmt::format("set OMP_NUM_THREADS={}; more threads than cores wait for each "
                                    "other",
                                    cores))});
}

void add_counting(Findings& all) {
  const roofline::cupti::Status cupti = roofline::cupti::status();
  if (!cupti.missing.empty())
    all.push_back({"cupti", "not there: studies go without hardware counters", cupti.missing});
  else
    all.push_back({"cupti", cupti.path});
  if (!roofline::gpu_benchmarks().unavailable().empty()) return;  // no GPU to count on
  if (cupti.missing.empty())
    all.push_back(
        {"recorder", "records this GPU's counters", roofline::cupti_recorder().unavailable()});
  const bool may_count =
      !roofline::counters_restricted().value_or(false) || roofline::is_administrator();
  all.push_back(
      {"counter permission",
       may_count ? "this user may read the counters" : "only administrators may read them",
       unless(may_count, roofline::missing_right())});
}

void print_json(const Findings& all) {
  Json rows = Json::array();
  for (const Finding& finding : all)
    rows.push_back({{"subject", finding.subject},
                    {"health", finding.health()},
                    {"text", finding.text},
                    {"remedy", finding.remedy}});
  fmt::print("{}\n", rows.dump(1));
}

void print_text(const Findings& all) {
  using enum roofline::Colour;
  for (const Finding& finding : all) {
    const roofline::Colour colour = finding.remedy.empty() ? green : finding.broken ? red : yellow;
    fmt::print("{}{:<20}{}\n",
               roofline::coloured(fmt::format("{:<8}", finding.health()), colour,
                                  roofline::colours_wanted()),
               finding.subject, roofline::wrapped(finding.text, 100, 28, 28));
    if (!finding.remedy.empty())
      fmt::print("{:28}-> {}\n", "", roofline::wrapped(finding.remedy, 100, 31, 31));
  }
}

int examine(bool json) {
  Findings all;
  for (const auto add : {add_machine, add_models, add_devices, add_disturbances, add_counting})
    add(all);
  json ? print_json(all) : print_text(all);
  const auto is_broken = [](const Finding& one) { return one.broken && !one.remedy.empty(); };
  return std::ranges::any_of(all, is_broken) ? something_failed : every_check_passed;
}

}  // namespace

Command add_doctor(CLI::App& program) {
  CLI::App* command = add_command(program, to_measure, "doctor",
                                  "First, or where something is missing: what this machine can do",
                                  {"gpp doctor", "gpp doctor --json"});
  const auto json = std::make_shared<bool>(false);
  add_json_option(*command, *json);
  return {command, [json] { return examine(*json); }};
}

}  // namespace gpp
