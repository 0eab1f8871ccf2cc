// A GPU's neighbours and its clock's limits, by an NVML under the control of the test.
#include "harness/measure/gpu_watch.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <numeric>

#include "roofline/nvml.h"
#include "tests/harness/measure/fake_nvml.h"
#include "tests/harness/measure/study_fixture.h"
#include "tests/text.h"

namespace gpp {
namespace {

using roofline::ClockLimit;
using roofline::Nvml;
using test::contains;

constexpr const char* place = "0000:01:00.0";
constexpr Pulse alone{1980, 0.25e-3}, beside_another{1980, 2.3e-3};
constexpr int stranger = 1;  // no process of this program

class GpuWatchTest : public testing::Test {
 protected:
  GpuWatchTest() { nvml() = FakeNvml(); }

  static FakeNvml& nvml() {
    static void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    return *static_cast<FakeNvml*>(dlsym(library, "fake_nvml"));
  }
  GpuWatch watch{place};
};

TEST_F(GpuWatchTest, AnUnknownGpuHasAReasonAndNoAnswers) {
  const Nvml other("0000:02:00.0");
  EXPECT_TRUE(contains(other.missing(), "does not know the GPU at 0000:02:00.0"));
  EXPECT_FALSE(other.watts());
  EXPECT_FALSE(other.processes());
  EXPECT_TRUE(other.used_lately().empty());
}

TEST_F(GpuWatchTest, NumbersComeInTheirUnits) {
  EXPECT_EQ(Nvml(place).watts(), 431.5);
  EXPECT_EQ(Nvml(place).joules(), 1234.5);
  EXPECT_FALSE(Nvml(place).celsius()) << "this NVML has no such function";
}

TEST_F(GpuWatchTest, ALongListOfProcessesIsReadWhole) {
  nvml().processes.resize(1000);
  std::iota(nvml().processes.begin(), nvml().processes.end(), 1000);
  EXPECT_EQ(Nvml(place).processes()->size(), 1000u);
}

TEST_F(GpuWatchTest, OwnProcessesAreNoNeighbours) {
  nvml().processes = {getpid()};
  EXPECT_TRUE(watch.others(1).empty());
  EXPECT_EQ(watch.share_of_others(alone), 0);
  nvml().processes.push_back(stranger);
  nvml().used = {{stranger, 40}, {getpid(), 60}};
  EXPECT_EQ(watch.others(1), std::vector<int>{stranger});
  EXPECT_DOUBLE_EQ(watch.share_of_others(alone), 0.4);
}

TEST_F(GpuWatchTest, SharesOfNeighboursAddUp) {
  nvml().processes = {getpid(), stranger, 0};
  nvml().used = {{stranger, 40}, {0, 30}};
  EXPECT_DOUBLE_EQ(watch.share_of_others(alone), 0.7);
  nvml().used = {{stranger, 80}, {0, 70}};
  EXPECT_EQ(watch.share_of_others(alone), 1);
  nvml().processes = {getpid()};
  EXPECT_EQ(watch.share_of_others(Pulse{}), 0) << "the list alone tells that nobody is there";
}

TEST_F(GpuWatchTest, ProcessesHaveNames) {
  EXPECT_TRUE(contains(describe_process(getpid()), "(process " + std::to_string(getpid()) + ")"));
  EXPECT_EQ(describe_process(1 << 30), "process 1073741824");
  EXPECT_EQ(describe_process(0), "a process whose id is not known here");
}

TEST_F(GpuWatchTest, AnIdleNeighbourTakesNothing) {
  nvml().processes = {getpid(), stranger};
  EXPECT_EQ(watch.share_of_others(alone), 0);
  nvml().used = {{stranger, 100}};
  nvml().age_of_samples = 3;
  EXPECT_EQ(watch.share_of_others(alone), 0) << "it has stopped";
}

TEST_F(GpuWatchTest, InAContainerContextsAreCounted) {
  nvml().processes = {71001, 71002};
  EXPECT_TRUE(watch.others(2).empty());
  EXPECT_EQ(watch.others(1).size(), 1u);
  EXPECT_TRUE(watch.others(3).empty());
}

TEST_F(GpuWatchTest, ANeighbourThatNobodyListsIsSeenByTheClocksKernel) {
  nvml().refuses = true;
  EXPECT_TRUE(watch.others(1).empty());
  EXPECT_EQ(watch.share_of_others(alone), 0);
  EXPECT_NEAR(watch.share_of_others(beside_another), 0.87, 0.01);
  EXPECT_TRUE(std::isnan(watch.share_of_others(Pulse{}))) << "nothing tells";
}

TEST_F(GpuWatchTest, ClockLimitsHaveNames) {
  EXPECT_TRUE(watch.clock_limits().empty());
  nvml().reasons = 0x1;  // idle
  EXPECT_TRUE(watch.clock_limits().empty());
  nvml().reasons = 0x4;
  EXPECT_EQ(watch.clock_limits(), std::vector{ClockLimit::power});
  nvml().reasons = 0x4 | 0x40 | 0x8;
  EXPECT_EQ(watch.clock_limits(), (std::vector{ClockLimit::power, ClockLimit::heat}));
  for (const unsigned long long bit : {0x20ULL, 0x40ULL}) {
    nvml().reasons = bit;
    EXPECT_EQ(watch.clock_limits(), std::vector{ClockLimit::heat});
  }
  nvml().reasons = 0x80;
  EXPECT_EQ(watch.clock_limits(), std::vector{ClockLimit::power});
  nvml().reasons = 0x8;
  EXPECT_EQ(watch.clock_limits(), std::vector{ClockLimit::hardware});
  nvml().refuses = true;
  EXPECT_TRUE(watch.clock_limits().empty());
}

// ---- In a study ---------------------------------------------------------------------------------

class StudyOnAGpu : public test::Study {
 protected:
  StudyOnAGpu() {
    runtime.kind = "gpu";
    events.load = &load;
    events.gpu = [this](const Runtime&) -> const GpuWatch& { return watch; };
    options.timing.repeat = 10;
    options.counting.counters = CountersWanted::off;
  }
  Result result_of_one() {
    Variant variant = test::make_variant("one", test::right_sums, runtime);
    variant.builds.front().kind = "gpu";
    return run({variant}).front();
  }

  bool power = false;
  LoadMeter load;
  GpuWatch watch{GpuSources{
      [] { return std::vector<int>(); }, [] { return std::map<int, double>(); },
      [](int) { return false; },
      [this] { return power ? std::vector{ClockLimit::power} : std::vector<ClockLimit>(); }}};
};

TEST_F(StudyOnAGpu, RunsBesideANeighbourAreDisturbed) {
  runtime.waited = [](int) { return 2.3e-3; };
  const Result result = result_of_one();
  ASSERT_EQ(result.status, Status::passed) << result.reason;
  EXPECT_TRUE(result.trusted().disturbed);
  EXPECT_NEAR(result.taken().value(), 0.87, 0.01);
}

TEST_F(StudyOnAGpu, SomeRunsBesideANeighbourDoNotCount) {
  runtime.waited = [](int runs) { return runs % 2 == 0 ? 2.3e-3 : 0.25e-3; };
  const Result result = result_of_one();
  EXPECT_FALSE(result.trusted().disturbed);
  EXPECT_EQ(result.trusted().samples.size(), 5u);
}

TEST_F(StudyOnAGpu, AGpuOfOnesOwnIsQuietWhateverTheHostDoes) {
  runtime.waited = [](int) { return 0.25e-3; };
  const Result result = result_of_one();
  EXPECT_EQ(result.taken(), 0.0);
  EXPECT_FALSE(result.limited_by("power"));
}

TEST_F(StudyOnAGpu, WhatHoldsTheClockBackIsCounted) {
  power = true;
  runtime.clock = [](int runs) { return runs < test::first_runs + 4 ? 1980.0 : 1440.0; };
  const Result result = result_of_one();
  EXPECT_EQ(result.clocks.limited, (std::map<std::string, int>{{"power", 7}}))
      << "at the highest clock nothing is held back, whatever the driver says late";
  EXPECT_TRUE(result.limited_by("power"));
  EXPECT_FALSE(result.limited_by("heat"));
  EXPECT_DOUBLE_EQ(result.cycles().value(), 1440e6 * 0.5);
}

}  // namespace
}  // namespace gpp
