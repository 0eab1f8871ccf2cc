#include "cli/doctor/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "cli/doctor/doctor_load.h"
#include "cli/doctor/doctor_offload.h"
#include "cli/doctor/doctor_profiling.h"
#include "harness/measure/provenance.h"
#include "harness/measure/selection.h"
#include "harness/program/build_info.h"
#include "roofline/base/machine.h"
#include "roofline/base/units.h"
#include "runtimes/runtime.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

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

/// One line per model: how many of its steps are in this program, and why the others are not.
std::vector<Finding> look_at_models() {
  std::vector<Finding> findings;
  std::vector<std::string> models;
  for (const Variant& variant : kernels().front()->catalog())
    if (std::find(models.begin(), models.end(), variant.model) == models.end())
      models.push_back(variant.model);
  for (const std::string& model : models) {
    int built = 0;
    int all = 0;
    std::vector<std::string> missing;
    for (const Variant& variant : kernels().front()->catalog()) {
      if (variant.model != model) continue;
      ++all;
      if (!variant.builds.empty()) ++built;
      if (variant.builds.empty() &&
          std::find(missing.begin(), missing.end(), variant.reason) == missing.end())
        missing.push_back(variant.reason);
    }
    findings.push_back({"model " + model, built > 0 ? Health::good : Health::note,
                        fmt::format("{} of {} variants built", built, all),
                        fmt::format("{}", fmt::join(missing, "; "))});
  }
  return findings;
}

/// The version of the loaded NVIDIA kernel module; empty without one.
std::string loaded_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::ostringstream text;
  text << file.rdbuf();
  const std::regex version(R"(Kernel Module.*?(\d+\.\d+(\.\d+)?))");
  std::smatch match;
  const std::string content = text.str();
  return std::regex_search(content, match, version) ? match[1].str() : std::string{};
}

/// The one finding that there is none. Findings that need a GPU are left out then.
Finding no_gpu(const std::vector<std::string>& reasons) {
  std::string remedy = fmt::format("{}", fmt::join(reasons, "; "));
  if (loaded_driver().empty())
    remedy =
        "the host's models run everywhere; on a machine with an NVIDIA GPU, install its driver; in "
        "a container, start it with the GPU (docker run --gpus all)";
  else if (remedy.empty())
    remedy = "the host's models run everywhere; no other was built, see the lines above";
  return {"device gpu", Health::note, "no GPU that this program can use", remedy};
}

std::vector<Finding> look_at_devices() {
  std::vector<Finding> findings;
  std::vector<std::string> reasons;
  bool gpu = false;
  for (const Runtime* runtime : all_runtimes()) {
    const std::string reason = runtime->unavailable();
    if (!reason.empty()) {
      reasons.push_back(reason);
      continue;
    }
    const DeviceDescription device = runtime->describe();
    gpu = gpu || device.kind == "gpu";
    const std::string units = device.kind == "gpu" ? fmt::format("{} multiprocessors", device.units)
                                                   : roofline::describe_cores(device.units);
    findings.push_back({"device " + device.kind, Health::good,
                        fmt::format("{}{}{}, {}, {} free of {}", device.name,
                                    device.architecture.empty() ? "" : ", ", device.architecture,
                                    units, roofline::describe_bytes(runtime->free_bytes()),
                                    roofline::describe_bytes(device.memory_bytes)),
                        ""});
  }
  if (!gpu) findings.push_back(no_gpu(reasons));
  for (const std::string& reason : reasons)
    if (gpu)
      findings.push_back({"device", Health::note, "one kind of device cannot be used", reason});
  return findings;
}

std::string cuda_toolkit() {
  const std::string compiler(build_info::cuda_compiler);
  return compiler.substr(compiler.find(' ') + 1);
}

std::vector<Finding> look_at_cuda() {
  const std::string driver = loaded_driver();
  if (build_info::cuda_compiler.empty())
    return {
        {"cuda", Health::note, "left out of this program", std::string(build_info::cuda_missing)}};
  const std::string toolkit = cuda_toolkit();
  if (driver.empty())
    return {{"cuda", Health::good, fmt::format("built with toolkit {}", toolkit), ""}};
  const std::string mismatch = cuda_mismatch(driver, toolkit);
  const std::string pair = fmt::format("toolkit {} with driver {}", toolkit, driver);
  if (mismatch.empty()) return {{"cuda", Health::good, pair, ""}};
  return {{"cuda", Health::problem, pair, mismatch}};
}

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  std::error_code error;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::is_regular_file(fs::path(folder) / program, error)) return true;
  return false;
}

bool has_nvcc() { return on_path("nvcc") || fs::exists("/usr/local/cuda/bin/nvcc"); }

/// clang's device library for NVIDIA GPUs, where the distributions and llvm.org put it.
bool has_clang_offload() {
  std::error_code error;
  for (const auto& version : fs::directory_iterator("/usr/lib", error)) {
    if (!version.path().filename().string().starts_with("llvm-")) continue;
    for (const auto& file : fs::directory_iterator(version.path() / "lib", error))
      if (file.path().filename().string().starts_with("libomptarget-nvptx")) return true;
  }
  return false;
}

std::vector<Finding> look_at_tools() {
  struct Tool {
    const char* name;
    bool found;
    const char* use;
    const char* remedy;
  };
  const std::array<Tool, 5> tools = {
      Tool{"nvcc", has_nvcc(), "builds the CUDA models",
           "install the CUDA Toolkit 12.4 or later and put nvcc on the PATH"},
      Tool{"clang offload", has_clang_offload(), "builds the OpenMP models for GPUs",
           "scripts/setup --offload"},
      Tool{"gfortran", on_path("gfortran"),
           "checks our files against a Fortran program in the tests", "apt-get install gfortran"},
      Tool{"gnuplot", on_path("gnuplot"), "draws study.csv", "apt-get install gnuplot-nox"},
      Tool{"git", on_path("git"), "tells the revision that a study was made from",
           "apt-get install git"}};
  std::vector<Finding> findings;
  findings.reserve(tools.size());
  for (const Tool& tool : tools)
    findings.push_back({fmt::format("tool {}", tool.name), tool.found ? Health::good : Health::note,
                        fmt::format("{}; {}", tool.found ? "found" : "not found", tool.use),
                        tool.found ? "" : tool.remedy});
  return findings;
}

/// "570.86.15" as numbers; what is missing counts as 0.
std::array<int, 3> version_of(std::string_view text) {
  std::array<int, 3> version{};
  std::istringstream stream{std::string(text)};
  std::string part;
  for (int& number : version)
    if (std::getline(stream, part, '.')) number = std::atoi(part.c_str());
  return version;
}

}  // namespace

const std::vector<DoctorCheck>& doctor_checks() {
  static const std::vector<DoctorCheck> checks = {
      look_at_machine, look_at_load,    look_at_build,     look_at_models,        look_at_devices,
      look_at_cuda,    look_at_offload, look_at_profiling, look_at_host_counters, look_at_tools};
  return checks;
}

std::string name_of(Health health) {
  switch (health) {
    case Health::good:
      return "good";
    case Health::note:
      return "note";
    case Health::problem:
      return "problem";
  }
  return "";
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

}  // namespace gpp
