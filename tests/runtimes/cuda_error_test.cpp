// Each of CUDA's errors that a user can do something about has a message of its own.
#include <cuda_runtime.h>
#include <gmock/gmock.h>

#include <set>
#include <stdexcept>

#include "tests/text.h"

namespace gpp::cuda {

void check(cudaError_t status, const char* doing);  // launch.h, which nvcc alone reads

namespace {

std::string message_of(cudaError_t status) {
  return test::thrown<std::runtime_error>([&] { check(status, "testing"); });
}

TEST(CudaError, SuccessIsSilent) { EXPECT_EQ(message_of(cudaSuccess), ""); }

TEST(CudaError, SaysWhatWasBeingDoneAndWhatCudaCallsIt) {
  const std::string message = message_of(cudaErrorInvalidValue);
  EXPECT_THAT(message, testing::HasSubstr("while testing"));
  EXPECT_THAT(message, testing::HasSubstr("cudaErrorInvalidValue"));
}

TEST(CudaError, RemediesAreToldApart) {
  const std::pair<cudaError_t, const char*> remedies[] = {
      {cudaErrorMemoryAllocation, "smaller input"},
      {cudaErrorNoDevice, "CUDA_VISIBLE_DEVICES"},
      {cudaErrorInsufficientDriver, "update the driver"},
      {cudaErrorNoKernelImageForDevice, "CMAKE_CUDA_ARCHITECTURES"},
      {cudaErrorLaunchOutOfResources, "registers or shared memory"},
      {cudaErrorIllegalAddress, "compute-sanitizer"},
      {cudaErrorDevicesUnavailable, "exclusively"},
  };
  std::set<std::string> messages;
  for (const auto& [status, remedy] : remedies) {
    EXPECT_THAT(message_of(status), testing::HasSubstr(remedy));
    messages.insert(message_of(status));
  }
  EXPECT_EQ(messages.size(), std::size(remedies));
}

}  // namespace
}  // namespace gpp::cuda
