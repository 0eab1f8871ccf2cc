// The program `roofline`: what it prints, keeps and refuses.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/roofline/tool.h"
#include "tests/temporary_folder.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class RooflineTool : public testing::Test {
 protected:
  void keep(const json& profile) const { std::ofstream(temporary / "profile.json") << profile; }

  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
};

TEST_F(RooflineTool, ImportsAndShowsUnderPublishedRoofs) {
  const Finished done = succeeded(
      roofline({"import", samples + "ncu-nersc-gpp-v9.csv", "--roofs", "v100", "--details"}));
  EXPECT_TRUE(contains_all(
      done.output,
      {"ncu-nersc-gpp-v9.csv on NVIDIA H200: 3 kernels", "1  cache_blocking_kernel         6",
       "9.35 GFLOP", "not of the device that ran", "missing: shared: ", "No chart: "}));
}

TEST_F(RooflineTool, TakesTheRoofsOfARecord) {
  const Finished done = succeeded(
      roofline({"import", samples + "ncu-nersc-gpp-v9.csv", "--roofs", h200_roofs, "--details"}));
  EXPECT_TRUE(contains(done.output, "Roofline of NVIDIA H200: ncu-nersc-gpp-v9.csv"));
  EXPECT_FALSE(contains(done.output, "not of the device that ran"));
  EXPECT_FALSE(contains(done.output, ", FP32\n")) << "four operations make no chart";
  EXPECT_TRUE(contains(done.output, "8.13 TFLOP/s       compute  24.4%"));
}

/// Roofs that nobody named, of a card that was measured here.
TEST_F(RooflineTool, TakesTheRoofsOfAKnownCardByItself) {
  const fs::path file = temporary.path() / "profile.json";
  const auto shown = [&](const std::string& device, Texts more = {}) {
    std::ofstream(file) << sample_profile({{"k"}}, device);
    more.insert(more.begin(), {"show", folder});
    return succeeded(roofline(more)).output;
  };
  const std::string own = "Roofs of NVIDIA H100 80GB HBM3 (results/h100/gpp214_rank2/study.json, ";
  const std::string h100 = shown("NVIDIA H100 80GB HBM3");
  EXPECT_TRUE(contains(h100, own + "2026-11-25).\n"));
  EXPECT_EQ(shown("NVIDIA H100 80GB HBM3", {"--roofs", "H100"}), h100);
  EXPECT_TRUE(contains(shown("NVIDIA H200"), "Roofs of NVIDIA H200 (results/h200/"));
  EXPECT_TRUE(contains(shown("NVIDIA H100 PCIe"), "no roofs of this device are known"));
  EXPECT_TRUE(contains(shown("NVIDIA H200", {"--roofs", "h100", "--details"}), "takes its own)"));
  const json kept = json::parse(shown("NVIDIA H200", {"--json"}));
  EXPECT_EQ(kept["roofs_from"], "results/h200/gpp214_rank2/study.json");
  std::ofstream(file) << kept;
  EXPECT_EQ(roofline({"report", folder}).status, 0);
  EXPECT_TRUE(contains(file_text(temporary.path() / "report.html"),
                       "Of NVIDIA H200: results/h200/gpp214_rank2/study.json, measured 2026-"));
  EXPECT_TRUE(contains(roofline({"compare", folder, folder}).output, "; roofs of NVIDIA H200"));
}

/// A thousandfold count, or a time in the wrong unit, is not shown as a speed.
TEST_F(RooflineTool, MarksWhatNoRoofAllows) {
  keep(sample_profile({{"wrong", 1, 1, 0, 5e15}, {"fine", 1, 1, 1e12, 1e12}}));
  for (const bool details : {false, true}) {
    Texts show = {"show", folder, "--roofs", h200_roofs};
    if (details) show.emplace_back("--details");
    const Finished shown = succeeded(roofline(show));
    EXPECT_TRUE(
        contains_all(shown.output, {"% !\n", "! kernel 1: ", "of DRAM, which no roof allows"}));
    EXPECT_FALSE(contains(shown.output, "! kernel 2"));
  }
  EXPECT_EQ(roofline({"report", folder, "--roofs", h200_roofs}).status, 0);
  EXPECT_TRUE(contains(file_text(temporary.path() / "report.html"), "which no roof allows"));
}

TEST_F(RooflineTool, FilesFromOutsideAreRegularOnes) {
  const fs::path profile = temporary.path() / "profile.json";
  const auto refuses = [&](const std::string& part) {
    for (const std::vector<std::string>& command :
         {Texts{"show", folder},
          {"report", folder},
          {"compare", folder, folder},
          {"import", profile.string()},
          {"import", samples + "ncu-nersc-gpp-v9.csv", "--roofs", profile.string()}}) {
      const Finished done = roofline(command);
      EXPECT_EQ(done.status, 2) << command.front() << " " << done.errors;
      EXPECT_TRUE(contains(done.errors, part)) << command.front();
    }
  };
  ASSERT_EQ(mkfifo(profile.c_str(), 0600), 0);
  refuses("a pipe or a device");
  fs::remove(profile);
  fs::create_symlink("/dev/zero", profile);
  refuses("a pipe or a device");
  fs::remove(profile);
  std::ofstream(profile).flush();
  fs::resize_file(profile, 500'000'000);
  refuses("500 MB are more");
  json deep = sample_profile({{"k"}});
  std::string text = deep.dump();
  text.insert(1, "\"zz\":" + std::string(131000, '[') + std::string(131000, ']') + ",");
  std::ofstream(profile) << text;
  refused(roofline({"show", folder}), {"nested more than 64 levels"});
}

/// Output that nobody can have read is no success.
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

TEST_F(RooflineTool, GivesJsonForScripts) {
  const Finished done =
      succeeded(roofline({"import", samples + "vcopy-mi200-pmc_perf.csv", "--json"}));
  const json kernel = json::parse(done.output)["kernels"][0];
  EXPECT_EQ(kernel["launches"], 3);
  EXPECT_EQ(kernel["bytes"]["l1"], 3 * 64 * 524288);
  EXPECT_EQ(kernel["work"]["fp64"], 0);
  EXPECT_EQ(kernel["work"]["int"], 3 * 64 * 114688);
}

/// The counters of Lu and Wolfe's example, in lines that rocprof counts in one run each.
TEST_F(RooflineTool, WritesTheInputFileOfRocprof) {
  EXPECT_TRUE(contains_all(
      succeeded(roofline({"counters", "--for", "rocprof"})).output,
      {"pmc: TCC_EA_RDREQ_32B_sum TCC_EA_RDREQ_sum TCC_EA_WRREQ_sum TCC_EA_WRREQ_64B_sum\n",
       "pmc: SQ_LDS_IDX_ACTIVE SQ_LDS_BANK_CONFLICT\n", "pmc: TCP_TOTAL_CACHE_ACCESSES_sum\n",
       "pmc: SQ_INSTS_VALU_INT32 SQ_INSTS_VALU_INT64\n"}));
  EXPECT_EQ(roofline({"counters", "--for", "perf"}).status, 2);
}

/// One argument for its --metrics: no blank, no counter twice, none that ncu does not know.
TEST_F(RooflineTool, WritesTheMetricsOfNcu) {
  const std::string list = roofline({"counters", "--for", "ncu"}).output;
  EXPECT_TRUE(
      contains_all(list, {"dram__bytes.sum,", "smsp__sass_inst_executed_op_shared_ld.sum"}));
  EXPECT_EQ(list.find(' '), list.npos) << list;
  EXPECT_FALSE(contains(list, "roofline__"));
  const std::string repeated = "dram__bytes.sum";
  EXPECT_EQ(list.find(repeated), list.rfind(repeated)) << list;
}

TEST_F(RooflineTool, GivesALineOfCsvForEachKernel) {
  keep(sample_profile({{"=copy<a, b>", 2, 0.75, 0, 3e12}, {"idle", 1, 0.25, 1e11, 1e10}}));
  const Finished done = succeeded(roofline({"show", folder, "--csv"}));
  std::istringstream text(done.output);
  std::string head, copy, idle, more;
  std::getline(text, head);
  std::getline(text, copy);
  std::getline(text, idle);
  EXPECT_EQ(head.substr(0, head.find(",work_fp32")),
            "program,device,rank,kernel,launches,time (s),share_of_time (%),work_fp64 (FLOP)");
  EXPECT_TRUE(contains_all(head, {",bytes_dram (B),nearest_roof,of_nearest_roof (%),missing",
                                  ",missing,gpu,grid,block,registers,static_shared (B),",
                                  ",stated,stated_work_fp64 (FLOP),"}));
  EXPECT_TRUE(copy.starts_with("./program,NVIDIA H200,,\"'=copy<a, b>\",2,0.75,75,0,")) << copy;
  EXPECT_TRUE(contains(copy, ",3000000000000,dram,"));
  EXPECT_TRUE(idle.starts_with("./program,NVIDIA H200,,idle,1,0.25,25,100000000000,")) << idle;
  EXPECT_FALSE(std::getline(text, more));
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
  const Texts command = {"import", samples + "vcopy-mi200-pmc_perf.csv", "-o", kept.string()};
  EXPECT_EQ(roofline(command).status, 0);
  ASSERT_TRUE(fs::exists(kept / "profile.json"));
  EXPECT_TRUE(fs::exists(kept / "report.html"));
  refused(roofline(command), {"is there already"});
  Texts replace = command;
  replace.emplace_back("--replace");
  for (const char* old : {"roofline-fp64.svg", "roofline-fp64.csv", "roofline-notes.txt"})
    std::ofstream(kept / old) << "old";
  EXPECT_EQ(roofline(replace).status, 0);
  EXPECT_FALSE(fs::exists(kept / "roofline-fp64.svg")) << "it is of the profile before";
  EXPECT_FALSE(fs::exists(kept / "roofline-fp64.csv"));
  EXPECT_TRUE(fs::exists(kept / "roofline-notes.txt"));
  const Finished shown =
      succeeded(roofline({"show", kept.string(), "--roofs", "mi250x", "--details"}));
  EXPECT_TRUE(contains(shown.output, "AMD MI250X, one die"));
  EXPECT_TRUE(contains(shown.output, "860 GB/s           HBM  62.2%"))
      << "without operations it stands where its memory is busiest: " << shown.output;
}

TEST_F(RooflineTool, SaysOfEachKernelWhatToLookAtNext) {
  keep(sample_profile({{"copy", 1, 1, 1e12, 4e12}, {"idle", 1, 1, 1e11, 1e10}}));
  const Finished shown = succeeded(roofline({"show", folder, "--roofs", h200_roofs, "--details"}));
  EXPECT_TRUE(
      contains_all(shown.output, {"What to look at next\n", "1  roof      DRAM  85% of its roof  -",
                                  "\nDRAM: Memory moves about as many bytes as it can."}));
  EXPECT_FALSE(contains(shown.output, "not known")) << "nothing tells of the second";
}

/// 40 lines of 100 columns, however many kernels there are and however long their names.
TEST_F(RooflineTool, ShowsAScreenThatEndsWithWhatWasLearnt) {
  std::vector<SampleKernel> kernels = {{"copy", 1, 100, 1e14, 4e14}};
  for (int i = 0; i < 30; ++i)
    kernels.push_back({"void " + std::string(150, 'n') + std::to_string(i) + "(int)"});
  keep(sample_profile(kernels));
  const Texts show = {"show", folder, "--roofs", h200_roofs};
  const Finished shown = succeeded(roofline(show));
  EXPECT_LE(std::count(shown.output.begin(), shown.output.end(), '\n'), 40) << shown.output;
  EXPECT_LE(longest_line(shown.output), 100u) << shown.output;
  EXPECT_TRUE(contains_all(
      shown.output, {"\ncopy takes 76.9% of the time, at 85", "of its nearest roof, DRAM."}));
  EXPECT_TRUE(contains(shown.output, "\nNext: roofline show --details " + folder));
  EXPECT_FALSE(contains(shown.output, "What to look at next"));
  keep(sample_profile(kernels, "NVIDIA T4"));
  const Finished without = roofline({"show", folder});
  EXPECT_TRUE(contains(without.output, "no roofs of this device are known"));
}

TEST_F(RooflineTool, RefusesWithStatusTwo) {
  const std::string broken = temporary.path() / "b.csv";
  std::ofstream(broken) << "\"ID\",\"Kernel Name\",\"a__b.sum\"\n\"0\",\"k\x1b[2J";
  const auto refuses = [](const std::vector<std::string>& arguments, const std::string& part) {
    const Finished done = roofline(arguments);
    EXPECT_EQ(done.status, 2) << part;
    EXPECT_TRUE(contains(done.errors, part));
    EXPECT_FALSE(contains(done.errors, "\x1b"));
    EXPECT_EQ(done.output, "");
  };
  refuses({"import", broken}, "b.csv:2: a quote is never closed");
  refuses({"import", broken + "x"}, "there is no such file");
  refuses({"import", samples + "ncu-gpp-v9.csv", "--roofs", "v10"}, "did you mean 'v100'?");
  refuses({"import", samples + "ncu-gpp-v9.csv", "--roofs", "mi250x"}, "another maker's device");
  refuses({"import", samples + "ncu-gpp-v9.csv", "--roofs", samples}, "none of study.json");
  refuses({"show", samples}, "no profile.json in this folder; `roofline import FILE -o FOLDER`");
  refuses({"import"}, "FILE is required");
  refuses({}, "subcommand is required");
}

}  // namespace
}  // namespace roofline::test
