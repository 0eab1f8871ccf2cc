// The current CUDA device: problems are copied to its memory, time is measured by its own events.

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "variants/cuda/support/error.h"
#include "variants/cuda/support/launch.h"
#include "variants/runtimes.h"

namespace gpp {
namespace cuda {
namespace {

/// One array on the device.
class DeviceCopy {
 public:
  DeviceCopy(const void* host, std::size_t bytes) {
    check(cudaMalloc(&memory_, bytes), "allocating an array of the problem");
    if (const cudaError_t status = cudaMemcpy(memory_, host, bytes, cudaMemcpyHostToDevice);
        status != cudaSuccess) {
      cudaFree(memory_);
      check(status, "copying the problem to the device");
    }
  }
  ~DeviceCopy() { cudaFree(memory_); }
  DeviceCopy(DeviceCopy&& other) noexcept : memory_(other.memory_) { other.memory_ = nullptr; }
  DeviceCopy(const DeviceCopy&) = delete;
  DeviceCopy& operator=(const DeviceCopy&) = delete;

  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

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

/// Counts clock cycles against the device's nanosecond timer while doing nothing else.
__global__ void measure_clock(long long nanoseconds, double* mhz) {
  const auto timer = [] {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  };
  const long long cycles = clock64();
  const long long start = timer();
  long long now = start;
  while (now - start < nanoseconds) now = timer();
  *mhz = 1e3 * static_cast<double>(clock64() - cycles) / static_cast<double>(now - start);
}

class CudaPlacement : public Placement {
 public:
  explicit CudaPlacement(const PreparedProblem& problem) {
    problem_ = relocate(problem.view(), [this](auto array) {
      using Element = std::remove_const_t<std::remove_pointer_t<decltype(array.data)>>;
      if (array.count() == 0) return array;
      copies_.emplace_back(array.data, array.count() * sizeof(Element));
      array.data = static_cast<const Element*>(copies_.back().get());
      return array;
    });
  }

  Measurement run(VariantFunction function) override {
    clear_launches();
    Measurement measurement;
    start_.record();
    measurement.sums = function(problem_);
    stop_.record();
    measurement.seconds = stop_.seconds_since(start_);
    return measurement;
  }

  std::vector<Launch> launches() const override { return cuda::launches(); }

  double clock_mhz() const override {
    const double zero = 0;
    const DeviceCopy clock(&zero, sizeof(zero));
    measure_clock<<<1, 1>>>(200'000, static_cast<double*>(clock.get()));
    check(cudaGetLastError(), "measuring the clock");
    double mhz = 0;
    check(cudaMemcpy(&mhz, clock.get(), sizeof(mhz), cudaMemcpyDeviceToHost), "reading the clock");
    return mhz;
  }

 private:
  std::vector<DeviceCopy> copies_;
  Problem problem_;
  Event start_;
  Event stop_;
};

class CudaRuntime : public Runtime {
 public:
  std::string unavailable() const override {
    try {
      int count = 0;
      check(cudaGetDeviceCount(&count), "looking for a device");
      check(cudaFree(nullptr), "starting up the device");
      cudaFuncAttributes attributes{};
      check(cudaFuncGetAttributes(&attributes, measure_clock), "looking for code for the device");
      return {};
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  DeviceDescription describe() const override {
    DeviceDescription device;
    cudaDeviceProp properties{};
    int current = 0;
    int driver = 0;
    check(cudaGetDevice(&current), "asking for the current device");
    check(cudaGetDeviceProperties(&properties, current), "asking for the device's properties");
    check(cudaDriverGetVersion(&driver), "asking for the driver's version");
    device.name = properties.name;
    device.kind = "gpu";
    device.units = properties.multiProcessorCount;
    device.memory_bytes = static_cast<long long>(properties.totalGlobalMem);
    device.architecture =
        "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
    device.driver =
        "CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    return device;
  }

  long long free_bytes() const override {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for the free memory");
    return static_cast<long long>(free);
  }

  std::unique_ptr<Placement> place(const PreparedProblem& problem) const override {
    require_device_memory(problem.view(), free_bytes());
    keep_scratch_memory();
    return std::make_unique<CudaPlacement>(problem);
  }

 private:
  /// Lets the pool behind partial sums keep its memory, so that timed runs don't allocate anew.
  static void keep_scratch_memory() {
    int device = 0;
    cudaMemPool_t pool{};
    unsigned long long everything = ~0ULL;
    check(cudaGetDevice(&device), "asking for the current device");
    check(cudaDeviceGetDefaultMemPool(&pool, device), "asking for the device's memory pool");
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &everything),
          "setting up the device's memory pool");
  }
};

}  // namespace
}  // namespace cuda

const Runtime& cuda_runtime() {
  static const cuda::CudaRuntime runtime;
  return runtime;
}

}  // namespace gpp
