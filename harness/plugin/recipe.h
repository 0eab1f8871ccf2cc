// The recipes for compiling plug-ins, equal to those for variants of the source tree.
#pragma once

#include <string>
#include <vector>

#include "runtimes/runtime.h"

namespace gpp {

/// The recipe of one kernel's model for one kind of device. Options and links are separated by ';'.
struct Recipe {
  std::string kernel, model;
  std::string kind;   ///< kind of device: "host" or "gpu"
  std::string space;  ///< namespace of its functions: "gpp::omp"
  const Runtime* runtime = nullptr;
  bool cuda = false;         ///< compiled by nvcc, else by the C++ compiler
  std::string options = {};  ///< options beyond those of every source
  std::string links = {};    ///< libraries to link
  std::string missing = {};  ///< reason why this program lacks the model; empty if it has it
};

/// All recipes of this program. cmake/kernels.cpp.in defines it.
const std::vector<Recipe>& recipes();

}  // namespace gpp
