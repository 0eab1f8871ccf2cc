// Counting on processors, through a library that stands in for LIKWID (fake_likwid.cpp).
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "roofline/base/machine.h"
#include "roofline/host_counters.h"
#include "roofline/likwid/session.h"
#include "tests/roofline/telling.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline::likwid {
namespace {

using gpp::test::contains;

class Likwid : public testing::Test {
 protected:
  void SetUp() override { tell(""); }
  void TearDown() override { unsetenv("FAKE_LIKWID"); }

  /// Tells the library how to behave from now on.
  static void tell(const char* words) { setenv("FAKE_LIKWID", words, 1); }
  static std::unique_ptr<HostCounters> counters(double limit = 10) {
    return counters_of({FAKE_LIKWID_PATH}, limit);
  }
  Counted count() const {
    return counters()->count(test::telling([this] {
      ++runs_;
      return std::string();
    }));
  }
  /// Why `metric` is missing; "" where it is not.
  static std::string missing(const Counted& counted, const std::string& metric) {
    for (const Missing& one : counted.missing)
      if (one.name == metric) return one.reason;
    return "";
  }

  mutable int runs_ = 0;
  const double cpus_ = available_cores();
};

TEST_F(Likwid, CountsOperationsByWidthAndTrafficOfAllCpus) {
  ASSERT_EQ(counters()->unavailable(), "");
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::likwid) << counted.reason;
  EXPECT_EQ(counted.metrics, (Metrics{{"fp64_flop", cpus_ * 1248},
                                      {"fp64_flop_scalar", cpus_ * 1000},
                                      {"fp64_flop_packed_128", cpus_ * 200},
                                      {"fp64_flop_packed_256", cpus_ * 40},
                                      {"fp64_flop_packed_512", cpus_ * 8},
                                      {"l2_bytes", cpus_ * 8e9},
                                      {"l3_bytes", cpus_ * 4e9},
                                      {"dram_bytes", cpus_ * 2e9}}));
  EXPECT_TRUE(counted.missing.empty());
  EXPECT_TRUE(counted.defects.empty()) << counted.defects.front();
  EXPECT_EQ(counted.passes, 5) << "four groups, and the operations again";
  EXPECT_EQ(runs_, 6) << "and one uncounted";
  EXPECT_EQ(counted.counters.at("L3.L3_data_volume_GBytes"), cpus_ * 4);
  EXPECT_FALSE(counted.counters.contains("FLOPS_DP.INSTR_RETIRED_ANY")) << "nobody asked for it";
}

TEST_F(Likwid, OperationsFollowFromTheirRateWhereEventsHaveOtherNames) {
  const Counters counters = {{"FLOPS_DP.DP_MFLOP_s", 300}, {"FLOPS_DP.seconds", 2}};
  EXPECT_EQ(evaluate(counters, host_table()), (Metrics{{"fp64_flop", 6e8}}));
}

TEST_F(Likwid, AGroupThatIsNotThereIsMissingWithTheReason) {
  tell("no_L3");
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::likwid) << counted.reason;
  EXPECT_FALSE(counted.metrics.contains("l3_bytes"));
  EXPECT_TRUE(counted.metrics.contains("l2_bytes"));
  EXPECT_EQ(missing(counted, "l3_bytes"), "group L3: perfmon_addEventSet gave -22");
  EXPECT_EQ(counted.passes, 4);
}

TEST_F(Likwid, WithoutOperationsNothingIsCounted) {
  tell("no_FLOPS_DP");
  EXPECT_EQ(
      counters()->unavailable(),
      "LIKWID cannot count FP64 operations here: group FLOPS_DP: perfmon_addEventSet gave -22");
  EXPECT_EQ(count().source, CountedBy::nobody);
  EXPECT_EQ(runs_, 0);
}

TEST_F(Likwid, WithoutAnyTrafficNothingIsPlaced) {
  tell("no_L2 no_L3 no_MEM");
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_TRUE(contains(counted.reason, "no traffic was counted: group L2: "));
}

TEST_F(Likwid, ValuesThatAreNoCountsAreDefectsAndLeftOut) {
  tell("negative_L3");
  const Counted negative = count();
  EXPECT_FALSE(negative.metrics.contains("l3_bytes"));
  ASSERT_EQ(negative.defects.size(), 1u);
  EXPECT_EQ(negative.defects[0], "LIKWID gave -1 for L3 data volume [GBytes] of its group L3");
  EXPECT_EQ(missing(negative, "l3_bytes"), negative.defects[0]);

  tell("nan_512");
  const Counted nan = count();
  EXPECT_EQ(nan.source, CountedBy::nobody) << "the sum of the other widths is not the whole";
  EXPECT_FALSE(nan.metrics.contains("fp64_flop"));
  EXPECT_TRUE(contains(nan.reason, "LIKWID gave nan for FP_ARITH_INST_RETIRED_512B"));
}

TEST_F(Likwid, CountersThatStandStillAreNoCounts) {
  tell("still");
  const Counted counted = count();
  EXPECT_EQ(counted.source, CountedBy::nobody);
  EXPECT_TRUE(contains(counted.reason, "stood still"));
}

TEST_F(Likwid, DifferentWorkInTheLastPassIsADefect) {
  tell("different");
  const Counted counted = count();
  ASSERT_FALSE(counted.defects.empty());
  EXPECT_TRUE(contains(counted.defects.back(), "the passes counted different work"));
}

TEST_F(Likwid, WrongResultsAndExceptionsAreReasons) {
  const auto all = counters();
  EXPECT_EQ(all->count(test::telling([] { return std::string("x is 3"); })).reason,
            "in a counted run: x is 3");
  EXPECT_EQ(all->count(test::telling([] { return std::string("x is 3"); })).defects,
            (std::vector<std::string>{"wrong sums in a counted run: x is 3"}));
  int calls = 0;
  const Counted thrown = all->count(test::telling([&calls]() -> std::string {
    if (++calls > 2) throw 1;
    return "";
  }));
  EXPECT_TRUE(contains(thrown.reason, "an error of unknown kind"));
  EXPECT_EQ(thrown.source, CountedBy::nobody);
  EXPECT_EQ(all->count(test::telling([] { return std::string(); })).source, CountedBy::likwid)
      << "later work can be counted all the same";
}

TEST_F(Likwid, AReasonHoldsItsOwnWordsMadeVisible) {
  tell("refuse");
  const std::string reason = counters()->unavailable();
  EXPECT_TRUE(contains(reason, "LIKWID: perfmon_init gave -13"));
  EXPECT_TRUE(contains(reason, "Cannot get access to MSRs."));
  EXPECT_FALSE(contains(reason, "\x1b"));
  EXPECT_FALSE(contains(reason, "\n"));
}

TEST_F(Likwid, ALibraryThatEndsItsProcessDoesNotEndThisOne) {
  for (const char* way : {"exit", "crash"}) {
    tell(way);
    const std::string reason = counters()->unavailable();
    EXPECT_TRUE(reason.starts_with("LIKWID ended its process (")) << way << ": " << reason;
  }
}

TEST_F(Likwid, WhatHangsIsGivenUp) {
  tell("hang");
  const auto start = std::chrono::steady_clock::now();
  const std::string reason = counters(0.3)->unavailable();
  EXPECT_TRUE(reason.starts_with("LIKWID did not answer within 0.3 s")) << reason;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(Likwid, ItsOwnMessagesAreNotSeen) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const Counted counted = count();
  std::puts("ours");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "ours\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(counted.source, CountedBy::likwid);
}

TEST(LikwidLibrary, IsNamedWhereItIsNotThereOrAnother) {
  const auto absent = counters_of({"/no/such/liblikwid.so"});
  EXPECT_TRUE(contains(absent->unavailable(), "apt-get install likwid"));
  EXPECT_EQ(absent->count(test::telling([] { return std::string(); })).reason,
            absent->unavailable());
  const auto other = counters_of({"libm.so.6"});
  EXPECT_TRUE(contains(other->unavailable(), "is not LIKWID 5"));
  EXPECT_TRUE(contains(other->unavailable(), "it has no topology_init"));
}

TEST(LikwidLibrary, OfThisMachineCountsOrSaysWhyNot) {
  const std::string reason = likwid_counters().unavailable();
  if (reason.empty()) GTEST_SKIP() << "this machine has counters";
  EXPECT_TRUE(contains(reason, "LIKWID"));
  EXPECT_FALSE(contains(reason, "\n"));
}

TEST(LikwidNames, FitIntoFormulas) {
  EXPECT_EQ(counter_name("L3", "L3 data volume [GBytes]"), "L3.L3_data_volume_GBytes");
  EXPECT_EQ(counter_name("MEM1", "Memory data volume (channels 0-3) [GBytes]"),
            "MEM1.Memory_data_volume_channels_0_3_GBytes");
  EXPECT_EQ(counter_name("FLOPS_DP", "DP [MFLOP/s]"), "FLOPS_DP.DP_MFLOP_s");
  EXPECT_EQ(groups_of({"L2.a", "L3.b", "L2.c"}), (std::vector<std::string>{"L2", "L3"}));
}

/// A machine's files.
class LikwidRemedy : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  gpp::test::TemporaryFolder folder_;
};

TEST_F(LikwidRemedy, FollowsFromTheMachine) {
  write("proc/cpuinfo", "flags\t\t: fpu sse2\n");
  EXPECT_TRUE(contains(remedy(folder_.path()), "modprobe msr"));
  write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor\n");
  EXPECT_TRUE(contains(remedy(folder_.path()), "this virtual machine shows no registers"));
  write("dev/cpu/0/msr", "");
  EXPECT_TRUE(contains(remedy(folder_.path()), "few of them have counters"));
  write("proc/cpuinfo", "flags\t\t: fpu\n");
  EXPECT_TRUE(contains(remedy(folder_.path()), "likwid-perfctr"));
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  write("proc/sys/kernel/perf_event_paranoid", "2\n");
  std::filesystem::permissions(folder_.path() / "dev/cpu/0/msr", std::filesystem::perms::none);
  EXPECT_TRUE(contains(remedy(folder_.path()), "it is 2"));
}

}  // namespace
}  // namespace roofline::likwid
