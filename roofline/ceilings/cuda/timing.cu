#include "roofline/ceilings/cuda/gpu.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "roofline/ceilings/cuda/watch.cuh"
#include "roofline/cuda_driver.h"

namespace roofline::gpu {
namespace {

std::string remedy_of(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "The device has too little free memory: choose a smaller input, or free the device "
             "(nvidia-smi shows who uses it).";
    case cudaErrorNoDevice:
      return "No CUDA device is visible: check nvidia-smi and CUDA_VISIBLE_DEVICES.";
    case cudaErrorInsufficientDriver:
      return "The NVIDIA driver is older than this program's CUDA runtime needs: update the "
             "driver, or build with an older CUDA Toolkit.";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return "This program holds no code for this device: build again here, or with "
             "-DCMAKE_CUDA_ARCHITECTURES naming its compute capability.";
    case cudaErrorLaunchOutOfResources:
      return "The kernel needs more registers or shared memory per block than this device has.";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
      return "A kernel went wrong on the device: run the variant under compute-sanitizer. The "
             "device context is lost, so later CUDA variants of this process fail too.";
    case cudaErrorDevicesUnavailable:
      return "Another process holds the device exclusively: wait for it, or ask for another.";
    default:
      return {};
  }
}

std::shared_ptr<CUevent_st> new_event() {
  cudaEvent_t event{};
  check(cudaEventCreate(&event), "creating an event");
  return {event, cudaEventDestroy};
}

}  // namespace

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  std::string message = std::string("CUDA failed while ") + doing + ": " +
                        cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ").";
  if (const std::string advice = remedy_of(status); !advice.empty()) message += " " + advice;
  cudaGetLastError();  // clears the error if possible, so that other kernels can run
  throw std::runtime_error(message);
}

std::shared_ptr<void> device_memory(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "allocating memory for a benchmark");
  return {memory, cudaFree};
}

Stopwatch::Stopwatch()
    : start_(new_event()), stop_(new_event()), board_(device_memory(sizeof(Board))) {
  check(cudaMemset(board_.get(), 0, sizeof(Board)), "clearing memory for a benchmark");
}

Best Stopwatch::once(long long steps, const Launch& launch) {
  auto* board = static_cast<Board*>(board_.get());
  check(cudaEventRecord(start_.get()), "recording an event");
  launch(steps, board);
  check(cudaGetLastError(), "starting a benchmark");
  check(cudaEventRecord(stop_.get()), "recording an event");
  check(cudaEventSynchronize(stop_.get()), "waiting for a benchmark");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()),
        "reading the device's time");
  ClockReading passed{};
  check(cudaMemcpy(&passed, &board->clock, sizeof(passed), cudaMemcpyDeviceToHost),
        "reading the clock");
  const double mhz = passed.nanoseconds > 0 ? 1e3 * static_cast<double>(passed.cycles) /
                                                  static_cast<double>(passed.nanoseconds)
                                            : 0.0;
  return {1e-3 * milliseconds, mhz};
}

std::vector<Best> Stopwatch::all_of(int repetitions, long long steps, const Launch& launch) {
  once(steps, launch);
  std::vector<Best> all;
  for (int i = 0; i < repetitions; ++i) all.push_back(once(steps, launch));
  return all;
}

Best Stopwatch::best_of(int repetitions, long long steps, const Launch& launch) {
  return std::ranges::min(all_of(repetitions, steps, launch), {}, &Best::seconds);
}

long long Stopwatch::steps_for(double seconds, const Launch& launch) {
  constexpr long long most = 1 << 24;
  once(1, launch);  // the first launch also loads the code
  for (long long steps = 1; steps <= most; steps *= 4) {
    const double taken = once(steps, launch).seconds;
    if (taken < 0.2 * seconds) continue;
    return std::max(1LL, std::llround(static_cast<double>(steps) * seconds / taken));
  }
  throw std::runtime_error(
      "a benchmark of the ceilings takes no time however much work it is given: the compiler has "
      "left the work out; scripts/check-ceiling-code says which");
}

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&value, which, device), "asking for the device's attributes");
  return value;
}

int multiprocessors() {
  const int confined = current_multiprocessors();
  return confined > 0 ? confined : attribute(cudaDevAttrMultiProcessorCount);
}

int resident_blocks(const void* kernel, int threads_per_block) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads_per_block, 0),
        "asking for a benchmark's occupancy");
  return multiprocessors() * std::max(blocks, 1);
}

}  // namespace roofline::gpu
