#include "roofline/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstddef>

namespace roofline {
namespace {

// Types as cuda.h declares them (CUDA Driver API reference): every function returns 0 or an error;
// devices are numbers, contexts are opaque.
using Result = int;
using Device = int;
using Context = void*;
constexpr int attribute_multiprocessors = 16;
constexpr int attribute_capability_major = 75;
constexpr int attribute_capability_minor = 76;

struct Questions : CudaDriverFunctions {
  Result (*init)(unsigned) = find("cuInit");
  Result (*version)(int*) = find("cuDriverGetVersion");
  Result (*count)(int*) = find("cuDeviceGetCount");
  Result (*get)(Device*, int) = find("cuDeviceGet");
  Result (*name)(char*, int, Device) = find("cuDeviceGetName");
  Result (*memory)(std::size_t*, Device) = find("cuDeviceTotalMem_v2");
  Result (*attribute)(int*, int, Device) = find("cuDeviceGetAttribute");
  Result (*retain)(Context*, Device) = find("cuDevicePrimaryCtxRetain");
  Result (*release)(Device) = find("cuDevicePrimaryCtxRelease_v2");
  Result (*push)(Context) = find("cuCtxPushCurrent_v2");
  Result (*pop)(Context*) = find("cuCtxPopCurrent_v2");
  Result (*free_memory)(std::size_t*, std::size_t*) = find("cuMemGetInfo_v2");
};

const Questions& questions() {
  static const Questions all;
  return all;
}

/// A context is needed to ask for free memory: the primary one, which every runtime shares.
long long free_bytes(const Questions& ask, Device device) {
  Context context = nullptr;
  if (ask.retain(&context, device) != 0) return 0;
  std::size_t free = 0;
  std::size_t total = 0;
  if (ask.push(context) == 0) {
    if (ask.free_memory(&free, &total) != 0) free = 0;
    ask.pop(&context);
  }
  ask.release(device);
  return static_cast<long long>(free);
}

CudaDriverDevice describe(const Questions& ask, Device device) {
  CudaDriverDevice found;
  std::array<char, 256> name{}, place{};
  std::array<unsigned char, 16> uuid{};
  std::size_t memory = 0;
  int major = 0;
  int minor = 0;
  Result (*place_of)(char*, int, Device) = nullptr;
  Result (*uuid_of)(unsigned char*, Device) = nullptr;
  ask.name(name.data(), static_cast<int>(name.size()) - 1, device);
  if (find_cuda_driver_function("cuDeviceGetPCIBusId", place_of))
    place_of(place.data(), static_cast<int>(place.size()) - 1, device);
  if (find_cuda_driver_function("cuDeviceGetUuid", uuid_of) && uuid_of(uuid.data(), device) == 0)
    found.uuid = fmt::format("GPU-{:02x}", fmt::join(uuid.begin(), uuid.begin() + 4, ""));
  ask.memory(&memory, device);
  ask.attribute(&found.multiprocessors, attribute_multiprocessors, device);
  ask.attribute(&major, attribute_capability_major, device);
  ask.attribute(&minor, attribute_capability_minor, device);
  ask.version(&found.cuda_version);
  found.name = name.data();
  found.place = place.data();
  found.compute_capability = 10 * major + minor;
  found.memory_bytes = static_cast<long long>(memory);
  found.free_bytes = free_bytes(ask, device);
  return found;
}

}  // namespace

void* cuda_driver_symbol(const char* name) {
  // The library stays loaded, because pointers into it may live until the end.
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  return library == nullptr ? nullptr : dlsym(library, name);
}

std::string no_cuda_driver() {
  if (cuda_driver_symbol("cuInit") != nullptr) return {};
  return "there is no NVIDIA driver here (libcuda.so.1); on a machine with an NVIDIA GPU install "
         "its driver, in a container start it with the GPU (docker run --gpus all)";
}

std::string ask_cuda_driver(int device, CudaDriverDevice& found) {
  const Questions& ask = questions();
  if (std::string none = no_cuda_driver(); !none.empty()) return none;
  if (!ask.complete) return "the NVIDIA driver here lacks functions of CUDA 11; update it";
  if (const Result status = ask.init(0); status != 0)
    return fmt::format(
        "the NVIDIA driver does not start (error {} of cuInit; nvidia-smi says more)", status);
  int count = 0;
  Device handle = 0;
  if (ask.count(&count) != 0 || device < 0 || device >= count || ask.get(&handle, device) != 0)
    return fmt::format(
        "the NVIDIA driver shows {} GPUs, and number {} is asked for; check nvidia-smi, "
        "CUDA_VISIBLE_DEVICES and OMP_DEFAULT_DEVICE",
        count, device);
  found = describe(ask, handle);
  return "";
}

int current_multiprocessors() {
  Result (*current)(Context*) = nullptr;
  Result (*resource)(Context, CudaDriverResource*, int) = nullptr;
  if (!find_cuda_driver_function("cuCtxGetCurrent", current) ||
      !find_cuda_driver_function("cuCtxGetDevResource", resource))
    return 0;
  Context context = nullptr;
  CudaDriverResource found;
  if (current(&context) != 0 || context == nullptr ||
      resource(context, &found, cuda_driver_multiprocessors) != 0)
    return 0;
  return static_cast<int>(found.multiprocessors);
}

}  // namespace roofline
