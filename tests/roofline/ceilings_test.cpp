// Tests of the host's benchmarks, which tolerate load from other programs, and of the levels in
// sweeps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>

#include "roofline/base/machine.h"
#include "roofline/ceilings/host/chains.h"
#include "roofline/ceilings/host/team.h"
#include "roofline/ceilings/measure.h"
#include "roofline/import/import.h"
#include "roofline/points.h"
#include "tests/temporary_folder.h"

namespace roofline {
namespace {

using namespace host;

constexpr double mib = 1048576;

std::vector<ArithmeticKernel> all_kernels() {
  std::vector<ArithmeticKernel> all = fused_kernels(), unfused = unfused_kernels();
  all.insert(all.end(), unfused.begin(), unfused.end());
  return all;
}

/// The result depends on every chain and all lanes: x tends to 1 from any start, or alternates
/// between a/x and x where chain i begins with i.
TEST(HostArithmetic, EveryOperationIsDone) {
  for (const ArithmeticKernel& kernel : all_kernels()) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(kernel.operation) << ", " << kernel.bytes);
    const double lanes = 1.0 * kernel.bytes / kernel.bytes_of_element, elements = lanes * chains;
    if (kernel.operation != Operation::division) {
      EXPECT_EQ(kernel.operations_per_step(), 2 * elements);
      EXPECT_NEAR(kernel.run(200), elements, 1e-3 * elements);
      EXPECT_GT(std::abs(kernel.run(1) - elements), 0.5);
      continue;
    }
    double sum = 0, sum_of_quotients = 0;
    for (int i = 1; i <= chains; ++i) {
      sum += lanes * i;
      sum_of_quotients += lanes * 0.7310585786300049 / i;
    }
    EXPECT_EQ(kernel.operations_per_step(), elements);
    EXPECT_NEAR(kernel.run(1000), sum, 1e-6);
    EXPECT_NEAR(kernel.run(1001), sum_of_quotients, 1e-6);
  }
}

/// Nothing is skipped or precomputed: the shortest time grows with the steps.
TEST(HostArithmetic, TwiceTheStepsAreTwiceTheWork) {
  for (const ArithmeticKernel& kernel : all_kernels()) {
    const auto seconds = [&](long long steps) {
      return best_of({allowed_cpus().front()}, 30,
                     [&](std::size_t) {
                       volatile double result = kernel.run(steps);
                       static_cast<void>(result);
                     })
          .seconds;
    };
    EXPECT_GT(seconds(200'000), 3 * seconds(20'000)) << kernel.bytes;
  }
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

TEST(DataCaches, AreAsLinuxTellsThem) {
  const test::TemporaryFolder folder;
  const auto write = [&folder](const std::string& index, int level, const std::string& type,
                               const std::string& size) {
    std::filesystem::create_directories(folder / index);
    std::ofstream(folder / index / "type") << type << "\n";
    std::ofstream(folder / index / "level") << level << "\n";
    std::ofstream(folder / index / "size") << size << "\n";
    std::ofstream(folder / index / "shared_cpu_list") << "0-1,4\n";
  };
  write("index0", 1, "Data", "48K");
  write("index1", 1, "Instruction", "32K");
  write("index3", 2, "Unified", "2M");
  const std::vector<Cache> caches = data_caches(folder.path(), {1, 3, 4});
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_EQ(caches[0].bytes, 48.0 * 1024);
  EXPECT_EQ(caches[1].level, 2);
  EXPECT_EQ(caches[1].cpus, 2) << "of the usable ones, 1 and 4 share it";
  EXPECT_EQ(caches[1].bytes, 2.0 * (1 << 20));
  write("index0", 1, "Data", "-5K");
  write("index3", 2, "Data", "nonsense");
  EXPECT_TRUE(data_caches(folder.path(), {0}).empty());
  EXPECT_TRUE(data_caches(folder / "missing", {0}).empty());
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

TEST(HostSweep, EveryPassReadsEverything) {
  const auto memory = untouched_memory(64 << 20);
  std::fill_n(memory.get(), 64 << 20, std::byte{1});
  const auto seconds = [&](std::size_t bytes, long long passes) {
    return best_of({allowed_cpus().front()}, 15,
                   [&](std::size_t) { read_passes(memory.get(), bytes, passes); })
        .seconds;
  };
  EXPECT_GT(seconds(16384, 10'000), 3 * seconds(16384, 1000));
  EXPECT_GT(seconds(64 << 20, 1), 10 * seconds(1 << 20, 1));
}

/// With other programs on all cores, memory may read no slower than a cache; then it is missing,
/// with the reason. L1 is never disturbed that much.
bool memory_is_missing(const Ceilings& ceilings) {
  if (ceilings.find("dram") != nullptr) return false;
  EXPECT_NE(std::ranges::find(ceilings.missing, std::string("dram"), &Missing::name),
            ceilings.missing.end());
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
  std::vector<std::string> names = {"fp32_fma", "fp64_div", "fp64_div_scalar", "l1", "dram"};
  for (const char* operation : {"fma", "no_fma"})
    for (int bytes = vector_bytes; bytes >= 8; bytes /= 2)
      names.push_back(fmt::format("fp64_{}{}",
                                  bytes == vector_bytes ? ""
                                  : bytes == 8          ? "scalar_"
                                                        : fmt::format("{}_", 8 * bytes),
                                  operation));
  EXPECT_EQ(std::ranges::count(ceilings.list, CeilingKind::compute, &Ceiling::kind),
            static_cast<std::ptrdiff_t>(names.size() - 2));
  for (const std::string& name : names) {
    const Ceiling* ceiling = ceilings.find(name);
    if (name == "dram" && memory_is_missing(ceilings)) continue;
    ASSERT_NE(ceiling, nullptr) << name;
    EXPECT_GT(ceiling->measured, 1e8) << name;
    EXPECT_FALSE(ceiling->definition.empty()) << name;
    EXPECT_FALSE(ceiling->label.empty()) << name;
    EXPECT_EQ(ceiling->sweep.empty(), ceiling->kind == CeilingKind::compute) << name;
    EXPECT_FALSE(ceiling->theoretical) << name;
  }
  if (!memory_is_missing(ceilings)) {
    EXPECT_GT(ceilings.find("l1")->measured, ceilings.find("dram")->measured);
  }
  EXPECT_GT(ceilings.find("fp64_fma")->measured, ceilings.find("fp64_scalar_fma")->measured);
  EXPECT_EQ(ceilings.find("fp64_scalar_fma")->label, "FP64 scalar, FMA");
  EXPECT_EQ(rate_unit(*ceilings.find("fp64_div_scalar")), "div/s");
}

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A level's sets end at its capacity; each cache holds five points of a staircase.
const std::vector<LevelDescription> levels = {{"l1", "L1", 0, 16384, 100e9},
                                              {"l2", "L2", 32768, 524288},
                                              {"l3", "L3", 1 << 20, 1 << 24},
                                              {"dram", "DRAM", 1 << 25}};

/// Five points at each rate, with working sets doubling from 1 KiB.
std::vector<SweepPoint> staircase(const std::vector<double>& rates) {
  std::vector<SweepPoint> sweep;
  double bytes = 1024;
  for (const double rate : rates)
    for (int i = 0; i < 5; ++i, bytes *= 2) sweep.push_back({bytes, rate});
  return sweep;
}

Ceilings found_in(const std::vector<SweepPoint>& sweep,
                  const std::vector<LevelDescription>& known = levels) {
  Ceilings ceilings;
  ceilings.list.push_back({"fp64_fma", "FP64", CeilingKind::compute, 1, {}, 0, "", {}});
  add_bandwidths(ceilings, sweep, known, 2000, "read");
  EXPECT_EQ(ceilings.list.front().name, "fp64_fma");
  EXPECT_EQ(ceilings.list.size() + ceilings.missing.size(), 1 + known.size());
  std::size_t points = 0;  // each is in exactly one ceiling, in order
  for (const Ceiling& ceiling : ceilings.list)
    for (const SweepPoint& point : ceiling.sweep)
      EXPECT_EQ(point.bytes, sweep.at(points++).bytes) << ceiling.name;
  EXPECT_EQ(points, ceilings.list.size() > 1 ? sweep.size() : 0);
  return ceilings;
}

TEST(Levels, HaveTheMedianOfTheirOwnSets) {
  auto sweep = staircase({80e9, 40e9, 20e9, 10e9});
  sweep[2].rate = std::nan("");
  sweep[6].rate = 0;
  sweep[12].rate = 1e9;
  const Ceilings found = found_in(sweep);
  ASSERT_TRUE(found.missing.empty());
  for (const auto& [name, rate] :
       {std::pair("l1", 80e9), {"l2", 40e9}, {"l3", 20e9}, {"dram", 10e9}})
    EXPECT_EQ(found.find(name)->measured, rate) << name;
  const Ceiling& l1 = *found.find("l1");
  EXPECT_EQ(l1.theoretical, 100e9);
  EXPECT_FALSE(found.find("l2")->theoretical);
  EXPECT_EQ(l1.label, "L1");
  EXPECT_EQ(l1.kind, CeilingKind::bandwidth);
  EXPECT_EQ(l1.clock_mhz, 2000);
  EXPECT_EQ(l1.definition, "read");
  EXPECT_EQ(l1.sweep.size(), 5u);
}

TEST(Levels, AsFastAsTheNextOrWithTooFewSetsAreMissing) {
  const auto missing = [](const std::vector<SweepPoint>& sweep) {
    std::vector<std::string> names;
    for (const Missing& one : found_in(sweep).missing) names.push_back(one.name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(missing(staircase({80e9, 22e9, 20e9, 10e9})), (Names{"l2"}));
  EXPECT_EQ(missing(staircase({80e9, 10e9, 10e9, 10e9})), (Names{"l3", "l2"}));
  EXPECT_EQ(missing(staircase({80e9, 40e9, 20e9})), (Names{"dram"}));
  EXPECT_EQ(missing({}), (Names{"dram", "l3", "l2", "l1"}));
  auto few = staircase({80e9, 40e9, 20e9, 10e9});
  few.erase(few.begin() + 6, few.begin() + 9);
  EXPECT_EQ(missing(few), (Names{"l2"}));
}

/// Sweeps of cards, whose roofs were once plateaus that were searched.
TEST(Levels, OfRecordedSweepsAreTheRecordedRoofs) {
  for (const char* card : {"h100", "h200"}) {
    const Ceilings recorded = published_roofs(card).value();
    std::vector<SweepPoint> sweep;
    for (const Ceiling& ceiling : recorded.list)
      sweep.insert(sweep.end(), ceiling.sweep.begin(), ceiling.sweep.end());
    const Ceilings found = found_in(sweep, {{"l1", "L1", 0, 0.6 * 228 * 1024},
                                            {"l2", "L2", 9744 * 1024, 25 * mib},
                                            {"dram", "DRAM", 400 * mib, infinity}});
    for (const char* level : {"l1", "l2", "dram"})
      EXPECT_NEAR(found.find(level)->measured / recorded.find(level)->measured, 1, 0.01)
          << card << " " << level;
  }
}

}  // namespace
}  // namespace roofline
