#include "roofline/ceilings/cuda/device.h"

#include <cuda_runtime.h>

#include <array>
#include <fstream>

#include "roofline/ceilings/cuda/timing.h"

namespace roofline::gpu {
namespace {

struct Row {
  int compute_capability;
  PerCycle per_cycle;
};

// Sources (NVIDIA, docs/sources.md): CUDA C++ Programming Guide, "Throughput of Native Arithmetic
// Instructions"; NVIDIA's white papers on V100, A100 and H100 (peaks over multiprocessors and
// clock, L1 bandwidth, L2 bandwidth of V100 and A100), on GA102 and on AD102. NVIDIA has published
// no L2 bandwidth for later devices. Tensor cores are measured from 8.0 on. With sums in FP32,
// GeForce cards of 8.6 and 8.9 have half the rate of others with the same capability, so those
// entries are 0.
constexpr Row table[] = {
    // Columns: fp64 fp32 fp16, tensor: fp64 fp16 tf32 fp8 int8, threads: issue alu xu, bytes: l1 l2
    {70, {32, 64, 128, 0, 0, 0, 0, 0, 128, 64, 16, 128, 2048}},              // V100
    {75, {2, 64, 128, 0, 0, 0, 0, 0, 128, 64, 16, 64, 0}},                   // Turing
    {80, {32, 64, 256, 64, 1024, 512, 0, 2048, 128, 64, 16, 128, 5120}},     // A100
    {86, {2, 128, 128, 0, 0, 0, 0, 1024, 128, 64, 16, 128, 0}},              // GA10x
    {89, {2, 128, 128, 0, 0, 0, 0, 1024, 128, 64, 16, 128, 0}},              // AD10x
    {90, {64, 128, 256, 128, 2048, 1024, 4096, 4096, 128, 64, 16, 128, 0}},  // H100, H200
};

/// Finds "580.159.04" in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  ..."
std::string kernel_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos)
      return word;
  return {};
}

}  // namespace

std::optional<PerCycle> per_cycle(int compute_capability) {
  for (const Row& row : table)
    if (row.compute_capability == compute_capability) return row.per_cycle;
  return std::nullopt;
}

Device current_device() {
  int current = 0;
  int driver = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&current), "asking for the current device");
  check(cudaGetDeviceProperties(&properties, current), "asking for the device's properties");
  check(cudaDriverGetVersion(&driver), "asking for the driver's version");
  Device device;
  device.name = properties.name;
  device.driver =
      "CUDA " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
  if (const std::string version = kernel_driver(); !version.empty())
    device.driver += ", driver " + version;
  std::array<char, 32> place{};
  check(cudaDeviceGetPCIBusId(place.data(), place.size(), current),
        "asking for the device's place");
  device.place = place.data();
  device.compute_capability = 10 * properties.major + properties.minor;
  device.multiprocessors = multiprocessors();
  device.memory_bytes = properties.totalGlobalMem;
  // Memory makes two transfers per cycle; the attributes are in kHz and bits.
  device.memory_bytes_per_s = 2.0 * 1e3 * attribute(cudaDevAttrMemoryClockRate) *
                              attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0;
  device.per_cycle = per_cycle(device.compute_capability);
  return device;
}

}  // namespace roofline::gpu
