#include "roofline/likwid/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "roofline/recorder.h"

namespace roofline::likwid {
namespace {

/// The file that an address was loaded from.
std::string file_of(void* address, const std::string& otherwise) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return otherwise;
  std::error_code error;
  const auto whole = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : whole.string();
}

/// Fills the table; throws RecorderError with the name of the first function that is not there.
void fill(void* handle, Library& library) {
#define ROOFLINE_LIKWID_LOAD(name, type)                                                          \
  library.name = reinterpret_cast<type>(dlsym(handle, #name));                                    \
  if (library.name == nullptr)                                                                    \
    throw RecorderError(fmt::format(                                                              \
        "{} is not LIKWID 5, whose functions are used: it has no {}; install the package likwid " \
        "of Debian 12, Ubuntu 22.04 or later",                                                    \
        library.path, #name));
  ROOFLINE_LIKWID_FUNCTIONS(ROOFLINE_LIKWID_LOAD)
#undef ROOFLINE_LIKWID_LOAD
}

}  // namespace

std::vector<std::string> library_names() {
  return {"liblikwid.so.5", "liblikwid.so.5.4", "liblikwid.so.5.3", "liblikwid.so.5.2",
          "liblikwid.so"};
}

Library load(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) continue;
    Library library;
    void* const known = dlsym(handle, "perfmon_init");
    library.path = known == nullptr ? name : file_of(known, name);
    fill(handle, library);
    return library;
  }
  throw RecorderError(
      "LIKWID, which reads the counters of processors, is not installed: apt-get install likwid, "
      "or see https://github.com/RRZE-HPC/likwid");
}

}  // namespace roofline::likwid
