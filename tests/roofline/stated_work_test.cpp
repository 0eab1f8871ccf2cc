// Work by formulas: their file, which may hold anything, and what they state of a profile.
#include "roofline/stated_work.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/import/import.h"
#include "roofline/import/work_file.h"
#include "roofline/inject/record.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

KernelProfile launched(const std::string& name) {
  KernelProfile kernel;
  kernel.name = name;
  kernel.launches = 5;
  kernel.seconds = 1e-3;
  kernel.forms = {{{{8, 1, 1}, {32, 2, 1}, 64, 0, 1024}, 3, 0.6e-3},
                  {{{16, 1, 1}, {32, 2, 1}, 64, 0, 1024}, 2, 0.4e-3}};
  return kernel;
}

Profile profile_with(const std::vector<KernelProfile>& kernels) {
  Profile profile;
  profile.device = "NVIDIA H200";
  profile.gpus = {{"NVIDIA H200", 90}};
  profile.ceilings = roofs_called("v100", "gpu");
  profile.kernels = kernels;
  derive(profile);
  return profile;
}

/// The profile of one kernel "triad<double>", with the work of a file.
KernelProfile stated(const std::string& text) {
  Profile profile = profile_with({launched("triad<double>")});
  WorkFile(text, "work.txt").state(profile);
  return profile.kernels.front();
}

std::string refusal(const std::string& text) {
  return thrown<InputError>([&] { const WorkFile file(text, "work.txt"); });
}

std::string reason(const KernelProfile& kernel, const std::string& name) {
  const auto found = std::ranges::find(kernel.missing, name, &Missing::name);
  return found == kernel.missing.end() ? "" : found->reason;
}

TEST(WorkFile, AddsUpTheFormsOfLaunches) {
  const KernelProfile kernel = stated(
      "# of each launch\n"
      "constant n\n  value 2 + 1\n"
      "constant m\n  value 2 * n\n"
      "kernel ^triad<\n  fp64 m * threads\n  dram 24 * gx * bx * by + launches\n"
      "kernel .\n  fp64 1\n");
  ASSERT_TRUE(kernel.stated);
  const StatedWork& work = *kernel.stated;
  EXPECT_EQ(work.amounts.at("fp64"), 6.0 * 64 * (3 * 8 + 2 * 16));
  EXPECT_EQ(work.amounts.at("dram"), 24.0 * 64 * (3 * 8 + 2 * 16) + 5 * 5);
  EXPECT_EQ(work.from, "work.txt");
  ASSERT_NE(work.placed.leading(), nullptr);
  EXPECT_TRUE(work.placed.leading()->analytic);
  EXPECT_TRUE(kernel.placed.points.empty()) << "nothing was counted";
  EXPECT_TRUE(kernel.metrics.empty());
}

TEST(WorkFile, FitsTheFirstExpressionAndTellsThoseThatFitNone) {
  Profile profile = profile_with({launched("a"), launched("b")});
  const WorkFile file("kernel ^a\n  fp64 1\nkernel c\n  fp64 2\nkernel [ab]\n  fp64 3\n", "w");
  EXPECT_EQ(file.state(profile), std::vector<std::string>{"c"});
  EXPECT_EQ(profile.kernels[0].stated->amounts.at("fp64"), 5);
  EXPECT_EQ(profile.kernels[1].stated->amounts.at("fp64"), 15);
  file.state(profile);
}

TEST(WorkFile, WhatHasNoValueIsMissingWithItsLine) {
  const KernelProfile kernel = stated(
      "kernel .\n  fp64 threads / (gx - 16)\n  fp32 8 - gx\n  fp16 1e300 * 1e300\n"
      "  tensor_fp16 1e200\n  l2 gx\n");
  EXPECT_EQ(kernel.stated->amounts.size(), 1u);
  EXPECT_TRUE(contains_all(reason(kernel, "fp64 by formula"), {"work.txt:2:", "grid 16x1x1"}));
  EXPECT_TRUE(contains(reason(kernel, "fp32 by formula"), "work.txt:3:"));
  EXPECT_TRUE(contains(reason(kernel, "fp16 by formula"), "work.txt:4:"));
  EXPECT_TRUE(contains(reason(kernel, "tensor_fp16 by formula"), "too large"));
}

TEST(WorkFile, RecordsThatTellNoLaunchTakeConstantsAlone) {
  KernelProfile kernel = launched("k");
  kernel.forms.clear();
  Profile profile = profile_with({kernel});
  WorkFile("kernel k\n  fp64 2 / launches\n  dram gx\n", "work.txt").state(profile);
  EXPECT_EQ(profile.kernels[0].stated->amounts.at("fp64"), 2);
  EXPECT_TRUE(contains(reason(profile.kernels[0], "dram by formula"), "does not tell how"));
}

TEST(WorkFile, MistakesHaveTheirPlace) {
  const std::pair<std::string, const char*> mistakes[] = {
      {"", "no block"},
      {"constant n\n  value 3\n", "no block"},
      {"kernel\n", "work.txt:1:"},
      {"kernel k\n", "neither operations nor bytes"},
      {"kernel k\n  fp64\n", "work.txt:2:"},
      {"kernel k\n  fp65 1\n", "did you mean 'fp64'"},
      {"kernel k\n  fp64 1\n  fp64 2\n", "a second 'fp64'"},
      {"kernel k\n  fp64 2 * gxx\n", "work.txt:2:12: unknown name 'gxx'"},
      {"kernel k\n  fp64 2 *\n", "work.txt:2:"},
      {"kernel k\n  fp64 (2\n", "')' is missing"},
      {"kernel k\n  fp64 2 $ 3\n", "work.txt:2:10"},
      {"kernel [\n  fp64 1\n", "not a regular expression"},
      {"kernel (a{1,255}){1,255}\n  fp64 1\n", "without repetitions"},
      {"kernel (a{,255}){,255}\n  fp64 1\n", "without repetitions"},
      {"kernel (a)\\1\n  fp64 1\n", "without repetitions"},
      {"kernel " + std::string(600, 'a') + "\n  fp64 1\n", "at most 500"},
      {"kernel k\n  fp64 " + std::string(1000, '(') + "\n", "nested too deeply"},
      {"kernel k\n  fp64 1" + std::string(3000, '1') + "\n", "longer than"},
      {"constant gx\n  value 1\nkernel k\n  fp64 1\n", "told by each launch"},
      {"constant 2n\n  value 1\nkernel k\n  fp64 1\n", "no name"},
      {"constant n\n  value m\nkernel k\n  fp64 1\n", "unknown name 'm'"},
      {"constant n\n  value 1 / 0\nkernel k\n  fp64 1\n", "not finite"},
      {"constant n\n  valu 1\nkernel k\n  fp64 1\n", "work.txt:2:3"},
      {"fp64 1\n", "unknown block 'fp64'"},
      {"\tkernel k\n", "a tab"}};
  for (const auto& [text, part] : mistakes)
    EXPECT_TRUE(contains(refusal(text), part)) << text.substr(0, 60) << "\n" << refusal(text);
}

TEST(StatedWork, IsKeptWithTheProfile) {
  Profile profile = profile_with({launched("k")});
  profile.source = "cupti";
  profile.created = "2026-11-25T00:00:00Z";
  WorkFile("kernel k\n  fp64 threads\n  dram threads\n", "work.txt").state(profile);
  profile.kernels[0].gpu = 0;
  const nlohmann::json json = profile_json(profile);
  EXPECT_EQ(json["kernels"][0]["occupancy"]["share"], 0.5) << "64 registers, 64 threads";
  EXPECT_TRUE(json["kernels"][0].contains("formula_rooflines"));
  const Profile again = read_profile(json, "profile.json");
  EXPECT_EQ(profile_json(again).dump(), profile_json(profile).dump());
  EXPECT_EQ(again.kernels[0].key(), "k on GPU 0");
  nlohmann::json broken = json;
  broken["kernels"][0]["forms"][0]["form"]["block"] = {1 << 20, 1, 1};
  EXPECT_THROW(read_profile(broken, "profile.json"), InputError);
}

TEST(ProfileOfGpus, EachKernelAndDeviceHasARow) {
  inject::Runs runs;
  inject::KernelTally tally;
  tally.launches = 1;
  tally.seconds = 1;
  for (const char* gpu : {"a", "b"}) runs.timed.kernels[{"k", gpu}] = tally;
  runs.timed.gpus = {{"a", {"NVIDIA H200", 1, 90}}, {"b", {"NVIDIA H200", 0, 90}}};
  runs.timed.kernels[{"k", "a"}].seconds = 2;
  runs.hardware = runs.timed;
  runs.hardware->kernels[{"k", "a"}].counters = {{"dram__bytes.sum", 64}};
  Profile profile = profile_of("p", runs);
  derive(profile);
  ASSERT_EQ(profile.kernels.size(), 2u);
  EXPECT_EQ(profile.kernels[0].gpu, 1) << "by its number, not by its key";
  EXPECT_EQ(profile.kernels[0].counters.size(), 1u);
  EXPECT_TRUE(profile.kernels[1].counters.empty());
  EXPECT_EQ(shown_name(profile.kernels[1]), "k on GPU 0");
}

}  // namespace
}  // namespace roofline::test
