// The interface between the fake's parts: the driver (libcuda.so.1), CUPTI (libcupti.so.13) and the
// program. The fake's kernels are only names.
#pragma once

#include <cuda.h>
#include <cupti_callbacks.h>

#include <cstdint>

namespace fake {

struct Kernel {
  const char* symbol = nullptr;  ///< must live until the process ends
  const char* work = nullptr;    ///< the kernel that determines its counts, usually the same
  CUcontext context = nullptr;
  std::uint32_t correlation = 0;
};

/// Events reported to CUPTI.
struct Profiler {
  void (*called)(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) = nullptr;
  void (*ran)(const Kernel& kernel) = nullptr;
  void (*unloaded)() = nullptr;
};

}  // namespace fake

extern "C" {
void fake_attach(const fake::Profiler* profiler);

/// "refused" fails; a signal comes while "interrupts" runs, and another thread forks while "forks"
/// does. "k|k2" has the name k and the counts of k2. Launches during a stream capture do not run.
CUresult fake_launch(const char* symbol);
/// Launches a graph of the kernels in this comma-separated list.
void fake_launch_graph(const char* symbols);
void fake_capture(bool on);
/// Does what a forked process without CUDA does.
void fake_fork();
void fake_profiler(bool on);
/// Makes a context current in this thread. 0 is the primary one.
void fake_context(int number);
void fake_destroy_context(int number);
/// The GPU with the context's number, if it exists.
int fake_device(CUcontext context);
/// Unloads the module of all earlier kernels.
void fake_unload();
/// Calls NVTX like a program, which loads the library named by NVTX_INJECTION64_PATH.
void fake_push(const char* range);
void fake_pop();
/// Opens a range in the given NVTX domain.
void fake_push_in(const char* domain, const char* range);
void fake_pop_in(const char* domain);
std::uint64_t fake_start(const char* range);
void fake_end(std::uint64_t range);
}
