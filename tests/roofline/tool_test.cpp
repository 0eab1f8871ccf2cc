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
  void keep(const json& profile) const { std::ofstream(temporary / "profile.json") << profile; }

  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
};

TEST_F(RooflineTool, ImportsAndShowsUnderPublishedRoofsOrThoseOfARecord) {
  const auto imported = [](const std::string& roofs) {
    return succeeded(roofline({"import", samples + "ncu-nersc-gpp-v9.csv", "--roofs", roofs,
                               "--details"}))
        .output;
  };
  EXPECT_TRUE(contains_all(
      imported("v100"),
      {"ncu-nersc-gpp-v9.csv on NVIDIA H200: 3 kernels", "1  cache_blocking_kernel         6",
       "9.35 GFLOP", "not of the device that ran", "missing: shared: ", "No chart: "}));
  const std::string own = imported(h200_roofs);
  EXPECT_TRUE(contains_all(
      own, {"Roofline of NVIDIA H200: ncu-nersc-gpp-v9.csv", "8.13 TFLOP/s  compute    24.4%"}));
  EXPECT_FALSE(contains(own, "not of the device that ran"));
  const std::string brief =
      succeeded(roofline({"import", samples + "ncu-nersc-gpp-v9.csv"})).output;
  EXPECT_TRUE(contains_all(
      brief, {"at 32.4% of its nearest roof, compute, at its own\nclock of 1.490 GHz; of those",
              "count\nshared memory (roofline counters --for ncu), and what it waits for"}));
  EXPECT_FALSE(contains(own, ", FP32\n")) << "four operations make no chart";
}

TEST_F(RooflineTool, TakesTheRoofsOfAKnownCardByItself) {
  const auto shown = [&](const std::string& device, Texts more = {}) {
    keep(sample_profile({{"k"}}, device));
    more.insert(more.begin(), {"show", folder});
    return succeeded(roofline(more)).output;
  };
  const std::string h100 = shown("NVIDIA H100 80GB HBM3");
  EXPECT_TRUE(contains(h100,
                       "Roofs of NVIDIA H100 80GB HBM3 "
                       "(results/h100/gpp214_rank2/study.json, 2026-11-25).\n"));
  EXPECT_EQ(shown("NVIDIA H100 80GB HBM3", {"--roofs", "H100"}), h100);
  EXPECT_TRUE(contains(shown("NVIDIA H100 PCIe"), "no roofs of this device are known"));
  EXPECT_TRUE(contains(shown("NVIDIA H200", {"--roofs", "h100", "--details"}), "takes its own)"));
  const json kept = json::parse(shown("NVIDIA H200", {"--json"}));
  EXPECT_EQ(kept["roofs_from"], "results/h200/gpp214_rank2/study.json");
  keep(kept);
  EXPECT_EQ(roofline({"report", folder}).status, 0);
  EXPECT_TRUE(contains(file_text(temporary.path() / "report.html"),
                       "Of NVIDIA H200: results/h200/gpp214_rank2/study.json, measured 2026-"));
  EXPECT_TRUE(contains(roofline({"compare", folder, folder}).output, "; roofs of NVIDIA H200"));
}

TEST_F(RooflineTool, MarksWhatNoRoofAllows) {
  keep(sample_profile({{"wrong", 1, 1, 0, 5e15}, {"fine", 1, 1, 1e12, 1e12}}));
  Texts show = {"show", folder, "--roofs", h200_roofs};
  for (int details = 0; details < 2; ++details, show.emplace_back("--details")) {
    const std::string shown = succeeded(roofline(show)).output;
    EXPECT_TRUE(contains_all(shown, {"% !\n", "! kernel 1: ", "of DRAM, which no roof allows"}));
    EXPECT_FALSE(contains(shown, "! kernel 2"));
  }
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

/// The counters of Lu and Wolfe's example, in lines that rocprof counts in one run each; for ncu
/// one argument: no blank, no counter twice, none that it does not know.
TEST_F(RooflineTool, WritesWhatOtherProfilersAreToCount) {
  EXPECT_TRUE(contains_all(
      succeeded(roofline({"counters", "--for", "rocprof"})).output,
      {"pmc: TCC_EA_RDREQ_32B_sum TCC_EA_RDREQ_sum TCC_EA_WRREQ_sum TCC_EA_WRREQ_64B_sum\n",
       "pmc: SQ_LDS_IDX_ACTIVE SQ_LDS_BANK_CONFLICT\n", "pmc: TCP_TOTAL_CACHE_ACCESSES_sum\n",
       "pmc: SQ_INSTS_VALU_INT32 SQ_INSTS_VALU_INT64\n"}));
  EXPECT_TRUE(
      contains_all(succeeded(roofline({"counters", "--for", "rocprof", "--chip", "gfx950"})).output,
                   {"TCC_EA0_RDREQ_128B_sum", "SQ_INSTS_VALU_MFMA_MOPS_F6F4"}));
  EXPECT_EQ(roofline({"counters", "--for", "perf"}).status, 2);
  EXPECT_EQ(roofline({"counters", "--for", "rocprof", "--chip", "gfx908"}).status, 2);
  const std::string list = roofline({"counters", "--for", "ncu"}).output;
  EXPECT_TRUE(contains_all(list, {"op_shared_ld.sum", "ffma2_pred_on.sum", "op_tma_ld.sum"}));
  for (const char* wrong : {" ", "roofline__"}) EXPECT_FALSE(contains(list, wrong));
  const std::string repeated = "dram__bytes.sum,";
  EXPECT_TRUE(contains(list, repeated));
  EXPECT_EQ(list.find(repeated), list.rfind(repeated)) << list;
}

TEST_F(RooflineTool, GivesALineOfCsvForEachKernel) {
  keep(sample_profile({{"=copy<a, b>", 2, 0.75, 0, 3e12}, {"idle", 1, 0.25, 1e11, 1e10}}));
  const std::string csv = succeeded(roofline({"show", folder, "--csv"})).output;
  EXPECT_TRUE(csv.starts_with(
      "program,device,rank,kernel,launches,time (s),share_of_time (%),work_fp64 (FLOP),"));
  EXPECT_TRUE(contains_in_order(
      csv,
      {",bytes_dram (B),nearest_roof,of_nearest_roof (%),missing,gpu",
       ",stated,stated_work_fp64 (FLOP),", "\n./program,NVIDIA H200,,\"'=copy<a, b>\",2,0.75,75,0,",
       ",3000000000000,dram,", "\n./program,NVIDIA H200,,idle,1,0.25,25,100000000000,"}));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_EQ(roofline({"show", folder, "--csv", "--json"}).status, 2);
}

TEST_F(RooflineTool, ShowsRanksSideBySide) {
  for (const auto& [rank, seconds] : {std::pair("10", 3.0), {"0", 0.5}, {"1", 1.0}, {"x", 9.0}}) {
    const fs::path own = temporary / (std::string("rank-") + rank);
    fs::create_directory(own);
    std::ofstream(own / "profile.json") << sample_profile({{"k", 1, seconds}});
  }
  const Finished shown = succeeded(roofline({"show", folder}));
  EXPECT_LT(shown.output.find("\n   1  NVIDIA"), shown.output.find("\n  10  NVIDIA"))
      << shown.output;
  EXPECT_TRUE(contains(shown.output, "the longest time over the mean: 2.00x, of rank 10."));
  const json told = json::parse(roofline({"show", folder, "--json"}).output);
  EXPECT_EQ(told["ranks"].size(), 3u) << "rank-x is none";
  EXPECT_EQ(told["kernels"][0]["seconds"], json({0.5, 1.0, 3.0}));
  EXPECT_TRUE(contains(roofline({"show", folder, "--csv"}).output, ",NVIDIA H200,10,k,1,3,"));
  std::ofstream(temporary / "rank-0" / "profile.json") << "{";
  EXPECT_EQ(roofline({"show", folder}).status, 2) << "a rank that cannot be read is not left out";
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
  // Without operations, the point is that of the busiest memory.
  EXPECT_TRUE(contains_all(
      succeeded(roofline({"show", kept.string(), "--roofs", "mi250x", "--details"})).output,
      {"AMD MI250X, one die", "860 GB/s  HBM     62.2%"}));
}

TEST_F(RooflineTool, ShowsAScreenThatEndsWithWhatWasLearnt) {
  std::vector<SampleKernel> kernels = {{"copy", 1, 100, 1e14, 4e14}};
  for (int i = 0; i < 30; ++i)
    kernels.push_back({"void " + std::string(150, 'n') + std::to_string(i) + "(int)"});
  keep(sample_profile(kernels));
  const std::string shown = succeeded(roofline({"show", folder, "--roofs", h200_roofs})).output;
  EXPECT_LE(std::count(shown.begin(), shown.end(), '\n'), 40) << shown;
  EXPECT_LE(longest_line(shown), 100u) << shown;
  EXPECT_TRUE(
      contains_all(shown, {"\ncopy takes 76.9% of the time, at 85", "of its nearest roof, DRAM.",
                           "\nNext: roofline show --details " + folder}));
  EXPECT_FALSE(contains(shown, "What to look at next"));
  keep(sample_profile({{"copy", 1, 1, 1e12, 4e12}, {"idle", 1, 1, 1e11, 1e10}}));
  const std::string details =
      succeeded(roofline({"show", folder, "--roofs", h200_roofs, "--details"})).output;
  EXPECT_TRUE(
      contains_all(details, {"What to look at next\n", "1  roof      DRAM  85% of its roof  -",
                             "\nDRAM: Memory moves about as many bytes as it can."}));
  EXPECT_FALSE(contains(details, "not known")) << "nothing tells of the second";
}

TEST_F(RooflineTool, RefusesWithStatusTwo) {
  const std::string broken = temporary / "b.csv", csv = samples + "ncu-gpp-v9.csv",
                    kept = temporary / "profile.json";
  std::ofstream(broken) << "\"ID\",\"Kernel Name\",\"a__b.sum\"\n\"0\",\"k\x1b[2J";
  keep(sample_profile({{"k"}}));
  const std::string before = file_text(kept);
  const std::pair<Texts, std::string> commands[] = {
      {{"import", broken}, "b.csv:2: a quote is never closed"},
      {{"import", broken + "x"}, "there is no such file"},
      {{"import", csv, "--roofs", "v10"}, "did you mean 'v100'?"},
      {{"import", csv, "--roofs", "mi250x"}, "another maker's device"},
      {{"import", csv, "--roofs", samples}, "none of study.json"},
      {{"show", samples}, "no profile.json in this folder; `roofline import FILE -o FOLDER`"},
      {{"report", folder, "-o", folder + "/missing/x.html"}, "missing/x.html"},
      {{"report", folder, "-o", kept}, "profile.json: this folder cannot be made"},
      {{"import"}, "FILE is required"},
      {{}, "subcommand is required"}};
  for (const auto& [arguments, part] : commands) {
    const Finished done = refused(roofline(arguments), {part});
    EXPECT_FALSE(contains(done.errors, "\x1b"));
    EXPECT_EQ(done.output, "");
  }
  EXPECT_EQ(file_text(kept), before) << "written over";
}

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

/// The first kernel became faster with half the traffic; the others are in only one profile. Their
/// device's roofs are unknown.
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

TEST_F(RooflineCompare, ShowsThemSideBySideWithTheNearestRoofOfBoth) {
  const std::string shown = text(before, after, {"--roofs", "v100"});
  EXPECT_TRUE(contains_all(
      shown,
      {"1  k                2  2  3.000 s  1.500 s    2.00x       dram  80.4%  dram  80.4%\n",
       "1  k         1.00x  0.50x\n", "only in A", "void k<2>(int)         1  1.000 s", "only in B",
       "void k<3>(int)         7  1.000 s",
       "All kernels: 4.000 s in A, 2.500 s in B, speedup 1.60x"}));
  EXPECT_FALSE(contains(shown, "Beware"));
  const json nearest =
      json::parse(text(before, after, {"--json", "--roofs", "v100"}))["kernels"][0]["nearest"];
  EXPECT_EQ(nearest["a"]["roof"], "dram");
  EXPECT_NEAR(nearest["b"]["percent"].get<double>(), 100 * 1e12 / 1.5 / 828.758e9, 1e-6);
}

TEST_F(RooflineCompare, SaysWhatDoesNotCompareAndClaimsNoSpeedupOfOtherPrograms) {
  EXPECT_TRUE(contains_all(text(before, sample_profile({{"void k<1>(int)", 9}}, "NVIDIA A100")),
                           {"Beware: the devices differ: A ran on NVIDIA T4, B on NVIDIA A100",
                            "1 of 1 kernels were launched more or less often"}));
  json counted = before;
  counted["source"] = "cupti";
  EXPECT_TRUE(contains(text(before, counted), "Beware: A was counted by ncu, B by cupti"));
  const json other = sample_profile({{"other"}}, "NVIDIA T4");
  const std::string shown = text(before, other);
  EXPECT_TRUE(contains(shown, "No kernel is in both"));
  EXPECT_FALSE(contains(shown, "speedup"));
  EXPECT_TRUE(json::parse(text(before, other, {"--json"}))["speedup"].is_null());
}

TEST_F(RooflineCompare, SaysWhereRoofsDiffer) {
  const auto under = [](json profile, double dram, const char* device = "NVIDIA H200") {
    Ceilings roofs{device, "gpu", "", "", 0, {}};
    roofs.list = {{"dram", "DRAM", CeilingKind::bandwidth, dram, {}, 0, "a test", {}}};
    profile["ceilings"]["gpu"] = facts_json<Ceilings, json>(roofs);
    return profile;
  };
  EXPECT_TRUE(contains(text(under(before, 4e12), after), "only A has roofs"));
  EXPECT_TRUE(contains(text(under(before, 4e12), under(after, 3e12)),
                       "the roofs differ by more than 5%, or are not in both: DRAM"));
  EXPECT_TRUE(contains(text(under(before, 3e12), under(after, 4e12)), "the roofs differ by more"));
  EXPECT_FALSE(contains(text(under(before, 4e12), under(after, 3.9e12)), "roofs differ"));
  EXPECT_TRUE(contains(text(under(before, 4e12), under(after, 4e12, "NVIDIA V100")),
                       "A stands under those of NVIDIA H200, B under those of NVIDIA V100"));
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

TEST_F(RooflineCompare, NamesActOnNoTerminalAndWhatIsNoProfileIsRefused) {
  const json evil = sample_profile({{"\x1b[2Jk\u202e"}});
  EXPECT_FALSE(contains(text(evil, evil), "\x1b"));
  EXPECT_FALSE(contains(text(evil, before), "\u202e"));
  refused(roofline({"compare", keep("a", before), keep("b", {{"x", 1}})}),
          {"b.json: JSON, but no profile of kernels"});
  EXPECT_EQ(roofline({"compare", keep("a", before)}).status, 2);
}

}  // namespace
}  // namespace roofline::test
