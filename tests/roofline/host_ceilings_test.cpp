// Tests of the host's benchmarks. They tolerate load from other programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "roofline/base/machine.h"
#include "roofline/ceilings/host/arithmetic.h"
#include "roofline/ceilings/host/processor.h"
#include "roofline/ceilings/host/sweep.h"
#include "roofline/ceilings/host/team.h"
#include "roofline/ceilings/measure.h"
#include "roofline/model.h"

namespace roofline {
namespace {

using namespace host;

constexpr double mib = 1048576;

std::vector<ArithmeticKernel> all_kernels() {
  std::vector<ArithmeticKernel> all;
  for (const auto& kernels : {fused_kernels(), separate_kernels(), division_kernels()})
    all.insert(all.end(), kernels.begin(), kernels.end());
  return all;
}

TEST(HostArithmetic, EveryOperationIsDone) {
  // The result depends on every chain: x tends to 1 from any start, and all lanes are summed.
  for (const ArithmeticKernel& kernel : all_kernels()) {
    if (kernel.operation == Operation::division) continue;
    const double elements = kernel.operations_per_step / 2;
    EXPECT_NEAR(kernel.run(200), elements, 1e-3 * elements) << kernel.name;
    EXPECT_GT(std::abs(kernel.run(1) - elements), 0.5) << kernel.name;
  }
}

TEST(HostArithmetic, EveryDivisionIsDone) {
  // x alternates between a/x and x: chain i begins with i, in all lanes of a vector.
  for (const ArithmeticKernel& kernel : division_kernels()) {
    const double lanes = kernel.bytes / 8.0;
    double sum = 0, sum_of_quotients = 0;
    for (int i = 1; i <= kernel.operations_per_step / lanes; ++i) {
      sum += lanes * i;
      sum_of_quotients += lanes * 0.7310585786300049 / i;
    }
    EXPECT_NEAR(kernel.run(1000), sum, 1e-6) << kernel.name;
    EXPECT_NEAR(kernel.run(1001), sum_of_quotients, 1e-6) << kernel.name;
  }
}

TEST(HostArithmetic, HasEveryWidthOnce) {
  std::map<std::string, int> bytes;
  for (const ArithmeticKernel& kernel : all_kernels())
    EXPECT_TRUE(bytes.emplace(kernel.name, kernel.bytes).second) << kernel.name;
  for (const char* operation : {"fma", "no_fma"}) {
    const auto bytes_of = [&](const std::string& width) {
      const auto found = bytes.find("fp64_" + width + operation);
      return found == bytes.end() ? 0 : found->second;
    };
    EXPECT_EQ(bytes_of(""), vector_bytes);
    EXPECT_EQ(bytes_of("scalar_"), 8);
    EXPECT_EQ(bytes_of("128_"), vector_bytes > 16 ? 16 : 0);
    EXPECT_EQ(bytes_of("256_"), vector_bytes > 32 ? 32 : 0);
    EXPECT_EQ(bytes_of("512_"), 0) << "the widest is fp64_fma";
  }
  EXPECT_EQ(bytes.at("fp64_div"), vector_bytes);
  EXPECT_EQ(bytes.at("fp64_div_scalar"), 8);
}

TEST(HostArithmetic, TwiceTheStepsAreTwiceTheWork) {
  // Nothing is skipped or precomputed: the shortest time grows with the steps.
  for (const ArithmeticKernel& kernel : all_kernels()) {
    const auto seconds = [&](long long steps) {
      return best_of({allowed_cpus().front()}, 30,
                     [&](std::size_t) {
                       volatile double result = kernel.run(steps);
                       static_cast<void>(result);
                     })
          .seconds;
    };
    EXPECT_GT(seconds(200'000), 3 * seconds(20'000)) << kernel.name;
  }
}

TEST(HostTeam, EveryThreadWorksEveryTime) {
  std::vector<int> calls(2);
  const Best best = best_of({allowed_cpus().front(), allowed_cpus().back()}, 5,
                            [&](std::size_t thread) { ++calls[thread]; });
  EXPECT_EQ(calls, (std::vector<int>{5, 5}));
  EXPECT_GT(best.seconds, 0);
}

TEST(HostClock, IsAClockOfAProcessor) {
#if !defined(__x86_64__) && !defined(__aarch64__)
  GTEST_SKIP() << "no chain of additions for this processor";
#endif
  double highest = 0;  // an interrupted reading is too low
  for (int i = 0; i < 50; ++i) highest = std::max(highest, core_clock_mhz());
  EXPECT_GT(highest, 400);
  EXPECT_LT(highest, 7000);
}

TEST(HostProcessor, KnowsTheProcessorsOfItsTableAndGuessesNoOther) {
  ASSERT_TRUE(per_cycle("GenuineIntel", 6, 143));
  EXPECT_EQ(per_cycle("GenuineIntel", 6, 143)->vector_bytes, 64);
  EXPECT_EQ(per_cycle("GenuineIntel", 6, 143)->narrower.separate, 3);
  EXPECT_EQ(per_cycle("AuthenticAMD", 0x19, 0x11)->widest.fused, 1);
  EXPECT_EQ(per_cycle("AuthenticAMD", 0x19, 0x11)->narrower.fused, 2);
  EXPECT_EQ(per_cycle("AuthenticAMD", 0x19, 0x01)->widest.separate, 4);
  EXPECT_FALSE(per_cycle("GenuineIntel", 6, 85));
  EXPECT_FALSE(per_cycle("AuthenticAMD", 6, 143));
  EXPECT_FALSE(per_cycle("", -1, -1));
}

TEST(HostProcessor, DescribesThisOne) {
  const std::vector<int> cpus = allowed_cpus();
  const Processor processor = this_processor(cpus);
  EXPECT_FALSE(processor.name.empty());
  EXPECT_GE(processor.cores, 1);
  EXPECT_LE(processor.cores, static_cast<int>(cpus.size()));
  int level = 0;
  for (const Cache& cache : processor.caches) {
    EXPECT_GT(cache.level, level);
    EXPECT_GT(cache.bytes, 0);
    EXPECT_LE(cache.cpus, static_cast<int>(cpus.size()));
    level = cache.level;
  }
}

Processor with_last_cache(double bytes, int cpus) {
  Processor processor;
  processor.caches = {{1, 32768, 1}, {3, bytes, cpus}};
  return processor;
}

TEST(HostSweep, ReachesFarBeyondTheLastCacheButNotBeyondTheMemory) {
  const auto sets = working_sets(with_last_cache(256 * mib, 8), 8, 1e12);
  EXPECT_EQ(sets.front(), 8192u);
  EXPECT_NEAR(static_cast<double>(sets.back()), 16 * 256 * mib / 8, 0.2 * 512 * mib);
  const auto little = working_sets(with_last_cache(256 * mib, 8), 8, 80 * mib);
  EXPECT_LE(8 * static_cast<double>(little.back()), 81 * mib);
  EXPECT_NEAR(static_cast<double>(working_sets(Processor{}, 2, 1e12).back()), 256e6, 0.2 * 256e6);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    EXPECT_EQ(sets[i] % read_granule, 0u);
    if (i > 0) {
      EXPECT_GT(sets[i], sets[i - 1]);
    }
  }
}

TEST(HostSweep, EveryPointIsARateAndEveryPassReadsEverything) {
  const Sweep sweep = measure_sweep(allowed_cpus(), {8192, 16384}, {}, 0);
  ASSERT_EQ(sweep.points.size(), 2u);
  EXPECT_EQ(sweep.points[1].bytes, 16384);
  for (const SweepPoint& point : sweep.points)
    EXPECT_TRUE(point.rate > 0 && point.rate < 1e15);  // a busy machine may read slowly
  Buffer buffer(64 << 20);
  buffer.touch();
  const auto seconds = [&](std::size_t bytes, long long passes) {
    return best_of({allowed_cpus().front()}, 15,
                   [&](std::size_t) { read_passes(buffer.data(), bytes, passes); })
        .seconds;
  };
  EXPECT_GT(seconds(16384, 10'000), 3 * seconds(16384, 1000));
  EXPECT_GT(seconds(64 << 20, 1), 10 * seconds(1 << 20, 1));
}

/// With other programs on all cores, memory may show no plateau; then it is missing, with the
/// reason. L1 is never disturbed that much.
bool memory_is_missing(const Ceilings& ceilings) {
  if (ceilings.find("dram") != nullptr) return false;
  const auto dram = std::find_if(ceilings.missing.begin(), ceilings.missing.end(),
                                 [](const Missing& one) { return one.name == "dram"; });
  EXPECT_NE(dram, ceilings.missing.end()) << "neither measured nor missing";
  return true;
}

TEST(HostBenchmarks, MeasuresEveryRoofOfThisMachine) {
  ASSERT_EQ(host_benchmarks().unavailable(), "");
  EXPECT_EQ(find_benchmarks("host"), &host_benchmarks());
  EXPECT_EQ(find_benchmarks("gpu"), &gpu_benchmarks());
  EXPECT_EQ(find_benchmarks("abacus"), nullptr);
  double last_share = 0;
  std::set<std::string> told;
  const Ceilings ceilings = host_benchmarks().measure([&](std::string_view what, double share) {
    told.emplace(what);
    EXPECT_GE(share, last_share);
    EXPECT_LE(share, 1);
    last_share = share;
  });
  EXPECT_GE(told.size(), 4u);
  EXPECT_EQ(ceilings.kind, "host");
  EXPECT_EQ(ceilings.device, host_benchmarks().identity().name);
  EXPECT_GT(ceilings.seconds, 0);
  for (const char* name : {"fp64_fma", "fp64_no_fma", "fp32_fma", "fp64_scalar_fma",
                           "fp64_scalar_no_fma", "fp64_div", "fp64_div_scalar", "l1", "dram"}) {
    const Ceiling* ceiling = ceilings.find(name);
    if (name == std::string("dram") && memory_is_missing(ceilings)) continue;
    ASSERT_NE(ceiling, nullptr) << name;
    EXPECT_GT(ceiling->measured, 1e8) << name;
    EXPECT_FALSE(ceiling->definition.empty()) << name;
    EXPECT_FALSE(ceiling->label.empty()) << name;
    EXPECT_EQ(ceiling->sweep.empty(), ceiling->kind == CeilingKind::compute) << name;
    EXPECT_TRUE(std::isfinite(ceiling->theoretical.value_or(0))) << name;
  }
  if (!memory_is_missing(ceilings)) {
    EXPECT_GT(ceilings.find("l1")->measured, ceilings.find("dram")->measured);
  }
  EXPECT_GT(ceilings.find("fp64_fma")->measured, ceilings.find("fp64_scalar_fma")->measured);
  EXPECT_EQ(ceilings.find("fp64_scalar_fma")->label, "FP64 scalar, FMA");
  EXPECT_FALSE(ceilings.find("fp64_div")->theoretical) << "of no processor in the table";
  EXPECT_EQ(rate_unit(*ceilings.find("fp64_div_scalar")), "div/s");
}

}  // namespace
}  // namespace roofline
