// How plug-ins are compiled: as the build compiles the variants of the tree.
#pragma once

#include <string>
#include <vector>

#include "runtimes/runtime.h"

namespace gpp {

/// One model of a kernel, for one kind of device. Several options or links are parted by ';'.
struct Recipe {
  std::string kernel, model;
  std::string kind;   ///< of device: "host" or "gpu"
  std::string space;  ///< the namespace of its functions: "gpp::omp"
  const Runtime* runtime = nullptr;
  bool cuda = false;         ///< nvcc compiles it, else the C++ compiler
  std::string options = {};  ///< beside those of every source
  std::string links = {};    ///< libraries
  std::string missing = {};  ///< why this program has no such model; empty where it has
};

/// All of this program, which defines it, from cmake/kernels.cpp.in.
const std::vector<Recipe>& recipes();

}  // namespace gpp
