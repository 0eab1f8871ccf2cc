// The host as a device, timed with the steady clock.

#include <omp.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "roofline/base/machine.h"
#include "roofline/ceilings/host/processor.h"
#include "runtimes/runtime.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

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
    device.name = roofline::host::this_processor(roofline::allowed_cpus()).name;
    device.kind = "host";
    device.units = roofline::available_cores();
    device.memory_bytes = 1LL * sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
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

  long long free_bytes() const override { return roofline::available_memory(); }

  const DeviceMemory& memory() const override { return host_memory(); }

  double time(const std::function<void()>& call) const override {
    const double start = roofline::steady_seconds();
    call();
    return roofline::steady_seconds() - start;
  }

  std::vector<Launch> launches() const override { return {}; }

  Pulse pulse(double /*seconds*/) const override {
    const std::string clock = roofline::host::cpuinfo()["cpu MHz"];
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
