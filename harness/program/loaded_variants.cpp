#include "harness/program/loaded_variants.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace gpp {
namespace {

/// Each library of variants defines such a function (cmake/loaded.cpp.in). It returns the call of a
/// step, or nullptr.
using FindVariant = const Call* (*)(std::string_view step);

/// Loads a library from the program's or the build's folder (the run path). It is never closed.
const Call& load(const std::string& library, const std::string& step) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw std::runtime_error(fmt::format(
        "its library cannot be loaded: {}; install what it names, or put {} beside the program",
        dlerror(), library));
  const auto find = reinterpret_cast<FindVariant>(dlsym(handle, "gpp_loaded_variant"));
  const Call* const call = find == nullptr ? nullptr : find(step);
  if (call == nullptr)
    throw std::runtime_error(
        fmt::format("{} does not hold {}: build it anew: cmake --build build", library, step));
  return *call;
}

}  // namespace

Call loaded_call(std::string library, std::string step) {
  return Call::found_by([library = std::move(library), step = std::move(step),
                         found = std::make_shared<const Call*>(nullptr)]() -> const Call& {
    if (*found == nullptr) *found = &load(library, step);
    return **found;
  });
}

}  // namespace gpp
