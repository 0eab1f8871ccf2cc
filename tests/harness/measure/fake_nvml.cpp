// An NVML without a driver, whose answers are in `fake_nvml`.
#include "tests/harness/measure/fake_nvml.h"

#include <chrono>
#include <cmath>
#include <cstring>

extern "C" FakeNvml fake_nvml;
FakeNvml fake_nvml;

namespace {
constexpr int no_permission = 4, not_found = 6, insufficient_size = 7;

template <class T>
int tell(T* to, T value) {
  if (fake_nvml.refuses) return no_permission;
  *to = value;
  return 0;
}
}  // namespace

extern "C" {

int nvmlInit_v2() { return 0; }

int nvmlDeviceGetHandleByPciBusId_v2(const char* place, void** device) {
  if (std::strcmp(place, "0000:01:00.0") != 0) return not_found;
  *device = &fake_nvml;
  return 0;
}

struct Process {
  unsigned pid;
  unsigned long long bytes;
  unsigned gpu_instance, compute_instance;
};

int nvmlDeviceGetComputeRunningProcesses_v3(void* /*device*/, unsigned* count, Process* to) {
  if (fake_nvml.refuses) return no_permission;
  const unsigned room = *count;
  *count = static_cast<unsigned>(fake_nvml.processes.size());
  if (*count > room) return insufficient_size;
  for (const int pid : fake_nvml.processes) *to++ = {static_cast<unsigned>(pid), 0, 0, 0};
  return 0;
}

struct Sample {
  unsigned pid;
  unsigned long long microseconds;
  unsigned sm, memory, encoder, decoder;
};

int nvmlDeviceGetProcessUtilization(void* /*device*/, Sample* to, unsigned* count,
                                    unsigned long long since) {
  using namespace std::chrono;
  if (fake_nvml.refuses) return no_permission;
  if (fake_nvml.used.empty()) return not_found;
  const auto age = static_cast<unsigned long long>(1e6 * fake_nvml.age_of_samples);
  const auto now = duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
  *count = 0;
  for (const auto& [pid, percent] : fake_nvml.used)
    if (now - age > since) to[(*count)++] = {unsigned(pid), now - age, unsigned(percent), 0, 0, 0};
  return *count > 0 ? 0 : not_found;
}

int nvmlDeviceGetCurrentClocksEventReasons(void* /*device*/, unsigned long long* reasons) {
  return tell(reasons, fake_nvml.reasons);
}

int nvmlDeviceGetPowerUsage(void* /*device*/, unsigned* milliwatts) {
  return tell(milliwatts, 431500U);
}

int nvmlDeviceGetTotalEnergyConsumption(void* /*device*/, unsigned long long* millijoules) {
  using namespace std::chrono;
  double moved = 0;
  if (fake_nvml.update_seconds > 0)
    moved = fake_nvml.update_seconds *
            std::floor(duration<double>(steady_clock::now().time_since_epoch()).count() /
                       fake_nvml.update_seconds);
  const double joules = fake_nvml.joules + fake_nvml.watts * moved;
  return tell(millijoules, static_cast<unsigned long long>(std::llround(1e3 * joules)));
}
}
