// Tables of other profilers in the forms that people send: each with its right value, or with the
// reason of its refusal.
#include <algorithm>
#include <fstream>

#include "roofline/base/text.h"
#include "roofline/import/import.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;
const fs::path field = fs::path(GPP_SOURCE_DIR) / "tests/roofline/profiles/field";

/// What a profile of one kernel must hold; a level of -1 was not counted.
struct Right {
  std::int64_t launches = 2;
  double seconds = 40e-6, fp64 = 4194304, l1 = -1, l2 = -1, dram = 50.34e6;
};

void expect(const Profile& profile, const Right& right, const std::string& of) {
  SCOPED_TRACE(of);
  ASSERT_EQ(profile.kernels.size(), 1u);
  const KernelProfile& kernel = profile.kernels.front();
  EXPECT_EQ(kernel.launches, right.launches);
  EXPECT_NEAR(kernel.seconds.value_or(0), right.seconds, 1e-12);
  for (const auto& [metric, value] :
       {std::pair("fp64_flop", right.fp64),
        {"l1_bytes", right.l1},
        {profile.kind == "gpu" ? "l2_sm_bytes" : "l2_bytes", right.l2},
        {"dram_bytes", right.dram}})
    EXPECT_NEAR(metric_value(kernel.metrics, metric).value_or(-1), value, 1e-6) << metric;
}

bool told(const Profile& profile, const std::string& text) {
  return std::ranges::any_of(profile.notes,
                             [&](const std::string& note) { return contains(note, text); });
}

TEST(ImportField, HasTheRightValues) {
  const std::pair<std::vector<fs::path>, Right> cases[] = {
      {{"01-rocprofv3-long/run_counter_collection.csv"},
       {2, 40e-6, 4194304, 100663296, 50331648, 50331648}},
      {{"01-rocprofv3-long"}, {2, 40e-6, 4194304, 100663296, 50331648, 50331648}},
      {{"03-mi300-lines/pmc_perf.csv"}, {1, 7.731e-6, 2097152, 67108864, 16777216, 16782208}},
      {{"04-timestamps-from-1/pmc_perf.csv"}, {3, 105e-6, 6291456, 201326592, 50331648, 50346624}},
      {{"10-ncu-bom/utf8-bom.csv"}, {}},
      {{"11-ncu-batch-log/slurm-77.out"}, {}},
      {{"14-ncu-two-runs/flop.csv", "14-ncu-two-runs/bytes.csv"}, {}},
      {{"14-ncu-two-runs/bytes.csv", "14-ncu-two-runs/flop.csv"}, {}},
      {{"14-ncu-two-runs"}, {}}};
  for (const auto& [names, right] : cases) {
    std::vector<fs::path> files;
    for (const fs::path& name : names) files.push_back(field / name);
    expect(import_profile(files), right, names.front().string());
  }
  const Profile packed = import_profile({field / "09-ncu-blackwell-ffma2/raw.csv"});
  EXPECT_EQ(packed.kernels.front().metrics.at("fp32_flop"), 1083179008);
}

class ImportKinds : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  std::string refusal(const std::vector<fs::path>& files, const std::string& chip = "") const {
    return thrown<InputError>([&] { import_profile(files, chip); });
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  }

  const TemporaryFolder folder;
  const std::string plain = file_text(field / "10-ncu-bom/utf8-bom.csv").substr(3);
  const std::string flop = file_text(field / "14-ncu-two-runs/flop.csv");
  const std::string bytes = file_text(field / "14-ncu-two-runs/bytes.csv");
};

/// One table in other encodings, separators and locales, with logs, prefixes and indices, as a
/// summary and in two parts.
TEST_F(ImportKinds, OfOneTableAreReadAlike) {
  int read = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(field / "alike")) {
    expect(import_profile({entry.path()}), {}, entry.path().filename().string());
    ++read;
  }
  EXPECT_GE(read, 21);
  expect(import_profile({field / "two-ranks.csv"}), {4, 80e-6, 2 * 4194304, -1, -1, 100.68e6}, "");
}

TEST_F(ImportKinds, OfOneProfileAreJoinedAndTheirContradictionsTold) {
  const fs::path a = write("a.csv", flop), b = write("b.csv", bytes);
  const fs::path slower = write("c.csv", replaced(bytes, "20.00", "21.00"));
  const Profile other = import_profile({a, slower});
  expect(other, {}, "the first time counts");
  EXPECT_TRUE(told(other, "a.csv and ") && told(other, "by up to 4.8% (gpu__time_duration.sum"));
  EXPECT_TRUE(contains(refusal({b, slower}), "a second run, or another rank; import them one by"));
  EXPECT_EQ(refusal({b, write("d.csv", bytes)}), "") << "they say the same";
  // Another numbering is no matter where the launches are as many; a launch alone lacks something.
  expect(import_profile({a, write("e.csv", replaced(bytes, "\n\"1\"", "\n\"7\""))}), {},
         "by order");
  const std::string one = bytes.substr(0, bytes.rfind("\"1\",\"4242\""));
  const Profile part = import_profile({a, write("f.csv", one)});
  expect(part, {2, 40e-6, 4194304, -1, -1, -1}, "one of two");
  EXPECT_TRUE(told(part, "share 1 launches, and 1 are in one of them alone"));
  const Profile two = import_profile({a, write("g.csv", replaced(bytes, "triad(", "other("))});
  EXPECT_EQ(two.kernels.size(), 2u) << "a kernel of its own";
}

TEST_F(ImportKinds, OfRocprofAreJoinedAndTakeTimesRoofsAndChipFromTheirFolder) {
  fs::copy(field / "passes", folder.path(), fs::copy_options::recursive);
  const Right mi200{2, 5e-6, 2 * 1280, 2 * 64000, -1, -1};
  const Profile assumed = import_profile({folder.path()});
  expect(assumed, mi200, "five passes and a trace");
  EXPECT_TRUE(contains(assumed.device, "read as gfx90a (--chip tells another)"));
  EXPECT_EQ(assumed.kind, "amd");
  Right mi300 = mi200;
  mi300.l1 *= 2;
  expect(import_profile({folder.path()}, "gfx942:sramecc+"), mi300, "--chip");
  write("trace/7_agent_info.csv",
        "\"Node_Id\",\"Agent_Type\",\"Name\",\"Product_Name\"\n"
        "0,\"CPU\",\"AMD EPYC\",\"AMD EPYC\"\n"
        "1,\"GPU\",\"gfx950\",\"AMD Instinct MI355X\"\n");
  const Profile named = import_profile({folder.path()});
  expect(named, mi300, "lines of 128 B");
  EXPECT_EQ(named.device + " " + named.kind, "AMD Instinct MI355X gfx950");
  EXPECT_TRUE(contains(refusal({folder.path()}, "gfx90a"), "the files name gfx950: tell"));
  write("trace/8_agent_info.csv", "Agent_Type,Name\nGPU,gfx1100\n");
  EXPECT_TRUE(contains(refusal({folder.path()}), "the files name gfx1100, gfx950: tell"));
  EXPECT_TRUE(contains(refusal({folder.path()}, "gfx1100"), "no formulas are known for"));
}

TEST_F(ImportKinds, ThatCannotBeReadAreNamed) {
  const std::pair<std::string, const char*> refused[] = {
      {std::string("SQLite format 3\0", 16), "not a text: unpack what is compressed"},
      {"NVR", "end the name of a report of ncu with .ncu-rep"},
      {"Dispatch_ID,Kernel_Name,VALUBusy\n0,k,3\n", "and a counter that is known here"},
      {"Dispatch_ID,Kernel_Name,Start_Timestamp,End_Timestamp\n0,k,1,3\n",
       "no table of counters is among the files"},
      {"Dispatch_ID;Kernel_Name;SQ_LDS_IDX_ACTIVE\n0;k;1,5\n1;k;1.5\n", "written in two ways"}};
  for (const auto& [text, part] : refused)
    EXPECT_TRUE(contains(refusal({write("a.csv", text)}), part)) << part;
  EXPECT_TRUE(contains(refusal({write("a.csv", flop)}, "gfx942"), "--chip tells AMD's chip"));
  fs::create_directory(folder / "empty");
  EXPECT_TRUE(contains(refusal({folder / "empty"}), "0 tables (.csv) and reports"));
}

TEST_F(ImportKinds, WithoutSumsTellWhatFollowsFromRatesAndDerivedMetrics) {
  const std::string name = "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum";
  const std::string derived = replaced(
      replaced(replaced(plain, name, "derived__" + name.substr(0, name.size() - 4) + "_x2"),
               "1,048,576", "41.94304"),
      "\"dram__bytes.sum\"", "\"dram__bytes.sum\",\"smsp__cycles_elapsed.avg.per_second\"");
  std::string table = replaced(derived, "\"25.17\"", "\"25.17\",\"2.5\"");
  table = replaced(table, "\"Mbyte\"", "\"Mbyte\",\"Ghz\"");
  expect(import_profile({write("a.csv", table)}), {}, "in a cycle, twice");
  // Packed FP32 that was not counted leaves no number of FP32.
  const std::string packed = file_text(field / "09-ncu-blackwell-ffma2/raw.csv");
  const Profile lacking =
      import_profile({write("b.csv", replaced(packed, "op_fmul2", "op_other"))});
  EXPECT_FALSE(lacking.kernels.front().metrics.contains("fp32_flop"));
  const Profile older = import_profile(
      {write("c.csv", replaced(replaced(packed, "op_fmul2", "op_other"), "\"10.0\"", "\"9.0\""))});
  EXPECT_EQ(older.kernels.front().metrics.at("fp32_flop"), 1048576 + 2 * 4194304);
}

}  // namespace
}  // namespace roofline::test
