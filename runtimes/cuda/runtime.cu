// The runtime of the current CUDA device, timed with its own events.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "roofline/ceilings/cuda/watch.cuh"
#include "roofline/cuda_driver.h"
#include "runtimes/cuda/confine.h"
#include "runtimes/cuda/launch.h"
#include "runtimes/runtime.h"
#include "runtimes/threads.h"

namespace gpp {
namespace cuda {
namespace {

std::vector<std::function<Launch()>> launches_of_last_run;

/// One element per thread; neighbouring threads write neighbouring elements of `to`.
__global__ void gather_rows(RowGather rows) {
  const long long element = 1LL * blockIdx.x * blockDim.x + threadIdx.x;
  const int i = static_cast<int>(element % rows.count);
  const long long j = element / rows.count;
  if (j >= rows.columns) return;
  const auto* const from = reinterpret_cast<const double2*>(rows.from);
  const int row = rows.rows[i];
  const double2 value = row < 0 ? double2{0.0, 0.0} : from[row + rows.height * j];
  reinterpret_cast<double2*>(rows.to)[element] = value;
  if (rows.to_transposed != nullptr)
    reinterpret_cast<double2*>(rows.to_transposed)[j + 1LL * rows.columns * i] = value;
}

__global__ void compare(const uint4* one, const uint4* other, std::size_t count, int* differ) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint4 a = one[i], b = other[i];
    if (a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w) *differ = 1;
  }
}

class CudaMemory : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes) const override {
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "allocating an array of the problem");
    return memory;
  }
  void release(void* memory) const noexcept override { cudaFree(memory); }
  void write(void* device, const void* host, std::size_t bytes) const override {
    check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice),
          "copying the problem to the device");
  }
  void read(void* host, const void* device, std::size_t bytes) const override {
    check(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "reading the problem back");
  }
  void gather(const RowGather& rows) const override {
    constexpr int threads = 256;
    const long long elements = 1LL * rows.count * rows.columns;
    if (elements == 0) return;
    gather_rows<<<blocks_for(elements, threads), threads>>>(rows);
    check(cudaGetLastError(), "gathering rows on the device");
  }
  std::vector<std::byte> name_for_others(void* memory) const override {
    std::vector<std::byte> name(sizeof(cudaIpcMemHandle_t));
    cudaIpcMemHandle_t handle;
    check(cudaIpcGetMemHandle(&handle, memory), "naming memory to another process");
    std::memcpy(name.data(), &handle, sizeof(handle));
    return name;
  }
  void* open_by_name(const std::vector<std::byte>& name) const override {
    cudaIpcMemHandle_t handle;
    if (name.size() != sizeof(handle)) throw std::runtime_error("no name of a device's memory");
    std::memcpy(&handle, name.data(), sizeof(handle));
    void* memory = nullptr;
    check(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess),
          "opening another process's memory");
    return memory;
  }
  void copy(void* to, const void* from, std::size_t bytes) const override {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice), "copying on the device");
    check(cudaDeviceSynchronize(), "copying on the device");  // the copy itself does not wait
  }
  bool same(const void* one, const void* other, std::size_t bytes) const override {
    int differ = 0;
    const DeviceBuffer found(*this, std::vector<int>{differ});
    compare<<<1024, 256>>>(static_cast<const uint4*>(one), static_cast<const uint4*>(other),
                           bytes / sizeof(uint4), found.as<int>());
    check(cudaGetLastError(), "comparing on the device");
    read(&differ, found.data(), sizeof(differ));
    return differ == 0;
  }
};

const CudaMemory& cuda_memory() {
  static const CudaMemory memory;
  return memory;
}

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "creating an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record() { check(cudaEventRecord(event_), "recording an event"); }
  double seconds_since(const Event& start) const {
    check(cudaEventSynchronize(event_), "waiting for the device");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "reading the device's time");
    return 1e-3 * milliseconds;
  }

 private:
  cudaEvent_t event_{};
};

using roofline::gpu::ClockReading;
using roofline::gpu::read_clock;

__host__ __device__ double mhz_between(const ClockReading& first, const ClockReading& last) {
  return 1e3 * static_cast<double>(last.cycles - first.cycles) /
         static_cast<double>(last.nanoseconds - first.nanoseconds);
}

/// Counts clock cycles relative to the device's nanosecond timer, without other work.
__global__ void measure_clock(long long nanoseconds, double* mhz) {
  const ClockReading first = read_clock();
  ClockReading last = first;
  while (last.nanoseconds - first.nanoseconds < nanoseconds) last = read_clock();
  *mhz = mhz_between(first, last);
}

/// One block on each multiprocessor stores its counters.
__global__ void read_clocks(ClockReading* readings, unsigned count) {
  unsigned multiprocessor = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  if (multiprocessor < count) readings[multiprocessor] = read_clock();
}

/// The readings of all multiprocessors that got a block; zeros for the others.
std::vector<ClockReading> clock_readings() {
  std::vector<ClockReading> readings(
      static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount)));
  const DeviceBuffer buffer(cuda_memory(), readings);
  const auto count = static_cast<unsigned>(readings.size());
  read_clocks<<<count, 1>>>(buffer.as<ClockReading>(), count);
  check(cudaGetLastError(), "reading the clocks");
  cuda_memory().read(readings.data(), buffer.data(), buffer.bytes());
  return readings;
}

thread_local std::vector<ClockReading> readings_at_begin;

class CudaRuntime : public ConfinableRuntime {
 public:
  int devices() const override {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
  }

  void use_device(int number) const override { check(cudaSetDevice(number), "choosing a device"); }

  std::string device_place() const override {
    char place[32] = {};
    check(cudaDeviceGetPCIBusId(place, sizeof(place), current_device()),
          "asking for the device's place");
    return place;
  }

  std::string unavailable() const override {
    if (std::string none = roofline::no_cuda_driver(); !none.empty()) return none;
    try {
      check(cudaFree(nullptr), "starting up the device");
      cudaFuncAttributes attributes{};
      check(cudaFuncGetAttributes(&attributes, measure_clock), "looking for code for the device");
      return {};
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  DeviceDescription describe() const override {
    cudaDeviceProp properties{};
    int driver = 0;
    check(cudaGetDeviceProperties(&properties, current_device()),
          "asking for the device's properties");
    check(cudaDriverGetVersion(&driver), "asking for the driver's version");
    const int confined = roofline::current_multiprocessors();
    return {
        .name = properties.name,
        .kind = "gpu",
        .units = confined > 0 ? confined : properties.multiProcessorCount,
        .memory_bytes = static_cast<long long>(properties.totalGlobalMem),
        .architecture = "sm_" + std::to_string(10 * properties.major + properties.minor),
        .driver = cuda_version_text(driver),
    };
  }

  long long free_bytes() const override {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for the free memory");
    return static_cast<long long>(free);
  }

  bool make_way() const override {
    if (attribute(cudaDevAttrComputeMode) != cudaComputeModeExclusiveProcess) return false;
    check(cudaDeviceReset(), "leaving the device to another process");
    return true;
  }

  const DeviceMemory& memory() const override { return cuda_memory(); }

  double time(const std::function<void()>& call) const override {
    // The memory pool for partial sums keeps its memory, so that timed runs do not allocate.
    cudaMemPool_t pool{};
    unsigned long long everything = ~0ULL;
    check(cudaDeviceGetDefaultMemPool(&pool, current_device()),
          "asking for the device's memory pool");
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &everything),
          "setting up the device's memory pool");
    launches_of_last_run.clear();
    Event start;
    Event stop;
    start.record();
    call();
    stop.record();
    return stop.seconds_since(start);
  }

  std::vector<Launch> launches() const override {
    std::vector<Launch> described;
    for (const auto& describe : launches_of_last_run) described.push_back(describe());
    return described;
  }

  Pulse pulse(double seconds) const override {
    const DeviceBuffer clock(cuda_memory(), sizeof(double));
    double mhz = 0;
    const WaitClock waiting;
    measure_clock<<<1, 1>>>(std::llround(1e9 * seconds), clock.as<double>());
    check(cudaGetLastError(), "measuring the clock");
    cuda_memory().read(&mhz, clock.data(), sizeof(mhz));
    return {mhz, waiting.seconds()};
  }

  void begin_clock() const override { readings_at_begin = clock_readings(); }

  double end_clock() const override {
    const std::vector<ClockReading> end = clock_readings();
    std::vector<double> mhz;
    for (std::size_t i = 0; i < std::min(end.size(), readings_at_begin.size()); ++i) {
      const ClockReading &first = readings_at_begin[i], &last = end[i];
      if (first.nanoseconds > 0 && last.nanoseconds > first.nanoseconds)
        mhz.push_back(mhz_between(first, last));
    }
    if (mhz.empty()) return 0;
    const auto middle = mhz.begin() + static_cast<std::ptrdiff_t>(mhz.size() / 2);
    std::nth_element(mhz.begin(), middle, mhz.end());
    return *middle;
  }
};

}  // namespace

void note_launch(const void* kernel, const Shape& shape, Describe describe) {
  launches_of_last_run.push_back([=] { return describe(kernel, shape); });
}

}  // namespace cuda

const Runtime& cuda_runtime() {
  static const cuda::CudaRuntime runtime;
  return runtime;
}

}  // namespace gpp
