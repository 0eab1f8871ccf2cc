// What watches the launches of a program: by time or by counters.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>

#include "roofline/cupti/functions.h"
#include "roofline/inject/library/channel.h"

namespace roofline::inject {

/// A launch, as CUPTI tells of it.
struct Launch {
  CUcontext context = nullptr;
  std::string kernel;  ///< whole name for people; empty for a graph, and when the launch is over
  bool graph = false;
  std::uint32_t correlation = 0;  ///< CUPTI's number of it
};

/// Each function may throw; then nothing is watched any more.
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// Before and after a launch call. Between the two it may not be asked about another launch of
  /// the same thread. `ran`: whether the driver took it.
  virtual void before(const Launch& launch) = 0;
  virtual void after(const Launch& launch, bool ran) = 0;
  /// The device has done all that the program waited for.
  virtual void synchronized() = 0;
  /// Kernels of the context are about to be unloaded.
  virtual void module_ends(CUcontext context) = 0;
  virtual void context_ends(CUcontext context) = 0;
  /// The program ends; CUDA may be half gone.
  virtual void program_ends() = 0;
};

/// The name of a kernel as people write it, at most `longest_name` bytes.
std::string kernel_name(const char* symbol);

/// The device of the current context: "NVIDIA H200".
std::string device_name();

}  // namespace roofline::inject
