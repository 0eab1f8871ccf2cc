// What the library of a plug-in exports: between build.cpp, which writes it, and load.cpp.
#pragma once

#include <string_view>

#include "harness/variant.h"

namespace gpp {

/// Stands in the library's bytes, before the stamp.
inline constexpr std::string_view stamp_mark = "the stamp of a plug-in of gpp: ";

/// What it tells of itself.
struct PluginFacts {
  const char* kernel;
  const char* name;
  const char* kind;  ///< of device
  const char* file;  ///< its source
};
inline constexpr const char* facts_symbol = "gpp_plugin_facts";

/// The call of a step; nullptr where it has none of that name.
using FindVariant = const Call* (*)(std::string_view step);
inline constexpr const char* variant_symbol = "gpp_loaded_variant";

}  // namespace gpp
