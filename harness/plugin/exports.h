// The symbols that a plug-in's library exports. build.cpp writes them, load.cpp reads them.
#pragma once

#include <string_view>

#include "harness/variant.h"

namespace gpp {

struct Kernel;

/// Precedes the stamp in the library's bytes.
inline constexpr std::string_view stamp_mark = "the stamp of a plug-in of gpp: ";

/// Facts that a library contains about itself.
struct PluginFacts {
  const char* kernel;
  const char* name;
  const char* kind;  ///< kind of device, or kind_of_a_kernel
  const char* file;  ///< source of a plug-in, folder of a kernel
};
inline constexpr const char* facts_symbol = "gpp_plugin_facts";

/// Returns the call of a step; nullptr for an unknown name.
using FindVariant = const Call* (*)(std::string_view step);
inline constexpr const char* variant_symbol = "gpp_loaded_variant";

inline constexpr const char* kind_of_a_kernel = "kernel";
using GetKernel = const Kernel* (*)();
inline constexpr const char* kernel_symbol = "gpp_loaded_kernel";

}  // namespace gpp
