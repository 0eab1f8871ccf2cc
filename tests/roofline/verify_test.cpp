// Known answers: what they say, and what `roofline verify` makes of counts.
#include "roofline/verify/verify.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>

#include "roofline/models/model_table.h"
#include "tests/roofline/tool.h"
#include "tests/temporary_folder.h"

namespace roofline::test {
namespace {

using nlohmann::json;

constexpr const char* counted_dfma = "sm__sass_thread_inst_executed_op_dfma_pred_on.sum";

/// A profile whose kernel `known_dfma` has so many DFMA, in so many launches.
Profile profile_of_dfma(double instructions, std::int64_t launches = 1) {
  Profile profile;
  profile.source = "cupti";
  KernelProfile kernel;
  kernel.name = "roofline::known::known_dfma(int, double*)";
  kernel.launches = launches;
  for (const std::string& name : needed_counters()) kernel.counters[name] = 0;
  kernel.counters[counted_dfma] = instructions;
  kernel.counters.erase("sm__sass_thread_inst_executed_op_ffma_pred_on.sum");
  kernel.missing.push_back({"fp32", "a reason"});
  profile.kernels.push_back(kernel);
  derive(profile);
  return profile;
}

std::map<std::string, std::string> verdicts(const known::Verification& verification,
                                            const std::string& kernel = "known_dfma") {
  std::map<std::string, std::string> found;
  for (const known::Judgement& row : verification.rows)
    if (row.kernel == kernel) found[row.metric] = row.verdict();
  return found;
}

/// Walls are what instruction rooflines are held against: the kernels lie on them.
TEST(KnownKernels, LieOnTheWalls) {
  std::map<std::string, double> walls;
  for (const Model& model : nvidia_table().instruction_models)
    for (const Wall& wall : model.walls) walls[wall.name] = wall.intensity;
  const auto intensity = [](const char* name, const std::string& above, const std::string& below) {
    std::map<std::string, double> values;
    for (const known::Answer& answer : known::kernel_called(name).answers)
      values[answer.metric] = answer.value;
    return values.at(above) / values.at(below);
  };
  for (const auto& [kernel, wall] :
       {std::pair{"known_same_address", "global_same"}, std::pair{"known_unit_4", "global_unit_4"},
        std::pair{"known_unit_8", "global_unit_8"},
        std::pair{"known_scattered_4", "global_scattered"},
        std::pair{"known_scattered_8", "global_scattered"}})
    EXPECT_EQ(intensity(kernel, "global_instructions", "global_sectors"), walls.at(wall)) << kernel;
  for (const auto& [kernel, wall] : {std::pair{"known_banks_apart", "shared_free"},
                                     std::pair{"known_one_bank", "shared_one_bank"}})
    EXPECT_EQ(intensity(kernel, "shared_instructions", "shared_wavefronts"), walls.at(wall))
        << kernel;
}

TEST(KnownKernels, AskForMetricsThatTheTableHas) {
  std::set<std::string> names;
  for (const known::Kernel& kernel : known::kernels()) {
    EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
    for (const known::Answer& answer : kernel.answers)
      EXPECT_NE(nvidia_table().find_metric(answer.metric), nullptr) << answer.metric;
  }
}

TEST(Verify, TellsRightFromWrongAndFromNotCounted) {
  const double right = known::chain.instructions();
  known::Verification verification = known::verify(profile_of_dfma(right));
  EXPECT_EQ(verdicts(verification),
            (std::map<std::string, std::string>{
                {"fp64_flop", "ok"}, {"fp64_fma_fraction", "ok"}, {"fp32_flop", "not counted"}}));
  EXPECT_TRUE(verification.passes());
  EXPECT_EQ(verification.right(), 2u);
  const std::string text = known::verification_text(verification, false, 100);
  EXPECT_TRUE(contains(text, "fp32_flop of known_dfma: a reason.")) << text;
  EXPECT_TRUE(contains(text, "cupti: 2 right, 0 wrong")) << text;

  verification = known::verify(profile_of_dfma(1.01 * right));
  EXPECT_EQ(verdicts(verification)["fp64_flop"], "off by +1%");
  EXPECT_FALSE(verification.passes());
  // One instruction of many millions.
  EXPECT_EQ(verdicts(known::verify(profile_of_dfma(right + 1)))["fp64_flop"], "off by +1.49e-06%");
  EXPECT_TRUE(known::verify(profile_of_dfma(3 * right, 3)).passes()) << "launched three times";
  EXPECT_FALSE(known::verify(profile_of_dfma(right, 3)).passes());
}

TEST(Verify, KnowsNamesAsWholeWordsAlone) {
  Profile profile = profile_of_dfma(1);
  for (const char* name : {"known_dfma2(int)", "my_known_dfma(int)"}) {
    profile.kernels.front().name = name;
    EXPECT_EQ(verdicts(known::verify(profile))["fp64_flop"], "not counted") << name;
  }
  for (const char* name : {"known_dfma", "void a::known_dfma<3>(int)"}) {
    profile.kernels.front().name = name;
    EXPECT_NE(verdicts(known::verify(profile))["fp64_flop"], "not counted") << name;
  }
}

/// L2's bytes are another metric there, and the wave is of 64 lanes.
TEST(Verify, KnowsTheMetricsOfAnotherMaker) {
  Profile profile;
  profile.kind = "amd";
  KernelProfile kernel;
  kernel.name = "known_daxpy";
  kernel.launches = 1;
  for (const Metric& metric : amd_table().metrics)
    for (const std::string& name : counters_of(metric)) kernel.counters[name] = 0;
  const auto n = static_cast<double>(known::streamed);
  kernel.counters["SQ_INSTS_VALU_FMA_F64"] = n / 64;
  kernel.counters["TCP_TCC_READ_REQ_sum"] = 24 * n / 64;
  profile.kernels.push_back(kernel);
  derive(profile);
  EXPECT_EQ(verdicts(known::verify(profile), "known_daxpy"),
            (std::map<std::string, std::string>{{"fp64_flop", "ok"},
                                                {"l1_bytes", "off by -100%"},
                                                {"l2_sm_bytes", "ok"},
                                                {"dram_bytes", "off by -100%"}}));
}

TEST(Verify, NothingMayBeWhereNothingIsExpected) {
  Profile profile = profile_of_dfma(5);
  profile.kernels.front().name = "known_ffma";
  EXPECT_EQ(verdicts(known::verify(profile), "known_ffma")["fp64_flop"], "off: it must be 0");
}

TEST(Verify, SaysWhyAKernelWasLeftOut) {
  const known::Verification verification =
      known::verify(profile_of_dfma(1), {{"known_dmma", "no tensor cores"}});
  EXPECT_TRUE(contains(known::verification_text(verification, false, 200), "no tensor cores"));
}

class RooflineVerify : public testing::Test {
 protected:
  std::string kept(const Profile& profile) {
    const std::string file = (folder_ / "profile.json").string();
    json facts = json::parse(profile_json(profile).dump());
    std::ofstream(file) << facts;
    return file;
  }
  TemporaryFolder folder_;
};

TEST_F(RooflineVerify, JudgesAKeptProfileWithItsStatus) {
  Finished done = succeeded(roofline(
      {"verify", "--json", "--record", kept(profile_of_dfma(known::chain.instructions()))}));
  const json said = json::parse(done.output);
  EXPECT_EQ(said["right"], 2);
  EXPECT_EQ(said["wrong"], 0);
  EXPECT_EQ(said["passes"], true);
  done = ended(roofline({"verify", "--record", kept(profile_of_dfma(1))}), 1);
  EXPECT_TRUE(contains(done.output, "off by -100%")) << done.output;
}

TEST_F(RooflineVerify, ReadsOtherProfilersFiles) {
  std::ofstream(folder_ / "ncu.csv") << "\"ID\",\"Kernel Name\",\"" << counted_dfma
                                     << "\",\"sm__sass_thread_inst_executed_op_dadd_pred_on.sum\","
                                        "\"sm__sass_thread_inst_executed_op_dmul_pred_on.sum\"\n"
                                        "\"\",\"\",\"inst\",\"inst\",\"inst\"\n"
                                        "\"0\",\"known_dfma\",\"67,108,864\",\"0\",\"0\"\n";
  Finished done = succeeded(roofline({"verify", "--ncu", (folder_ / "ncu.csv").string()}));
  EXPECT_TRUE(contains(done.output, "134217728")) << done.output;
  refused(roofline({"verify", "--rocprof", (folder_ / "ncu.csv").string()}), {"--ncu takes it"});
}

TEST_F(RooflineVerify, NothingCountedIsNoPass) {
  const Finished done = ended(roofline({"verify", "--ncu", samples + "ncu-gpp-v9.csv"}), 1);
  EXPECT_TRUE(contains(done.output, "nothing is verified")) << done.output;
}

}  // namespace
}  // namespace roofline::test
