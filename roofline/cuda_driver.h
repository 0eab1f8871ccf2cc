// The NVIDIA driver (libcuda.so.1), loaded on first use, so that a program starts without it; and
// whether it lets this process read counters. Compiles without CUDA.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace roofline {

/// The address of a driver function with this full name ("cuMemGetInfo_v2"); nullptr without a
/// driver or such a function.
void* cuda_driver_symbol(const char* name);

/// The message that there is no driver, with a remedy; empty if there is one. CUDA's runtime would
/// call it too old.
std::string no_cuda_driver();

/// Finds a function of the driver by name. Returns false if there is none.
template <typename Function>
bool find_cuda_driver_function(const char* name, Function& function) {
  function = reinterpret_cast<Function>(cuda_driver_symbol(name));
  return function != nullptr;
}

/// Calls a function of the driver by its full name, with arguments of exactly its types. Returns
/// its result, which is 0 for success; 500 (CUDA_ERROR_NOT_FOUND) without such a function.
template <class... Arguments>
int call_cuda_driver(const char* name, Arguments... arguments) {
  int (*function)(Arguments...) = nullptr;
  return find_cuda_driver_function(name, function) ? function(arguments...) : 500;
}

/// One GPU as the driver describes it.
struct CudaDriverDevice {
  std::string name;            ///< "NVIDIA H200"
  std::string place;           ///< on the bus: "0000:3b:00.0"; empty where it is not told
  std::string uuid;            ///< its begin, for CUDA_VISIBLE_DEVICES: "GPU-8932f937"; or empty
  int multiprocessors = 0;     ///< streaming multiprocessors
  int compute_capability = 0;  ///< compute capability: 90 for 9.0
  long long memory_bytes = 0;
  long long free_bytes = 0;  ///< free memory in bytes; 0 if unknown
  int cuda_version = 0;      ///< highest supported version: 13000 for 13.0
};

/// Describes GPU number `device` in `found` and returns ""; else returns the reason why there is
/// none, and what to check.
std::string ask_cuda_driver(int device, CudaDriverDevice& found);

/// The driver's description of a share of a device, with the layout in cuda.h (CUdevResource, CUDA
/// 12.4 and later).
struct CudaDriverResource {
  int type = 0;
  unsigned char padding[92] = {};
  unsigned multiprocessors = 0;
  unsigned char rest[44] = {};
};
inline constexpr int cuda_driver_multiprocessors = 1;  ///< resource type of multiprocessors

/// The number of multiprocessors that the current context may use, which is smaller in a green
/// context. 0 without a context, or if the driver is too old.
int current_multiprocessors();

/// True if the driver restricts counters to administrators (RmProfilingAdminOnly in its
/// parameters); empty if no driver is loaded or it does not report this.
std::optional<bool> counters_restricted(
    const std::filesystem::path& params = "/proc/driver/nvidia/params");

/// True if this process may read restricted counters: it is root, or has CAP_SYS_ADMIN or
/// CAP_PERFMON (capability sets of proc(5)).
bool is_administrator(const std::filesystem::path& status = "/proc/self/status");

/// The missing permission, and who can grant it, outside of containers and in them.
std::string missing_right();

}  // namespace roofline
