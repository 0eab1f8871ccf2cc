// Tests of profiles from other profilers' files: contents and refusals. Tests of work by formulas:
// files with any content, and the values for a profile.
#include <fmt/format.h>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "roofline/base/text.h"
#include "roofline/import/import.h"
#include "roofline/import/tables.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;
const fs::path samples = fs::path(GPP_SOURCE_DIR) / "tests/roofline/profiles";

KernelProfile kernel_called(const Profile& profile, const std::string& part) {
  for (const KernelProfile& kernel : profile.kernels)
    if (contains(kernel.name, part)) return kernel;
  throw std::runtime_error("no kernel " + part);
}

/// Why the kernel lacks something; "" where it does not.
std::string reason(const KernelProfile& kernel, const std::string& name) {
  const auto found = std::ranges::find(kernel.missing, name, &Missing::name);
  return found == kernel.missing.end() ? "" : found->reason;
}

bool misses(const KernelProfile& kernel, const std::string& name) {
  return !reason(kernel, name).empty();
}

TEST(Numbers, OfEveryLocaleAreRead) {
  for (const char* point : {"1,234.5", "0.57", "1,234,567", "12.3456"})
    EXPECT_EQ(decimal_of(point), '.') << point;
  for (const char* comma : {"1.234,5", "0,57", "1.234.567"}) EXPECT_EQ(decimal_of(comma), ',');
  for (const char* nothing : {"1,234", "1.234", "12", "k.1", ""}) EXPECT_EQ(decimal_of(nothing), 0);
  EXPECT_EQ(number_in("1,234.5"), 1234.5);
  EXPECT_EQ(number_in("1.234,5", ','), 1234.5);
  EXPECT_EQ(number_in("12.345", ','), 12345);
  EXPECT_EQ(number_in("1,234"), 1234);
  EXPECT_EQ(number_in("1.2e+10"), 1.2e10);
  EXPECT_EQ(number_in("159374425"), 159374425);
  for (const char* none :
       {"", "nan", "inf", "n/a", "-", "1,23", "1,2345", "12 3x", "0x10", "1e999"})
    EXPECT_FALSE(number_in(none)) << none;
}

TEST(Units, AreBroughtToTheirBase) {
  const std::map<std::string, double> factors = {{"byte", 1},      {"Mbyte", 1e6},
                                                 {"Gbyte/s", 1e9}, {"byte/nsecond", 1 / 1e-9},
                                                 {"ns", 1e-9},     {"usecond", 1e-6},
                                                 {"ms", 1e-3},     {"Ginst", 1e9},
                                                 {"%", 1},         {"", 1}};
  for (const auto& [unit, factor] : factors) EXPECT_EQ(unit_factor(unit), factor) << unit;
  for (const char* other : {"furlong", "Xbyte", "byte/furlong", "bits"})
    EXPECT_FALSE(unit_factor(other).has_value()) << other;
}

TEST(ImportNcu, AddsUpTheLaunchesOfAKernel) {
  const Profile profile = import_profile({samples / "ncu-nersc-gpp-v9.csv"});
  EXPECT_EQ(profile.device, "NVIDIA H200");
  ASSERT_EQ(profile.kernels.size(), 3u);
  const KernelProfile& v9 = profile.kernels.front();
  EXPECT_TRUE(contains(v9.name, "cache_blocking_kernel")) << "most time first";
  EXPECT_EQ(v9.launches, 6);
  // Computed by hand from launches 0, 2, 5, 7, 9 and 11 in the file.
  EXPECT_NEAR(v9.metrics.at("fp64_flop"), 9.3476e9, 1e6);
  EXPECT_NEAR(*v9.seconds, 1.1502e-3, 1e-6);
  EXPECT_NEAR(v9.metrics.at("dram_bytes"), 3.0708e7, 1e4);
  EXPECT_TRUE(misses(v9, "shared"));
  EXPECT_TRUE(misses(v9, "tensor_fp16")) << "of a counter that is there and means nothing here";
}

TEST(ImportNcu, TakesSumsFromRatesWhereThereAreNoOthers) {
  const Profile sums = import_profile({samples / "ncu-nersc-gpp-v9.csv"});
  const Profile rates = import_profile({samples / "ncu-gpp-v9.csv"});
  Metrics exact = kernel_called(sums, "cache_blocking").metrics;
  KernelProfile rounded = kernel_called(rates, "cache_blocking");
  EXPECT_NEAR(rounded.metrics["fp64_flop"] / exact["fp64_flop"], 1, 1e-4);
  EXPECT_NEAR(rounded.metrics["dram_bytes"] / exact["dram_bytes"], 1, 0.01) << "another run";
  EXPECT_EQ(rounded.metrics.at("fp16_tensor_flop"), 0) << "counted by type, and none";
  EXPECT_TRUE(misses(rounded, "l1")) << "what L1 returns to registers is another quantity";
  EXPECT_TRUE(contains(rounded.notes.front(), "rounds"));
}

/// Reports of ncu, with a fake ncu program.
class ImportReport : public testing::Test {
 protected:
  ImportReport() { std::ofstream(report) << "NVR"; }
  ~ImportReport() override { unsetenv("NCU"); }

  void become_ncu(const std::string& script) const {
    std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(program, fs::perms::owner_all);
    setenv("NCU", program.c_str(), 1);
  }
  std::string refusal() const {
    return thrown<InputError>([&] { import_profile({report}); });
  }

  const TemporaryFolder folder;
  const fs::path program = folder / "ncu";
  const fs::path report = folder / "-a;b.ncu-rep";  // neither for a shell nor an option
};

TEST_F(ImportReport, IsReadThroughNcuOrTellsWhyNot) {
  const fs::path table = samples / "ncu-nersc-gpp-v9.csv";
  become_ncu(fmt::format("echo \"$@\" > {}/asked; cat {}", folder.path().string(), table.string()));
  const Profile profile = import_profile({report});
  EXPECT_EQ(profile.program, "-a;b.ncu-rep");
  EXPECT_EQ(profile.kernels.size(), import_profile({table}).kernels.size());
  EXPECT_EQ(file_text(folder / "asked"),
            fmt::format("--import {} --csv --page raw --print-units base\n", report.string()));
  setenv("NCU", "/no/such/ncu", 1);
  EXPECT_TRUE(contains(refusal(), "ncu is needed to read it and was not found; install"));
  become_ncu("echo '==ERROR== \033[2Jnot a report' >&2; exit 1");
  EXPECT_TRUE(contains(refusal(), "ended with status 1: ==ERROR== \\x1b[2Jnot a report"));
  become_ncu("echo hello");
  EXPECT_TRUE(contains(refusal(), "neither a table of Nsight Compute"));
  fs::remove(report);
  EXPECT_TRUE(contains(refusal(), "there is no such file"));
}

class ImportText : public testing::Test {
 protected:
  Profile import(const std::string& text) const {
    std::ofstream(file, std::ios::binary) << text;
    return import_profile({file});
  }
  std::string refusal(const std::string& text) const {
    return thrown<InputError>([&] { import(text); });
  }

  TemporaryFolder folder;
  const fs::path file = folder.path() / "a.csv";
  const std::string head =
      "==PROF== Connected\n"
      "\"ID\",\"Kernel Name\",\"dram__bytes.sum\",\"gpu__time_duration.sum\"\n"
      "\"\",\"\",\"byte\",\"ns\"\n";
  /// The older versions' table, from launches "ID;kernel;metric;unit;value".
  static std::string older(const Texts& rows) {
    std::string table = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
    for (const std::string& row : rows) {
      std::string cells = row;
      for (std::size_t at = 0; (at = cells.find(';', at)) != cells.npos; at += 3)
        cells.replace(at, 1, "\",\"");
      table += "\"" + cells + "\"\n";
    }
    return table;
  }
};

TEST_F(ImportText, ReadsTheTableOfOlderVersionsInBaseUnits) {
  const std::string op = "smsp__sass_thread_inst_executed_op_";
  Texts rows = {
      "0;k;dram__bytes_read.sum;Mbyte;1.5",    "0;k;dram__bytes_write.sum;Kbyte;500",
      "0;k;gpu__time_duration.sum;usecond;2",  "0;k;" + op + "dadd_pred_on.sum;inst;3,000",
      "0;k;" + op + "dmul_pred_on.sum;inst;0", "0;k;" + op + "dfma_pred_on.sum;inst;1"};
  KernelProfile k = only(import("my program prints this\n" + older(rows)).kernels);
  EXPECT_DOUBLE_EQ(k.metrics.at("dram_bytes"), 2e6);
  EXPECT_DOUBLE_EQ(*k.seconds, 2e-6);
  EXPECT_EQ(k.metrics.at("fp64_flop"), 3002);
  rows.emplace_back("1;k;dram__bytes_read.sum;Mbyte;1");
  k = only(import(older(rows)).kernels);
  EXPECT_EQ(k.launches, 2);
  EXPECT_TRUE(misses(k, "dram")) << "the second launch lacks what is written";
  EXPECT_TRUE(misses(k, "seconds"));
  EXPECT_FALSE(k.metrics.contains("fp64_flop"));
}

TEST_F(ImportText, TakesTensorInstructionsOfAV100AloneForOperations) {
  const auto kernel_of = [&](const std::string& chip) {
    std::string table = older({"0;k;" + chip + ";sm__inst_executed_pipe_tensor.sum;inst;1,000",
                               "0;k;" + chip + ";gpu__time_duration.sum;usecond;2"});
    return import(table.insert(table.find("\"Metric Name"), "\"CC\",")).kernels.front();
  };
  const KernelProfile v100 = kernel_of("7.0");
  EXPECT_EQ(v100.metrics.at("fp16_tensor_flop"), 512e3);
  EXPECT_TRUE(contains(v100.notes.front(), "as NERSC counts them"));
  for (const char* other : {"8.0", "9.0", ""}) {
    const KernelProfile kernel = kernel_of(other);
    EXPECT_FALSE(kernel.metrics.contains("fp16_tensor_flop")) << other;
    EXPECT_EQ(kernel.counters.at("sm__inst_executed_pipe_tensor.sum"), 1000) << "it is kept";
  }
}

TEST_F(ImportText, WhatIsNoNumberIsMissingAndNeverZero) {
  for (const char* cell : {"nan", "n/a", "", "-5", "inf", "(2; 3)"}) {
    const Profile profile = import(head + "\"0\",\"k\",\"" + cell + "\",\"100\"\n");
    const KernelProfile& k = profile.kernels.front();
    EXPECT_FALSE(k.metrics.contains("dram_bytes")) << cell;
    EXPECT_TRUE(misses(k, "dram__bytes.sum")) << cell;
    EXPECT_FALSE(profile_json(profile)["kernels"][0]["bytes"].contains("dram")) << cell;
  }
  const KernelProfile k =
      only(import(older({"0;k;dram__bytes.sum;;5", "0;k;gpu__time_duration.sum;;1577"})).kernels);
  EXPECT_FALSE(k.seconds) << "of what unit?";
  EXPECT_TRUE(misses(k, "dram__bytes.sum"));
}

/// Each text with a part of its message, which names the line.
TEST_F(ImportText, RefusesWhatIsBrokenDoubledOrBeyondBounds) {
  const std::string launch = "\"0\",\"k\",\"5\",\"100\"\n", dispatch = "0,k,1,5\n";
  const std::string time = ";gpu__time_duration.sum;ns;";
  EXPECT_EQ(refusal(older({"0;k" + time + "1", "0;k" + time + "1"})), "")
      << "one value in two sections";
  const std::pair<std::string, const char*> broken[] = {
      {"", "empty"},
      {"a,b\n1,2\n", "neither a table of Nsight Compute"},
      // A column's name must be a whole cell, not a part of one.
      {"\"a,Kernel_Name\",SQ_INSTS_VALU_ADD_F64,DurationNs\nk,1,5\n", "neither a table"},
      {head, "holds no launch"},
      {head + "\"0\",\"k\",\"5\"\n", "a.csv:4: 3 cells below a header of 4"},
      {head + launch + "\"1\",\"k\",\"5", "a.csv:5: a quote is never closed"},
      {"\"ID\",\"Kernel Name\",\"a__b.sum\",\"a__b.sum\"\n\"0\",\"k\",\"1\",\"2\"\n",
       "column 'a__b.sum' stands twice, as number 3 and 4"},
      {std::string("\"ID\"\0", 5), "not a text"},
      {file_text(samples / "ncu-details-gpp-v9.csv"), "--page raw"},
      {"\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"0\",\"k\",\"1577\"\n",
       "a.csv:2: no row of units stands between the header, in line 1, and this launch"},
      {head + launch + launch, "a.csv:5: launch 0 stands twice"},
      {older({"0;k" + time + "1", "0;k" + time + "2"}),
       "a.csv:3: 'gpu__time_duration.sum' of this launch has another value before"},
      {older({"0;k" + time + "1", "0;other" + time + "1"}), "a.csv:3: launch 0 stands twice"},
      {"Index,KernelName,SQ_INSTS_VALU_ADD_F64,DurationNs\n" + dispatch + dispatch,
       "a.csv:3: launch 0 stands twice"},
      // Numbers that are too large could not be read again.
      {head + "\"0\",\"k\",\"1e300\",\"100\"\n",
       "a.csv: kernels[0].counters.dram__bytes.sum: 1e+300 is out of range"},
      {"KernelName,SQ_INSTS_VALU_ADD_F64,DurationNs\nk,1e300,5\n",
       "a.csv: kernels[0].counters.SQ_INSTS_VALU_ADD_F64"},
      {head + "\"0\",\"k\",\"5\",\"1e20\"\n", "seconds"}};
  for (const auto& [text, part] : broken) EXPECT_TRUE(contains(refusal(text), part)) << text;
}

TEST(ImportRocprof, GivesThePublishedCountsOfACopy) {
  const Profile profile = import_profile({samples / "vcopy-mi200-pmc_perf.csv"});
  ASSERT_EQ(profile.kernels.size(), 1u);
  const KernelProfile& copy = profile.kernels.front();
  EXPECT_EQ(copy.launches, 3);
  EXPECT_EQ(copy.metrics.at("fp64_flop"), 0);
  EXPECT_EQ(copy.metrics.at("l1_bytes"), 3 * 64.0 * 524288);
  EXPECT_EQ(copy.metrics.at("l2_bytes"), 3 * 64.0 * 262144);
  EXPECT_EQ(copy.metrics.at("dram_bytes"), 64.0 * (393234 + 313862));
  EXPECT_EQ(copy.metrics.at("int_op"), 3 * 64.0 * 114688);
  EXPECT_EQ(copy.metrics.at("int8_tensor_op"), 0);
  ASSERT_TRUE(profile.ceilings.has_value()) << "beside it lies roofline.csv";
  EXPECT_DOUBLE_EQ(profile.ceilings->find("dram")->measured, 1388.7948e9);
  EXPECT_DOUBLE_EQ(profile.ceilings->find("int8_tensor")->measured, 166413.58e9);
  EXPECT_EQ(profile.device, "AMD MI200");
}

TEST(ImportRocprof, MixesWithNothingElse) {
  for (const Texts& files : {Texts{"vcopy-mi200-pmc_perf.csv", "ncu-gpp-v9.csv"},
                             {"vcopy-mi200-roofline.csv"},
                             {"none.csv"},
                             {"ncu-gpp-v9.csv", "ncu-gpp-v9.csv"}}) {
    std::vector<fs::path> paths;
    for (const std::string& file : files) paths.push_back(samples / file);
    EXPECT_THROW(import_profile(paths), InputError) << files.front();
  }
}

TEST(ProfileRecord, RefusesWhatCannotBe) {
  nlohmann::json good = profile_json(import_profile({samples / "vcopy-mi200-pmc_perf.csv"}));
  good["ranges"] = nlohmann::json::parse(R"([{"domain": "", "name": "r", "parent": -1,
      "launches": 1, "seconds": 1, "counters": {}, "missing": [], "notes": [],
      "kernels": [{"name": "k", "launches": 1, "seconds": 1}]}])");
  EXPECT_NO_THROW(read_profile(good, "a"));
  const std::pair<std::string, nlohmann::json> wrong[] = {
      {"/roofline_profile", 2},
      {"/kind", "toaster"},
      {"/kernels/0/launches", 0},
      {"/kernels/0/seconds", 0},
      {"/kernels/0/counters/SQ_LDS_IDX_ACTIVE", -1},
      {"/ranges/0/parent", 0},
      {"/ranges/0/kernels/0/launches", 0},
      {"", nlohmann::json::array()}};
  for (const auto& [place, value] : wrong) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(place)] = value;
    EXPECT_THROW(read_profile(bad, "a"), InputError) << place << value;
  }
}

TEST(ShortName, IsWhatPeopleSay) {
  const std::pair<const char*, const char*> names[] = {
      {"void gpp::cuda::(anonymous namespace)::power2_kernel(Problem, int)", "cuda::power2_kernel"},
      {"unnamed>::cache_blocking_kernel(Problem, int, FrequencySums *)", "cache_blocking_kernel"},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::F<float> >(int)",
       "native::vectorized_elementwise_kernel"},
      {"vecCopy(double*, double*, double*, int, int) [clone .kd]", "vecCopy"},
      {"main", "main"}};
  for (const auto& [name, said] : names) EXPECT_EQ(short_name(name), said);
  EXPECT_LE(short_name(std::string(300, 'x')).size(), 48u);
  EXPECT_FALSE(short_name("(").empty() || short_name("<<<").empty());
}

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

/// The profile of one kernel "triad<double>" with the work of a file.
KernelProfile stated(const std::string& text) {
  Profile profile = profile_with({launched("triad<double>")});
  WorkFile(text, "work.txt").state(profile);
  return profile.kernels.front();
}

std::string refusal(const std::string& text) {
  return thrown<InputError>([&] { const WorkFile file(text, "work.txt"); });
}

TEST(WorkFile, AddsUpTheFormsOfLaunches) {
  const KernelProfile kernel = stated(
      "# of each launch\n"
      "kernel ^triad<\n  fp64 6 * threads\n  dram 24 * gx * bx * by + launches\n"
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
  KernelProfile untold = launched("told not how");
  untold.forms.clear();
  Profile profile = profile_with({launched("b"), untold});
  const WorkFile file(
      "kernel c\n  fp64 2\nkernel ^b\n  fp64 3\nkernel not\n  fp64 2 / launches\n  dram gx\n", "w");
  EXPECT_EQ(file.state(profile), Texts{"c"});
  EXPECT_EQ(profile.kernels[0].stated->amounts.at("fp64"), 15);
  EXPECT_EQ(profile.kernels[1].stated->amounts.at("fp64"), 2) << "launches alone";
  EXPECT_TRUE(contains(reason(profile.kernels[1], "dram by formula"), "does not tell how"));
}

TEST(WorkFile, WhatHasNoValueIsMissingWithItsLine) {
  const KernelProfile kernel = stated(
      "kernel .\n  fp64 threads / (gx - 16)\n  fp32 8 - gx\n  fp16 1e300 * 1e300\n"
      "  tensor_fp16 1e200\n  l2 gx\n");
  EXPECT_EQ(kernel.stated->amounts.size(), 1u);
  EXPECT_TRUE(contains_all(reason(kernel, "fp64 by formula"), {"work.txt:2:", "grid 8x1x1"}));
  EXPECT_TRUE(contains(reason(kernel, "fp32 by formula"), "work.txt:3:"));
  EXPECT_TRUE(contains(reason(kernel, "fp16 by formula"), "work.txt:4:"));
  EXPECT_TRUE(contains(reason(kernel, "tensor_fp16 by formula"), "too large"));
}

TEST(WorkFile, MistakesHaveTheirPlace) {
  const std::pair<std::string, const char*> mistakes[] = {
      {"", "no block"},
      {"kernel\n", "work.txt:1:"},
      {"kernel k\n", "neither operations nor bytes"},
      {"kernel k\n  fp65 1\n", "unknown "},
      {"kernel k\n  fp64 1\n  fp64 2\n", "a second 'fp64'"},
      {"kernel k\n  fp64 2 * gxx\n", "work.txt:2: unknown name 'gxx'"},
      {"kernel k\n  fp64 2 $ 3\n", "work.txt:2: an operator is missing before '$', column 3"},
      {"kernel [\n  fp64 1\n", "not a regular expression"},
      {"kernel (a{1,255}){1,255}\n  fp64 1\n", "without repetitions"},
      {"kernel (a)\\1\n  fp64 1\n", "without repetitions"},
      {"kernel " + std::string(600, 'a') + "\n  fp64 1\n", "at most 500"},
      {"kernel k\n  fp64 " + std::string(1000, '(') + "\n", "nested too deeply"},
      {"kernel k\n  fp64 1" + std::string(3000, '1') + "\n", "longer than"},
      {"fp64 1\n", "unknown block 'fp64'"},
      {"\tkernel k\n", "a field before any block"}};
  for (const auto& [text, part] : mistakes)
    EXPECT_TRUE(contains(refusal(text), part)) << text.substr(0, 60) << "\n" << refusal(text);
}

TEST(StatedWork, IsKeptWithTheWholeProfile) {
  Profile profile = profile_with({launched("k")});
  profile.source = "cupti";
  profile.created = "2026-11-25T00:00:00Z";
  WorkFile("kernel k\n  fp64 threads\n  dram threads\n", "work.txt").state(profile);
  profile.kernels[0].gpu = 0;
  const nlohmann::json json = profile_json(profile);
  EXPECT_TRUE(json["kernels"][0].contains("formula_rooflines"));
  const Profile again = read_profile(json, "profile.json");
  EXPECT_EQ(profile_json(again).dump(), profile_json(profile).dump());
  EXPECT_EQ(again.kernels[0].key(), "k on GPU 0");
}

}  // namespace
}  // namespace roofline::test
