// The host as a device: variants work on a copy of the problem, time is the steady clock's.

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>

#include "variants/runtimes.h"

namespace gpp {
namespace {

/// The value behind "key : value" in /proc/cpuinfo, of the first processor that has it.
std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

int cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

long long memory(int pages) {
  return static_cast<long long>(sysconf(pages)) * sysconf(_SC_PAGESIZE);
}

class HostPlacement : public Placement {
 public:
  explicit HostPlacement(const PreparedProblem& problem) : problem_(problem, host_memory()) {}

  PlacedProblem& problem() override { return problem_; }

  Measurement run(VariantFunction function) override {
    Measurement measurement;
    const auto start = std::chrono::steady_clock::now();
    measurement.sums = function(problem_.view());
    const auto stop = std::chrono::steady_clock::now();
    measurement.seconds = std::chrono::duration<double>(stop - start).count();
    return measurement;
  }

  std::vector<Launch> launches() const override { return {}; }

  double clock_mhz() const override {
    const std::string clock = cpuinfo("cpu MHz");
    return clock.empty() ? 0.0 : std::stod(clock);
  }

 private:
  PlacedProblem problem_;
};

class HostRuntime : public Runtime {
 public:
  std::string unavailable() const override { return {}; }

  DeviceDescription describe() const override {
    DeviceDescription device;
    device.name = cpuinfo("model name");
    if (device.name.empty()) device.name = "processor";
    device.kind = "host";
    device.units = cores();
    device.memory_bytes = memory(_SC_PHYS_PAGES);
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

  long long free_bytes() const override { return memory(_SC_AVPHYS_PAGES); }

  std::unique_ptr<Placement> place(const PreparedProblem& problem) const override {
    return std::make_unique<HostPlacement>(problem);
  }
};

}  // namespace

const Runtime& host_runtime() {
  static const HostRuntime runtime;
  return runtime;
}

}  // namespace gpp
