// The contract of a variant, and the catalog of all of them.
//
// A variant is a function from a Problem to its Sums. It knows the problem and nothing of timing,
// checking or counters. The catalog is made by CMake from the names of the files in variants/:
// variants/cuda/v07_reciprocal.cu holds gpp::cuda::reciprocal and is listed as v7, reciprocal,
// cuda.
#pragma once

#include <string>
#include <vector>

#include "gpp/problem.h"
#include "gpp/sums.h"

namespace gpp {

class Runtime;

/// Sums the whole problem. The arrays lie where the variant's runtime placed them. Returns when the
/// sums are complete. Throws std::runtime_error with a message for people when the device refuses.
using VariantFunction = Sums (*)(const Problem& problem);

/// A variant compiled for one kind of device.
struct Build {
  std::string device;  ///< "host" or "gpu"
  VariantFunction function = nullptr;
  const Runtime* runtime = nullptr;  ///< places problems and times calls there; lives forever
};

/// A kind of device that a variant could be compiled for and was not.
struct NotBuilt {
  std::string device;  ///< as in Build
  std::string reason;  ///< why not, with a remedy
};

/// One row of the catalog.
struct Variant {
  std::string id;             ///< "v7"; the file's own name where it has no number
  std::string step;           ///< "reciprocal"
  std::string model;          ///< "cuda", "omp", "thrust" or "serial"
  std::string source;         ///< path in the repository; empty where a model has no such step
  std::vector<Build> builds;  ///< empty where this program holds none
  std::string reason;         ///< why not, where builds is empty
  std::vector<NotBuilt> not_built = {};  ///< where there are builds, the ones that are lacking
};

/// Every variant of every model in the repository, built or not, in order of model and step.
const std::vector<Variant>& catalog();

}  // namespace gpp
