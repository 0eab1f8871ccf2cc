// Tests that the CUDA runtime places, copies and describes; skipped without a device.
#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "gpp/study/shapes.h"
#include "runtimes/runtime.h"
#include "tests/gpp/subject.h"
#include "tests/text.h"

namespace gpp {
namespace {

const Variant& cuda_variant(const std::string& id) {
  return *std::find_if(catalog().begin(), catalog().end(), [&id](const Variant& variant) {
    return variant.model == "cuda" && variant.id == id;
  });
}

/// Runs it once and returns the seconds.
double run(Placement& placement, const std::string& id) {
  const Variant& variant = cuda_variant(id);
  return cuda_runtime().time([&] { placement.run(variant, variant.builds.front().call); });
}

Shape shape_of(int ncouls, int ngpown) {
  Shape shape;
  shape.ncouls = ncouls;
  shape.ngpown = ngpown;
  return shape;
}

/// Allocates all device memory except `rest` bytes.
class Hog {
 public:
  explicit Hog(long long rest) {
    const auto bytes = static_cast<std::size_t>(cuda_runtime().free_bytes() - rest);
    EXPECT_EQ(cudaMalloc(&memory_, bytes), cudaSuccess);
  }
  ~Hog() { cudaFree(memory_); }
  Hog(const Hog&) = delete;
  Hog& operator=(const Hog&) = delete;

 private:
  void* memory_ = nullptr;
};

class CudaRuntime : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = cuda_runtime().unavailable();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_F(CudaRuntime, RefusesAProblemThatDoesNotFitAndGoesOnWithOneThatDoes) {
  const auto large = test::subject_of(random_input(shape_of(4096, 1024), 1));
  const auto small = test::subject_of(random_input(shape_of(33, 7), 1));
  const Hog hog(100'000'000);
  const std::string refused =
      test::thrown<std::runtime_error>([&] { large->place(cuda_runtime()); });
  EXPECT_TRUE(test::contains_all(refused, {"of device memory, but only", "nvidia-smi"}))
      << "134 MB into 100 MB";
  EXPECT_GT(run(*small->place(cuda_runtime()), "v1"), 0.0);
}

TEST_F(CudaRuntime, NotesTheLaunchesOfTheLastRunAndAPlausibleClock) {
  const auto problem = test::subject_of(random_input(shape_of(131, 33), 1));
  const auto placement = problem->place(cuda_runtime());
  run(*placement, "v1");
  run(*placement, "v8");
  const std::vector<Launch> launches = cuda_runtime().launches();
  ASSERT_EQ(launches.size(), 4u);  // a kernel and a sum per frequency
  EXPECT_THAT(launches[0].kernel, testing::HasSubstr("::kernel"));
  EXPECT_THAT(launches[1].kernel, testing::HasSubstr("sum_partials"));
  EXPECT_EQ(launches[0].blocks, 33);  // 131 G fit one block of 512, per each of 33 G'
  EXPECT_EQ(launches[0].threads_per_block, 512);
  EXPECT_GT(launches[0].registers, 16);
  EXPECT_TRUE(launches[0].occupancy > 0.0 && launches[0].occupancy <= 1.0);
  const double clock = cuda_runtime().pulse(brief_pulse).clock_mhz;
  EXPECT_TRUE(clock > 100.0 && clock < 5000.0) << clock;
}

}  // namespace
}  // namespace gpp
