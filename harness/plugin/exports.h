// The symbols that a plug-in's library exports. compile.cpp writes them, load.cpp reads them.
#pragma once

#include "runtimes/registration.h"

namespace gpp {

/// Facts that a library contains about itself.
struct PluginFacts {
  const char* kernel;
  const char* name;  ///< id of the variant
  const char* model;
  const char* kind;    ///< kind of device
  const char* source;  ///< the source's name in records
  const Registration* const* variants;
};
inline constexpr const char* facts_symbol = "gpp_plugin_facts";

}  // namespace gpp
