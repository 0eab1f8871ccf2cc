// `roofline compare`: what is matched, what the ratios are, and what it warns of.
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

#include "tests/roofline/tool.h"
#include "tests/temporary_folder.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class RooflineCompare : public testing::Test {
 protected:
  std::string keep(const std::string& name, const json& profile) {
    const fs::path file = temporary.path() / (name + ".json");
    std::ofstream(file) << profile;
    return file.string();
  }
  std::string text(const json& a, const json& b, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"compare", keep("a", a), keep("b", b)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return succeeded(roofline(arguments)).output;
  }

  TemporaryFolder temporary;
};

/// The first became faster with half the traffic; the others are in one alone.
/// No roofs of their device are known.
const json before =
    sample_profile({{"void k<1>(int)", 2, 3.0, 4e12, 2e12}, {"void k<2>(int)"}}, "NVIDIA T4");
const json after =
    sample_profile({{"void k<1>(int)", 2, 1.5, 4e12, 1e12}, {"void k<3>(int)", 7}}, "NVIDIA T4");

TEST_F(RooflineCompare, MatchesByWholeNamesAndTellsTheRatios) {
  const json compared = json::parse(text(before, after, {"--json"}));
  ASSERT_EQ(compared["kernels"].size(), 1u) << "k<2> is not k<3>, though both are called k";
  const json& kernel = compared["kernels"][0];
  EXPECT_EQ(kernel["name"], "void k<1>(int)");
  EXPECT_EQ(kernel["seconds"], json({{"a", 3.0}, {"b", 1.5}}));
  EXPECT_EQ(kernel["speedup"], 2.0) << "B is twice as fast";
  EXPECT_EQ(kernel["work"]["fp64"]["ratio"], 1.0);
  EXPECT_EQ(kernel["bytes"]["dram"], json({{"a", 2e12}, {"b", 1e12}, {"ratio", 0.5}}));
  EXPECT_FALSE(kernel["bytes"].contains("l1")) << "which neither counted";
  EXPECT_TRUE(kernel["nearest"]["a"].is_null()) << "there are no roofs";
  EXPECT_EQ(compared["only_in_a"][0]["name"], "void k<2>(int)");
  EXPECT_EQ(compared["only_in_b"][0]["launches"], 7);
  EXPECT_EQ(compared["speedup"], 4.0 / 2.5);
  EXPECT_EQ(compared["doubts"], json::array());
}

TEST_F(RooflineCompare, ShowsThemSideBySide) {
  const std::string shown = text(before, after, {"--roofs", "v100"});
  for (const char* part :
       {"1  k                2  2  3.000 s  1.500 s    2.00x       dram  80.4%  dram  80.4%\n",
        "1  k         1.00x  0.50x\n", "only in A", "void k<2>(int)         1  1.000 s",
        "only in B", "void k<3>(int)         7  1.000 s",
        "All kernels: 4.000 s in A, 2.500 s in B, speedup 1.60x"})
    EXPECT_TRUE(contains(shown, part)) << part << " in\n" << shown;
  EXPECT_FALSE(contains(shown, "Beware")) << shown;
}

TEST_F(RooflineCompare, TellsTheNearestRoofOfBoth) {
  const json compared = json::parse(text(before, after, {"--json", "--roofs", "v100"}));
  const json& nearest = compared["kernels"][0]["nearest"];
  EXPECT_EQ(nearest["a"]["roof"], "dram");
  EXPECT_NEAR(nearest["a"]["percent"].get<double>(), 100 * 2e12 / 3 / 828.758e9, 1e-6);
  EXPECT_NEAR(nearest["b"]["percent"].get<double>(), 100 * 1e12 / 1.5 / 828.758e9, 1e-6);
}

TEST_F(RooflineCompare, SaysWhatDoesNotCompare) {
  const std::string devices = text(before, sample_profile({{"void k<1>(int)", 9}}, "NVIDIA A100"));
  EXPECT_TRUE(contains(devices, "Beware: the devices differ: A ran on NVIDIA T4, B on NVIDIA A100"))
      << devices;
  EXPECT_TRUE(contains(devices, "1 of 1 kernels were launched more or less often")) << devices;
  json counted = before;
  counted["source"] = "cupti";
  EXPECT_TRUE(contains(text(before, counted), "Beware: A was counted by ncu, B by cupti"));
}

TEST_F(RooflineCompare, SaysWhereRoofsDiffer) {
  const auto under = [](json profile, double dram) {
    const json roof = {{"name", "dram"},         {"label", "DRAM"},        {"kind", "bandwidth"},
                       {"measured", dram},       {"theoretical", nullptr}, {"clock_mhz", 0},
                       {"definition", "a test"}, {"sweep", json::array()}};
    profile["ceilings"] = {{"gpu",
                            {{"device", "NVIDIA H200"},
                             {"driver", ""},
                             {"created", ""},
                             {"seconds", 0},
                             {"list", json::array({roof})}}}};
    return profile;
  };
  EXPECT_TRUE(contains(text(under(before, 4e12), after), "only A has roofs"));
  EXPECT_TRUE(contains(text(under(before, 4e12), under(after, 3e12)),
                       "the roofs differ by more than 5%, or are not in both: DRAM"));
  EXPECT_TRUE(contains(text(under(before, 3e12), under(after, 4e12)), "the roofs differ by more"));
  EXPECT_FALSE(contains(text(under(before, 4e12), under(after, 3.9e12)), "roofs differ"));
  json foreign = under(after, 4e12);
  foreign["ceilings"]["gpu"]["device"] = "NVIDIA V100";
  EXPECT_TRUE(contains(text(under(before, 4e12), foreign),
                       "A stands under those of NVIDIA H200, B under those of NVIDIA V100"));
}

TEST_F(RooflineCompare, ClaimsNoSpeedupOfOtherPrograms) {
  const std::string shown = text(before, sample_profile({{"other"}}, "NVIDIA T4"));
  EXPECT_TRUE(contains(shown, "No kernel is in both")) << shown;
  EXPECT_FALSE(contains(shown, "speedup")) << shown;
  EXPECT_TRUE(
      json::parse(text(before, sample_profile({{"other"}}, "NVIDIA T4"), {"--json"}))["speedup"]
          .is_null());
}

TEST_F(RooflineCompare, FailsWhereTimesOrOperationsDifferByMoreThanAsked) {
  const auto status = [&](const json& b, const char* percent) {
    return roofline({"compare", keep("a", before), keep("b", b), "--within", percent}).status;
  };
  json slower = before, more = before;
  slower["kernels"][0]["seconds"] = 3.09;
  more["kernels"][0]["counters"]["sm__sass_thread_inst_executed_op_dfma_pred_on.sum"] = 2.06e12;
  EXPECT_EQ(status(before, "0.1"), 0);
  for (const json& other : {slower, more}) {
    EXPECT_EQ(status(other, "4"), 0);
    EXPECT_EQ(status(other, "2"), 1);
  }
  EXPECT_EQ(status(sample_profile({{"other"}}, "NVIDIA T4"), "90"), 1) << "nothing is in both";
}

TEST_F(RooflineCompare, NamesActOnNoTerminal) {
  const json evil = sample_profile({{"\x1b[2Jk\u202e"}});
  EXPECT_FALSE(contains(text(evil, evil), "\x1b"));
  EXPECT_FALSE(contains(text(evil, before), "\u202e"));
}

TEST_F(RooflineCompare, RefusesWhatIsNoProfile) {
  refused(roofline({"compare", keep("a", before), keep("b", {{"x", 1}})}),
          {"b.json: JSON, but no profile of kernels"});
  EXPECT_EQ(roofline({"compare", keep("a", before)}).status, 2);
}

}  // namespace
}  // namespace roofline::test
