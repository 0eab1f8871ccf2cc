#include "roofline/cupti/functions.h"

#include <fmt/format.h>

#include "roofline/permission.h"
#include "roofline/recorder.h"

namespace roofline::cupti {
namespace {

constexpr const char* busy =
    "another program holds the GPU's counters; end other profilers (ncu, nsys, cuda-gdb) on this "
    "node, or pause DCGM while measuring: dcgmi profile --pause, afterwards dcgmi profile --resume";

/// If CUPTI gives no reason, a running DCGM service is the most likely one.
std::string unexplained() {
  return dcgm_running() ? "CUPTI gives no reason, but DCGM runs here and may hold the counters; "
                          "pause it while measuring: dcgmi profile --pause"
                        : "CUPTI gives no reason; see that the driver fits the CUDA toolkit and "
                          "that no other profiler runs";
}

}  // namespace

std::string explain(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return missing_right();
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "the hypervisor does not let this virtual GPU be profiled; let its administrator "
             "switch profiling on for this vGPU (enable_profiling=1)";
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_DISABLED:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return busy;
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return "a virtual GPU of this kind cannot be profiled; use a whole GPU";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "a slice of a GPU (MIG) cannot be profiled; use a whole GPU";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return "a GPU in confidential computing mode cannot be profiled; let its administrator "
             "switch the mode off";
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_NOT_SUPPORTED:
      return "this GPU or this system cannot be profiled (SLI, WSL, mining cards and GPUs before "
             "compute capability 7.5 cannot); use another one";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return "this CUPTI does not know the GPU's chip; build with the CUDA toolkit that came with "
             "the GPU's generation or a later one";
    case CUPTI_ERROR_NOT_COMPATIBLE:
      return "the counters were planned for another chip than the one in use; choose one GPU for "
             "the whole run (CUDA_VISIBLE_DEVICES)";
    case CUPTI_ERROR_NOT_INITIALIZED:
    case CUPTI_ERROR_API_NOT_IMPLEMENTED:
      return "CUPTI and the driver do not fit together; update the driver, or let CUDA_PATH name "
             "a toolkit that is not newer than the driver";
    case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
      return "the program already uses CUPTI's old profiling interface, which excludes this one; "
             "run it without that tool";
    case CUPTI_ERROR_INVALID_CONTEXT:
    case CUPTI_ERROR_INVALID_DEVICE:
      return "there is no CUDA context to count in; see that the GPU works (nvidia-smi)";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "there is not enough memory for the counters; use a smaller input";
    default:
      return unexplained();
  }
}

void check(const Functions& functions, CUptiResult result, const char* call) {
  if (result == CUPTI_SUCCESS) return;
  const char* words = nullptr;
  if (functions.cuptiGetErrorMessage == nullptr ||
      functions.cuptiGetErrorMessage(result, &words) != CUPTI_SUCCESS || words == nullptr)
    words = "unknown error";
  const std::string text =
      fmt::format("{} ({}: error {}, {})", explain(result), call, static_cast<int>(result), words);
  if (result == CUPTI_ERROR_HARDWARE_BUSY) throw CountersBusy(text);
  throw RecorderError(text);
}

}  // namespace roofline::cupti
