// What the library of a plug-in exports: between build.cpp, which writes it, and load.cpp.
#pragma once

#include <string_view>

#include "harness/variant.h"

namespace gpp {

struct Kernel;

/// Stands in the library's bytes, before the stamp.
inline constexpr std::string_view stamp_mark = "the stamp of a plug-in of gpp: ";

/// Facts that a library tells of itself.
struct PluginFacts {
  const char* kernel;
  const char* name;
  const char* kind;  ///< of device; of a kernel: kind_of_a_kernel
  const char* file;  ///< its source; of a kernel: its folder
};
inline constexpr const char* facts_symbol = "gpp_plugin_facts";

/// The call of a step; nullptr where it has none of that name.
using FindVariant = const Call* (*)(std::string_view step);
inline constexpr const char* variant_symbol = "gpp_loaded_variant";

inline constexpr const char* kind_of_a_kernel = "kernel";
using GetKernel = const Kernel* (*)();
inline constexpr const char* kernel_symbol = "gpp_loaded_kernel";

}  // namespace gpp
