// The occupancy calculator against NVIDIA's own, which the CUDA Toolkit has as a header.
#include "roofline/occupancy.h"

#include <cuda_occupancy.h>
#include <gtest/gtest.h>

namespace roofline {
namespace {

/// NVIDIA, CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct Chip {
  int capability, threads;
  std::size_t shared_bytes, most_of_a_block, reserved;
};
constexpr Chip chips[] = {
    {70, 2048, 96 << 10, 96 << 10, 0},      {75, 1024, 64 << 10, 64 << 10, 0},
    {80, 2048, 164 << 10, 163 << 10, 1024}, {86, 1536, 100 << 10, 99 << 10, 1024},
    {87, 1536, 164 << 10, 163 << 10, 1024}, {89, 1536, 100 << 10, 99 << 10, 1024},
    {90, 2048, 228 << 10, 227 << 10, 1024}, {100, 2048, 228 << 10, 227 << 10, 1024}};

/// Blocks of a multiprocessor, as NVIDIA's header has them.
int blocks_by_nvidia(const Chip& chip, const LaunchShape& shape) {
  cudaOccDeviceProp device;
  device.computeMajor = chip.capability / 10;
  device.computeMinor = chip.capability % 10;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = chip.threads;
  device.regsPerBlock = device.regsPerMultiprocessor = 65536;
  device.warpSize = 32;
  device.sharedMemPerBlock = 48 << 10;
  device.sharedMemPerMultiprocessor = chip.shared_bytes;
  device.numSms = 1;
  device.sharedMemPerBlockOptin = chip.most_of_a_block;
  device.reservedSharedMemPerBlock = chip.reserved;
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = 1024;
  kernel.numRegs = shape.registers;
  kernel.maxDynamicSharedSizeBytes = chip.most_of_a_block;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
  cudaOccDeviceState state;
  state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
  cudaOccResult result;
  EXPECT_EQ(
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, shape.threads,
                                              static_cast<std::size_t>(shape.shared_bytes)),
      CUDA_OCC_SUCCESS);
  return result.activeBlocksPerMultiprocessor;
}

TEST(Occupancy, IsThatOfNvidiasCalculator) {
  for (const Chip& chip : chips)
    for (const int threads : {1, 32, 33, 64, 96, 128, 256, 384, 512, 768, 1024})
      for (int registers = 16; registers <= 255; registers += 7)
        for (const long long shared :
             {0LL, 1LL, 1000LL, 5000LL, 16384LL, 33000LL, 48000LL, 65536LL}) {
          const LaunchShape shape{threads, registers, shared};
          ASSERT_EQ(occupancy(chip.capability, shape)->blocks(), blocks_by_nvidia(chip, shape))
              << chip.capability << ": " << threads << " threads, " << registers << " registers, "
              << shared << " bytes";
        }
}

}  // namespace
}  // namespace roofline
