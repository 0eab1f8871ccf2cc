// The contract of a variant: a function from a problem to its answer.
//
// It knows the problem and nothing of timing, checking or counters. The catalog of a kernel is made
// by CMake from the names of the files in its folders: variants/cuda/v07_reciprocal.cu holds
// reciprocal and is listed as v7, reciprocal, cuda.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtimes/runtime.h"

namespace gpp {

/// Calls a variant on a problem of its kernel, whose arrays lie where the variant's runtime placed
/// them, and leaves the answer. Only the kernel knows the types behind the pointers.
using Call = std::function<void(const void* problem, void* answer)>;

/// The call of a variant `Answer f(const Problem&)`.
template <class Problem, class Answer>
Call call_of(Answer (*function)(const Problem&)) {
  return [function](const void* problem, void* answer) {
    *static_cast<Answer*>(answer) = function(*static_cast<const Problem*>(problem));
  };
}

/// The call of a variant `void f(const Problem&)`, whose answer lies in an array of the problem.
template <class Problem>
Call call_of(void (*function)(const Problem&)) {
  return [function](const void* problem, void* /*answer*/) {
    function(*static_cast<const Problem*>(problem));
  };
}

/// A variant compiled for one kind of device.
struct Build {
  std::string kind;  ///< of device: "host" or "gpu"
  Call call;
  const Runtime* runtime = nullptr;  ///< runs and times it; lives forever
};

/// A kind of device that a variant could be compiled for and was not.
struct NotBuilt {
  std::string kind;    ///< as in Build
  std::string reason;  ///< why not, with a remedy
};

/// One row of a catalog.
struct Variant {
  std::string id;             ///< "v7"; the file's own name where it has no number
  std::string step;           ///< "reciprocal"
  std::string model;          ///< "cuda", "omp", "thrust" or "serial"
  std::string source;         ///< path in the repository; empty where a model has no such step
  std::vector<Build> builds;  ///< empty where this program holds none
  std::string reason;         ///< why not, where builds is empty
  std::vector<NotBuilt> not_built = {};  ///< where there are builds, the ones that are lacking
};

/// 7 of "v7"; 0 of an id without a number.
int number_of(std::string_view id);

/// The name of a variant's file: "v8_power2", or "my_idea" where it has no number.
std::string label_of(const Variant& variant);

}  // namespace gpp
