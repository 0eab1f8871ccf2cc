// CUPTI, loaded when first asked for: the program starts without it.
#pragma once

#include <string>
#include <vector>

#include "roofline/cupti/functions.h"

namespace roofline::cupti {

struct Library {
  Functions functions;
  std::string path;        ///< of the file that was loaded
  unsigned version = 0;    ///< CUPTI's own number: 24 for CUDA 12.6, 130000 for 13.0
  void* handle = nullptr;  ///< of dlopen
};

/// Files to try, in this order: below $CUPTI_PATH and $CUDA_PATH where they are set, below the
/// toolkit that the program was built with, below
/// /usr/local/cuda, and what the system's loader finds.
std::vector<std::string> candidates();

/// The one that the process has loaded already, else the first candidate that has every function:
/// two copies would refuse each other. Loaded once; it stays. Throws RecorderError, telling what
/// was tried.
const Library& library();

/// Throws RecorderError where the library has not all that evidence per source line needs.
void expect_line_functions(const Library& library);

/// "12.6" for 24, "13.0" for 130000: the CUDA version that a CUPTI came with (cupti_version.h).
std::string cuda_version_of(unsigned cupti_version);

/// Whether a CUPTI can work with a driver that supports CUDA `driver` (12080 for 12.8; 0: none is
/// loaded): empty where it can. Within a major version all fit (CUDA Compatibility guide).
std::string version_mismatch(unsigned cupti_version, int driver);

}  // namespace roofline::cupti
