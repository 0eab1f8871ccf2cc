// Accesses, bytes and operations of instrumented code, against what the source says.
#include "roofline/trace/trace.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "roofline/machine_code/sampler.h"
#include "roofline/trace/work.h"
#include "tests/roofline/traced_sample.h"

namespace roofline {
namespace {

constexpr int n = 4096;
const std::vector<CacheShape> caches = {{1, 4096, 4, 64}, {2, 1 << 20, 8, 64}};

template <class Work>
Trace trace_of(const Work& work) {
  begin_trace(caches);
  work();
  return end_trace();
}

TEST(Trace, EveryAccessIsNotedAndEveryLineMovedOnce) {
  const std::vector<double> x(n, 1);
  std::vector<double> y(n, 2);
  const Trace trace = trace_of([&] { traced::axpy(n, 3, x.data(), y.data()); });
  EXPECT_EQ(trace.loads, 2u * n);
  EXPECT_EQ(trace.stores, 1u * n);
  EXPECT_EQ(trace.l1_bytes, 3 * 8 * n);
  ASSERT_EQ(trace.bytes_behind.size(), 2u);
  // x comes, y comes and goes; arrays need not begin with a line.
  for (const double bytes : trace.bytes_behind) EXPECT_NEAR(bytes, 3 * 8 * n, 4 * 64);
  EXPECT_EQ(y[n - 1], 5);
}

TEST(Trace, CopiesAreAccesses) {
  const std::vector<double> x(n, 1);
  std::vector<double> y(n, 2);
  std::vector<char> z(8 * n, 'z');
  double sum = 0;
  EXPECT_EQ(trace_of([&] { sum = traced::sum_of_copies(n, x.data()); }).l1_bytes, 8 * n)
      << "the array that they are copied to stands for registers";
  EXPECT_EQ(sum, n);
  EXPECT_EQ(trace_of([&] { traced::copy_and_fill(n, x.data(), y.data(), z.data()); }).l1_bytes,
            3 * 8 * n);
  EXPECT_EQ(y[n - 1], 1);
  EXPECT_EQ(z[8 * n - 1], 0);
}

TEST(Trace, OperationsFollowFromTheBlocks) {
  const std::vector<double> x(n, 1);
  std::vector<double> y(n, 2);
  const Trace trace = trace_of([&] { traced::axpy(n, 3, x.data(), y.data()); });
  const TracedWork work = TracedCode(own_program()).work_of(trace.blocks);
  ASSERT_EQ(work.reason, "");
  EXPECT_EQ(work.fp64_flop, 2 * n);
  EXPECT_EQ(work.fp32_flop, 0);
  EXPECT_EQ(work.divisions, 0);
}

TEST(Trace, DivisionsAndSinglePrecisionAreToldApart) {
  const std::vector<float> x(n, 1);
  std::vector<float> y(n, 2);
  const Trace trace = trace_of([&] { traced::divide(n, x.data(), y.data()); });
  const TracedWork work = TracedCode(own_program()).work_of(trace.blocks);
  ASSERT_EQ(work.reason, "");
  EXPECT_EQ(work.fp32_flop, n);
  EXPECT_EQ(work.divisions, n);
  EXPECT_EQ(work.fp64_flop, 0);
}

TEST(Trace, CallsOfALibraryAreCounted) {
  const std::vector<double> x(n, 1);
  volatile double sum = 0;
  const Trace trace = trace_of([&] { sum = traced::lengths(n, x.data()); });
  const TracedWork work = TracedCode(own_program()).work_of(trace.blocks);
  ASSERT_EQ(work.reason, "");
  EXPECT_EQ(work.calls.at("hypot"), n);
  EXPECT_EQ(work.fp64_flop, 5 * n) << "an addition, and 4 for a hypot";
}

TEST(Trace, OtherThreadsAreSaid) {
  std::vector<double> x(n, 1), y(n, 2);
  const Trace trace =
      trace_of([&] { std::thread([&] { traced::axpy(n, 3, x.data(), y.data()); }).join(); });
  EXPECT_TRUE(trace.other_threads);
  EXPECT_EQ(trace.loads, 0u);
}

TEST(Trace, OutsideATraceNothingIsNoted) {
  std::vector<double> x(n, 1), y(n, 2);
  traced::axpy(n, 3, x.data(), y.data());
  const Trace trace = trace_of([] {});
  EXPECT_EQ(trace.loads, 0u);
  EXPECT_TRUE(trace.blocks.empty());
  EXPECT_FALSE(trace.other_threads);
}

TEST(Trace, BlocksThatLieInNoFunctionAreNoWork) {
  const TracedWork work = TracedCode(own_program()).work_of({{1, 5}});
  EXPECT_EQ(work.fp64_flop, 0);
}

}  // namespace
}  // namespace roofline
