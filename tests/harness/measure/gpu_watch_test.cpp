// Tests of a GPU's neighbours and clock limits with a fake NVML.
#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "harness/measure/energy.h"
#include "roofline/nvml.h"
#include "tests/harness/measure/fake_nvml.h"
#include "tests/harness/measure/study_fixture.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

using roofline::Nvml;

constexpr const char* place = "0000:01:00.0";
constexpr Pulse alone{1980, 0.25e-3}, beside_another{1980, 2.3e-3};
constexpr int stranger = 1;  // a process outside of this program

class GpuWatchTest : public testing::Test {
 protected:
  GpuWatchTest() { nvml() = FakeNvml(); }

  static FakeNvml& nvml() {
    static void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    return *static_cast<FakeNvml*>(dlsym(library, "fake_nvml"));
  }
  roofline::GpuSources gpu = roofline::gpu_sources(place);
};

TEST_F(GpuWatchTest, AnUnknownGpuHasAReasonAndNoAnswers) {
  const Nvml other("0000:02:00.0");
  EXPECT_TRUE(contains(other.missing(), "does not know the GPU at 0000:02:00.0"));
  EXPECT_FALSE(other.watts());
  EXPECT_FALSE(other.processes());
  EXPECT_TRUE(other.used_lately().empty());
  EXPECT_EQ(Nvml(place).watts(), 431.5);
  EXPECT_EQ(Nvml(place).joules(), 1234.5);
  EXPECT_FALSE(Nvml(place).celsius()) << "this NVML has no such function";
}

TEST_F(GpuWatchTest, ProcessesThatAreNotOursAreNeighbours) {
  nvml().processes = {getpid()};
  EXPECT_EQ(share_of_others(gpu, alone), 0);
  EXPECT_EQ(share_of_others(gpu, Pulse{}), 0) << "the list alone tells that nobody is there";
  nvml().processes = {getpid(), stranger, 0};
  EXPECT_EQ(share_of_others(gpu, alone), 0) << "they are idle";
  nvml().used = {{stranger, 40}, {0, 30}, {getpid(), 60}};
  EXPECT_DOUBLE_EQ(share_of_others(gpu, alone), 0.7);
  nvml().used = {{stranger, 80}, {0, 70}};
  EXPECT_EQ(share_of_others(gpu, alone), 1);
  nvml().age_of_samples = 3;
  EXPECT_EQ(share_of_others(gpu, alone), 0) << "they have stopped";
  nvml().processes.resize(1000);
  std::iota(nvml().processes.begin(), nvml().processes.end(), 1000);
  EXPECT_EQ(Nvml(place).processes()->size(), 1000u) << "a long list is read whole";
}

TEST_F(GpuWatchTest, NeighboursThatNobodyListsAreSeenByTheClocksKernel) {
  nvml().refuses = true;
  EXPECT_EQ(share_of_others(gpu, alone), 0);
  EXPECT_NEAR(share_of_others(gpu, beside_another), 0.87, 0.01);
  EXPECT_TRUE(std::isnan(share_of_others(gpu, Pulse{}))) << "nothing tells";
}

TEST_F(GpuWatchTest, ClockLimitsHaveNames) {
  using Limits = std::vector<std::string>;
  const std::map<unsigned long long, Limits> names = {
      {0x0, {}},         {0x1, {}},
      {0x4, {"power"}},  {0x8, {"hardware"}},
      {0x20, {"heat"}},  {0x40, {"heat"}},
      {0x80, {"power"}}, {0x4c, {"power", "heat"}}};  // bit 1 is idle
  for (const auto& [reasons, limits] : names) {
    nvml().reasons = reasons;
    EXPECT_EQ(gpu.clock_limits(), limits) << reasons;
  }
  nvml().refuses = true;
  EXPECT_TRUE(gpu.clock_limits().empty());
}

// ---- Energy -------------------------------------------------------------------------------------

void wait_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

Repeated sleep_repeatedly(double seconds) {
  wait_for(seconds);
  return {50, seconds, 1500};
}

class EnergyTest : public GpuWatchTest {
 protected:
  EnergyTest() {
    nvml().watts = 200;
    nvml().update_seconds = 0.005;
  }
  EnergyRecord measured(const std::function<Repeated(double)>& repeat = sleep_repeatedly) {
    EnergyMeter meter(energy_sources(place),
                      {.updates = 20, .least = 0.5, .warm_up = 0.05, .idle = 0.1, .longest = 5});
    return meter.measure(repeat);
  }
};

/// It lasts until the counter has moved often enough.
TEST_F(EnergyTest, PowerIsEnergyBetweenTwoMovesOfTheCounter) {
  nvml().update_seconds = 0.02;
  nvml().reasons = 0x4;
  double asked = 0;
  const EnergyRecord energy = measured([&asked](double seconds) {
    asked = seconds;
    return sleep_repeatedly(seconds);
  });
  ASSERT_TRUE(energy.known()) << energy.reason;
  EXPECT_GE(asked, 20 * 0.02);
  EXPECT_GE(energy.used.updates, 10);
  EXPECT_NEAR(energy.watts(), 200, 30);
  EXPECT_NEAR(energy.idle_watts, 200, 40);
  EXPECT_EQ(energy.runs, 50);
  EXPECT_NEAR(energy.joules_per_run(), energy.watts() * energy.run_seconds, 1e-9);
  EXPECT_EQ(energy.clock_mhz, 1500);
  EXPECT_FALSE(energy.celsius) << "this NVML has no such function";
  EXPECT_EQ(energy.limits, std::vector<std::string>{"power"});
}

TEST_F(EnergyTest, TheFirstSecondsAndWhatComesBeforeTheRunsAreLeftOut) {
  const EnergyRecord energy = measured([](double seconds) {
    nvml().joules += 1000;  // energy before the runs
    wait_for(0.05);
    return sleep_repeatedly(seconds);
  });
  EXPECT_NEAR(energy.watts(), 200, 40);
  EXPECT_TRUE(energy.limits.empty());
}

TEST_F(EnergyTest, ACounterThatBeginsAnewIsReadFromThereOn) {
  const EnergyRecord energy = measured([](double seconds) {
    wait_for(seconds / 2);
    nvml().joules =
        -200 *
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    wait_for(seconds / 2);
    return Repeated{1, seconds, 0};
  });
  EXPECT_NEAR(energy.watts(), 200, 40) << "no negative energy, no leap";
  EXPECT_GE(energy.used.joules, 0);
}

TEST_F(EnergyTest, WhatIsNotKnownHasAReason) {
  nvml().update_seconds = 0;
  EXPECT_FALSE(measured().known());
  EXPECT_TRUE(contains(measured().reason, "moved 0 times")) << measured().reason;
  nvml().refuses = true;
  EXPECT_TRUE(contains(measured().reason, "does not count this GPU's energy"));
  EnergyMeter elsewhere(energy_sources("0000:02:00.0"));
  EXPECT_TRUE(contains(elsewhere.measure(sleep_repeatedly).reason, "does not know the GPU"));
}

// ---- A host's energy ----------------------------------------------------------------------------

class Rapl : public testing::Test {
 protected:
  void domain(const std::string& name, const std::string& kind, const std::string& microjoules) {
    const auto folder = root.path() / name;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "name") << kind << '\n';
    std::ofstream(folder / "energy_uj") << microjoules << '\n';
  }
  TemporaryFolder root;
};

TEST_F(Rapl, PackagesAndTheirMemoryAreAddedUp) {
  domain("intel-rapl:0", "package-0", "5000000");
  domain("intel-rapl:0:0", "core", "3000000");
  domain("intel-rapl:0:1", "dram", "1000000");
  domain("intel-rapl:1", "package-1", "500000");
  EXPECT_DOUBLE_EQ(roofline::energy_of_host(root.path().string()).joules().value(), 6.5);
}

TEST_F(Rapl, WhatIsMissingIsSaid) {
  EXPECT_TRUE(contains(roofline::energy_of_host("/nowhere").missing, "does not show"));
  domain("intel-rapl:0", "package-0", "nonsense");
  EXPECT_FALSE(roofline::energy_of_host(root.path().string()).joules());
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  std::filesystem::permissions(root.path() / "intel-rapl:0/energy_uj", std::filesystem::perms());
  EXPECT_TRUE(contains(roofline::energy_of_host(root.path().string()).missing,
                       "only an administrator may read"));
}

// ---- In a study ---------------------------------------------------------------------------------

class StudyOnAGpu : public Study {
 protected:
  StudyOnAGpu() {
    runtime.kind = "gpu";
    events.load = &load;
    events.gpu = [this](const Runtime&) -> const roofline::GpuSources& { return gpu; };
    options.timing.repeat = 10;
    options.counting.counters = CountersWanted::off;
  }

  bool power = false;
  LoadMeter load;
  roofline::GpuSources gpu{[] { return std::vector<int>(); },
                           [] { return std::map<int, double>(); }, [](int) { return false; },
                           [this] { return std::vector<std::string>(power ? 1 : 0, "power"); }};
};

TEST_F(StudyOnAGpu, RunsBesideANeighbourAreDisturbed) {
  runtime.waited = [](int) { return 2.3e-3; };
  Result result = run_one(right_sums);
  ASSERT_EQ(result.status, Status::passed) << result.reason;
  EXPECT_TRUE(result.trusted().disturbed);
  EXPECT_NEAR(result.taken().value(), 0.87, 0.01);
  runtime.waited = [](int) { return 0.25e-3; };
  result = run_one(right_sums);
  EXPECT_EQ(result.taken(), 0.0) << "alone, whatever the host does";
  EXPECT_FALSE(result.limited_by("power"));
  runtime.runs = 0;
  runtime.waited = [](int runs) { return runs % 4 == 0 ? 2.3e-3 : 0.25e-3; };
  result = run_one(right_sums);
  EXPECT_FALSE(result.trusted().disturbed);
  EXPECT_EQ(result.trusted().samples.size(), 6u) << "a pulse before and one after each";
}

TEST_F(StudyOnAGpu, WhatHoldsTheClockBackIsCounted) {
  power = true;
  runtime.clock = [](int runs) { return runs < first_runs + 4 ? 1980.0 : 1440.0; };
  const Result result = run_one(right_sums);
  EXPECT_EQ(result.clocks.limited, (std::map<std::string, int>{{"power", 7}}))
      << "at the highest clock nothing is held back, whatever the driver says late";
  EXPECT_TRUE(result.limited_by("power"));
  EXPECT_FALSE(result.limited_by("heat"));
  EXPECT_DOUBLE_EQ(result.cycles().value(), 1440e6 * 0.5);
}

}  // namespace
}  // namespace gpp::test
