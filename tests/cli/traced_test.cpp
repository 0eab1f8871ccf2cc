// A study on a host tells its machine code, work and traffic: the program run as a process.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/finished.h"

namespace gpp {
namespace {

using nlohmann::json;

class Traced : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(GPP_BINARY_DIR "/libgpp_traced.so"))
      GTEST_SKIP()
          << "this build has no instrumented variants: it has sanitizers, or another processor";
  }

  static json run(const std::string& variant, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {GPP_BINARY_DIR "/gpp",
                                          "run",
                                          variant,
                                          "--model",
                                          "omp",
                                          "--device",
                                          "host",
                                          "--preset",
                                          "small",
                                          "--repeat",
                                          "1",
                                          "--ceilings",
                                          "off",
                                          "--no-build",
                                          "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json::parse(succeeded(roofline::run_program(arguments)).output, nullptr, false);
  }

  static bool calls(const json& result, const std::string& name) {
    return std::any_of(
        result["code"]["loops"].begin(), result["code"]["loops"].end(), [&name](const json& loop) {
          return std::find(loop["calls"].begin(), loop["calls"].end(), name) != loop["calls"].end();
        });
  }
};

TEST_F(Traced, OperationsAreThoseThatTheSourceStates) {
  for (const char* variant : {"v1", "v6", "v8", "v9"}) {
    const json result = run(variant);
    EXPECT_EQ(result["trace"]["reason"], "") << variant;
    const double stated = result["metrics"]["fp64_flop"];
    const double traced = result["metrics"]["traced_flop"];
    EXPECT_NEAR(traced / stated, 0.95, 0.1) << variant << ": compilers compute some of it once";
  }
}

TEST_F(Traced, TrafficFallsFromLevelToLevel) {
  const json metrics = run("v8")["metrics"];
  const double l1 = metrics["l1_bytes"], l2 = metrics["l2_bytes"], dram = metrics["dram_bytes"];
  EXPECT_GT(l1, l2);
  EXPECT_GE(l2, dram);
  EXPECT_GT(dram, 0);
}

TEST_F(Traced, HypotIsSeenWhereItIsAndNotWhereItWent) {
  const json before = run("v7"), after = run("v8");
  EXPECT_GT(before["trace"]["calls"].value("hypot", 0.0), 0);
  EXPECT_FALSE(after["trace"]["calls"].contains("hypot"));
  if (before["code"]["loops"].empty() || after["code"]["loops"].empty())
    GTEST_SKIP() << "no samples: " << before["code"]["reason"] << after["code"]["reason"];
  EXPECT_TRUE(calls(before, "hypot"));
  EXPECT_FALSE(calls(after, "hypot"));
  EXPECT_GT(before["metrics"]["scalar_fraction"], after["metrics"]["scalar_fraction"]);
}

TEST_F(Traced, NotWhereTheSourceAloneIsAsked) {
  const json result = run("v8", {"--counters", "source"});
  EXPECT_FALSE(result["metrics"].contains("l1_bytes"));
  EXPECT_EQ(result["code"]["samples"], 0);
}

}  // namespace
}  // namespace gpp
