// OpenMP's default device, which must be a GPU, timed with the steady clock around the call.
//
// A target region returns when its sums are back, so the host's clock includes the kernel, its
// start, and the transfer of a few hundred bytes: some tens of microseconds more than device events
// would show. (LLVM's runtime uses streams of its own, which our events cannot enclose.)
//
// If the GPU is requested, nothing may run on the host. The steps are compiled without host code
// (-fopenmp-offload-mandatory), a small region is run on the device before every run, and arrays
// are in memory that the host cannot access.

#include <omp.h>
#include <strings.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/machine.h"
#include "roofline/cuda_driver.h"
#include "runtimes/runtime.h"
#include "runtimes/threads.h"

namespace gpp {
namespace omp_gpu {
namespace {

constexpr std::string_view architecture = GPP_OFFLOAD_ARCH;
constexpr bool is_nvidia = architecture.starts_with("sm_");

/// Tests where a target region runs. This file, unlike the steps, has host code as well.
bool runs_on_the_device() {
  int on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  return on_host == 0;
}

/// LLVM's runtime shows no device without a word, or runs regions on the host.
std::string why_unavailable() {
  const char* const policy = std::getenv("OMP_TARGET_OFFLOAD");
  if (policy != nullptr && strcasecmp(policy, "disabled") == 0)
    return "The environment forbids OpenMP to use a GPU: unset OMP_TARGET_OFFLOAD (it is "
           "'disabled').";
  const int devices = omp_get_num_devices(), device = omp_get_default_device();
  if (devices > 0 && (device < 0 || device >= devices))
    return "OpenMP's default device is number " + std::to_string(device) + " of " +
           std::to_string(devices) + ": OMP_DEFAULT_DEVICE counts from 0.";
  if (devices > 0 && runs_on_the_device()) return {};
  roofline::CudaDriverDevice found;
  std::string reason = is_nvidia ? roofline::ask_cuda_driver(0, found) : "";
  if (reason.empty()) reason = "build with -DGPP_OFFLOAD_ARCH naming the GPU that is here";
  return "OpenMP finds no GPU that runs this program's code, which was built for " +
         std::string(architecture) + ": " + reason +
         ". LIBOMPTARGET_INFO=-1 tells more; --device host runs everywhere.";
}

/// The memory of OpenMP's default GPU.
class OmpMemory : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes) const override {
    // Of no bytes LLVM's runtime returns a null pointer, as if it had none left.
    const std::size_t some = std::max<std::size_t>(bytes, 1);
    if (void* memory = omp_target_alloc(some, omp_get_default_device())) return memory;
    throw std::runtime_error("The device has no " + std::to_string(bytes) +
                             " bytes left for an array of the problem: choose a smaller input, or "
                             "free the device (nvidia-smi shows who uses it).");
  }
  void release(void* memory) const noexcept override {
    omp_target_free(memory, omp_get_default_device());
  }
  void write(void* device, const void* host, std::size_t bytes) const override {
    copy(device, host, bytes, omp_get_default_device(), omp_get_initial_device());
  }
  void read(void* host, const void* device, std::size_t bytes) const override {
    copy(host, device, bytes, omp_get_initial_device(), omp_get_default_device());
  }
  void gather(const RowGather& rows) const override {
    const RowGather own = rows;
#pragma omp target teams distribute parallel for collapse(3) firstprivate(own)
    for (long long j = 0; j < own.columns; ++j)
      for (long long i = 0; i < own.count; ++i)
        for (int part = 0; part < 2; ++part) own.set(i, j, part);
  }

 private:
  static void copy(void* to, const void* from, std::size_t bytes, int to_device, int from_device) {
    if (omp_target_memcpy(to, from, bytes, 0, 0, to_device, from_device) != 0)
      throw std::runtime_error("OpenMP failed while copying the problem to or from the device.");
  }
};

class OmpGpuRuntime : public Runtime {
 public:
  int devices() const override { return omp_get_num_devices(); }
  void use_device(int number) const override { omp_set_default_device(number); }
  std::string device_place() const override { return is_nvidia ? ask().place : ""; }

  std::string unavailable() const override {
    static const std::string reason = why_unavailable();  // the first query initialises the device
    return reason;
  }

  DeviceDescription describe() const override {
    const std::string built_for(architecture);
    if (!is_nvidia) return {.name = "AMD GPU", .kind = "gpu", .architecture = built_for};
    const roofline::CudaDriverDevice device = ask();
    return {
        .name = device.name,
        .kind = "gpu",
        .units = device.multiprocessors,
        .memory_bytes = device.memory_bytes,
        .architecture = built_for,
        .driver = cuda_version_text(device.cuda_version),
    };
  }

  long long free_bytes() const override { return is_nvidia ? ask().free_bytes : 0; }

  const DeviceMemory& memory() const override {
    static const OmpMemory memory;
    return memory;
  }

  double time(const std::function<void()>& call) const override {
    if (!runs_on_the_device())
      throw std::runtime_error(
          "OpenMP ran a target region on the host although the GPU was asked "
          "for: nothing was computed.");
    return Runtime::time(call);
  }

  /// Counts clock cycles relative to the device's nanosecond timer; 0 without a known timer.
  Pulse pulse(double seconds) const override {
    const WaitClock clock;
    // The host does the division: with it in the region, ptxas 11.8 lost the result's address.
    long long cycles = 0, nanoseconds = 0;
    const long long wanted = std::llround(1e9 * seconds);
#pragma omp target map(from : cycles, nanoseconds)
    {
      cycles = nanoseconds = 0;
#if defined(__NVPTX__)
      const long long first = __nvvm_read_ptx_sreg_clock64();
      const long long start = __nvvm_read_ptx_sreg_globaltimer();
      long long now = start;
      while (now - start < wanted) now = __nvvm_read_ptx_sreg_globaltimer();
      cycles = __nvvm_read_ptx_sreg_clock64() - first;
      nanoseconds = now - start;
#endif
    }
    if (nanoseconds == 0) return {};
    return {1e3 * static_cast<double>(cycles) / static_cast<double>(nanoseconds), clock.seconds()};
  }

 private:
  static roofline::CudaDriverDevice ask() {
    roofline::CudaDriverDevice device;
    const std::string reason = roofline::ask_cuda_driver(omp_get_default_device(), device);
    if (!reason.empty()) throw std::runtime_error("The GPU cannot be described: " + reason + ".");
    return device;
  }
};

}  // namespace
}  // namespace omp_gpu

const Runtime& omp_gpu_runtime() {
  static const omp_gpu::OmpGpuRuntime runtime;
  return runtime;
}

}  // namespace gpp
