// The NVIDIA driver (libcuda.so.1), loaded once when first asked for: a program starts without it.
// Needs nothing of CUDA to compile.
#pragma once

#include <string>

namespace roofline {

/// The address of a function of the driver by its whole name ("cuMemGetInfo_v2"); nullptr where
/// there is no driver, or this one has no such function.
void* cuda_driver_symbol(const char* name);

/// That there is no driver here, and what to do; empty where there is one. CUDA's runtime would
/// call it too old.
std::string no_cuda_driver();

/// Finds a function of the driver by name. False where there is none.
template <typename Function>
bool find_cuda_driver_function(const char* name, Function& function) {
  function = reinterpret_cast<Function>(cuda_driver_symbol(name));
  return function != nullptr;
}

/// Finds functions of the driver for the members of a struct that is derived from it: each becomes
/// what its member is.
struct CudaDriverFunctions {
  struct Found {
    void* address;
    template <class Function>
    operator Function() const {  // NOLINT(google-explicit-constructor): that is its purpose
      return reinterpret_cast<Function>(address);
    }
  };
  Found find(const char* name) {
    void* const address = cuda_driver_symbol(name);
    complete = complete && address != nullptr;
    return {address};
  }

  bool complete = true;  ///< all were there
};

/// One GPU as the driver describes it.
struct CudaDriverDevice {
  std::string name;            ///< "NVIDIA H200"
  std::string place;           ///< on the bus: "0000:3b:00.0"; empty where it is not told
  std::string uuid;            ///< its begin, for CUDA_VISIBLE_DEVICES: "GPU-8932f937"; or empty
  int multiprocessors = 0;     ///< streaming multiprocessors
  int compute_capability = 0;  ///< 90 for 9.0
  long long memory_bytes = 0;
  long long free_bytes = 0;  ///< 0 where it cannot be asked
  int cuda_version = 0;      ///< that the driver supports: 13000 for 13.0
};

/// Asks for GPU number `device`. Empty, with the device in `found`; else why there is none, and
/// what to check.
std::string ask_cuda_driver(int device, CudaDriverDevice& found);

/// The driver's description of a share of a device, laid out as in cuda.h (CUdevResource, CUDA 12.4
/// and later).
struct CudaDriverResource {
  int type = 0;
  unsigned char padding[92] = {};
  unsigned multiprocessors = 0;
  unsigned char rest[44] = {};
};
inline constexpr int cuda_driver_multiprocessors = 1;  ///< a type of resource

/// The multiprocessors that the current context may use: fewer than the device has where it is a
/// green context. 0 where there is no context, or an older driver cannot be asked.
int current_multiprocessors();

}  // namespace roofline
