// The host as a device, timed with the steady clock.

#include <omp.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <string>

#include "roofline/base/machine.h"
#include "runtimes/runtimes.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

/// The value after "key : value" in /proc/cpuinfo, for the first processor that has it.
std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

long long bytes_of(int pages) {
  return static_cast<long long>(sysconf(pages)) * sysconf(_SC_PAGESIZE);
}

class HostRuntime : public Runtime {
 public:
  HostRuntime() {
#ifndef __clang__
    // With OMP_TARGET_OFFLOAD=mandatory, GCC 13 ends a program whose target regions run on the
    // host, unless the host is the default device. Such a program has no other device.
    omp_set_default_device(omp_get_initial_device());
#endif
  }

  std::string unavailable() const override { return {}; }

  DeviceDescription describe() const override {
    DeviceDescription device;
    device.name = cpuinfo("model name");
    if (device.name.empty()) device.name = "processor";
    device.kind = "host";
    device.units = roofline::available_cores();
    device.memory_bytes = bytes_of(_SC_PHYS_PAGES);
#if defined(__AVX512F__)
    device.architecture = "x86-64 AVX-512";
#elif defined(__AVX2__)
    device.architecture = "x86-64 AVX2";
#elif defined(__x86_64__)
    device.architecture = "x86-64";
#elif defined(__aarch64__)
    device.architecture = "aarch64";
#endif
    return device;
  }

  long long free_bytes() const override { return bytes_of(_SC_AVPHYS_PAGES); }

  const DeviceMemory& memory() const override { return host_memory(); }

  double time(const std::function<void()>& call) const override {
    const double start = roofline::steady_seconds();
    call();
    return roofline::steady_seconds() - start;
  }

  std::vector<Launch> launches() const override { return {}; }

  Pulse pulse(double /*seconds*/) const override {
    const std::string clock = cpuinfo("cpu MHz");
    return {clock.empty() ? 0.0 : std::stod(clock)};
  }

  /// A host's cores are chosen at program start, because OpenMP reads them only once.
  int confine(int units) const override {
    const int cores = roofline::available_cores();
    if (units <= 0) return cores;
    if (const int threads = openmp_threads(); cores != units || threads != units)
      throw std::runtime_error("This program was to run on " + std::to_string(units) +
                               " cores, but may use " + std::to_string(cores) + " and starts " +
                               std::to_string(threads) +
                               " threads: affinity and OMP_NUM_THREADS are set where it is "
                               "started, and OMP_THREAD_LIMIT "
                               "and OMP_DYNAMIC must leave them as they are.");
    return cores;
  }
};

}  // namespace

const Runtime& host_runtime() {
  static const HostRuntime runtime;
  return runtime;
}

}  // namespace gpp
