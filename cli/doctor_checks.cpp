#include "cli/doctor_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "harness/kernel.h"
#include "harness/measure/load.h"
#include "harness/program/build_info.h"
#include "harness/program/selection.h"
#include "harness/record/provenance.h"
#include "roofline/base/machine.h"
#include "roofline/base/pattern.h"
#include "roofline/base/units.h"
#include "roofline/ceilings/measure.h"
#include "roofline/cuda_driver.h"
#include "roofline/permission.h"
#include "roofline/recorder.h"
#include "runtimes/runtime.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

/// A finding that is good, or else a note with a remedy.
Finding good_if(bool good, std::string subject, std::string text, std::string remedy) {
  return {std::move(subject), good ? Health::good : Health::note, std::move(text),
          good ? "" : std::move(remedy)};
}

std::vector<Finding> look_at_machine() {
  const Machine machine = this_machine({});
  return {{"system", Health::good, machine.os, ""},
          {"cores", Health::good, fmt::format("{}, {}", machine.cores, machine.cpu), ""},
          {"memory", Health::good,
           fmt::format("{} free of {}", roofline::describe_bytes(roofline::available_memory()),
                       roofline::describe_bytes(machine.memory_bytes)),
           ""}};
}

std::vector<Finding> look_at_build() {
  const GitState git = git_state();
  std::vector<Finding> findings = {
      {"program", Health::good,
       fmt::format("version {}, revision {}{}", build_info::version, git.revision.substr(0, 12),
                   git.dirty ? " with changes not committed" : ""),
       ""}};
  const BuildRecord build = this_build();
  for (const auto& [language, compiler] : build.compilers)
    findings.push_back({"compiler " + language, Health::good,
                        fmt::format("{}: {}", compiler, build.flags.at(language)), ""});
  return findings;
}

/// Reports for each model how many of its steps are in this program, and why if none are. `gpp
/// list` has the reasons of single steps.
std::vector<Finding> look_at_models() {
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
  std::vector<Finding> findings;
  for (const auto& [model, count] : models)
    findings.push_back(good_if(count.built > 0, "model " + model,
                               fmt::format("{} of {} variants built", count.built, count.all),
                               fmt::format("{}", fmt::join(count.missing, "; "))));
  return findings;
}

/// The version of the loaded NVIDIA kernel module; empty without one.
std::string loaded_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::ostringstream text;
  text << file.rdbuf();
  const roofline::Pattern version(R"(Kernel Module.*?(\d+\.\d+(\.\d+)?))");
  const auto match = version.first(text.str());
  return match ? (*match)[1] : "";
}

/// Returns the single finding that no GPU is usable. Findings that need a GPU are then left out.
Finding no_gpu(const std::vector<std::string>& reasons) {
  std::string remedy = fmt::format("{}", fmt::join(reasons, "; "));
  if (const std::string none = roofline::no_cuda_driver(); !none.empty())
    remedy = "the host's models run everywhere; " + none;
  else if (remedy.empty())
    remedy = "the host's models run everywhere; no other was built, see the lines above";
  return {"device gpu", Health::note, "no GPU that this program can use", remedy};
}

std::vector<Finding> look_at_devices() {
  std::vector<Finding> findings;
  std::vector<std::string> reasons;
  std::set<std::string> gpus;  // PCI addresses of the GPUs
  for (const Runtime* runtime : runtimes_of(kernels().front()->catalog())) {
    const std::string reason = runtime->unavailable();
    if (!reason.empty()) {
      reasons.push_back(reason);
      continue;
    }
    const DeviceDescription device = runtime->describe();
    if (device.kind == "gpu") gpus.insert(runtime->device_place());
    const std::string units = device.kind == "gpu" ? fmt::format("{} multiprocessors", device.units)
                                                   : roofline::describe_cores(device.units);
    findings.push_back({"device " + device.kind, Health::good,
                        fmt::format("{}{}{}, {}, {} free of {}", device.name,
                                    device.architecture.empty() ? "" : ", ", device.architecture,
                                    units, roofline::describe_bytes(runtime->free_bytes()),
                                    roofline::describe_bytes(device.memory_bytes)),
                        ""});
  }
  if (gpus.empty()) findings.push_back(no_gpu(reasons));
  for (const std::string& reason : reasons)
    if (!gpus.empty())
      findings.push_back({"device", Health::note, "one kind of device cannot be used", reason});
  return findings;
}

std::vector<Finding> look_at_cuda() {
  if (build_info::cuda_compiler.empty())
    return {
        {"cuda", Health::note, "left out of this program", std::string(build_info::cuda_missing)}};
  const std::string driver = loaded_driver(), compiler(build_info::cuda_compiler);
  const std::string toolkit = compiler.substr(compiler.find(' ') + 1);
  if (driver.empty()) return {{"cuda", Health::good, "built with toolkit " + toolkit, ""}};
  const std::string mismatch = cuda_mismatch(driver, toolkit);
  return {{"cuda", mismatch.empty() ? Health::good : Health::problem,
           fmt::format("toolkit {} with driver {}", toolkit, driver), mismatch}};
}

/// Parses "570.86.15" into three numbers. Missing parts count as 0.
std::array<int, 3> version_of(std::string_view text) {
  std::array<int, 3> version{};
  std::istringstream stream{std::string(text)};
  std::string part;
  for (int& number : version)
    if (std::getline(stream, part, '.')) number = std::atoi(part.c_str());
  return version;
}

Finding judge_others(const LoadFacts& facts) {
  const std::string average =
      facts.load_average ? fmt::format("; load average {:.2f}", *facts.load_average) : "";
  if (std::isnan(facts.now.others))
    return {"load", Health::note,
            "not known: the kernel does not tell who uses the processor" + average,
            "see that nothing else runs while a study does; it cannot see that here"};
  const std::string steal =
      facts.now.steal >= 0.005
          ? fmt::format(", and the machine below or a quota {:.0f}%", 100 * facts.now.steal)
          : "";
  return good_if(
      !facts.now.disturbed(), "load",
      fmt::format("others take {:.0f}% of the processor{}{}", 100 * facts.now.others, steal,
                  average),
      fmt::format("end other programs, or wait for them: a study calls times disturbed where "
                  "others took more than {:.0f}%",
                  100 * disturbed_threshold));
}

Finding judge_governor(const std::string& governor) {
  if (governor.empty())
    return {"governor", Health::good,
            "not told here, as on virtual machines; the study measures the clock after every run",
            ""};
  const bool steady = governor == "performance";
  return good_if(steady, "governor", governor + (steady ? "" : ": the clock follows the load"),
                 "for steadier times, as an administrator: cpupower frequency-set -g performance");
}

Finding judge_affinity(const LoadFacts& facts) {
  if (facts.affinity.empty())
    return {"affinity", Health::note, "not known: the kernel does not tell",
            "mount /proc, from which it is read"};
  return good_if(
      facts.online <= facts.cores, "affinity",
      fmt::format("processors {}: {}{}", facts.affinity, roofline::describe_cores(facts.cores),
                  facts.online > 0 ? fmt::format(" of {} online", facts.online) : ""),
      "if all are wanted: no taskset, docker run without --cpuset-cpus, Slurm's --exclusive or "
      "--cpus-per-task");
}

Finding judge_threads(const LoadFacts& facts) {
  return good_if(
      facts.threads == facts.cores || facts.cores == 0, "threads",
      fmt::format("{} {} for {}", facts.threads, facts.threads == 1 ? "thread" : "threads",
                  roofline::describe_cores(facts.cores)),
      fmt::format("{} OMP_NUM_THREADS={}",
                  facts.threads > facts.cores ? "threads wait for each other: set"
                                              : "if all cores are wanted, set",
                  facts.cores));
}

Finding judge_quota(const LoadFacts& facts) {
  if (!facts.quota) return {"cpu quota", Health::good, "none", ""};
  const std::string text = fmt::format("{:.3g} cores' worth of CPU time", *facts.quota);
  const bool enough = *facts.quota >= facts.cores;
  return good_if(
      enough, "cpu quota",
      enough ? text
             : fmt::format("{} for {}: busy threads are stopped again and again", text,
                           roofline::describe_cores(facts.cores)),
      fmt::format("start the container with --cpus {} or none, or set OMP_NUM_THREADS={}",
                  facts.cores, std::max(1, static_cast<int>(*facts.quota))));
}

/// The runtime of the OpenMP variants for the GPU; nullptr if this program has none.
const Runtime* offload_runtime() {
  for (const Variant& variant : kernels().front()->catalog())
    for (const Build& build : variant.builds)
      if (variant.model == "omp" && build.kind == "gpu") return build.runtime;
  return nullptr;
}

Finding judge_cupti(const roofline::cupti::Status& cupti) {
  if (!cupti.missing.empty())
    return {"cupti", Health::note, "not there: studies go without hardware counters",
            cupti.missing};
  const std::string text = fmt::format("of CUDA {}, {}", cupti.cuda, cupti.path);
  if (!cupti.mismatch.empty()) return {"cupti", Health::problem, text, cupti.mismatch};
  return {"cupti", Health::good, text, ""};
}

Finding judge_permission(const ProfilingFacts& facts) {
  const char* subject = "counter permission";
  if (!facts.restricted)
    return {subject, Health::note, "unknown: no NVIDIA driver is loaded, or it does not say",
            "load the driver; in a container, start it with the GPU (docker run --gpus all)"};
  if (!*facts.restricted) return {subject, Health::good, "every user may read the counters", ""};
  return good_if(
      facts.administrator, subject,
      fmt::format("only administrators may read the counters{}",
                  facts.administrator ? ", and this is one" : " (RmProfilingAdminOnly: 1)"),
      roofline::missing_right());
}

}  // namespace

const std::vector<DoctorCheck>& doctor_checks() {
  static const std::vector<DoctorCheck> checks = {look_at_machine, look_at_load,     look_at_build,
                                                  look_at_models,  look_at_devices,  look_at_cuda,
                                                  look_at_offload, look_at_profiling};
  return checks;
}

std::string name_of(Health health) {
  return health == Health::good ? "good" : health == Health::note ? "note" : "problem";
}

std::string cuda_mismatch(std::string_view driver, std::string_view toolkit) {
  struct Least {
    int major;
    const char* driver;
  };
  for (const Least least : {Least{12, "525.60.13"}, Least{13, "580.65.06"}})
    if (version_of(toolkit)[0] == least.major && version_of(driver) < version_of(least.driver))
      return fmt::format(
          "the driver is too old for programs of CUDA {}: update it to {} or later, or build with "
          "an earlier toolkit",
          least.major, least.driver);
  return {};
}

std::vector<Finding> judge(const LoadFacts& facts) {
  return {judge_others(facts), judge_governor(facts.governor), judge_affinity(facts),
          judge_threads(facts), judge_quota(facts)};
}

std::vector<Finding> look_at_load() {
  LoadMeter meter;
  LoadFacts facts;
  facts.load_average = roofline::load_average();
  facts.affinity = roofline::allowed_processors();
  const std::vector<int> processors = roofline::parse_processors(facts.affinity);
  facts.governor = roofline::clock_governor(processors);
  facts.cores = static_cast<int>(processors.size());
  facts.online = roofline::online_processors();
  facts.threads = openmp_threads();
  facts.quota = roofline::cpu_quota(roofline::cpu_groups());
  std::this_thread::sleep_for(std::chrono::duration<double>(1.05 * least_window));
  facts.now = meter.last();
  return judge(facts);
}

std::vector<Finding> look_at_offload() {
  const Runtime* runtime = offload_runtime();
  if (runtime == nullptr)
    return {{"openmp offload", Health::note, "OpenMP variants run on host threads only",
             std::string(build_info::offload_missing)}};

  const std::string built = fmt::format("built for {} with {}, {}", build_info::offload_arch,
                                        build_info::cxx_compiler, build_info::offload_toolkit);
  const std::string reason = runtime->unavailable();
  std::vector<Finding> findings = {
      good_if(reason.empty(), "openmp offload",
              reason.empty()
                  ? fmt::format("{}; target regions run on the {}", built, runtime->describe().name)
                  : built + "; cannot run here",
              reason)};
  if (build_info::offload_arch.starts_with("gfx"))
    findings.push_back({"openmp offload", Health::note,
                        "AMD: the code is generated and linked, and was never run",
                        "compare its sums with the host's before trusting its times"});
  return findings;
}

std::vector<Finding> judge(const ProfilingFacts& facts) {
  std::vector<Finding> findings = {judge_cupti(facts.cupti)};
  if (!facts.gpu) return findings;
  if (facts.cupti.missing.empty()) {
    const bool can = facts.unavailable.empty();
    findings.push_back(
        good_if(can, "recorder",
                can ? "this GPU's counters can be recorded" : "no counters can be recorded here",
                facts.unavailable));
  }
  findings.push_back(judge_permission(facts));
  findings.push_back(good_if(
      !facts.dcgm, "dcgm",
      facts.dcgm ? "nv-hostengine runs and may hold the counters"
                 : "not seen: nobody else should hold the counters (from a container, the host's "
                   "cannot be seen)",
      "where counters are refused as busy, pause it while measuring: dcgmi profile --pause, "
      "afterwards dcgmi profile --resume"));
  return findings;
}

std::vector<Finding> look_at_profiling() {
  return judge({roofline::cupti::status(), roofline::cupti_recorder().unavailable(),
                roofline::counters_restricted(), roofline::is_administrator(),
                roofline::dcgm_running(), roofline::gpu_benchmarks().unavailable().empty()});
}

}  // namespace gpp
