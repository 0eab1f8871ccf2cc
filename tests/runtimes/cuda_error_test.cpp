// Tests that each CUDA error that a user can fix has its own message.
#include <cuda_runtime.h>

#include <stdexcept>
#include <utility>

#include "tests/text.h"

namespace gpp::cuda {

void check(cudaError_t status, const char* doing);  // declared in launch.h, only for nvcc

namespace {

std::string message_of(cudaError_t status) {
  return test::thrown<std::runtime_error>([&] { check(status, "testing"); });
}

TEST(CudaError, SaysWhatWasBeingDoneAndWhatCudaCallsIt) {
  EXPECT_EQ(message_of(cudaSuccess), "");
  EXPECT_TRUE(test::contains_all(message_of(cudaErrorInvalidValue),
                                 {"while testing", "cudaErrorInvalidValue"}));
}

TEST(CudaError, EachHasItsRemedy) {
  const std::pair<cudaError_t, const char*> remedies[] = {
      {cudaErrorMemoryAllocation, "smaller input"},
      {cudaErrorNoDevice, "CUDA_VISIBLE_DEVICES"},
      {cudaErrorInsufficientDriver, "update the driver"},
      {cudaErrorNoKernelImageForDevice, "CMAKE_CUDA_ARCHITECTURES"},
      {cudaErrorLaunchOutOfResources, "registers or shared memory"},
      {cudaErrorIllegalAddress, "compute-sanitizer"},
      {cudaErrorDevicesUnavailable, "exclusively"},
  };
  for (const auto& [status, remedy] : remedies)
    EXPECT_TRUE(test::contains(message_of(status), remedy));
}

}  // namespace
}  // namespace gpp::cuda
