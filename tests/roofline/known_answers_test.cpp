// The recorder on a GPU, against kernels whose counts follow from their sizes. Skips where nothing
// can be counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "roofline/metrics.h"
#include "roofline/model.h"
#include "roofline/recorder.h"
#include "tests/roofline/fake_recorder.h"
#include "tests/roofline/known_answers.h"
#include "tests/roofline/withheld.h"

namespace roofline {
namespace {

using test::Chain;
using test::DeviceArray;

constexpr Chain chain = {64, 256, 4096};

class KnownAnswers : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = test::no_counts_here();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  /// The metrics of a piece of work; nothing may be in doubt.
  static Metrics metrics_of(const std::string& name, const std::function<void()>& run) {
    const Recording recording = cupti_recorder().record(needed_counters(), {name, run});
    EXPECT_TRUE(recording.defects.empty()) << recording.defects.front();
    for (const Missing& one : recording.missing)
      std::printf("%s: %s missing: %s\n", name.c_str(), one.name.c_str(), one.reason.c_str());
    return evaluate(recording.counters);
  }

  static std::vector<std::string> needed_software() {
    std::vector<std::string> names = needed_counters();
    std::erase_if(names, [](const std::string& name) { return !counted_by_software(name); });
    return names;
  }

  /// Prints both, for the table of the validation, and compares.
  static void expect_within(const Metrics& metrics, const std::string& name, double predicted,
                            double tolerance) {
    const auto found = metrics.find(name);
    ASSERT_NE(found, metrics.end()) << name << " is missing";
    std::printf("known answer,%s,%s,%.17g,%.17g,%+.4f%%\n",
                testing::UnitTest::GetInstance()->current_test_info()->name(), name.c_str(),
                predicted, found->second, 100 * (found->second / predicted - 1));
    EXPECT_NEAR(found->second, predicted, tolerance * predicted) << name;
  }
  static void expect_exactly(const Metrics& metrics, const std::string& name, double predicted) {
    expect_within(metrics, name, predicted, 0);
  }

  /// Doubles in an array so large that what L2 keeps from one pass to the next is below 1%; 0 where
  /// two of them do not fit into the memory.
  static std::size_t streaming_size() {
    const test::DeviceMemory memory = test::device_memory();
    const std::size_t size = std::max<std::size_t>(memory.l2 * 64 / sizeof(double), 1 << 25);
    return 2.1 * static_cast<double>(size * sizeof(double)) < static_cast<double>(memory.free)
               ? size
               : 0;
  }
};

TEST_F(KnownAnswers, Daxpy) {
  const std::size_t size = streaming_size();
  if (size == 0) GTEST_SKIP() << "two arrays of 64 times L2 do not fit into the device's memory";
  const DeviceArray x(size);
  const DeviceArray y(size);
  const auto n = static_cast<double>(size);
  const Metrics metrics = metrics_of("daxpy", [&] { test::daxpy(size, 2, x.data(), y.data()); });
  expect_exactly(metrics, "fp64_flop", 2 * n);
  expect_exactly(metrics, "fp64_fma_fraction", 1);
  expect_within(metrics, "l1_bytes", 24 * n, 0.02);
  expect_within(metrics, "l2_sm_bytes", 24 * n, 0.02);
  expect_within(metrics, "dram_bytes", 24 * n, 0.02);
}

TEST_F(KnownAnswers, StridedCopy) {
  const std::size_t size = streaming_size() / 4;
  if (size == 0) GTEST_SKIP() << "two arrays of 64 times L2 do not fit into the device's memory";
  const DeviceArray from(4 * size);
  const DeviceArray to(size);
  const auto n = static_cast<double>(size);
  const Metrics metrics =
      metrics_of("strided copy", [&] { test::copy_strided(size, from.data(), to.data()); });
  expect_exactly(metrics, "fp64_flop", 0);
  expect_within(metrics, "l1_bytes", 40 * n, 0.02);
  expect_within(metrics, "l2_sm_bytes", 40 * n, 0.02);
  expect_within(metrics, "dram_bytes", 40 * n, 0.02);
}

TEST_F(KnownAnswers, ChainOfDfma) {
  const DeviceArray out(chain.blocks * chain.threads);
  const Metrics metrics = metrics_of("dfma", [&] { test::dfma_chain(chain, out.data()); });
  expect_exactly(metrics, "fp64_flop", 2 * chain.instructions());
  expect_exactly(metrics, "fp64_fma_fraction", 1);
  expect_exactly(metrics, "fp32_flop", 0);
  EXPECT_GE(metrics.at("instructions"), chain.warp_instructions());
  EXPECT_GT(metrics.at("clock"), 1e8);
  EXPECT_LT(metrics.at("clock"), 5e9);
  EXPECT_GT(metrics.at("fp64_pipe"), 0);
  EXPECT_LE(metrics.at("fp64_pipe"), 101);
  EXPECT_LE(metrics.at("occupancy"), 101);
}

TEST_F(KnownAnswers, KernelsAreCountedApart) {
  const DeviceArray out(chain.blocks * chain.threads);
  const KernelRecording recording = cupti_recorder().record_kernels(
      {test::dfma, "sm__thread_inst_executed_pipe_fp64_pred_on.sum"},
      {"apart", [&] {
         test::dfma_chain(chain, out.data());
         test::hfma_chain(chain, out.data());
         test::dfma_chain(chain, out.data());
       }});
  ASSERT_EQ(recording.kernels.size(), 2u);
  EXPECT_EQ(recording.kernels[0].launches, 2);
  EXPECT_EQ(recording.kernels[0].counters.at(test::dfma), 2.0 * chain.instructions());
  EXPECT_NE(recording.kernels[0].name.find("dfma"), std::string::npos) << recording.kernels[0].name;
  EXPECT_EQ(recording.kernels[1].launches, 1);
  EXPECT_EQ(recording.kernels[1].counters.at(test::dfma), 0);
}

TEST_F(KnownAnswers, SamplesTellTheStallsThatTheHardwareCounts) {
  const DeviceArray out(chain.blocks * chain.threads);
  const Work work = {"stalls", [&] {
                       for (int i = 0; i < 20; ++i) test::dfma_chain(chain, out.data());
                     }};
  const std::string sampled = "smsp__pcsamp_warps_issue_stalled_",
                    counted = "smsp__warps_issue_stalled_";
  std::vector<std::string> samples, counters;
  const std::vector<std::string> reasons = {"wait", "math_pipe_throttle", "not_selected",
                                            "selected", "long_scoreboard"};
  for (const std::string& reason : reasons) {
    samples.push_back(sampled + reason);
    counters.push_back(counted + reason + ".sum");
  }
  // Alternately, and twice: neither mode disturbs the other.
  for (int turn = 0; turn < 2; ++turn) {
    const Counters told = cupti_recorder().sample(samples, work).totals();
    const Counters known = cupti_recorder().record(counters, work).counters;
    double all_samples = 0, all_counts = 0;
    for (const auto& [name, value] : told) all_samples += value;
    for (const auto& [name, value] : known) all_counts += value;
    ASSERT_GT(all_samples, 1000);
    for (const std::string& reason : reasons)
      EXPECT_NEAR(told.at(sampled + reason) / all_samples,
                  known.at(counted + reason + ".sum") / all_counts, 0.02)
          << reason;
  }
}

TEST_F(KnownAnswers, ChainOfHfma2) {
  const DeviceArray out(chain.blocks * chain.threads);
  const Metrics metrics = metrics_of("hfma2", [&] { test::hfma_chain(chain, out.data()); });
  // An instruction works on a pair: two multiplications and two additions.
  expect_exactly(metrics, "fp16_flop", 4 * chain.instructions());
  expect_exactly(metrics, "fp64_flop", 0);
}

/// Of each kernel, and of all kernels as one range.
TEST_F(KnownAnswers, LoadsOfConstantsAreNoWork) {
  const DeviceArray out(chain.blocks * chain.threads);
  test::constants(chain, out.data());  // code that nobody saw being loaded
  const Work work = {"constants", [&] { test::constants(chain, out.data()); }};
  for (const Counters& counters :
       {cupti_recorder().record_kernels(needed_software(), work).totals(),
        cupti_recorder().record(needed_software(), work).counters}) {
    const Metrics metrics = evaluate(counters);
    expect_exactly(metrics, "fp64_flop", chain.blocks * chain.threads);
    expect_exactly(metrics, "fp16_flop", 0);
    std::printf("HFMA2 counted: %.0f\n", counters.at(half_fma));
  }
}

TEST_F(KnownAnswers, ChainOfDmma) {
  const DeviceArray out(64 * chain.blocks * chain.threads / 32);
  const Metrics metrics = metrics_of("dmma", [&] { test::dmma_chain(chain, out.data()); });
  if (metrics.count("fp64_tensor_flop") == 0) GTEST_SKIP() << "this chip does not count DMMA";
  if (metrics.at("instructions") < chain.warp_instructions())
    GTEST_SKIP() << "this chip has no FP64 tensor cores";
  expect_exactly(metrics, "fp64_tensor_flop", 2 * 8 * 8 * 4 * chain.warp_instructions());
  expect_exactly(metrics, "fp64_flop", 0);
}

TEST_F(KnownAnswers, LoadsFromSharedMemory) {
  const DeviceArray out(chain.blocks * chain.threads);
  const Metrics metrics = metrics_of("shared", [&] { test::shared_chain(chain, out.data()); });
  expect_within(metrics, "shared_bytes", 8 * chain.instructions(), 0.02);
  expect_exactly(metrics, "fp64_flop", chain.instructions());
  expect_exactly(metrics, "fp64_fma_fraction", 0);
}

/// The intensity of a wall; the walls of the table are what kernels are held against.
double intensity_of(const std::string& name) {
  for (const Model& model : nvidia_table().instruction_models)
    for (const Wall& wall : model.walls)
      if (wall.name == name) return wall.intensity;
  ADD_FAILURE() << "there is no wall " << name;
  return 0;
}

double ratio(const Metrics& metrics, const std::string& above, const std::string& below) {
  EXPECT_GT(metrics.at(below), 0) << below;
  return metrics.at(above) / metrics.at(below);
}

TEST_F(KnownAnswers, StridesLieOnTheirWalls) {
  struct Known {
    test::Strided strided;
    const char* wall;
  };
  for (const Known& known :
       {Known{{512, 0, 8}, "global_same"}, Known{{512, 1, 4}, "global_unit_4"},
        Known{{512, 1, 8}, "global_unit_8"}, Known{{512, 32, 4}, "global_scattered"},
        Known{{512, 32, 8}, "global_scattered"}, Known{{512, 100, 8}, "global_scattered"}}) {
    const DeviceArray memory(test::strided_size(known.strided));
    const Metrics metrics =
        metrics_of(known.wall, [&] { test::access_strided(known.strided, memory.data()); });
    expect_exactly(metrics, "global_instructions", 2 * 512 * 256 / 32);
    EXPECT_EQ(ratio(metrics, "global_instructions", "global_sectors"), intensity_of(known.wall))
        << "stride " << known.strided.stride << " of " << known.strided.size_of_number << " B";
    EXPECT_EQ(metrics.at("shared_instructions"), 0);
  }
}

TEST_F(KnownAnswers, ColumnsOfSharedMemoryLieOnTheirWalls) {
  const DeviceArray out(64 * 32);
  for (const auto& [pitch, wall] : {std::pair(33, "shared_free"), std::pair(1, "shared_free"),
                                    std::pair(32, "shared_one_bank")}) {
    const Metrics metrics =
        metrics_of(wall, [&, pitch = pitch] { test::shared_columns(64, 1000, pitch, out.data()); });
    expect_exactly(metrics, "shared_instructions", 64 * 1001);
    EXPECT_EQ(ratio(metrics, "shared_instructions", "shared_wavefronts"), intensity_of(wall))
        << "pitch " << pitch;
  }
}

TEST_F(KnownAnswers, LanesThatAreOffAreNotActive) {
  const DeviceArray out(chain.blocks * chain.threads);
  const Metrics all = metrics_of("all lanes", [&] { test::dfma_chain(chain, out.data()); });
  expect_within(all, "active_warp_instructions", all.at("instructions"), 0.001);
  // Half a warp: 16 threads a block.
  const Chain halves = {chain.blocks, 16, chain.length};
  const Metrics half = metrics_of("half a warp", [&] { test::dfma_chain(halves, out.data()); });
  expect_within(half, "active_warp_instructions", half.at("instructions") / 2, 0.001);
  const Metrics off = metrics_of("half off", [&] { test::half_off_chain(chain, out.data()); });
  expect_within(off, "active_warp_instructions", off.at("instructions") / 2, 0.02);
}

TEST_F(KnownAnswers, SeveralKernelsCountAsOne) {
  const DeviceArray out(chain.blocks * chain.threads);
  const Chain half = {chain.blocks, chain.threads, chain.length / 2};
  const Metrics metrics = metrics_of("three kernels", [&] {
    test::dfma_chain(chain, out.data());
    test::dfma_chain(half, out.data());
    test::daxpy(1000, 2, out.data(), out.data() + 1000);
  });
  expect_exactly(metrics, "fp64_flop", 2 * (1.5 * chain.instructions() + 1000));
}

TEST_F(KnownAnswers, ACounterThatDoesNotExistIsMissing) {
  const DeviceArray out(chain.blocks * chain.threads);
  const Recording recording =
      cupti_recorder().record({"no_such_counter.sum", "sm__inst_executed.sum"},
                              {"missing", [&] { test::dfma_chain(chain, out.data()); }});
  EXPECT_EQ(recording.counters.size(), 1u);
  EXPECT_GE(recording.counters.at("sm__inst_executed.sum"), chain.warp_instructions());
  ASSERT_EQ(recording.missing.size(), 1u);
  EXPECT_EQ(recording.missing.front().name, "no_such_counter.sum");
}

TEST_F(KnownAnswers, ResetRunsOncePerPassAndIsNotCounted) {
  const DeviceArray out(chain.blocks * chain.threads);
  int runs = 0;
  int resets = 0;
  const Recording recording =
      cupti_recorder().record(needed_counters(), {"reset",
                                                  [&] {
                                                    EXPECT_EQ(resets, ++runs);
                                                    test::dfma_chain(chain, out.data());
                                                  },
                                                  [&] {
                                                    ++resets;
                                                    test::dfma_chain(chain, out.data());
                                                  }});
  EXPECT_GT(recording.passes, 1);
  EXPECT_EQ(runs, recording.passes);
  EXPECT_EQ(resets, recording.passes);
  EXPECT_EQ(evaluate(recording.counters).at("fp64_flop"), 2 * chain.instructions());
}

TEST_F(KnownAnswers, TheSameWorkCountsTheSameTwice) {
  const DeviceArray out(chain.blocks * chain.threads);
  const auto run = [&] { test::dfma_chain(chain, out.data()); };
  const Metrics first = metrics_of("first", run);
  const Metrics second = metrics_of("second", run);
  for (const char* name : {"fp64_flop", "instructions", "l1_bytes"})
    EXPECT_EQ(first.at(name), second.at(name)) << name;
}

TEST_F(KnownAnswers, WorkThatThrowsLeavesTheRecorderUsable) {
  struct Failed {};
  const DeviceArray out(chain.blocks * chain.threads);
  EXPECT_THROW(cupti_recorder().record(needed_counters(), {"throws",
                                                           [&] {
                                                             test::dfma_chain(chain, out.data());
                                                             throw Failed{};
                                                           }}),
               Failed);
  const Metrics metrics = metrics_of("after", [&] { test::dfma_chain(chain, out.data()); });
  expect_exactly(metrics, "fp64_flop", 2 * chain.instructions());
}

}  // namespace
}  // namespace roofline
