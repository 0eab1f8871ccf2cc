#include "roofline/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstddef>
#include <fstream>

namespace roofline {
namespace {

// Types as cuda.h declares them (CUDA Driver API reference): devices are numbers, contexts opaque.
using Device = int;
using Context = void*;
constexpr int attribute_multiprocessors = 16;
constexpr int attribute_capability_major = 75;
constexpr int attribute_capability_minor = 76;

/// A context is needed to ask for free memory: the primary one, which every runtime shares.
std::size_t free_bytes(Device device) {
  Context context = nullptr;
  std::size_t free = 0, total = 0;
  if (call_cuda_driver("cuDevicePrimaryCtxRetain", &context, device) != 0) return 0;
  if (call_cuda_driver("cuCtxPushCurrent_v2", context) == 0) {
    if (call_cuda_driver("cuMemGetInfo_v2", &free, &total) != 0) free = 0;
    call_cuda_driver("cuCtxPopCurrent_v2", &context);
  }
  call_cuda_driver("cuDevicePrimaryCtxRelease_v2", device);
  return free;
}

int attribute(int number, Device device) {
  int value = 0;
  call_cuda_driver("cuDeviceGetAttribute", &value, number, device);
  return value;
}

CudaDriverDevice describe(Device device) {
  CudaDriverDevice found;
  std::array<char, 256> name{}, place{};
  std::array<unsigned char, 16> uuid{};
  std::size_t memory = 0;
  constexpr int most = 255;
  call_cuda_driver("cuDeviceGetName", name.data(), most, device);
  call_cuda_driver("cuDeviceGetPCIBusId", place.data(), most, device);
  if (call_cuda_driver("cuDeviceGetUuid", uuid.data(), device) == 0)
    found.uuid = fmt::format("GPU-{:02x}", fmt::join(uuid.begin(), uuid.begin() + 4, ""));
  call_cuda_driver("cuDeviceTotalMem_v2", &memory, device);
  call_cuda_driver("cuDriverGetVersion", &found.cuda_version);
  found.name = name.data();
  found.place = place.data();
  found.multiprocessors = attribute(attribute_multiprocessors, device);
  found.compute_capability = 10 * attribute(attribute_capability_major, device) +
                             attribute(attribute_capability_minor, device);
  found.memory_bytes = static_cast<long long>(memory);
  found.free_bytes = static_cast<long long>(free_bytes(device));
  return found;
}

/// The value after "key:" in a file of such lines; empty if missing.
std::string value_of(const std::filesystem::path& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key + ":")) continue;
    const std::size_t begin = line.find_first_not_of(" \t", key.size() + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
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
  if (std::string none = no_cuda_driver(); !none.empty()) return none;
  if (const int status = call_cuda_driver("cuInit", 0U); status != 0)
    return fmt::format(
        "the NVIDIA driver does not start (error {} of cuInit; nvidia-smi says more)", status);
  int count = 0;
  Device handle = 0;
  if (call_cuda_driver("cuDeviceGetCount", &count) != 0 || device < 0 || device >= count ||
      call_cuda_driver("cuDeviceGet", &handle, device) != 0)
    return fmt::format(
        "the NVIDIA driver shows {} GPUs, and number {} is asked for; check nvidia-smi, "
        "CUDA_VISIBLE_DEVICES and OMP_DEFAULT_DEVICE",
        count, device);
  found = describe(handle);
  return "";
}

int current_multiprocessors() {
  Context context = nullptr;
  CudaDriverResource found;
  if (call_cuda_driver("cuCtxGetCurrent", &context) != 0 || context == nullptr ||
      call_cuda_driver("cuCtxGetDevResource", context, &found, cuda_driver_multiprocessors) != 0)
    return 0;
  return static_cast<int>(found.multiprocessors);
}

std::optional<bool> counters_restricted(const std::filesystem::path& params) {
  const std::string value = value_of(params, "RmProfilingAdminOnly");
  if (value.empty()) return std::nullopt;
  return value != "0";
}

bool is_administrator(const std::filesystem::path& status) {
  constexpr int sys_admin = 21;  // number of the bit in linux/capability.h
  constexpr int perfmon = 38;
  const std::string effective = value_of(status, "CapEff");
  if (effective.empty() || effective.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  const unsigned long long set = std::stoull(effective.substr(0, 16), nullptr, 16);
  return ((set >> sys_admin) & 1) != 0 || ((set >> perfmon) & 1) != 0;
}

std::string missing_right() {
  return "this user may not read the GPU's counters: run with CAP_SYS_ADMIN, which root has "
         "outside of containers, and docker run --cap-add SYS_ADMIN or the securityContext of a "
         "pod gives inside; or let the host's administrator load the driver with "
         "NVreg_RestrictProfilingToAdminUsers=0 (in /etc/modprobe.d), see "
         "https://developer.nvidia.com/ERR_NVGPUCTRPERM";
}

}  // namespace roofline
