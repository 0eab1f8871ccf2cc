// Tests of `roofline report`: the page's path, content, and escaping. Tests of known answers and
// `roofline verify`.
#include <fstream>
#include <map>
#include <set>

#include "roofline/models/model_table.h"
#include "roofline/verify/verify.h"
#include "tests/roofline/page_text.h"
#include "tests/roofline/tool.h"
#include "tests/temporary_folder.h"

namespace roofline::test {
namespace {

/// The page in a file, which must have no fault.
std::string page_in(const fs::path& file) {
  std::string page = file_text(file);
  EXPECT_EQ(fault_of_page(page), "");
  return page;
}

/// Stored profiles in a separate folder.
class RooflineReport : public testing::Test {
 protected:
  fs::path keep(const std::string& name, const json& profile) {
    fs::create_directories(folder / name);
    std::ofstream(folder / name / "profile.json") << profile;
    return folder / name;
  }
  fs::path import_sample() {
    const Finished done = succeeded(roofline({"import", samples + "ncu-nersc-gpp-v9.csv", "--roofs",
                                              h200_roofs, "-o", (folder / "nersc").string()}));
    EXPECT_TRUE(contains(done.output, "Report: " + (folder / "nersc/report.html").string()));
    return folder / "nersc";
  }

  TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

TEST_F(RooflineReport, IsWrittenAnewBesideItsProfileOrWhereAsked) {
  const std::string profile = import_sample();
  const std::string before = file_text(folder / "nersc/report.html");
  fs::remove(folder / "nersc/report.html");
  EXPECT_EQ(succeeded(roofline({"report", profile + "/profile.json"})).output,
            "Report: " + profile + "/report.html\n");
  EXPECT_EQ(file_text(folder / "nersc/report.html"), before);
  succeeded(roofline({"report", profile + "/", "-o", (folder / "x.html").string()}));
  EXPECT_EQ(file_text(folder / "x.html"), before) << "the same name in the page, too";
}

/// Of an import with another device's roofs, and of more kernels than are shown at once, in two
/// precisions.
TEST_F(RooflineReport, PagesAreThoseThatAreKept) {
  const fs::path imported = import_sample();
  json profile = json::parse(file_text(imported / "profile.json"));
  profile["created"] = "2026-01-02T03:04:05Z";
  keep("nersc", profile);
  std::vector<SampleKernel> kernels;
  for (int i = 0; i < 22; ++i) kernels.push_back({"k" + std::to_string(i), 1, 1.0 / (1 + i)});
  profile = sample_profile(kernels);
  const std::string op = "sm__sass_thread_inst_executed_op_f";
  for (json& kernel : profile["kernels"])
    for (const auto& [kind, count] : {std::pair("add", 0.0), {"mul", 0.0}, {"fma", 5e11}})
      kernel["counters"][op + kind + "_pred_on.sum"] = count;
  const std::string many = keep("many", profile), page = folder / "page.html";
  std::string told;
  for (const auto& [kept, roofs] : {std::pair(imported.string(), "h100"), {many, "h200"}}) {
    succeeded(roofline({"report", "-o", page, kept, "--roofs", roofs}));
    told += "====\n" + told_of(page_in(page));
  }
  expect_kept("roofline/pages.txt", told);
}

TEST_F(RooflineReport, NamesNeverBecomePartsOfThePage) {
  Texts evil = {"</script><script>alert(1)</script>", "<!--<script>", "a\u202eb\u2028c\u2066"};
  evil.insert(evil.end(), {"\x1b[2J\x01\r", "&amp;\" onload=\"", std::string(20000, 'x')});
  std::vector<SampleKernel> kernels;
  for (const std::string& name : evil) kernels.push_back({name});
  json profile = sample_profile(kernels, "</title><script>");
  profile["program"] = "</title><script>alert(2)</script>\u202e";
  profile["notes"] = evil;
  const fs::path kept = keep("evil", profile);
  ASSERT_EQ(roofline({"report", kept.string()}).status, 0);
  const std::string page = page_in(kept / "report.html");
  EXPECT_FALSE(contains(page, "</title><script>"));
  for (const char* part : {"&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
                           "a\\u202eb\\u2028c\\u2066", "&amp;amp;&quot; onload=&quot;"})
    EXPECT_TRUE(contains(part_of(page, "results"), part));
}

constexpr const char* counted_dfma = "sm__sass_thread_inst_executed_op_dfma_pred_on.sum";

/// A profile whose kernel `known_dfma` has this many DFMA in this many launches.
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

TEST(KnownKernels, LieOnTheWallsAndAskForMetricsThatThereAre) {
  std::map<std::string, double> walls;
  for (const Model& model : nvidia_table().instruction_models)
    for (const Wall& wall : model.walls) walls[wall.name] = wall.intensity;
  for (const auto& [kernel, wall] : {std::pair{"known_same_address", "global_same"},
                                     {"known_unit_4", "global_unit_4"},
                                     {"known_unit_8", "global_unit_8"},
                                     {"known_scattered_4", "global_scattered"},
                                     {"known_scattered_8", "global_scattered"},
                                     {"known_banks_apart", "shared_free"},
                                     {"known_one_bank", "shared_one_bank"}}) {
    std::map<std::string, double> values;
    for (const known::Answer& answer : known::kernel_called(kernel).answers)
      values[answer.metric] = answer.value;
    const bool shared = std::string(wall).starts_with("shared");
    const double intensity = shared
                                 ? values.at("shared_instructions") / values.at("shared_wavefronts")
                                 : values.at("global_instructions") / values.at("global_sectors");
    EXPECT_EQ(intensity, walls.at(wall)) << kernel;
  }
  std::set<std::string> names;
  for (const known::Kernel& kernel : known::kernels()) {
    EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name;
    for (const known::Answer& answer : kernel.answers)
      EXPECT_NE(nvidia_table().find_metric(answer.metric), nullptr) << answer.metric;
  }
}

TEST(Verify, TellsRightFromWrongAndFromNotCounted) {
  const double right = known::chain.instructions();
  known::Verification verification =
      known::verify(profile_of_dfma(right), {{"known_dmma", "none"}});
  EXPECT_EQ(verdicts(verification),
            (std::map<std::string, std::string>{
                {"fp64_flop", "ok"}, {"fp64_fma_fraction", "ok"}, {"fp32_flop", "not counted"}}));
  EXPECT_TRUE(verification.passes());
  EXPECT_EQ(verification.right(), 2u);
  EXPECT_TRUE(contains_all(
      known::verification_text(verification, false, 100),
      {"fp32_flop of known_dfma: a reason.", "known_dmma: none", "cupti: 2 right, 0 wrong"}));

  verification = known::verify(profile_of_dfma(1.01 * right));
  EXPECT_EQ(verdicts(verification)["fp64_flop"], "off by +1%");
  EXPECT_FALSE(verification.passes());
  // The error is one instruction in many millions.
  EXPECT_EQ(verdicts(known::verify(profile_of_dfma(right + 1)))["fp64_flop"], "off by +1.49e-06%");
  EXPECT_TRUE(known::verify(profile_of_dfma(3 * right, 3)).passes()) << "launched three times";
  EXPECT_FALSE(known::verify(profile_of_dfma(right, 3)).passes());
  Profile nothing_expected = profile_of_dfma(5);
  nothing_expected.kernels.front().name = "known_ffma";
  EXPECT_EQ(verdicts(known::verify(nothing_expected), "known_ffma")["fp64_flop"],
            "off: it must be 0");
}

TEST(Verify, KnowsNamesAsWholeWordsAlone) {
  Profile profile = profile_of_dfma(1);
  for (const auto& [name, known] : {std::pair("known_dfma2(int)", false),
                                    {"my_known_dfma(int)", false},
                                    {"known_dfma", true},
                                    {"void a::known_dfma<3>(int)", true}}) {
    profile.kernels.front().name = name;
    EXPECT_EQ(verdicts(known::verify(profile))["fp64_flop"] != "not counted", known) << name;
  }
}

TEST(RooflineVerify, JudgesAKeptProfileAndOtherProfilersFilesWithItsStatus) {
  const TemporaryFolder folder;
  const std::string profile = folder / "profile.json", table = folder / "ncu.csv";
  std::ofstream(profile) << profile_json(profile_of_dfma(known::chain.instructions()));
  const json said =
      json::parse(succeeded(roofline({"verify", "--json", "--record", profile})).output);
  EXPECT_EQ(said["right"], 2);
  EXPECT_EQ(said["wrong"], 0);
  EXPECT_EQ(said["passes"], true);
  std::ofstream(profile) << profile_json(profile_of_dfma(1));
  EXPECT_TRUE(contains(ended(roofline({"verify", "--record", profile}), 1).output, "off by -100%"));
  const std::string op = "\"sm__sass_thread_inst_executed_op_";
  std::ofstream(table) << "\"ID\",\"Kernel Name\"," + op + "dfma_pred_on.sum\"," + op +
                              "dadd_pred_on.sum\"," + op +
                              "dmul_pred_on.sum\"\n"
                              "\"\",\"\",\"inst\",\"inst\",\"inst\"\n"
                              "\"0\",\"known_dfma\",\"67,108,864\",\"0\",\"0\"\n";
  EXPECT_TRUE(contains(succeeded(roofline({"verify", "--ncu", table})).output, "134217728"));
  const Finished none = ended(roofline({"verify", "--ncu", samples + "ncu-gpp-v9.csv"}), 1);
  EXPECT_TRUE(contains(none.output, "nothing is verified"));
}

}  // namespace
}  // namespace roofline::test
