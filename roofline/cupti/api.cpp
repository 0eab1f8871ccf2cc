#include "roofline/cupti/api.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "roofline/base/machine.h"
#include "roofline/cuda_driver.h"

namespace roofline::cupti {
namespace {

namespace fs = std::filesystem;

/// The library's file names, first that of this build's headers, whose structures fit.
std::array<std::string, 2> file_names() {
  if constexpr (CUPTI_API_VERSION >= 130000) return {"libcupti.so.13", "libcupti.so.12"};
  return {"libcupti.so.12", "libcupti.so.13"};
}

/// Opens one file. If it exists but is unusable, the reason is added to `failures`.
std::optional<Library> open(const std::string& path, std::vector<std::string>& failures,
                            int only_if = 0) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | only_if);
  if (handle == nullptr) {
    std::error_code error;
    const char* reason = dlerror();
    if (fs::exists(path, error)) failures.emplace_back(reason);
    return std::nullopt;
  }
  constexpr const char* newest = "cuptiRangeProfilerEnable";  // of the functions in use
  void* const found = dlsym(handle, newest);
  if (found == nullptr) {
    failures.push_back(fmt::format("{} is older than CUDA 12.6: it has no {}", path, newest));
    dlclose(handle);
    return std::nullopt;
  }
  return Library{loaded_from(found), handle};
}

/// The files to try, in order.
std::vector<std::string> candidates() {
  std::vector<fs::path> roots;
  for (const char* variable : {"CUPTI_PATH", "CUDA_PATH", "CUDA_HOME"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      roots.emplace_back(value);
  roots.emplace_back(ROOFLINE_CUPTI_ROOT);
  roots.emplace_back("/usr/local/cuda");
  std::vector<std::string> paths;
  for (const std::string& name : file_names()) {
    for (const fs::path& root : roots)
      for (const char* folder : {"lib64", "extras/CUPTI/lib64", "lib", "targets/x86_64-linux/lib"})
        paths.push_back((root / folder / name).string());
    paths.push_back(name);
  }
  return paths;
}

Library load_library() {
  std::vector<std::string> failures;
  // Programs such as PyTorch load their own copy, which has the same name.
  for (const std::string& name : file_names())
    if (auto loaded = open(name, failures, RTLD_NOLOAD)) return *loaded;
  for (const std::string& path : candidates())
    if (auto loaded = open(path, failures)) return *loaded;
  throw RecorderError(
      fmt::format("CUPTI was not found{}; install the CUDA toolkit 12.6 or later with CUPTI "
                  "(cuda-cupti-13-0), or let CUDA_PATH name it",
                  failures.empty() ? "" : fmt::format(": {}", fmt::join(failures, "; "))));
}

/// Calls a function by its full name. Throws RecorderError if it fails.
template <class... Arguments>
void call(const char* name, Arguments... arguments) {
  const int result = call_cuda_driver(name, arguments...);
  if (result == 0) return;
  const char* words = nullptr;
  if (call_cuda_driver("cuGetErrorString", result, &words) != 0 || words == nullptr)
    words = "unknown error";
  throw RecorderError(fmt::format(
      "the CUDA driver refused {}: {}; see that the GPU works (nvidia-smi)", name, words));
}

}  // namespace

const Library& library() {
  // A failure is not stored, so the next call tries again.
  static const Library loaded = load_library();
  return loaded;
}

void* symbol(const char* name) {
  void* const found = dlsym(library().handle, name);
  if (found == nullptr)
    throw RecorderError(
        fmt::format("{} has no {}; install the CUDA toolkit 12.6 or later", library().path, name));
  return found;
}

std::string explain(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return missing_right();
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_DISABLED:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "another process holds the GPU's counters, which have one owner at a time; end other "
             "profilers (ncu, nsys, cuda-gdb) on this node, or pause DCGM while measuring: dcgmi "
             "profile --pause, afterwards dcgmi profile --resume";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
    case CUPTI_ERROR_NOT_INITIALIZED:
    case CUPTI_ERROR_API_NOT_IMPLEMENTED:
      return "CUPTI does not fit the GPU's chip or its driver; update the driver, or let CUDA_PATH "
             "name a toolkit that knows the chip and is not newer than the driver";
    default:
      return "this GPU, system or program cannot be profiled; see that the driver fits the CUDA "
             "toolkit, that no other profiler runs, and that one GPU serves the whole run "
             "(CUDA_VISIBLE_DEVICES). GPUs before compute capability 7.5, slices "
             "(MIG), SLI, WSL and confidential computing cannot; a virtual GPU can where its "
             "administrator sets enable_profiling=1";
  }
}

void check(CUptiResult result, const char* call) {
  if (result == CUPTI_SUCCESS) return;
  const char* words = nullptr;
  if (ROOFLINE_CUPTI(cuptiGetErrorMessage)(result, &words) != CUPTI_SUCCESS || words == nullptr)
    words = "unknown error";
  throw RecorderError(
      fmt::format("{} ({}: error {}, {})", explain(result), call, static_cast<int>(result), words));
}

Target current_target() {
  if (const std::string none = no_cuda_driver(); !none.empty()) throw RecorderError(none);
  call("cuInit", 0U);
  Target target;
  call("cuCtxGetCurrent", &target.context);
  if (target.context == nullptr) {
    call("cuDeviceGet", &target.device, 0);
    // The context is kept permanently, as the runtime does; another reference costs nothing.
    call("cuDevicePrimaryCtxRetain", &target.context, target.device);
    call("cuCtxSetCurrent", target.context);
  }
  call("cuCtxGetDevice", &target.device);
  return target;
}

void synchronize() { call("cuCtxSynchronize"); }

}  // namespace roofline::cupti
