// CUPTI, loaded on first use, so that the program starts without it. Its errors become messages
// with remedies.
#pragma once

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <string>
#include <vector>

#include "roofline/recorder.h"

namespace roofline::cupti {

struct Library {
  std::string path;        ///< path of the loaded file
  void* handle = nullptr;  ///< handle from dlopen
};

/// The library that the process has already loaded, else the first of CUDA 12.6 or later below
/// $CUPTI_PATH, $CUDA_PATH, the toolkit of the build, /usr/local/cuda, or in the loader's folders;
/// two copies would conflict. It is loaded once and stays. Throws RecorderError with the reasons.
const Library& library();

/// The address of a function of the library. Throws RecorderError.
void* symbol(const char* name);

/// The error and its remedy: "the counters are in use by another program; ...".
std::string explain(CUptiResult result);

/// Throws RecorderError if the call failed: the explanation, the call and CUPTI's message.
void check(CUptiResult result, const char* call);

/// The device on which work runs, as the driver knows it.
struct Target {
  CUcontext context = nullptr;
  CUdevice device = 0;
};

/// Makes sure that a context exists: the calling thread's, or else the primary context of the first
/// device, which the CUDA runtime and LLVM's OpenMP share. Throws RecorderError without driver,
/// device or context.
Target current_target();

/// Waits for all work of the context. Throws RecorderError if the work has failed.
void synchronize();

}  // namespace roofline::cupti

/// A function of the library.
#define ROOFLINE_CUPTI(name)                                                   \
  ([] {                                                                        \
    static const auto found =                                                  \
        reinterpret_cast<decltype(&::name)>(::roofline::cupti::symbol(#name)); \
    return found;                                                              \
  }())

/// Calls a function. An error is thrown with its name.
#define ROOFLINE_CUPTI_CALL(name, ...) \
  ::roofline::cupti::check(ROOFLINE_CUPTI(name)(__VA_ARGS__), #name)

/// Parameters of a call, with the struct size that CUPTI expects.
#define ROOFLINE_CUPTI_PARAMS(type, variable) \
  type variable = {};                         \
  variable.structSize = type##_STRUCT_SIZE

/// Calls a function with parameters that the statements set, and returns these. An error is thrown
/// with the function's name.
#define ROOFLINE_CUPTI_ASK(name, Params, ...) \
  [&] {                                       \
    ROOFLINE_CUPTI_PARAMS(Params, params);    \
    __VA_ARGS__;                              \
    ROOFLINE_CUPTI_CALL(name, &params);       \
    return params;                            \
  }()
