#include "runtimes/omp_gpu/nvidia_driver.h"

#include <dlfcn.h>

#include <array>
#include <cstddef>

namespace gpp::omp_gpu {
namespace {

// The driver API as cuda.h declares it (CUDA Driver API reference): every function returns 0 or an
// error; devices are numbers, contexts are opaque.
using Result = int;
using Device = int;
using Context = void*;
constexpr int attribute_multiprocessors = 16;
constexpr int attribute_capability_major = 75;
constexpr int attribute_capability_minor = 76;

struct Driver {
  Result (*init)(unsigned);
  Result (*version)(int*);
  Result (*count)(int*);
  Result (*get)(Device*, int);
  Result (*name)(char*, int, Device);
  Result (*memory)(std::size_t*, Device);
  Result (*attribute)(int*, int, Device);
  Result (*retain)(Context*, Device);
  Result (*release)(Device);
  Result (*push)(Context);
  Result (*pop)(Context*);
  Result (*free_memory)(std::size_t*, std::size_t*);
};

template <class Function>
bool find(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  return function != nullptr;
}

/// The driver's functions; nullptr where it is not installed. It stays loaded.
const Driver* load() {
  static Driver driver{};
  static const bool complete = [] {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    return library != nullptr && find(library, "cuInit", driver.init) &&
           find(library, "cuDriverGetVersion", driver.version) &&
           find(library, "cuDeviceGetCount", driver.count) &&
           find(library, "cuDeviceGet", driver.get) &&
           find(library, "cuDeviceGetName", driver.name) &&
           find(library, "cuDeviceTotalMem_v2", driver.memory) &&
           find(library, "cuDeviceGetAttribute", driver.attribute) &&
           find(library, "cuDevicePrimaryCtxRetain", driver.retain) &&
           find(library, "cuDevicePrimaryCtxRelease_v2", driver.release) &&
           find(library, "cuCtxPushCurrent_v2", driver.push) &&
           find(library, "cuCtxPopCurrent_v2", driver.pop) &&
           find(library, "cuMemGetInfo_v2", driver.free_memory);
  }();
  return complete ? &driver : nullptr;
}

/// Free memory is asked of a context: the primary one, which LLVM's runtime and CUDA's share.
long long free_bytes(const Driver& driver, Device device) {
  Context context = nullptr;
  if (driver.retain(&context, device) != 0) return 0;
  std::size_t free = 0;
  std::size_t total = 0;
  if (driver.push(context) == 0) {
    if (driver.free_memory(&free, &total) != 0) free = 0;
    driver.pop(&context);
  }
  driver.release(device);
  return static_cast<long long>(free);
}

}  // namespace

bool ask_nvidia_driver(int device, NvidiaDevice& found, std::string& reason) {
  const Driver* driver = load();
  if (driver == nullptr) {
    reason = "there is no NVIDIA driver here (libcuda.so.1)";
    return false;
  }
  if (const Result status = driver->init(0); status != 0) {
    reason = "the NVIDIA driver does not start (error " + std::to_string(status) +
             " of cuInit; nvidia-smi says more)";
    return false;
  }
  int count = 0;
  Device handle = 0;
  if (driver->count(&count) != 0 || device < 0 || device >= count ||
      driver->get(&handle, device) != 0) {
    reason = "the NVIDIA driver shows " + std::to_string(count) + " GPUs, and number " +
             std::to_string(device) +
             " is asked for; check nvidia-smi, CUDA_VISIBLE_DEVICES and OMP_DEFAULT_DEVICE";
    return false;
  }
  std::array<char, 256> name{};
  std::size_t memory = 0;
  int major = 0;
  int minor = 0;
  int version = 0;
  driver->name(name.data(), static_cast<int>(name.size()) - 1, handle);
  driver->memory(&memory, handle);
  driver->attribute(&found.multiprocessors, attribute_multiprocessors, handle);
  driver->attribute(&major, attribute_capability_major, handle);
  driver->attribute(&minor, attribute_capability_minor, handle);
  driver->version(&version);
  found.name = name.data();
  found.compute_capability = 10 * major + minor;
  found.memory_bytes = static_cast<long long>(memory);
  found.free_bytes = free_bytes(*driver, handle);
  found.driver =
      "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  return true;
}

}  // namespace gpp::omp_gpu
