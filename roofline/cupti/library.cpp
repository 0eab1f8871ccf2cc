#include "roofline/cupti/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "roofline/base/process.h"
#include "roofline/recorder.h"

namespace roofline::cupti {
namespace {

namespace fs = std::filesystem;

/// The library's file names, first that of this build's headers, whose structures fit.
std::array<std::string, 2> file_names() {
  if constexpr (CUPTI_API_VERSION >= 130000) return {"libcupti.so.13", "libcupti.so.12"};
  return {"libcupti.so.12", "libcupti.so.13"};
}

/// Fills the table. Returns the name of the first missing function, or "".
std::string fill(void* handle, Functions& functions) {
#define ROOFLINE_CUPTI_LOAD(name)                                                    \
  functions.name = reinterpret_cast<decltype(functions.name)>(dlsym(handle, #name)); \
  if (functions.name == nullptr) return #name;
  ROOFLINE_CUPTI_FUNCTIONS(ROOFLINE_CUPTI_LOAD)
#undef ROOFLINE_CUPTI_LOAD
  return "";
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
  Library loaded;
  loaded.handle = handle;
  const std::string absent = fill(handle, loaded.functions);
  if (!absent.empty()) {
    failures.push_back(fmt::format("{} is older than CUDA 12.6: it has no {}", path, absent));
    dlclose(handle);
    return std::nullopt;
  }
  loaded.path = loaded_from(reinterpret_cast<void*>(loaded.functions.cuptiGetVersion));
  loaded.functions.cuptiGetVersion(&loaded.version);
  return loaded;
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

}  // namespace

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

const Library& library() {
  // A failure is not stored, so the next call tries again.
  static const Library loaded = load_library();
  return loaded;
}

std::string cuda_version_of(unsigned cupti_version) {
  if (cupti_version >= 130000)
    return fmt::format("{}.{}", cupti_version / 10000, cupti_version / 100 % 100);
  switch (cupti_version) {
    case 24:
    case 25:
      return "12.6";
    case 26:
      return "12.8";
    case 27:
    case 28:
      return "12.9";
    default:
      return cupti_version < 24 ? "before 12.6" : "12";
  }
}

std::string version_mismatch(unsigned cupti_version, int driver) {
  const std::string cuda = cuda_version_of(cupti_version);
  const int major = std::atoi(cuda.c_str());
  if (driver == 0 || driver / 1000 >= major) return "";
  return fmt::format(
      "the driver supports CUDA {}.{}, this CUPTI is of CUDA {}; update the driver, or let "
      "CUDA_PATH name a toolkit that is not newer than it",
      driver / 1000, driver % 1000 / 10, cuda);
}

}  // namespace roofline::cupti
