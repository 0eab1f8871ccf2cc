// Tests of instructions that load constants or compute in half precision (words from nvcc 13.0, as
// nvdisasm prints them), and of instructions assigned to lines, on a kept cubin.
#include "roofline/machine_code/cubin.h"
#include "roofline/profile.h"
#include "roofline/record/lines.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

struct Word {
  unsigned architecture;
  std::uint64_t low, high;
  HalfUse use;
  const char* text;
};

using enum HalfUse;

constexpr Word words[] = {
    {80, 0x00000002ff077435, 0x000fe200000001ff, constants, "HFMA2.MMA R7, -RZ, RZ, 0, 2^-23"},
    {90, 0x3f22f983ff067435, 0x000fe200000001ff, constants, "HFMA2.MMA R6, -RZ, RZ, 1.78, -45152"},
    {100, 0x3f22f983ff067431, 0x000fe200000001ff, constants, "HFMA2 R6, -RZ, RZ, 1.78, -45152"},
    {90, 0x4300410002097435, 0x008fce0000000005, arithmetic, "HFMA2.MMA R9, R2, R5, 3.5, 2.5"},
    {90, 0x4300410002097835, 0x008fce0000000005, arithmetic, "HFMA2.MMA R9, R2, 3.5, 2.5, R5"},
    {90, 0x000000ffff077235, 0x004fce0000000002, arithmetic, "HFMA2.MMA R7, RZ, RZ, R2"},
    {90, 0x0000000502097235, 0x008fce0000200000, arithmetic, "HFMA2.MMA.BF16_V2 R9, R2, R5, R0"},
    {90, 0x2000000502057231, 0x010fca0003848806, arithmetic, "HFMA2.RELU R5, R2.H0_H0, R5.H0_H0"},
    {75, 0x00000005020b7231, 0x004fd00000002006, arithmetic, "HFMA2.SAT R11, R2, R5, R6"},
    {100, 0x2000000502057230, 0x004fca0000000800, arithmetic, "HADD2 R5, R2.H0_H0, R5.H0_H0"},
    {100, 0x20000002ff007230, 0x008fca0000004100, arithmetic, "HADD2.F32 R0, -RZ, R2.H0_H0"},
    {120, 0x2000000502057232, 0x004fca0000000800, arithmetic, "HMUL2 R5, R2.H0_H0, R5.H0_H0"},
    {120, 0x0000040002027835, 0x000fd000078e0200, none, "no HFMA2.MMA on sm_120"},
    {90, 0x0000000000077919, 0x000e2e0000002100, none, "S2R R7, SR_TID.X"}};

TEST(HalfPrecision, TellsLoadsOfConstantsFromArithmetic) {
  for (const Word& word : words)
    EXPECT_EQ(half_use(word.low, word.high, word.architecture), word.use)
        << word.text << " on sm_" << word.architecture;
  // With a sign, a half, saturation or BF16, the constant is not loaded unchanged.
  for (const std::uint64_t bits : {0x0ffULL, 0x1feULL, 0x21ffULL, 0x81ffULL, 0x2001ffULL})
    EXPECT_EQ(half_use(0x00000002ff077435, 0x000fe20000000000 | bits, 90), HalfUse::arithmetic);
}

TEST(HalfPrecision, CodeThatIsNotKnownTellsNothing) {
  const HalfPrecision code;
  EXPECT_EQ(code.constants({"f()"}, 0), std::optional(0.0));
  EXPECT_EQ(code.constants({"f()"}, 5), std::nullopt);
  EXPECT_EQ(code.constants({}, 5), std::nullopt);
}

TEST(HalfPrecision, LoadsAreTakenOutOfTheOperationsOrSaid) {
  std::vector<KernelProfile> kernels(1);
  KernelProfile& kernel = kernels.front();
  const auto notes = [&](double adds, double fmas) {
    kernel.notes.clear();
    kernel.counters["sm__sass_thread_inst_executed_op_hadd_pred_on.sum"] = adds;
    kernel.counters["sm__sass_thread_inst_executed_op_hmul_pred_on.sum"] = 0;
    kernel.counters[half_fma] = fmas;
    for (int i = 0; i < 2; ++i) derive(kernels, "gpu", nullptr);
    return kernel.notes.size();
  };
  EXPECT_EQ(notes(1, 96), 0u);
  EXPECT_EQ(notes(0, 0), 0u);
  ASSERT_EQ(notes(0, 96), 1u) << "said once";
  EXPECT_NE(kernel.notes[0].find("load constants"), std::string::npos);
  EXPECT_EQ(kernel.metrics.at("fp16_flop"), 4 * 96) << "as other profilers count";
  kernel.counters[half_constants] = 96;
  EXPECT_EQ(notes(0, 96), 0u);
  EXPECT_EQ(kernel.metrics.at("fp16_flop"), 0);
}

/// The kernel `strided`, and how nvcc named its files.
std::string cubin_bytes() {
  return file_text(GPP_SOURCE_DIR "/tests/roofline/cubins/sample_90.cubin");
}
const std::string kernel_file = "/tmp/src/line_table_sample.cu",
                  header_file = "/tmp/src/line_table_sample.h";

constexpr std::uint64_t crc = 0x1234567890abcdef;

bool own(const std::string& file) { return file == kernel_file; }

class SourceLines : public testing::Test {
 protected:
  std::vector<LineEvidence> lines(const std::vector<InstructionEvidence>& some) {
    lost.clear();
    LineTables tables(cubins);
    return lines_of(some, tables, own, lost);
  }
  const LineEvidence& at(const std::vector<LineEvidence>& all, const std::string& file, int line) {
    for (const LineEvidence& one : all)
      if (one.place == SourcePlace{file, line}) return one;
    static const LineEvidence none;
    ADD_FAILURE() << file << ":" << line << " is missing";
    return none;
  }

  Cubins cubins = {{crc, cubin_bytes()}};
  std::vector<std::string> lost;
  // Line 14; line 17 of the header, inlined there; line 8, inlined in line 12, inlined in line
  // 13; line 17; the compiler's division. The last two have 32 bits of the CRC, as in SASS metrics.
  const std::vector<InstructionEvidence> instructions = {
      {crc, "strided", 720, {{"wait", 1}}, {{"warp_instructions", 100}}},
      {crc, "strided", 752, {{"wait", 2}, {"barrier", 4}}, {{"warp_instructions", 200}}},
      {crc, "strided", 432, {{"wait", 8}}, {{"warp_instructions", 400}}},
      {crc & 0xffffffff, "strided", 1040, {{"wait", 16}}, {{"warp_instructions", 800}}},
      {crc & 0xffffffff, "strided", 1056, {{"wait", 32}}, {{"warp_instructions", 1600}}}};
};

TEST_F(SourceLines, EveryInstructionBelongsToOnePair) {
  const std::vector<LineEvidence> all = lines(instructions);
  EXPECT_TRUE(lost.empty()) << lost.front();
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(at(all, kernel_file, 14).called_from, std::nullopt);
  EXPECT_EQ(at(all, kernel_file, 14).function, "strided");
  const LineEvidence& outer = at(all, header_file, 17);
  EXPECT_EQ(outer.called_from, (SourcePlace{kernel_file, 14}));
  EXPECT_EQ(outer.function, "odd_lanes(double)");
  EXPECT_EQ(outer.samples(), 6u);
  const LineEvidence& inner = at(all, header_file, 8);
  EXPECT_EQ(inner.called_from, (SourcePlace{kernel_file, 13})) << "not the form that called it";
  EXPECT_EQ(inner.function, "inner_quotient(double, double)");
  EXPECT_EQ(at(all, kernel_file, 17).samples(), 16u);
  EXPECT_EQ(all.front().place.file, "") << "the table gives helpers the kernel's last line";
  EXPECT_EQ(all.front().function, "division");
  EXPECT_EQ(total_counts(all), (Events{{"warp_instructions", 3100}}));
  EXPECT_EQ(total_stalls(all), (Events{{"wait", 59}, {"barrier", 4}}));
}

TEST_F(SourceLines, BothViewsAddUpTheSame) {
  const std::vector<LineEvidence> all = lines(instructions);
  const std::vector<LineGroup> groups = by_variant_line(all);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].function, "division");
  EXPECT_EQ(groups[1].place, (SourcePlace{kernel_file, 17})) << "hottest first";
  EXPECT_EQ(groups[2].place, (SourcePlace{kernel_file, 13}));
  EXPECT_EQ(groups[3].samples(), 7u) << "with all that was inlined";
  EXPECT_EQ(groups[3].counts, (Events{{"warp_instructions", 300}}));
  EXPECT_EQ(groups[3].function, "strided");
  ASSERT_EQ(groups[3].parts.size(), 2u);
  EXPECT_EQ(groups[3].parts[0].place.file, header_file);
  EXPECT_EQ(by_innermost_line(all).size(), 5u);
}

TEST_F(SourceLines, ALineHasAllItsInstructionsOfAnyCallerAndAnyRecording) {
  std::vector<InstructionEvidence> three;
  for (const std::uint64_t offset : {752, 768, 784})
    three.push_back({crc, "strided", offset, {}, {{"warp_instructions", 768'952'000}}});
  EXPECT_EQ(only(lines(three)).counts.at("warp_instructions"), 3u * 768'952'000u);

  std::vector<LineEvidence> all = lines({instructions[2]});
  all.push_back(all[0]);
  all[1].called_from = SourcePlace{kernel_file, 11};
  EXPECT_EQ(by_variant_line(all).size(), 2u);
  const std::vector<LineGroup> groups = by_innermost_line(all);
  EXPECT_EQ(only(groups).samples(), 16u);
  EXPECT_EQ(only(groups).parts.size(), 2u);

  std::vector<InstructionEvidence> samples = instructions, counts = instructions;
  for (InstructionEvidence& one : samples) one.counts.clear();
  for (InstructionEvidence& one : counts) one.stalls.clear();
  all = merged(lines(samples), lines(counts));
  EXPECT_EQ(all.size(), 5u);
  EXPECT_EQ(total_counts(all), total_counts(lines(instructions)));
  EXPECT_EQ(total_stalls(all), total_stalls(lines(instructions)));
}

TEST_F(SourceLines, CodeThatNobodySawIsToldOnceAndNeverGuessed) {
  const std::vector<LineEvidence> all = lines({{99, "_Z1fi", 0, {{"wait", 1}}, {}},
                                               {99, "_Z1fi", 8, {{"wait", 2}}, {}},
                                               {crc, "elsewhere", 0, {{"wait", 4}}, {}}});
  EXPECT_TRUE(contains(only(lost), "CUDA_MODULE_LOADING"));
  EXPECT_EQ(total_stalls(all), (Events{{"wait", 7}}));
  EXPECT_EQ(all.back().function, "f(int)");
  cubins[77] = "not a cubin";
  EXPECT_EQ(lines({{77, "strided", 0, {{"wait", 1}}, {}}}).at(0).place.file, "");
  EXPECT_EQ(lost.size(), 1u);
  cubins[crc ^ (std::uint64_t{1} << 40)] = cubin_bytes();
  EXPECT_EQ(lines({instructions[3]}).at(0).place.file, "") << "either of two";
  EXPECT_EQ(lines({instructions[0]}).at(0).place.line, 14) << "told by all 64 bits";
}

}  // namespace
}  // namespace roofline::test
