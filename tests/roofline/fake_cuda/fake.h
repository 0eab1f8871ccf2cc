// The interface between the parts of the fake: the driver (libcuda.so.1), CUPTI (libcupti.so.13)
// and the program. The driver runs kernels that are names and nothing else.
#pragma once

#include <cuda.h>
#include <cupti_callbacks.h>

#include <cstdint>

namespace fake {

struct Kernel {
  const char* symbol = nullptr;  ///< lives as long as the process
  const char* work = nullptr;    ///< the kernel whose counts it has, mostly the same
  CUcontext context = nullptr;
  std::uint32_t correlation = 0;
  std::uint32_t stream = 0;
};

/// Events that CUPTI is told of.
struct Profiler {
  void (*called)(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) = nullptr;
  void (*ran)(const Kernel& kernel) = nullptr;
  void (*unloaded)() = nullptr;
};

}  // namespace fake

extern "C" {
void fake_attach(const fake::Profiler* profiler);

/// "refused" is refused; a signal comes while "interrupts" runs, and another thread forks while
/// "forks" does. "k|k2" is called k and counts as k2. Whatever is launched while a stream is
/// captured does not run.
CUresult fake_launch(const char* symbol);
/// The stream of this thread's launches from now on: its number, as CUPTI tells it.
void fake_stream(int number);
/// One launch of as many kernels as there are names, divided by commas.
void fake_launch_graph(const char* symbols);
void fake_capture(bool on);
void fake_profiler(bool on);
/// Makes a context the current one of this thread. 0 is the primary one.
void fake_context(int number);
void fake_destroy_context(int number);
/// The GPU of the context's number, where there is one.
int fake_device(CUcontext context);
/// Unloads the module of all kernels so far.
void fake_unload();
/// Calls NVTX as programs do; it enters the library that NVTX_INJECTION64_PATH names.
void fake_push(const char* range);
void fake_pop();
/// Marks a range in a domain of NVTX of that name.
void fake_push_in(const char* domain, const char* range);
void fake_pop_in(const char* domain);
std::uint64_t fake_start(const char* range);
void fake_end(std::uint64_t range);
}
