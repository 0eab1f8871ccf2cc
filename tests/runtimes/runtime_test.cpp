// Tests of the runtimes' common part.
#include "runtimes/runtime.h"

#include <sched.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "runtimes/threads.h"
#include "tests/text.h"

namespace gpp {
namespace {

TEST(RequireDeviceMemory, SaysHowMuchIsNeededAndHowMuchIsFree) {
  const auto refusal = [](std::int64_t needed, std::int64_t free) {
    return test::thrown<std::runtime_error>([=] { require_device_memory(needed, free); });
  };
  EXPECT_EQ(refusal(1600, 1600), "");
  EXPECT_EQ(refusal(1600, 0), "") << "not known";
  EXPECT_TRUE(test::contains_all(refusal(1'600'000'000, 1'050'000'000),
                                 {"takes 1.6 GB", "only 1.1 GB are free"}));
}

TEST(OnProcessors, HoldAsLongAsItLives) {
  const auto allowed = [] {
    cpu_set_t set;
    EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
    return set;
  };
  const cpu_set_t before = allowed();
  const int here = sched_getcpu();
  {
    const OnProcessors one({here});
    const cpu_set_t meanwhile = allowed();
    EXPECT_EQ(CPU_COUNT(&meanwhile), 1);
    EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(here), &meanwhile));
    const OnProcessors none({});
    EXPECT_EQ(sched_getcpu(), here);
  }
  const cpu_set_t after = allowed();
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(WaitClock, CountsWaitingAwakeAndAsleep) {
  const WaitClock clock;
  while (clock.seconds() < 1e-3) {
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(clock.seconds(), 20e-3);
}

TEST(HostRuntime, TimesOneCall) {
  int calls = 0;
  EXPECT_GE(host_runtime().time([&calls] { ++calls; }), 0.0);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(host_runtime().unavailable(), "");
  EXPECT_EQ(host_runtime().describe().kind, "host");
}

TEST(PlacedArrays, AreCopiesThatCanBeRepaired) {
  const std::vector<int> source = {1, 2, 3};
  PlacedArrays arrays(host_memory());
  int* placed = static_cast<int*>(arrays.add("numbers", source.data(), 3 * sizeof(int)));
  EXPECT_NE(placed, source.data());
  EXPECT_EQ(arrays.repair(), "");
  placed[2] = 4;
  EXPECT_EQ(arrays.repair(), "numbers");
  EXPECT_EQ(placed[2], 3);
  static_cast<int*>(arrays.add_output(sizeof(int)))[0] = 5;
  EXPECT_EQ(arrays.repair(), "") << "outputs are there to be written";
}

}  // namespace
}  // namespace gpp
