#include "harness/record/provenance.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <map>
#include <string_view>

#include "harness/program/build_info.h"
#include "harness/program/source_files.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "runtimes/runtime.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

/// PRETTY_NAME of /etc/os-release, without its quotes.
std::string distribution() {
  std::ifstream file("/etc/os-release");
  const std::string key = "PRETTY_NAME=";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    line.erase(0, key.size());
    std::erase(line, '"');
    return line;
  }
  return "unknown";
}

std::string operating_system() {
  utsname name{};
  if (uname(&name) != 0) return distribution();
  return fmt::format("{}, {} {} {}", distribution(), name.sysname, name.release, name.machine);
}

/// Whether a variable may change what is measured: other code in the program, other threads,
/// other devices.
bool may_change_results(std::string_view name) {
  for (const char* place : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_VERSION"})
    if (name == place) return false;
  for (const char* family :
       {"LD_", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "NVIDIA_TF32_OVERRIDE", "OMP_", "GOMP_",
        "KMP_", "LIBOMPTARGET_", "CUDA_", "OPENBLAS_", "MKL_", "FFTW_"})
    if (name.starts_with(family)) return true;
  return false;
}

/// The variables of the environment that are set and may change what is measured, with their
/// values: those that put other code into a program (LD_PRELOAD), or say how many threads it has
/// and where (OMP_NUM_THREADS), which devices (CUDA_VISIBLE_DEVICES), how libraries work.
std::map<std::string, std::string> telling_environment() {
  constexpr std::size_t longest = 4000;
  std::map<std::string, std::string> set;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == text.npos || !may_change_results(text.substr(0, equals))) continue;
    if (equals > roofline::bounds::name_length || set.size() == roofline::bounds::results) continue;
    set[roofline::visible(text.substr(0, equals))] =
        roofline::shortened(roofline::visible(text.substr(equals + 1)), longest);
  }
  return set;
}

BuildRecord this_build() {
  BuildRecord build;
  build.compilers["c++"] = build_info::cxx_compiler;
  build.flags["c++"] = build_info::cxx_flags;
  build.flags["openmp"] = build_info::openmp_flags;
  if (!build_info::cuda_compiler.empty()) {
    build.compilers["cuda"] = build_info::cuda_compiler;
    build.flags["cuda"] = build_info::cuda_flags;
  }
  if (!build_info::offload_arch.empty()) {
    build.compilers["openmp gpu"] =
        fmt::format("{}, {}", build_info::cxx_compiler, build_info::offload_toolkit);
    build.flags["openmp gpu"] = build_info::offload_flags;
  }
  return build;
}

}  // namespace

Machine this_machine(std::vector<DeviceDescription> gpus) {
  const DeviceDescription host = host_runtime().describe();
  Machine machine;
  machine.host = roofline::host_name();
  machine.cpu = host.name;
  machine.cores = host.units;
  machine.memory_bytes = host.memory_bytes;
  machine.gpus = std::move(gpus);
  if (!machine.gpus.empty()) machine.driver = machine.gpus.front().driver;
  machine.os = operating_system();
  machine.affinity = roofline::allowed_processors();
  machine.online_cores = roofline::online_processors();
  machine.load_average = roofline::load_average();
  machine.governor = roofline::clock_governor(roofline::parse_processors(machine.affinity));
  machine.environment = telling_environment();
  return machine;
}

int threads_of(const Result& result) {
  if (result.kind != "host") return 0;
  if (result.model == "serial") return 1;
  return result.model == "omp" || result.model == "thrust" ? openmp_threads() : 0;
}

StudyRecord study_from_now(const Kernel& kernel, std::vector<DeviceDescription> gpus) {
  StudyRecord study;
  study.created = roofline::utc_now();
  study.git = {std::string(build_info::git_revision), build_info::git_dirty};
  study.machine = this_machine(std::move(gpus));
  study.build = this_build();
  study.kernel = kernel.name;
  return study;
}

std::string folder_name() {
  return fmt::format("{:%Y%m%d-%H%M%S}-{}", fmt::localtime(std::time(nullptr)),
                     roofline::host_name());
}

}  // namespace gpp
