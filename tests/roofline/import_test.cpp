// Profiles from the files of other profilers: what they hold, and what is refused.
#include "roofline/import/import.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "roofline/base/csv.h"
#include "roofline/base/error.h"
#include "roofline/import/numbers.h"
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

bool misses(const KernelProfile& kernel, const std::string& name) {
  return std::any_of(kernel.missing.begin(), kernel.missing.end(),
                     [&](const Missing& one) { return one.name == name; });
}

// ---------------------------------------------------------------- CSV, numbers, units

TEST(Csv, CellsHoldCommasQuotesAndLineEnds) {
  CsvReader reader("\xef\xbb\xbf\"a,1\",\"say \"\"x\"\"\",\r\n\"two\nlines\",b,\"\"\n", "f");
  EXPECT_EQ(reader.row().cells, (std::vector<std::string>{"a,1", "say \"x\"", ""}));
  const CsvRow second = reader.row();
  EXPECT_EQ(second.line, 2u);
  EXPECT_EQ(second.cells, (std::vector<std::string>{"two\nlines", "b", ""}));
  EXPECT_TRUE(reader.at_end());
}

TEST(Csv, WhatIsCutOffIsToldWithItsLine) {
  const auto refusal = [](const std::string& text) {
    return thrown<InputError>([&] {
      CsvReader reader(text, "a.csv");
      while (!reader.at_end()) reader.row();
    });
  };
  EXPECT_TRUE(contains(refusal("\"a\"\n\"b"), "a.csv:2: a quote is never closed"));
  EXPECT_TRUE(contains(refusal("\"a\"b,c\n"), "a.csv:1: a character stands behind"));
}

std::optional<double> read_as(const std::vector<std::string>& cells, const std::string& cell) {
  StyleFinder finder;
  for (const std::string& one : cells) finder.look_at(one, 1);
  return number_in(cell, finder.style("f"));
}

TEST(Numbers, OfEveryLocaleAreRead) {
  EXPECT_EQ(read_as({"1,234,567", "0.57"}, "1,234.5"), 1234.5);
  EXPECT_EQ(read_as({"1.234.567", "0,57"}, "1.234,5"), 1234.5);
  EXPECT_EQ(read_as({"1.234.567"}, "12.345"), 12345) << "one cell tells of all others";
  EXPECT_EQ(read_as({"1\u202f234,5"}, "1\u202f234"), 1234);
  EXPECT_EQ(read_as({"1'234.5"}, "1'234"), 1234);
  EXPECT_EQ(read_as({}, "1,234"), 1234) << "without evidence a point is decimal";
  EXPECT_EQ(read_as({}, "1.2e+10"), 1.2e10);
  EXPECT_EQ(read_as({}, "159374425"), 159374425);
  for (const char* none :
       {"", "nan", "inf", "n/a", "-", "1,23", "1,2345", "12 3x", "0x10", "1e999"})
    EXPECT_FALSE(read_as({"0.5"}, none).has_value()) << none;
  EXPECT_THROW(read_as({"0.57", "0,57"}, "1"), InputError) << "which of the two?";
}

TEST(Units, AreBroughtToTheirBase) {
  EXPECT_EQ(unit_factor("byte"), 1);
  EXPECT_EQ(unit_factor("Mbyte"), 1e6);
  EXPECT_EQ(unit_factor("Gbyte/s"), 1e9);
  EXPECT_EQ(unit_factor("byte/nsecond"), 1 / 1e-9);
  EXPECT_EQ(unit_factor("ns"), 1e-9);
  EXPECT_EQ(unit_factor("usecond"), 1e-6);
  EXPECT_EQ(unit_factor("ms"), 1e-3);
  EXPECT_EQ(unit_factor("Ginst"), 1e9);
  EXPECT_EQ(unit_factor("%"), 1);
  EXPECT_EQ(unit_factor(""), 1);
  for (const char* other : {"furlong", "Xbyte", "byte/furlong", "bits"})
    EXPECT_FALSE(unit_factor(other).has_value()) << other;
}

// ---------------------------------------------------------------- Nsight Compute

TEST(ImportNcu, AddsUpTheLaunchesOfAKernel) {
  const Profile profile = import_profile({samples / "ncu-nersc-gpp-v9.csv"});
  EXPECT_EQ(profile.device, "NVIDIA H200");
  ASSERT_EQ(profile.kernels.size(), 3u);
  const KernelProfile& v9 = profile.kernels.front();
  EXPECT_TRUE(contains(v9.name, "cache_blocking_kernel")) << "most time first";
  EXPECT_EQ(v9.launches, 6);
  // By hand, of launches 0, 2, 5, 7, 9 and 11 in the file.
  EXPECT_NEAR(v9.metrics.at("fp64_flop"), 9.3476e9, 1e6);
  EXPECT_NEAR(*v9.seconds, 1.1502e-3, 1e-6);
  EXPECT_NEAR(v9.metrics.at("dram_bytes"), 3.0708e7, 1e4);
  EXPECT_TRUE(misses(v9, "shared"));
  EXPECT_TRUE(misses(v9, "tensor_fp16")) << "of a counter that is there and means nothing here";
}

TEST(ImportNcu, TakesSumsFromRatesWhereThereAreNoOthers) {
  const Profile sums = import_profile({samples / "ncu-nersc-gpp-v9.csv"});
  const Profile rates = import_profile({samples / "ncu-gpp-v9.csv"});
  const KernelProfile exact = kernel_called(sums, "cache_blocking");
  const KernelProfile rounded = kernel_called(rates, "cache_blocking");
  EXPECT_NEAR(rounded.metrics.at("fp64_flop"), exact.metrics.at("fp64_flop"),
              1e-4 * exact.metrics.at("fp64_flop"));
  EXPECT_NEAR(rounded.metrics.at("dram_bytes"), exact.metrics.at("dram_bytes"),
              0.01 * exact.metrics.at("dram_bytes"))
      << "another run";
  EXPECT_EQ(rounded.metrics.at("fp16_tensor_flop"), 0) << "counted by type, and none";
  EXPECT_TRUE(misses(rounded, "l1")) << "what L1 returns to registers is another quantity";
  EXPECT_TRUE(std::any_of(rounded.notes.begin(), rounded.notes.end(),
                          [](const std::string& note) { return contains(note, "rounds"); }));
}

/// Reports of ncu, and a program that stands in for it.
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
  const fs::path report = folder / "-a;b.ncu-rep";  // no shell sees the name, nor is it an option
};

TEST_F(ImportReport, IsReadThroughNcu) {
  const fs::path table = samples / "ncu-nersc-gpp-v9.csv";
  become_ncu(fmt::format("echo \"$@\" > {}/asked; cat {}", folder.path().string(), table.string()));
  const Profile profile = import_profile({report});
  EXPECT_EQ(profile.program, "-a;b.ncu-rep");
  EXPECT_EQ(profile.kernels.size(), import_profile({table}).kernels.size());
  EXPECT_EQ(file_text(folder / "asked"),
            fmt::format("--import {} --csv --page raw --print-units base\n", report.string()));
}

TEST_F(ImportReport, TellsWhyItIsNotRead) {
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
};

TEST_F(ImportText, ReadsTheTableOfOlderVersions) {
  const Profile profile = import(
      "my program prints this\n"
      "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"7\",\"k\",\"dram__bytes_read.sum\",\"Mbyte\",\"1.5\"\n"
      "\"0\",\"7\",\"k\",\"dram__bytes_write.sum\",\"Kbyte\",\"500\"\n"
      "\"0\",\"7\",\"k\",\"gpu__time_duration.sum\",\"usecond\",\"2\"\n"
      "\"0\",\"7\",\"k\",\"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum\",\"inst\",\"3,"
      "000\"\n"
      "\"0\",\"7\",\"k\",\"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum\",\"inst\",\"0\"\n"
      "\"0\",\"7\",\"k\",\"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum\",\"inst\",\"1\"\n"
      "\"1\",\"7\",\"k\",\"dram__bytes_read.sum\",\"Mbyte\",\"1\"\n");
  ASSERT_EQ(profile.kernels.size(), 1u);
  const KernelProfile& k = profile.kernels.front();
  EXPECT_EQ(k.launches, 2);
  EXPECT_TRUE(misses(k, "dram")) << "the second launch lacks what is written";
  EXPECT_TRUE(misses(k, "seconds"));
  EXPECT_FALSE(k.metrics.contains("fp64_flop"));
}

TEST_F(ImportText, CountsInBaseUnits) {
  const Profile profile = import(
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"k\",\"dram__bytes_read.sum\",\"Mbyte\",\"1.5\"\n"
      "\"0\",\"k\",\"dram__bytes_write.sum\",\"Kbyte\",\"500\"\n"
      "\"0\",\"k\",\"gpu__time_duration.sum\",\"usecond\",\"2\"\n");
  EXPECT_DOUBLE_EQ(profile.kernels.front().metrics.at("dram_bytes"), 2e6);
  EXPECT_DOUBLE_EQ(*profile.kernels.front().seconds, 2e-6);
}

TEST_F(ImportText, TakesTensorInstructionsOfAV100AloneForOperations) {
  const auto kernel_of = [&](const std::string& chip) {
    return import(
               "\"ID\",\"Kernel Name\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
               "\"0\",\"k\",\"" +
               chip +
               "\",\"sm__inst_executed_pipe_tensor.sum\",\"inst\",\"1,000\"\n"
               "\"0\",\"k\",\"" +
               chip + "\",\"gpu__time_duration.sum\",\"usecond\",\"2\"\n")
        .kernels.front();
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

TEST_F(ImportText, ReadsTheSameInAnotherLocale) {
  std::string german = file_text(samples / "ncu-nersc-gpp-v9.csv");
  bool quoted = false;
  for (std::size_t i = 0; i + 1 < german.size(); ++i) {
    if (german[i] == '"') quoted = !quoted;
    const bool in_number = i > 0 && isdigit(german[i - 1]) && isdigit(german[i + 1]);
    if (quoted && in_number && (german[i] == ',' || german[i] == '.'))
      german[i] = german[i] == ',' ? '.' : ',';
  }
  const Profile here = import_profile({samples / "ncu-nersc-gpp-v9.csv"});
  const Profile there = import(german);
  ASSERT_EQ(there.kernels.size(), here.kernels.size());
  for (std::size_t i = 0; i < here.kernels.size(); ++i)
    EXPECT_EQ(there.kernels[i].counters, here.kernels[i].counters);
}

TEST_F(ImportText, WhatIsNoNumberIsMissingAndNeverZero) {
  for (const char* cell : {"nan", "n/a", "", "-5", "inf", "1 (2; 3)"}) {
    const Profile profile = import(head + "\"0\",\"k\",\"" + cell + "\",\"100\"\n");
    const KernelProfile& k = profile.kernels.front();
    EXPECT_FALSE(k.metrics.contains("dram_bytes")) << cell;
    EXPECT_TRUE(misses(k, "dram__bytes.sum")) << cell;
    EXPECT_FALSE(profile_json(profile)["kernels"][0]["bytes"].contains("dram")) << cell;
  }
}

TEST_F(ImportText, RefusesWhatIsBrokenWithItsLineAndARemedy) {
  const std::string launch = "\"0\",\"k\",\"5\",\"100\"\n";
  EXPECT_TRUE(contains(refusal(""), "empty"));
  EXPECT_TRUE(contains(refusal("a,b\n1,2\n"), "neither a table of Nsight Compute"));
  EXPECT_TRUE(contains(refusal(head), "holds no launch"));
  EXPECT_TRUE(
      contains(refusal(head + "\"0\",\"k\",\"5\"\n"), "a.csv:4: 3 cells below a header of 4"));
  EXPECT_TRUE(
      contains(refusal(head + launch + "\"1\",\"k\",\"5"), "a.csv:5: a quote is never closed"));
  EXPECT_TRUE(contains(
      refusal("\"ID\",\"Kernel Name\",\"a__b.sum\",\"a__b.sum\"\n\"0\",\"k\",\"1\",\"2\"\n"),
      "column 'a__b.sum' stands twice, as number 3 and 4"));
  EXPECT_TRUE(contains(refusal(std::string("\"ID\"\0", 5)), "not a text"));
  EXPECT_TRUE(contains(refusal(file_text(samples / "ncu-details-gpp-v9.csv")), "--page raw"));
}

TEST_F(ImportText, DemandsUnits) {
  EXPECT_TRUE(
      contains(refusal("\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"0\",\"k\",\"1577\"\n"),
               "a.csv:2: no row of units stands between the header, in line 1, and this launch"));
  const std::string table =
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"k\",\"dram__bytes.sum\",\"\",\"5\"\n"
      "\"0\",\"k\",\"gpu__time_duration.sum\",\"\",\"1577\"\n";
  const KernelProfile k = import(table).kernels.front();
  EXPECT_FALSE(k.seconds) << "of what?";
  EXPECT_TRUE(misses(k, "dram__bytes.sum"));
}

TEST_F(ImportText, RefusesWhatStandsTwice) {
  const std::string launch = "\"0\",\"k\",\"5\",\"100\"\n";
  EXPECT_TRUE(
      contains(refusal(head + launch + launch), "a.csv:5: the launch with ID 0 stands twice"));
  const std::string columns =
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
  const auto time = [](const char* kernel, const char* value) {
    return fmt::format("\"0\",\"{}\",\"gpu__time_duration.sum\",\"ns\",\"{}\"\n", kernel, value);
  };
  EXPECT_TRUE(contains(refusal(columns + time("k", "1") + time("k", "2")),
                       "a.csv:3: 'gpu__time_duration.sum' of the launch with ID 0 has another "
                       "value in line 2"));
  EXPECT_TRUE(
      contains(refusal(columns + time("k", "1") + time("other", "1")),
               "a.csv:3: the launch with ID 0 is of kernel 'other' here, and of 'k' before"));
  EXPECT_EQ(refusal(columns + time("k", "1") + time("k", "1")), "") << "one value in two sections";
  const std::string dispatch = "0,k,1,5\n";
  EXPECT_TRUE(
      contains(refusal("Index,KernelName,SQ_INSTS_VALU_ADD_F64,DurationNs\n" + dispatch + dispatch),
               "a.csv:3: this dispatch stands in line 2, too"));
}

TEST_F(ImportText, RefusesWhatNobodyCouldReadAgain) {
  EXPECT_TRUE(contains(refusal(head + "\"0\",\"k\",\"1e300\",\"100\"\n"),
                       "a.csv: kernels[0].counters.dram__bytes.sum: 1e+300 is out of range"));
  EXPECT_TRUE(contains(refusal("KernelName,SQ_INSTS_VALU_ADD_F64,DurationNs\nk,1e300,5\n"),
                       "a.csv: kernels[0].counters.SQ_INSTS_VALU_ADD_F64"));
  EXPECT_TRUE(contains(refusal(head + "\"0\",\"k\",\"5\",\"1e20\"\n"), "seconds"));
}

/// Columns are names of whole cells, and not what stands somewhere in one.
TEST_F(ImportText, ColumnsWithinAQuoteAreNoColumns) {
  EXPECT_TRUE(contains(refusal("\"a,Kernel_Name\",SQ_INSTS_VALU_ADD_F64,DurationNs\nk,1,5\n"),
                       "neither a table"));
}

TEST_F(ImportText, FilesAreRegularOnesOfBoundedSize) {
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  const auto refused = [this] { return thrown<InputError>([this] { import_profile({file}); }); };
  EXPECT_TRUE(contains(refused(), "a pipe"));
  const auto roofs_refused = [this] {
    return thrown<InputError>([this] { roofs_called(file.string(), "gpu"); });
  };
  EXPECT_TRUE(contains(roofs_refused(), "a pipe"));
  fs::remove(file);
  std::ofstream(file).flush();
  fs::resize_file(file, 500'000'000);
  EXPECT_TRUE(contains(refused(), "500 MB are more"));
  EXPECT_TRUE(contains(roofs_refused(), "500 MB are more"));
  fs::resize_file(file, 1'000'000);
  EXPECT_TRUE(contains(refused(), "not a text"));
  std::ofstream(file) << "{\"ceilings\": " << std::string(131000, '[') << std::string(131000, ']')
                      << "}";
  EXPECT_TRUE(contains(roofs_refused(), "nested more than 64 levels"));
}

TEST_F(ImportText, NamesDoNotAct) {
  const Profile profile =
      import(head + "\"0\",\"</script><b onload=x>\x1b[2J\u202e\",\"5\",\"100\"\n");
  const std::string& name = profile.kernels.front().name;
  EXPECT_EQ(name.find('\x1b'), std::string::npos);
  EXPECT_EQ(name.find("\u202e"), std::string::npos);
  EXPECT_TRUE(contains(profile_json(profile).dump(), "onload")) << "whole in the record";
}

// ---------------------------------------------------------------- rocprof

TEST(ImportRocprof, GivesThePublishedCountsOfACopy) {
  const Profile profile = import_profile({samples / "vcopy-mi200-pmc_perf.csv"});
  ASSERT_EQ(profile.kernels.size(), 1u);
  const KernelProfile& copy = profile.kernels.front();
  EXPECT_EQ(copy.launches, 3);
  EXPECT_EQ(copy.metrics.at("fp64_flop"), 0);
  EXPECT_EQ(copy.metrics.at("l1_bytes"), 3 * 64.0 * 524288);
  EXPECT_EQ(copy.metrics.at("l2_bytes"), 3 * 64.0 * 262144);
  EXPECT_EQ(copy.metrics.at("int_op"), 3 * 64.0 * 114688);
  EXPECT_EQ(copy.metrics.at("int8_tensor_op"), 0);
  ASSERT_TRUE(profile.ceilings.has_value()) << "beside it lies roofline.csv";
  EXPECT_DOUBLE_EQ(profile.ceilings->find("dram")->measured, 1388.7948e9);
  EXPECT_DOUBLE_EQ(profile.ceilings->find("int8_tensor")->measured, 166413.58e9);
  EXPECT_EQ(profile.device, "AMD MI200");
}

TEST_F(ImportText, TheFirstDispatchOfTheCopyIsAsExpected) {
  std::istringstream all(file_text(samples / "vcopy-mi200-pmc_perf.csv"));
  std::string header, first;
  std::getline(all, header);
  std::getline(all, first);
  std::ofstream(folder.path() / "pmc_perf.csv") << header << "\n" << first << "\n";
  fs::copy_file(samples / "vcopy-mi200-timestamps.csv", folder.path() / "timestamps.csv");
  const KernelProfile copy = import_profile({folder.path() / "pmc_perf.csv"}).kernels.front();
  EXPECT_EQ(copy.metrics.at("l1_bytes"), 64.0 * 524288);
  EXPECT_EQ(copy.metrics.at("l2_bytes"), 64.0 * 262144);
  EXPECT_EQ(copy.metrics.at("dram_bytes"), 64.0 * (131080 + 131072));
  EXPECT_NEAR(*copy.seconds, 20.64e-6, 1e-9);
}

TEST(ImportRocprof, MixesWithNothingElse) {
  EXPECT_THROW(import_profile({samples / "vcopy-mi200-pmc_perf.csv", samples / "ncu-gpp-v9.csv"}),
               InputError);
  EXPECT_THROW(import_profile({samples / "vcopy-mi200-roofline.csv"}), InputError);
  EXPECT_THROW(import_profile({samples / "none.csv"}), InputError);
  EXPECT_THROW(import_profile({samples / "ncu-gpp-v9.csv", samples / "ncu-gpp-v9.csv"}),
               InputError);
}

// ---------------------------------------------------------------- the record

TEST(ProfileRecord, NotesFp16ThatMayOnlyLoadConstants) {
  Profile profile;
  profile.kind = "gpu";
  KernelProfile& kernel = profile.kernels.emplace_back();
  const std::string prefix = "sm__sass_thread_inst_executed_op_h";
  kernel.counters = {{prefix + "add_pred_on.sum", 0},
                     {prefix + "mul_pred_on.sum", 0},
                     {prefix + "fma_pred_on.sum", 32}};
  for (int i = 0; i < 2; ++i) derive(profile);
  EXPECT_TRUE(contains(only(profile.kernels[0].notes), "load constants"));
  for (const auto& [add, fma] : {std::pair{1.0, 32.0}, std::pair{0.0, 0.0}}) {
    profile.kernels[0].notes.clear();
    profile.kernels[0].counters[prefix + "add_pred_on.sum"] = add;
    profile.kernels[0].counters[prefix + "fma_pred_on.sum"] = fma;
    derive(profile);
    EXPECT_TRUE(profile.kernels[0].notes.empty()) << add << " " << fma;
  }
}

TEST(ProfileRecord, HoldsAllOfIt) {
  Profile profile = import_profile({samples / "ncu-nersc-gpp-v9.csv"});
  profile.ceilings = roofs_called("v100", "gpu");
  derive(profile);
  const auto json = profile_json(profile);
  EXPECT_EQ(profile_json(read_profile(nlohmann::json(json), "a")), json);
  EXPECT_EQ(json["kernels"][0]["launches"], 6);
  EXPECT_TRUE(json["kernels"][0]["work"].contains("fp64"));
  EXPECT_TRUE(json["kernels"][0]["bytes"].contains("l2"));
}

TEST(ProfileRecord, RefusesWhatCannotBe) {
  const auto good =
      nlohmann::json(profile_json(import_profile({samples / "vcopy-mi200-pmc_perf.csv"})));
  const auto refuses = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(pointer)] = value;
    EXPECT_THROW(read_profile(bad, "a"), InputError) << pointer << value;
  };
  EXPECT_NO_THROW(read_profile(good, "a"));
  refuses("/roofline_profile", 2);
  refuses("/kind", "toaster");
  refuses("/kernels/0/launches", 0);
  refuses("/kernels/0/seconds", -1);
  refuses("/kernels/0/seconds", 0);
  refuses("/kernels/0/counters/SQ_LDS_IDX_ACTIVE", -1);
  refuses("/kernels/0/counters/SQ_LDS_IDX_ACTIVE", "many");
  refuses("/kernels", 3);
  EXPECT_THROW(read_profile(nlohmann::json::array(), "a"), InputError);
}

TEST(ShortName, IsWhatPeopleSay) {
  EXPECT_EQ(short_name("void gpp::cuda::(anonymous namespace)::power2_kernel(Problem, int)"),
            "cuda::power2_kernel");
  EXPECT_EQ(short_name("unnamed>::cache_blocking_kernel(Problem, int, FrequencySums *)"),
            "cache_blocking_kernel");
  EXPECT_EQ(short_name("void at::native::vectorized_elementwise_kernel<4, at::native::F<float> >"
                       "(int, at::native::F<float>)"),
            "native::vectorized_elementwise_kernel");
  EXPECT_EQ(short_name("vecCopy(double*, double*, double*, int, int) [clone .kd]"), "vecCopy");
  EXPECT_EQ(short_name("main"), "main");
  EXPECT_LE(short_name(std::string(300, 'x')).size(), 48u);
  EXPECT_FALSE(short_name("(").empty());
  EXPECT_FALSE(short_name("<<<").empty());
}

}  // namespace
}  // namespace roofline::test
