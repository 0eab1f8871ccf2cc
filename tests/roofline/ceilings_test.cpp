// Tests of the host's benchmarks, which tolerate load from other programs, of plateaus in
// artificial sweeps with known levels, and of the ceilings made from them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>

#include "roofline/base/machine.h"
#include "roofline/ceilings/host/chains.h"
#include "roofline/ceilings/host/team.h"
#include "roofline/ceilings/levels.h"
#include "roofline/ceilings/measure.h"
#include "roofline/model.h"
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

/// With other programs on all cores, memory may show no plateau; then it is missing, with the
/// reason. L1 is never disturbed that much.
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

/// A staircase: `length` points at each rate, with working sets doubling from 1 KiB.
std::vector<SweepPoint> staircase(const std::vector<double>& rates, int length) {
  std::vector<SweepPoint> sweep;
  double bytes = 1024;
  for (const double rate : rates)
    for (int i = 0; i < length; ++i, bytes *= 2) sweep.push_back({bytes, rate});
  return sweep;
}

std::vector<LevelDescription> four_descriptions(bool capacities) {
  // Each cache holds five points of the staircase.
  return {{"l1", "L1", capacities ? 16384.0 : 0.0, 100e9},
          {"l2", "L2", capacities ? 524288.0 : 0.0, 50e9},
          {"l3", "L3", capacities ? 16777216.0 : 0.0, {}},
          {"dram", "DRAM", 0, {}}};
}

std::vector<std::string> names(const std::vector<Ceiling>& ceilings) {
  std::vector<std::string> all;
  for (const Ceiling& ceiling : ceilings) all.push_back(ceiling.name);
  return all;
}

using Names = std::vector<std::string>;

Names levels_in(const std::vector<SweepPoint>& sweep, const std::vector<LevelDescription>& levels) {
  return names(ceilings_of_sweep(sweep, levels, 0, ""));
}

/// L2's own sets are known: `from` to `capacity` bytes.
std::vector<LevelDescription> gpu_levels(double from, double capacity) {
  return {{"l1", "L1", 0, {}}, {"l2", "L2", capacity, {}, from}, {"dram", "DRAM", 0, {}}};
}

double rate_of(const std::vector<Ceiling>& ceilings, const std::string& name) {
  for (const Ceiling& ceiling : ceilings)
    if (ceiling.name == name) return ceiling.measured;
  return 0;
}

TEST(Levels, EveryPlateauIsOneWhenThereAreAsMany) {
  const auto found = ceilings_of_sweep(staircase({80e9, 40e9, 20e9, 10e9}, 5),
                                       four_descriptions(true), 2000, "read");
  ASSERT_EQ(names(found), (Names{"l1", "l2", "l3", "dram"}));
  EXPECT_DOUBLE_EQ(found[1].measured, 40e9);
  EXPECT_EQ(found[0].theoretical, 100e9);
  EXPECT_FALSE(found[3].theoretical);
  EXPECT_EQ(found[2].label, "L3");
  EXPECT_EQ(found[2].kind, CeilingKind::bandwidth);
  EXPECT_EQ(found[2].clock_mhz, 2000);
  EXPECT_EQ(found[2].definition, "read");
}

TEST(Levels, AMissingLevelInTheMiddleIsToldByCapacityElseByTheOrder) {
  // 1 KiB .. 16 KiB, then 32 KiB .. 16 MiB at one rate, whose middle is in L3's share or in L2's.
  std::vector<SweepPoint> sweep = staircase({80e9, 40e9, 40e9, 10e9}, 5);
  for (std::size_t i = 5; i < 9; ++i) sweep[i].rate = 60e9 - 2e9 * static_cast<double>(i * i);
  EXPECT_EQ(levels_in(sweep, four_descriptions(true)), (Names{"l1", "l3", "dram"}));
  for (const bool capacities : {true, false})
    EXPECT_EQ(levels_in(staircase({80e9, 40e9, 10e9}, 5), four_descriptions(capacities)),
              (Names{"l1", "l2", "dram"}));
  EXPECT_EQ(levels_in(staircase({80e9, 10e9}, 8), four_descriptions(true)), (Names{"l1", "dram"}))
      << "two are the first and the last";
  EXPECT_TRUE(ceilings_of_sweep({}, four_descriptions(true), 0, "").empty());
}

TEST(Levels, APlateauThatEndsLongBeforeTheSweepIsNotItsLastLevel) {
  auto sweep = staircase({80e9, 40e9, 20e9}, 5);
  for (int i = 1; i <= 5; ++i)  // the rate falls continuously
    sweep.push_back({sweep[14].bytes * std::pow(2.0, i), 20e9 * std::pow(0.5, i)});
  EXPECT_EQ(levels_in(sweep, four_descriptions(true)), (Names{"l1", "l2", "l3"}));
  // By capacity both middles are beyond L2, but the two plateaus are L2 and L3.
  sweep = staircase({80e9, 40e9, 20e9, 10e9}, 5);
  for (SweepPoint& point : sweep) point.bytes *= 64;
  EXPECT_EQ(levels_in(sweep, four_descriptions(true)), (Names{"l1", "l2", "l3", "dram"}));
}

/// As with a common set that is read through L1, where neighbours' reads are served once: before L2
/// lies what looks like a level.
TEST(Levels, AKnownRangeOfSetsIsNotMisledByAStairBeforeIt) {
  const auto sweep =
      staircase({28e12, 28e12, 28e12, 28e12, 16e12, 16e12, 9.3e12, 4.5e12, 4.5e12, 4.5e12}, 4);
  const auto levels = gpu_levels(sweep[24].bytes, sweep[27].bytes);
  ASSERT_EQ(levels_in(sweep, levels), (Names{"l1", "l2", "dram"}));
  const auto found = ceilings_of_sweep(sweep, levels, 0, "");
  for (const auto& [name, rate] : {std::pair("l1", 28e12), {"l2", 9.3e12}, {"dram", 4.5e12}})
    EXPECT_NEAR(rate_of(found, name) / rate, 1, 1e-9);
}

TEST(Levels, PartsOfADeviceAreComparedByTheSameSets) {
  // There are two steps within L2; the longer one differs between sweeps.
  const auto levels = gpu_levels(1024 * std::pow(2.0, 7), 1024 * std::pow(2.0, 10));
  const auto sweep = [](int near, int far) {
    auto points = staircase({100e9}, 6);
    for (int i = 0; i < near + far; ++i)
      points.push_back({1024 * std::pow(2.0, 6 + i), i < near ? 50e9 : 30e9});
    for (int i = 0; i < 12; ++i) points.push_back({1024 * std::pow(2.0, 6 + near + far + i), 10e9});
    return points;
  };
  const double one = rate_of(ceilings_of_sweep(sweep(9, 4), levels, 0, ""), "l2");
  const double other = rate_of(ceilings_of_sweep(sweep(5, 9), levels, 0, ""), "l2");
  EXPECT_DOUBLE_EQ(one, other);
  EXPECT_DOUBLE_EQ(one, 50e9);
}

TEST(Levels, OfAKnownRangeAsFastAsTheNextLevelOrWithTooFewPointsNothingIsSaid) {
  auto sweep = staircase({80e9, 11e9, 10e9}, 6);
  const auto found = ceilings_of_sweep(sweep, gpu_levels(sweep[6].bytes, sweep[11].bytes), 0, "");
  ASSERT_EQ(names(found), (Names{"l1", "dram"}));
  EXPECT_EQ(found[0].sweep.size() + found[1].sweep.size(), sweep.size());
  EXPECT_EQ(found[1].sweep.front().bytes, sweep[6].bytes);
  sweep = staircase({80e9, 40e9, 10e9}, 6);
  EXPECT_EQ(levels_in(sweep, gpu_levels(sweep[6].bytes, sweep[7].bytes)), (Names{"l1", "dram"}));
  EXPECT_TRUE(levels_in({}, gpu_levels(1, 2)).empty());
}

TEST(Levels, EveryPointOfTheSweepIsInExactlyOneCeilingInOrder) {
  const auto sweep = staircase({80e9, 40e9, 20e9, 10e9}, 5);
  for (const auto& levels : {four_descriptions(true), gpu_levels(sweep[5].bytes, sweep[9].bytes)}) {
    std::vector<SweepPoint> joined;
    for (const Ceiling& ceiling : ceilings_of_sweep(sweep, levels, 0, ""))
      joined.insert(joined.end(), ceiling.sweep.begin(), ceiling.sweep.end());
    ASSERT_EQ(joined.size(), sweep.size());
    for (std::size_t i = 0; i < sweep.size(); ++i) EXPECT_EQ(joined[i].bytes, sweep[i].bytes);
  }
}

constexpr double kib = 1024;

/// One level of an artificial hierarchy.
struct MadeLevel {
  double capacity;  ///< bytes; irrelevant for the last level
  double rate;      ///< B/s
};

/// The rate of cyclic reading: up to a level's capacity its own rate, above that falling over a
/// factor `width`, until only the next level serves.
double rate_at(double bytes, const std::vector<MadeLevel>& levels, double width) {
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    if (bytes <= levels[i].capacity) return levels[i].rate;
    if (bytes < width * levels[i].capacity) {
      const double share = std::log(bytes / levels[i].capacity) / std::log(width);
      return 1.0 / ((1.0 - share) / levels[i].rate + share / levels[i + 1].rate);
    }
  }
  return levels.back().rate;
}

/// Four points per octave from 8 KiB to 1 GiB, with random errors up to `noise`.
std::vector<SweepPoint> made_sweep(const std::vector<MadeLevel>& levels, double width, double noise,
                                   unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> error(-noise, noise);
  std::vector<SweepPoint> sweep;
  for (int step = 0; step <= 4 * 17; ++step) {
    const double bytes = 8 * kib * std::pow(2.0, 0.25 * step);
    sweep.push_back({bytes, rate_at(bytes, levels, width) * (1.0 + error(random))});
  }
  return sweep;
}

const std::vector<MadeLevel> two_levels = {{256 * kib, 30e12}, {0, 5e12}};
const std::vector<MadeLevel> three_levels = {
    {192 * kib, 33e12}, {32 * kib * kib, 5.7e12}, {0, 4.3e12}};
const std::vector<MadeLevel> four_levels = {
    {48 * kib, 500e9}, {2048 * kib, 200e9}, {64 * kib * kib, 60e9}, {0, 15e9}};

/// Expects exactly these levels, each within `tolerance` and within its capacity.
void expect_levels(const std::vector<SweepPoint>& sweep, const std::vector<MadeLevel>& levels,
                   double tolerance) {
  const std::vector<Plateau> found = find_plateaus(sweep, 4);
  ASSERT_EQ(found.size(), levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_NEAR(found[i].rate / levels[i].rate, 1.0, tolerance) << "level " << i;
    if (i + 1 < levels.size()) {
      EXPECT_LE(sweep[found[i].last].bytes, 1.5 * levels[i].capacity) << "level " << i;
    }
    if (i > 0) {
      EXPECT_GT(sweep[found[i].first].bytes, levels[i - 1].capacity) << "level " << i;
    }
  }
}

TEST(Plateaus, FindsTwoThreeAndFourLevelsWithSlopesBetweenAndUnderNoise) {
  for (const auto& levels : {two_levels, three_levels, four_levels}) {
    SCOPED_TRACE(testing::Message() << levels.size() << " levels");
    for (const double width : {1.01, 2.0, 4.0})
      expect_levels(made_sweep(levels, width, 0.0), levels, 0.02);
    for (unsigned seed = 1; seed <= 8; ++seed)
      expect_levels(made_sweep(levels, 2.0, 0.04, seed), levels, 0.04);
  }
  auto sweep = made_sweep(two_levels, 2.0, 0.0);
  sweep[3].rate = 0;  // points without a rate are skipped
  sweep[40].rate = std::nan("");
  expect_levels(sweep, two_levels, 0.02);
}

TEST(Plateaus, AnOddPointAnywhereChangesNothing) {
  const auto sweep = made_sweep(four_levels, 2.0, 0.01);
  for (std::size_t i = 0; i < sweep.size(); i += 3)
    for (const double factor : {0.1, 0.6}) {
      SCOPED_TRACE(testing::Message() << "point " << i << " times " << factor);
      auto odd = sweep;
      odd[i].rate *= factor;
      expect_levels(odd, four_levels, 0.03);
    }
}

TEST(Plateaus, FindsALevelThatIsNoisierThanTheOthers) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    auto sweep = made_sweep(four_levels, 2.0, 0.005, seed);
    const auto noisy = made_sweep(four_levels, 2.0, 0.12, seed);
    std::copy(noisy.end() - 12, noisy.end(), sweep.end() - 12);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_levels(sweep, four_levels, 0.08);
  }
}

TEST(Plateaus, OnlyLevelsThatAreThereAndAskedForAreReported) {
  const auto levels_of = [](const std::vector<SweepPoint>& sweep, int most = 4) {
    return find_plateaus(sweep, most).size();
  };
  EXPECT_EQ(levels_of(made_sweep({{0, 5e9}}, 2.0, 0.03)), 1u);
  EXPECT_EQ(levels_of(made_sweep(two_levels, 2.0, 0.03)), 2u);
  EXPECT_EQ(levels_of(made_sweep({{1024 * kib, 5.2e9}, {0, 5e9}}, 2.0, 0.0)), 1u)
      << "neighbours within a few percent are one";
  EXPECT_EQ(levels_of(made_sweep(four_levels, 1.01, 0.0), 2), 2u);
  EXPECT_EQ(levels_of(made_sweep(two_levels, 2.0, 0.0), 0), 0u);
  EXPECT_EQ(levels_of({}), 0u);
  EXPECT_EQ(levels_of({{kib, 1e9}, {2 * kib, 1e9}}), 0u);
}

TEST(Plateaus, ASlopeIsNoPlateau) {
  std::vector<SweepPoint> slope;
  for (int i = 0; i < 40; ++i) slope.push_back({kib * std::pow(2.0, 0.25 * i), 1e12 / (i + 1.0)});
  for (const Plateau& plateau : find_plateaus(slope, 4))
    EXPECT_GT(plateau.first, 20u);  // the curve 1/n becomes flat
  std::vector<SweepPoint> steep;
  for (int i = 0; i < 40; ++i)
    steep.push_back({kib * std::pow(2.0, 0.25 * i), 1e12 * std::pow(2.0, -0.25 * i)});
  EXPECT_TRUE(find_plateaus(steep, 4).empty());
}

}  // namespace
}  // namespace roofline
