// Tests of the program `roofline`: output, files, comparisons, refusals.
#include <algorithm>
#include <fstream>

#include "roofline/json.h"
#include "roofline/record/facts.h"
#include "tests/roofline/tool.h"
#include "tests/temporary_folder.h"

namespace roofline::test {
namespace {

class RooflineTool : public testing::Test {
 protected:
  void keep(const std::string& name, const json& profile) const {
    fs::create_directories((temporary / name).parent_path());
    std::ofstream(temporary / name) << profile;
  }
  /// Runs commands in the folder, and adds what they print and their status to the text.
  void tell(const std::vector<std::string>& commands) {
    for (const std::string& command : commands) {
      const Finished done =
          run_program({"sh", "-c", "cd '" + folder + "' && " ROOFLINE_TOOL " " + command});
      EXPECT_FALSE(contains(done.output + done.errors, "\x1b"));
      told += "$ roofline " + command + "\n" + done.output + done.errors;
      if (done.status != 0) told += "status " + std::to_string(done.status) + "\n";
    }
  }

  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  std::string told;
};

/// Imports under published roofs, those of a record and of a known card; what no roof allows is
/// marked; 30 kernels fit on a screen, which ends with what was learnt.
TEST_F(RooflineTool, ShowsProfilesAsTheyAreKept) {
  for (const char* file : {"ncu-nersc-gpp-v9.csv", "vcopy-mi200-pmc_perf.csv"})
    fs::copy_file(samples + file, temporary / file);
  fs::create_directory(temporary / "study");
  fs::copy_file(h200_roofs, temporary / "study/study.json");
  keep("h100/profile.json", sample_profile({{"k"}}, "NVIDIA H100 80GB HBM3"));
  keep("pcie/profile.json", sample_profile({{"k"}}, "NVIDIA H100 PCIe"));
  keep("h200/profile.json", sample_profile({{"k"}}));
  keep("wrong/profile.json",
       sample_profile({{"wrong", 1, 1, 0, 5e15}, {"fine", 1, 1, 1e12, 1e12}}));
  keep("two/profile.json",
       sample_profile({{"=copy<a, b>", 2, 0.75, 0, 3e12}, {"idle", 1, 0.25, 1e11, 1e10}}));
  std::vector<SampleKernel> kernels = {{"copy", 1, 100, 1e14, 4e14}};
  for (int i = 0; i < 30; ++i)
    kernels.push_back({"void " + std::string(150, 'n') + std::to_string(i) + "(int)"});
  keep("many/profile.json", sample_profile(kernels));
  for (const auto& [rank, seconds] : {std::pair("10", 3.0), {"0", 0.5}, {"1", 1.0}, {"x", 9.0}})
    keep(std::string("ranks/rank-") + rank + "/profile.json", sample_profile({{"k", 1, seconds}}));
  tell({"import ncu-nersc-gpp-v9.csv --roofs v100 --details",
        "import ncu-nersc-gpp-v9.csv --roofs study", "import ncu-nersc-gpp-v9.csv",
        "import vcopy-mi200-pmc_perf.csv --roofs mi250x --details", "show h100",
        "show h100 --roofs H100", "show pcie", "show h200 --roofs h100 --details",
        "compare h200 h200", "show wrong --roofs study", "show wrong --roofs study --details",
        "show two --csv", "show two --roofs study --details", "show many --roofs study",
        "show ranks", "show ranks --csv"});
  keep("ranks/rank-0/profile.json", "{");
  tell({"show ranks"});
  expect_kept("roofline/shown.txt", told);
  told.clear();
  tell({"show many --roofs study"});
  EXPECT_LE(longest_line(told), 100u);
  EXPECT_LE(std::ranges::count(told, '\n'), 41) << "the command, and a screen";
}

TEST_F(RooflineTool, FilesFromOutsideAreOfBoundedSize) {
  const std::string profile = temporary / "profile.json";
  std::ofstream(profile).flush();
  fs::resize_file(profile, 500'000'000);
  for (const Texts& command : {Texts{"show", folder},
                               {"report", folder},
                               {"compare", folder, folder},
                               {"import", profile},
                               {"import", samples + "ncu-nersc-gpp-v9.csv", "--roofs", profile}})
    refused(roofline(command), {"500 MB are more"});
}

/// A failed write of output must not be a success.
TEST_F(RooflineTool, OutputThatCannotBeWrittenIsAnError) {
  const std::string kept = (temporary.path() / "kept").string();
  const std::string csv = samples + "ncu-nersc-gpp-v9.csv";
  ASSERT_EQ(roofline({"import", csv, "-o", kept}).status, 0);
  for (const std::string& command :
       {std::string("--help"), std::string("--version"), "import " + csv, "import --json " + csv,
        "show " + kept, "show --details " + kept, "show --json " + kept, "report " + kept,
        "compare " + kept + " " + kept}) {
    const Finished done = run_program({"sh", "-c", ROOFLINE_TOOL " " + command + " > /dev/full"});
    EXPECT_EQ(done.status, 2) << command;
    EXPECT_TRUE(contains(done.errors, "roofline: what was printed did not arrive")) << command;
  }
}

/// 20,000 launches of 400 columns, which are 63 MB: the program may take no more than six times
/// that.
TEST_F(RooflineTool, ImportsManyLaunchesInLittleMemory) {
  const std::string file = temporary.path() / "many.csv";
  const std::string make =
      R"(awk 'BEGIN { printf "ID,Kernel Name,dram__bytes.sum"; for (i = 1; i < 398; ++i)
           { printf ",unit__counted_%d.sum", i; units = units ",byte"; row = row "," 12345678 + i }
         print "\n,,byte" units; for (i = 0; i < 20000; ++i) print i ",k" i % 50 ",64" row }' > )";
  const std::string program = ROOFLINE_TOOL;
  const Finished done = run_program(
      {"sh", "-c", make + file + "; ulimit -v 370000; exec " + program + " import --csv " + file});
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_GT(fs::file_size(file), 62e6);
  EXPECT_TRUE(contains(done.output, ",k0,400,"));
}

TEST_F(RooflineTool, KeepsAProfileAndNeverLosesOne) {
  const fs::path kept = temporary.path() / "a";
  Texts command = {"import", samples + "vcopy-mi200-pmc_perf.csv", "-o", kept.string()};
  EXPECT_EQ(roofline(command).status, 0);
  EXPECT_TRUE(fs::exists(kept / "report.html"));
  refused(roofline(command), {"is there already"});
  command.emplace_back("--replace");
  for (const char* old : {"roofline-fp64.svg", "roofline-notes.txt"})
    std::ofstream(kept / old) << "old";
  EXPECT_EQ(roofline(command).status, 0);
  EXPECT_FALSE(fs::exists(kept / "roofline-fp64.svg")) << "it is of the profile before";
  EXPECT_TRUE(fs::exists(kept / "roofline-notes.txt"));
}

/// The counters of Lu and Wolfe's example, in lines that rocprof counts in one run each; for ncu
/// one argument: no blank, no counter twice, none that it does not know.
TEST_F(RooflineTool, WritesWhatOtherProfilersAreToCountAndRefusesWithStatusTwo) {
  std::ofstream(temporary / "b.csv") << "\"ID\",\"Kernel Name\",\"a__b.sum\"\n\"0\",\"k\x1b[2J";
  fs::copy_file(samples + "ncu-gpp-v9.csv", temporary / "a.csv");
  keep("profile.json", sample_profile({{"k"}}));
  const std::string before = file_text(temporary / "profile.json");
  tell({"counters --for rocprof", "counters --for rocprof --chip gfx950",
        "counters --for rocprof --chip gfx908", "counters --for perf", "counters --for ncu",
        "import b.csv", "import none.csv", "import a.csv --roofs v10",
        "import a.csv --roofs mi250x", "import a.csv --roofs /", "show /", "show . --csv --json",
        "report . -o missing/folder/x.html", "report . -o profile.json", "import", "",
        "compare profile.json"});
  expect_kept("roofline/refused.txt", told);
  EXPECT_EQ(file_text(temporary / "profile.json"), before) << "written over";
}

/// The first kernel became faster with half the traffic; the others are in only one profile. Their
/// device's roofs are unknown.
const json before =
    sample_profile({{"void k<1>(int)", 2, 3.0, 4e12, 2e12}, {"void k<2>(int)"}}, "NVIDIA T4");
const json after =
    sample_profile({{"void k<1>(int)", 2, 1.5, 4e12, 1e12}, {"void k<3>(int)", 7}}, "NVIDIA T4");

json under(json profile, double dram, const char* device = "NVIDIA H200") {
  Ceilings roofs{device, "gpu", "", "", 0, {}};
  roofs.list = {{"dram", "DRAM", CeilingKind::bandwidth, dram, {}, 0, "a test", {}}};
  profile["ceilings"]["gpu"] = facts_json<Ceilings, json>(roofs);
  return profile;
}

/// By whole names, with the ratios and the nearest roof of both; what does not compare is said, no
/// speedup of other programs is claimed, and --within fails where times or operations differ.
TEST_F(RooflineTool, ComparesAsItIsKept) {
  json slower = before, more = before;
  slower["kernels"][0]["seconds"] = 3.09;
  more["kernels"][0]["counters"]["sm__sass_thread_inst_executed_op_dfma_pred_on.sum"] = 2.06e12;
  const std::pair<const char*, json> profiles[] = {
      {"a", before},
      {"b", after},
      {"a100", sample_profile({{"void k<1>(int)", 9}}, "NVIDIA A100")},
      {"other", sample_profile({{"other"}}, "NVIDIA T4")},
      {"evil", sample_profile({{"\x1b[2Jk\u202e"}})},
      {"slower", slower},
      {"more", more},
      {"a4", under(before, 4e12)},
      {"a3", under(before, 3e12)},
      {"b3", under(after, 3e12)},
      {"b4", under(after, 4e12)},
      {"b39", under(after, 3.9e12)},
      {"v100", under(after, 4e12, "NVIDIA V100")},
      {"none", {{"x", 1}}}};
  for (const auto& [name, profile] : profiles) keep(name, profile);
  tell({"compare a b", "compare a b --roofs v100", "compare a a100", "compare a other",
        "compare a4 b", "compare a4 b3", "compare a3 b4", "compare a4 b39", "compare a4 v100",
        "compare evil evil", "compare a none", "compare a a --within 0.1",
        "compare a slower --within 4", "compare a slower --within 2", "compare a more --within 4",
        "compare a more --within 2", "compare a other --within 90"});
  expect_kept("roofline/compared.txt", told);
}

}  // namespace
}  // namespace roofline::test
