// Tests of the load from others, on a machine made of files.
#include "harness/measure/load.h"

#include "roofline/base/machine.h"
#include "tests/harness/measure/fake_machine.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

class Load : public testing::Test {
 protected:
  LoadMeter meter() {
    return LoadMeter({.root = machine.root(),
                      .clock = [this] { return machine.now; },
                      .own = [this] { return machine.own; }});
  }
  /// The load during a run of two seconds.
  LoadShare during(double ours, double others, double stolen = 0) {
    LoadMeter load = meter();
    load.begin();
    machine.pass(2, ours, others, stolen);
    return load.end();
  }
  static void expect_unknown(const LoadShare& share) {
    EXPECT_TRUE(std::isnan(share.others)) << share.others;
    EXPECT_TRUE(std::isnan(share.steal)) << share.steal;
    EXPECT_FALSE(share.known());
  }

  FakeMachine machine;
};

TEST_F(Load, IsWhatProcessorsDidBeyondUs) {
  const LoadShare quiet = during(3.9, 0.04);
  EXPECT_NEAR(quiet.others, 0.01, 0.011) << "0.04 of 4 processor seconds, but for the ticks";
  EXPECT_NEAR(quiet.steal, 0, 1e-9);
  EXPECT_FALSE(quiet.disturbed());
  const LoadShare busy = during(2.6, 1.36);
  EXPECT_NEAR(busy.others, 0.34, 0.011);
  EXPECT_TRUE(busy.disturbed());
}

TEST_F(Load, CountsStolenTime) {
  const LoadShare share = during(3, 0, 0.8);
  EXPECT_NEAR(share.others, 0, 1e-9);
  EXPECT_NEAR(share.steal, 0.2, 1e-9);
  EXPECT_TRUE(share.disturbed());
  EXPECT_TRUE(during(3.7, 0.12, 0.12).disturbed()) << "3% and 3% are 6%";
}

/// Tests both versions of control groups.
TEST_F(Load, CountsWhatAQuotaHeldBack) {
  const auto stolen = [this](const std::string& group, const char* before, const char* after,
                             double ours) {
    machine.write("sys/fs/cgroup/" + group + "/cpu.stat", before);
    LoadMeter load = meter();
    load.begin();
    machine.pass(2, ours, 0);
    machine.write("sys/fs/cgroup/" + group + "/cpu.stat", after);
    return load.end().steal;
  };
  machine.write("proc/self/cgroup", "0::/jobs/mine\n");
  machine.write("sys/fs/cgroup/jobs/mine/cpu.max", "150000 100000\n");
  EXPECT_NEAR(stolen("jobs/mine", "nr_periods 5\nthrottled_usec 1000000\n",
                     "nr_periods 9\nthrottled_usec 2000000\n", 3),
              0.25, 1e-9);
  EXPECT_EQ(roofline::cpu_quota(roofline::cpu_groups(machine.root())), 1.5);
  machine.write("proc/self/cgroup", "3:memory:/x\n2:cpu,cpuacct:/not/visible/here\n");
  machine.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
  machine.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_NEAR(stolen("cpu,cpuacct", "nr_throttled 3\nthrottled_time 0\n",
                     "nr_throttled 9\nthrottled_time 2000000000\n", 1),
              0.5, 1e-9);
  EXPECT_EQ(roofline::cpu_quota(roofline::cpu_groups(machine.root())), 0.5);
}

TEST_F(Load, IsARunsOwnAndOfAShortOneThatOfAWindowAroundIt) {
  LoadMeter load = meter();
  machine.pass(10, 20, 0);
  load.begin();  // a quiet period before
  machine.pass(0.1, 0.2, 0);
  EXPECT_NEAR(load.end().others, 0, 1e-9);
  for (int run = 0; run < 6; ++run) {
    load.begin();
    machine.pass(0.1, 0.1, 0.1);
    const LoadShare share = load.end();
    if (run < 5) continue;
    EXPECT_NEAR(share.others, 0.5, 0.05) << "half a second of it";
  }
  machine.pass(3, 0, 6);
  load.begin();
  machine.pass(1, 2, 0);
  EXPECT_NEAR(load.end().others, 0, 1e-9) << "the busy seconds were before";
}

TEST_F(Load, IsNotWhatItsOwnProcessesDid) {
  double elsewhere = 0;
  LoadMeter load = meter();
  load.own_too([&elsewhere] { return elsewhere; });
  load.begin();
  machine.pass(2, 0, 4);
  elsewhere += 3;
  EXPECT_NEAR(load.end().others, 0.25, 1e-9);
  load.own_too({});
  load.begin();
  machine.pass(2, 0, 4);
  elsewhere += 3;
  EXPECT_NEAR(load.end().others, 1, 1e-9) << "it asks no more";
}

TEST_F(Load, IsNotKnownFromFilesThatMakeNoSense) {
  for (const char* text :
       {"", "garbage", "cpu0", "cpu0 1 2 3\n", "cpu0 -1 0 0 0 0 0 0 0\ncpu2 1 0 0 0 0 0 0 0\n",
        "cpu0 1e3 0 0 0 0 0 0 0\n", "cpu99999999999999999999 1 1 1 1 1 1 1 1\n",
        "cpu0 99999999999999999999 0 0 0 0 0 0 0\n", "cpu0 9223372036854775807 0 0 0 0 0 0 0\n",
        "cpux 1 1 1 1 1 1 1 1\n", "cpu0 1 1 1 1 1 1 1 1\n"}) {
    LoadMeter load = meter();
    load.begin();
    machine.pass(2, 4, 0);
    machine.write("proc/stat", text);
    expect_unknown(load.end());
  }
  std::filesystem::remove(machine.root() / "proc/stat");
  expect_unknown(during(1, 1));
}

TEST_F(Load, IsNotKnownWhereLittleWasSeenOrTheFilesAreAboutSomethingElse) {
  LoadMeter load = meter();
  load.begin();
  machine.pass(0.01, 0.0, 0.02);
  expect_unknown(load.end());
  expect_unknown(during(2, -1.5));  // a sandbox that counts none of our time
  expect_unknown(during(1, 9));     // more than the processors have
  for (const char* list : {"", "x", "2-1", "0,0", "-1", "0-99999999999", "0-1000000000"}) {
    machine.write("proc/self/status", std::string("Cpus_allowed_list:\t") + list + "\n");
    expect_unknown(during(1, 3));
  }
}

/// On the real machine: a share or nothing, and a processor's clock.
TEST(Processors, TellAffinityClockAndLoad) {
  const FakeMachine machine;
  machine.write("sys/devices/system/cpu/online", "0-3\n");
  machine.write("proc/loadavg", "4.40 2.16 0.99 11/143 10664\n");
  for (const char* cpu : {"cpu0", "cpu2"})
    machine.write(std::string("sys/devices/system/cpu/") + cpu + "/cpufreq/scaling_governor",
                  "powersave\n");
  EXPECT_EQ(roofline::allowed_processors(machine.root()), "0,2");
  EXPECT_EQ(roofline::online_processors(machine.root()), 4);
  EXPECT_EQ(roofline::load_average(machine.root()), 4.4);
  EXPECT_EQ(roofline::clock_governor({0, 2}, machine.root()), "powersave");
  EXPECT_EQ(roofline::clock_governor({0, 1}, machine.root()), "") << "one does not say";
  machine.write("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "performance\n");
  EXPECT_EQ(roofline::clock_governor({0, 2}, machine.root()), "mixed");
  machine.write("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "\033[31mfast\n");
  EXPECT_EQ(roofline::clock_governor({0, 2}, machine.root()), "");
  machine.write("proc/loadavg", "inf");
  EXPECT_FALSE(roofline::load_average(machine.root()));
  EXPECT_EQ(roofline::parse_processors("0-2,5,7-8"), (std::vector<int>{0, 1, 2, 5, 7, 8}));
  EXPECT_EQ(roofline::parse_processors("3"), (std::vector<int>{3}));
  for (const char* wrong : {"", ",", "1,,2", "a", "1-", "-1", "2-1", "1,1", "0-65536", "1 2"})
    EXPECT_TRUE(roofline::parse_processors(wrong).empty()) << wrong;
  LoadMeter load;
  const LoadShare share = load.last();
  EXPECT_TRUE(std::isnan(share.others) || (share.others >= 0 && share.others <= 1));
  const double mhz = roofline::measured_clock_mhz();
  EXPECT_TRUE(mhz == 0 || (mhz > 1 && mhz < 20000)) << mhz;
}

TEST(Processors, OfAGroupOutsideItsHierarchyAreNotFollowed) {
  const FakeMachine machine;
  machine.write("proc/self/cgroup", "0::/../../../secret\nnonsense\n:\n");
  machine.write("secret/cpu.stat", "throttled_usec 5\n");
  machine.write("sys/fs/cgroup/cpu.stat", "throttled_usec many\n");
  const auto groups = roofline::cpu_groups(machine.root());
  EXPECT_EQ(only(groups), machine.root() / "sys/fs/cgroup");
  EXPECT_FALSE(roofline::throttled_seconds(groups));
  EXPECT_FALSE(roofline::cpu_quota(groups));
}

}  // namespace
}  // namespace gpp::test
