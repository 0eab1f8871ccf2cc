// CUPTI, loaded on first use, so that the program starts without it.
#pragma once

#include <string>
#include <vector>

#include "roofline/cupti/functions.h"

namespace roofline::cupti {

struct Library {
  Functions functions;
  std::string path;        ///< path of the loaded file
  unsigned version = 0;    ///< CUPTI's own number: 24 for CUDA 12.6, 130000 for 13.0
  void* handle = nullptr;  ///< handle from dlopen
};

/// The files to try, in order: below $CUPTI_PATH and $CUDA_PATH if set, below the toolkit of the
/// build, below /usr/local/cuda, and in the loader's default folders.
std::vector<std::string> candidates();

/// The library that the process has already loaded, else the first candidate with every function;
/// two copies would conflict. It is loaded once and stays. Throws RecorderError with the list of
/// tried files.
const Library& library();

/// The CUDA version of a CUPTI (cupti_version.h): "12.6" for 24, "13.0" for 130000.
std::string cuda_version_of(unsigned cupti_version);

/// Returns "" if a CUPTI works with a driver that supports CUDA `driver` (12080 for 12.8; 0: none
/// loaded). Versions with the same major number fit (CUDA Compatibility guide).
std::string version_mismatch(unsigned cupti_version, int driver);

}  // namespace roofline::cupti
